package preset

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// ownValues is the index of the pack's own values among its overrides.
const ownValues = -1

// target returns the index of the override that presets edit: the override named by into, otherwise
// the last override that replaces the values below it, otherwise the pack's own values. fault
// explains why into is wrong.
func target(p *pack.Pack, into string) (index int, fault *diag.Finding) {
	base := ownValues
	var names []string
	var found []int
	for i, o := range p.Overrides {
		if o.Replace {
			base = i
		}
		names = append(names, o.Values.Resource.Name)
		if o.Values.Resource.Name == into {
			found = append(found, i)
		}
	}
	var f diag.Finding
	switch {
	case into == "":
		return base, nil
	case len(found) == 0:
		f = diag.NotFound("PackValues of the pack \""+p.Name+"\"", into, names)
	case len(found) > 1:
		f = diag.Got(fmt.Sprintf("the name of %d overrides of the pack %q", len(found), p.Name), "the name of one").
			Saying("%d overrides of the pack %q are named %q", len(found), p.Name, into).Do("rename all but one")
	case found[0] < base:
		by := p.Overrides[base].Values.Resource
		f = diag.Say("the override %q has no effect, because %s %q (strategy: replace) drops all values before it", into, by.Kind, by.Name).
			Do(fmt.Sprintf("set into to %q, or remove into", by.Name))
	default:
		return found[0], nil
	}
	return ownValues, &f
}

// targetPoints returns the injection points that wait, or may wait, among the
// resources that presets may have to edit: overrides that replace the layers below
// them, or have the name into.
func targetPoints(p *pack.Pack, into string) []injection.Status {
	var all []injection.Status
	for _, one := range p.Points {
		if one.IsPending && (one.Replace && into == "" || one.Resource.Name == into && into != "") {
			all = append(all, one.Status)
		}
	}
	return all
}

// source returns the values at an index of target.
func source(p *pack.Pack, index int) *pack.Source {
	if index == ownValues {
		return p.OwnValues()
	}
	return p.Overrides[index].Values
}

// documents returns the values below an index of target, none when that is nothing, and the
// overrides on top of it.
func documents(p *pack.Pack, effective *pack.Effective, index int) (below *values.Tree, above []*values.Document) {
	overrides := effective.Documents[len(effective.Documents)-len(p.Overrides):]
	if index < 0 || p.Overrides[index].Replace {
		return nil, overrides[index+1:]
	}
	layers := []values.Layer{{Document: effective.Own}}
	for i, document := range overrides[:index] {
		layers = append(layers, values.Layer{Document: document, Replace: p.Overrides[i].Replace})
	}
	return values.Merge(layers...), overrides[index+1:]
}

// isIn reports whether a preset is one of several.
func isIn(presets []pack.Preset, p pack.Preset) bool {
	return slices.ContainsFunc(presets, func(q pack.Preset) bool { return q.Group == p.Group && q.Name == p.Name })
}

// Same reports whether two presets have one name and do the same.
func Same(a, b pack.Preset) bool {
	isPath := func(a, b values.Path) bool { return a.String() == b.String() }
	return a.Group == b.Group && a.Name == b.Name && slices.EqualFunc(a.Remove, b.Remove, isPath) && values.Equal(added(a), added(b))
}
