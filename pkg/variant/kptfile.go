package variant

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// Condition is one of the conditions of a Kptfile or of a PackageVariant.
type Condition struct {
	// Type is the type, such as `config.injection.ClusterContext.cluster`.
	Type string
	// Status is "True" or "False".
	Status string
	// Reason is one word, and Message a sentence.
	Reason  string
	Message string
}

// isInjection reports whether a type is one that a point could have:
// config.injection.<Kind>.<name>.
func isInjection(conditionType string) bool {
	kind, name, ok := strings.Cut(strings.TrimPrefix(conditionType, injection.ConditionPrefix), ".")
	return ok && strings.HasPrefix(conditionType, injection.ConditionPrefix) && kind != "" && name != ""
}

// applyConditions writes the conditions of all injection points into the Kptfile d, and
// the readiness gates of the required points. It removes the conditions and gates
// of points that no longer exist. All others stay, whoever added them.
//
// The findings explain why the Kptfile cannot be edited. Then d is returned as it is.
func applyConditions(d *values.Document, conditions []Condition, gates []string) (*values.Document, []diag.Finding) {
	changes, findings := conditionChanges(d, conditions, gates, goneFrom(conditions))
	return change(d, changes, findings)
}

// goneFrom returns a function that reports whether a condition type belongs to an injection point
// that no longer exists.
func goneFrom(conditions []Condition) func(conditionType string) bool {
	known := map[string]bool{}
	for _, c := range conditions {
		known[c.Type] = true
	}
	return func(conditionType string) bool { return isInjection(conditionType) && !known[conditionType] }
}

// isNever is for lists without stale conditions.
func isNever(string) bool { return false }

// conditionChanges are the changes of [applyConditions], which remove the conditions and gates of
// stale types.
func conditionChanges(d *values.Document, conditions []Condition, gates []string, isStale func(string) bool) ([]values.Change, []diag.Finding) {
	var wanted, gated []listEntry
	for _, c := range conditions {
		wanted = append(wanted, c.entry())
	}
	for _, g := range gates {
		gated = append(gated, listEntry{{"conditionType", g}})
	}
	changes, findings := entryChanges(d, "info", "readinessGates", "conditionType", gated, isStale)
	more, others := entryChanges(d, "status", "conditions", "type", wanted, isStale)
	return append(changes, more...), append(findings, others...)
}

func (c Condition) entry() listEntry {
	return listEntry{{"type", c.Type}, {"status", c.Status}, {"reason", c.Reason}, {"message", c.Message}}
}

// sortConditions sorts new conditions and gates by their types, whatever the order of the points
// is.
func sortConditions(conditions []Condition, gates []string) {
	slices.SortFunc(conditions, func(a, b Condition) int { return strings.Compare(a.Type, b.Type) })
	slices.Sort(gates)
}

// listEntry are fields of a map in a list. The first one identifies it.
type listEntry []textField

// entryChanges make the list parent.name have the wanted entries, once each.
// Entries keep their places and their other fields; stale ones go away, and the
// list too, and what holds it, when that leaves them empty.
func entryChanges(d *values.Document, parent, name, id string, wanted []listEntry, isStale func(string) bool) ([]values.Change, []diag.Finding) {
	steps := values.Keys(parent, name)
	if n := values.Field(d.Root(), parent); !values.IsNull(n) && n.Kind != yaml.MappingNode {
		return nil, wrongType(parent, n, "a map")
	}
	n := values.Follow(d.Root(), steps)
	if !values.IsNull(n) && n.Kind != yaml.SequenceNode {
		return nil, wrongType(parent+"."+name, n, "a list")
	}
	place := map[string]int{} // of the wanted entries that are not in the list yet
	for i, w := range wanted {
		place[w[0][1]] = i
	}
	isWanted := maps.Clone(place)
	list := node.List()
	isEmpty := values.IsNull(n) || len(n.Content) == 0
	if !isEmpty {
		list.Style = n.Style
		for i, e := range n.Content {
			if e = values.Resolve(e); e.Kind != yaml.MappingNode {
				return nil, wrongType(fmt.Sprintf("%s.%s[%d]", parent, name, i), e, "a map with "+id)
			}
			entryID := values.Text(values.Field(e, id))
			if at, ok := place[entryID]; ok {
				delete(place, entryID)
				list.Content = append(list.Content, withTexts(e, wanted[at]...))
			} else if _, again := isWanted[entryID]; !again && !isStale(entryID) {
				list.Content = append(list.Content, e)
			}
		}
	}
	for i, w := range wanted {
		if at, ok := place[w[0][1]]; ok && at == i {
			list.Content = append(list.Content, withTexts(nil, w...))
		}
	}
	switch {
	case len(list.Content) > 0:
		return []values.Change{{At: steps, Want: list, Identity: func(e *yaml.Node) string { return "=" + values.Text(values.Field(e, id)) }}}, nil
	case !isEmpty:
		return []values.Change{{At: steps}}, nil
	}
	return nil, nil
}
