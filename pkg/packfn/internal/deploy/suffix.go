package deploy

import (
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/rule"
)

// suffixed is a chart that was rendered for a version with a suffix.
type suffixed struct {
	// source is the chart, job the call of the renderer, and manifests its result.
	source    chart.Source
	job       helm.Job
	manifests []helm.Manifest
}

// releaseOf returns a parsed Kubernetes version and the version without its suffix, such as
// 1.33.1 for 1.33.1-eks-1. It returns nil if there is no suffix.
func releaseOf(kubernetes string) (full, release *semver.Version) {
	full, err := semver.NewVersion(kubernetes)
	if err != nil || full.Prerelease()+full.Metadata() == "" {
		return nil, nil
	}
	return full, semver.New(full.Major(), full.Minor(), full.Patch(), "", "")
}

// suffixes reports the templates that render otherwise without the suffix of the version. The
// version itself may be among what they print.
func (k *rendering) suffixes() error {
	for _, s := range k.suffixed {
		full := strings.TrimPrefix(s.job.Kubernetes, "v")
		version, without := releaseOf(full)
		release, branch := without.String(), s.source.Branches(version, without)
		s.job.Kubernetes = release
		result, err := k.helm.Render(&s.job)
		if err != nil {
			return err
		}
		if len(result.Failures) > 0 {
			continue
		}
		before, after := bySource(s.manifests), bySource(result.Manifests)
		all := maps.Clone(before)
		maps.Copy(all, after)
		lines := map[string]bool{}
		for _, file := range slices.Sorted(maps.Keys(all)) {
			if strings.ReplaceAll(before[file], full, release) == after[file] {
				continue
			}
			_, file, _ = strings.Cut(file, "/")
			line := branch(file)
			if lines[line] {
				continue
			}
			lines[line] = true
			f := diag.Say("the chart %s %s renders otherwise for Kubernetes %s than for %s, in %s", s.source.Name, s.source.Version, full, release, line)
			f = f.Do("compare both with packfn template --kube-version; constraints of a chart allow a suffix only with a pre-release, as in >=1.22-0")
			k.add(k.values.fault(f, "charts", s.source.Key).Of(rule.ValuesChartSuffix))
		}
	}
	return nil
}

// bySource returns the texts of manifests by their templates.
func bySource(manifests []helm.Manifest) map[string]string {
	parts := map[string][]string{}
	for _, m := range manifests {
		parts[m.Source] = append(parts[m.Source], m.Text)
	}
	texts := map[string]string{}
	for source, all := range parts {
		texts[source] = strings.Join(all, "\n---\n")
	}
	return texts
}
