package workspace

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
	variantset "github.com/krm-packs/functions/pkg/variant/set"
)

// Tally counts the resources of a package that checks have read, each once.
type Tally struct {
	// read are the resources.
	read map[ID]bool
	// targets are the Kptfiles among them that are targets of a check. Other checks read only their conditions.
	targets map[ID]bool
}

// Add adds the resources that the function of a run has read, if it is a check.
func (t *Tally) Add(run *Run) {
	if !run.Function.Checks {
		return
	}
	if t.read == nil {
		t.read, t.targets = map[ID]bool{}, map[ID]bool{}
	}
	for _, r := range run.Wanted {
		t.read[IDOf(r)] = true
		if IsTarget(run.Config, r) {
			t.targets[IDOf(r)] = true
		}
	}
}

// IsTarget reports whether a resource is a Kptfile that a functionConfig selects as a target:
//
//	targets:
//	- selector: {kind: Kptfile, name: app}
//	  path: pipeline.mutators[0].configMap
func IsTarget(config *yaml.Node, kptfile diag.Resource) bool {
	if kptfile.Kind != kptpackage.KptfileName {
		return false
	}
	targets := values.Field(config, "spec", "targets")
	return targets != nil && slices.ContainsFunc(targets.Content, func(target *yaml.Node) bool {
		selector := values.Field(target, "selector")
		name := values.Text(values.Field(selector, "name"))
		return values.Text(values.Field(selector, "kind")) == kptfile.Kind && (name == "" || name == kptfile.Name)
	})
}

// Of returns the counts for the items of the package.
func (t *Tally) Of(items []*list.Item) (checked report.Checked) {
	hasFacts := slices.ContainsFunc(items, release.IsFacts)
	for _, item := range items {
		switch isRead := t.read[IDOf(item.Resource())]; {
		case isRead && hasFacts && release.Is(item):
			checked.Releases++
		case t.targets[IDOf(item.Resource())]:
			checked.Resources++
		case isRead:
			Count(&checked, item)
		}
	}
	return checked
}

// Count adds a resource that a check has read to counts.
func Count(checked *report.Checked, item *list.Item) {
	isPorchs := strings.HasPrefix(item.APIVersion(), variant.Group+"/")
	switch {
	case item.Kind() == kptpackage.KptfileName, item.APIVersion() == function.ConfigGroupVersion: // a function or its configuration, which no check reads as data
	case release.IsFacts(item):
	case pack.IsCluster(item):
		checked.Clusters++
	case pack.IsOverride(item):
		checked.Overrides++
	case dependency.IsBundle(item):
		checked.Bundles++
	case pack.Wants(item):
		checked.Packs++
	case isPorchs && item.Kind() == variantset.Kind:
		checked.Sets++
	case isPorchs && item.Kind() == variant.Kind:
		checked.Variants++
	case item.Is(manifest.GroupVersion, "Policy"):
		checked.Policies++
	default:
		checked.Resources++
	}
}
