package facts

import (
	"fmt"
	"maps"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// versions reports charts whose kubeVersion does not allow the version of the cluster. Helm
// 4 compares releases, 1.30.2 of 1.30.2-eks.1. Helm 3 compares the whole version, and takes
// a suffix for a pre-release.
func (k *Judge) versions() {
	for _, name := range slices.Sorted(maps.Keys(k.facts.Charts)) {
		c := k.facts.Charts[name]
		if c.KubeVersion == "" {
			continue
		}
		cluster := k.cluster()
		if cluster == nil {
			return
		}
		release, _ := cluster.SetPrerelease("")
		allowed, err := semver.NewConstraint(c.KubeVersion)
		f := diag.Got(fmt.Sprintf("Kubernetes %s of the cluster", cluster.Original()), fmt.Sprintf("%s, as kubeVersion of the chart %s says", c.KubeVersion, c)).
			Saying("the chart %s requires Kubernetes %s (kubeVersion), but the cluster has %s", c, c.KubeVersion, cluster.Original())
		f = f.Do("use another version of the pack, or upgrade the cluster").Of(rule.ValuesChartVersion)
		switch {
		case err != nil:
			f = diag.Say("the kubeVersion %q of the chart %s cannot be read: Helm does not install the chart", c.KubeVersion, c).Of(rule.ValuesChartVersion)
		case !allowed.Check(&release):
		case !allowed.Check(cluster):
			f = f.Do("install the chart with Helm 4, because Helm 3 reads the suffix as a pre-release")
			f.Severity = diag.Warning
		default:
			continue
		}
		k.add(k.inChart(f, name))
	}
}

// cluster returns the version of the cluster, nil if it is unknown.
func (k *Judge) cluster() *semver.Version {
	if k.Kubernetes == nil {
		return nil
	}
	cluster, err := semver.NewVersion(k.Kubernetes())
	if err != nil {
		return nil // check-dependencies reports it
	}
	return cluster
}

// inChart sets the place of a finding about a chart: its facts, or its name in pack.json.
func (k *Judge) inChart(f diag.Finding, name string) diag.Finding {
	switch {
	case k.pack.ChartFacts != nil:
		return f.In(k.pack.ChartFacts.Origin, "charts."+name+".kubeVersion", k.facts.Charts[name].kubeVersionAt)
	case k.pack.Metadata != nil:
		return f.In(k.pack.Metadata.Origin, "charts", diag.Position{})
	}
	return f.About(k.pack.Resource, "")
}
