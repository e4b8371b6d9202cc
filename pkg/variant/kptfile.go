package variant

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Condition is one of the conditions of a Kptfile or of a PackageVariant.
type Condition struct {
	Type string
	// Status is "True" or "False".
	Status  string
	Reason  string
	Message string
}

// conditionPrefix begins the types of the conditions of injection points.
const conditionPrefix = "config.injection."

// isInjection reports whether a type is one that a point could have:
// config.injection.<Kind>.<name>.
func isInjection(conditionType string) bool {
	kind, name, ok := strings.Cut(strings.TrimPrefix(conditionType, conditionPrefix), ".")
	return ok && strings.HasPrefix(conditionType, conditionPrefix) && kind != "" && name != ""
}

// ApplyConditions writes the conditions of all injection points into the Kptfile d, and
// the readiness gates of the required ones. Those of points that no longer exist are
// removed. All others stay, whoever added them.
//
// The findings say why the Kptfile cannot be edited. Then d is returned as it is.
func ApplyConditions(d *values.Document, conditions []Condition, gates []string) (*values.Document, []diag.Finding) {
	known := map[string]bool{}
	var wanted, gated []listEntry
	for _, c := range conditions {
		known[c.Type] = true
		wanted = append(wanted, c.entry())
	}
	for _, g := range gates {
		gated = append(gated, listEntry{{"conditionType", g}})
	}
	stale := func(conditionType string) bool { return isInjection(conditionType) && !known[conditionType] }
	edited, findings := applyEntries(d, "info", "readinessGates", "conditionType", gated, stale)
	edited, more := applyEntries(edited, "status", "conditions", "type", wanted, stale)
	if findings = append(findings, more...); len(findings) > 0 {
		return d, findings
	}
	return edited, nil
}

func (c Condition) entry() listEntry {
	return listEntry{{"type", c.Type}, {"status", c.Status}, {"reason", c.Reason}, {"message", c.Message}}
}

// sortConditions makes the order of new conditions and gates that of their types,
// whatever the order of the list is.
func sortConditions(conditions []Condition, gates []string) {
	slices.SortFunc(conditions, func(a, b Condition) int { return strings.Compare(a.Type, b.Type) })
	slices.Sort(gates)
}

// listEntry are fields of a mapping in a list. The first one identifies it.
type listEntry []textField

func (e listEntry) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, field := range e {
		n.Content = append(n.Content, textNode(field[0]), textNode(field[1]))
	}
	return n
}

// manyEntries is the number of new entries from which a list is written anew:
// each entry that is added by itself costs a look at the whole text.
const manyEntries = 64

// applyEntries makes the list parent.name have the wanted entries, once each.
// Entries keep their places and their other fields; stale ones go away, and the
// list too, and what holds it, when that leaves them empty.
func applyEntries(d *values.Document, parent, name, id string, wanted []listEntry, stale func(string) bool) (*values.Document, []diag.Finding) {
	steps := values.Keys(parent, name)
	if n := values.Field(d.Root(), parent); !values.IsNull(n) && n.Kind != yaml.MappingNode {
		return d, wrongType(parent, n, "a mapping")
	}
	n := at(d.Root(), steps)
	if !values.IsNull(n) && n.Kind != yaml.SequenceNode {
		return d, wrongType(parent+"."+name, n, "a list")
	}
	place := map[string]int{} // of the wanted entries
	for i, w := range wanted {
		place[w[0][1]] = i
	}
	found := make([]bool, len(wanted))
	var gone []int
	var edits []values.ScalarEdit
	var missing []lacking
	for i, e := range contentOf(n) {
		if values.Resolve(e).Kind != yaml.MappingNode {
			return d, wrongType(fmt.Sprintf("%s.%s[%d]", parent, name, i), e, "a mapping with "+id)
		}
		entryID := values.Text(values.Field(e, id))
		w, ok := place[entryID]
		switch {
		case ok && found[w], !ok && stale(entryID):
			gone = append(gone, i)
		case ok:
			found[w] = true
			lacks := lacking{index: i}
			for _, f := range wanted[w] {
				old := values.Field(e, f[0])
				switch {
				case values.Equal(old, textNode(f[1])):
				case old != nil && old.Kind == yaml.ScalarNode && !values.IsNull(old):
					edits = append(edits, values.ScalarEdit{Node: old, Text: f[1], Tag: "!!str"})
				default:
					lacks.fields = append(lacks.fields, f)
				}
			}
			if len(lacks.fields) > 0 {
				missing = append(missing, lacks)
			}
		}
	}
	var added []*yaml.Node
	for i, w := range wanted {
		if !found[i] {
			added = append(added, w.node())
		}
	}
	var err error
	edited := d
	if len(edits) > 0 {
		edited, err = d.ReplaceScalars(edits...)
	}
	if err == nil {
		edited, err = fill(edited, steps, missing)
	}
	if err == nil {
		edited, err = replaceEntries(edited, steps, gone, added)
	}
	if err != nil {
		return d, refused(err)
	}
	return edited, nil
}

// lacking is an entry of a list, and the fields that it has not yet.
type lacking struct {
	index  int
	fields []textField
}

// fill gives entries of a list the fields that they lack.
func fill(d *values.Document, steps []values.Step, missing []lacking) (*values.Document, error) {
	var err error
	if len(missing) <= manyEntries {
		for _, m := range missing {
			if d, err = setTexts(d, extended(steps, element(m.index)), m.fields...); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, e := range contentOf(at(d.Root(), steps)) {
		list.Content = append(list.Content, values.Resolve(e))
	}
	for _, m := range missing {
		whole := *list.Content[m.index]
		whole.Content = slices.Clone(whole.Content)
		for _, f := range m.fields {
			whole.Content = withText(whole.Content, f)
		}
		list.Content[m.index] = &whole
	}
	return setNode(d, steps, list)
}

// withText returns the keys and values of a mapping with a text in them.
func withText(content []*yaml.Node, f textField) []*yaml.Node {
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value == f[0] {
			content[i+1] = textNode(f[1])
			return content
		}
	}
	return append(content, textNode(f[0]), textNode(f[1]))
}

// replaceEntries removes entries of a list and puts others behind the rest.
func replaceEntries(d *values.Document, steps []values.Step, gone []int, added []*yaml.Node) (*values.Document, error) {
	var err error
	n := at(d.Root(), steps)
	count := len(contentOf(n))
	switch {
	case len(gone) == 0 && len(added) == 0:
		return d, nil
	case len(gone) == count && len(added) == 0:
		return remove(d, steps, 0)
	case len(gone) == count || len(gone)+len(added) > manyEntries:
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for i, e := range contentOf(n) {
			if _, ok := slices.BinarySearch(gone, i); !ok {
				list.Content = append(list.Content, values.Resolve(e))
			}
		}
		list.Content = append(list.Content, added...)
		return setNode(d, steps, list)
	}
	for i := len(gone) - 1; i >= 0; i-- {
		if d, _, err = d.Delete(extended(steps, element(gone[i]))); err != nil {
			return nil, err
		}
	}
	for i, e := range added {
		if d, err = setNode(d, extended(steps, element(count-len(gone)+i)), e); err != nil {
			return nil, err
		}
	}
	return d, nil
}
