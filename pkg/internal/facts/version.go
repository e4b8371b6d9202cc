package facts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Versions compares the version of a cluster with those that charts allow. It is shared by the
// packs of a run, because one version of a cluster is one mistake. Helm 4 compares releases, 1.30.2
// of 1.30.2-eks.1. Helm 3 compares the whole version, and reads a suffix as a pre-release.
type Versions struct {
	// version is the version of the cluster.
	version *semver.Version
	// in is the ClusterContext with the version.
	in diag.Resource
	// excluded are the charts that do not allow the version, and suffixed those that do not
	// allow its suffix.
	excluded, suffixed []excluding
}

// excluding is a chart that does not allow the version of the cluster, with the pack or the release that
// has it. pack is "" for a release.
type excluding struct {
	// who names the pack or the release, chart the chart, and allowed is its range of versions.
	who, pack, chart, allowed string
	// at is a finding at the chart.
	at diag.Finding
}

// NewVersions returns what compares charts with a cluster, or nil if its version is not known.
func NewVersions(cluster *pack.ClusterContext) *Versions {
	text, in := cluster.Kubernetes()
	version, err := semver.NewVersion(text)
	if err != nil {
		return nil // check-dependencies reports it
	}
	return &Versions{version: version, in: in}
}

// mostPacks is the number of packs that a finding names.
const mostPacks = 5

// Findings returns a finding for the charts that do not allow the version of the cluster, and one
// for those that do not allow its suffix, at the version in the ClusterContext. Without a file of
// it they are at the first of the charts. Nil has none.
func (v *Versions) Findings() (findings []diag.Finding) {
	if v == nil {
		return nil
	}
	kubernetes := v.version.Original()
	if len(v.excluded) > 0 {
		f := diag.Say("Kubernetes %s is outside the kubeVersion of %s", kubernetes, listed(v.excluded))
		noun := "packs"
		if slices.ContainsFunc(v.excluded, func(one excluding) bool { return one.pack == "" }) {
			noun = "charts"
		}
		findings = append(findings, v.at(f.Do("correct the version, or use versions of the "+noun+" that support it"), v.excluded))
	}
	if len(v.suffixed) > 0 {
		f := diag.Say("Helm 3 reads the suffix of Kubernetes %s as a pre-release, which is outside the kubeVersion of %s", kubernetes, listed(v.suffixed))
		f.Severity = diag.Warning
		findings = append(findings, v.at(f.Do("install with Helm 4, which ignores the suffix"), v.suffixed))
	}
	return findings
}

// at returns a finding at the version in the ClusterContext, or else at the first chart.
func (v *Versions) at(f diag.Finding, charts []excluding) diag.Finding {
	if v.in.File != "" {
		return f.In(diag.Whole(v.in), pack.KubernetesPath, diag.Position{}).Of(rule.ValuesChartVersion)
	}
	f.Where = charts[0].at.Where
	return f.For(charts[0].pack).Of(rule.ValuesChartVersion)
}

// listed names packs and releases, with what their charts allow.
func listed(charts []excluding) string {
	var names []string
	for _, one := range charts[:min(len(charts), mostPacks)] {
		names = append(names, fmt.Sprintf("%s (chart %s: %s)", one.who, one.chart, one.allowed))
	}
	if more := len(charts) - mostPacks; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return diag.AllOf(names)
}

// versions compares the charts of the pack with the cluster.
func (k *Checker) versions() {
	v := k.Versions
	if v == nil {
		return
	}
	for _, name := range k.charts {
		c := k.facts.Charts[name]
		if fault, ok := v.compare(c, excluding{who: fmt.Sprintf("pack %q", k.pack.Name), pack: k.pack.Name, chart: cmp.Or(c.String(), name), at: k.inChart(diag.Finding{}, name)}); !ok {
			k.add(k.inChart(fault, name))
		}
	}
}

// compare compares the version of the cluster with the versions that a chart allows. It returns a finding
// if these cannot be parsed.
func (v *Versions) compare(c *Chart, one excluding) (fault diag.Finding, ok bool) {
	if c.KubeVersion == "" {
		return fault, true
	}
	allowed, err := semver.NewConstraint(c.KubeVersion)
	if err != nil {
		return diag.Say("the kubeVersion %q of the chart %s cannot be parsed: Helm does not install the chart", c.KubeVersion, c).Of(rule.ValuesChartVersion), false
	}
	one.allowed = c.KubeVersion
	release, _ := v.version.SetPrerelease("")
	switch {
	case !allowed.Check(&release):
		v.excluded = append(v.excluded, one)
	case !allowed.Check(v.version):
		v.suffixed = append(v.suffixed, one)
	}
	return fault, true
}

// inChart sets the place of a finding about a chart: its facts, or its name in pack.json.
func (k *Checker) inChart(f diag.Finding, name string) diag.Finding {
	switch {
	case k.pack.ChartFacts != nil:
		return f.In(k.pack.ChartFacts.Origin, "charts."+name+".kubeVersion", k.facts.Charts[name].kubeVersionAt)
	case k.pack.Metadata != nil:
		return f.In(k.pack.Metadata.Origin, "charts", diag.Position{})
	}
	return f.About(k.pack.Resource, "")
}
