package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Rule says which rule a finding is of.
type Rule string

// The rules of values, as the pack constraints document asks for them.
const (
	RuleRequired       Rule = "values/required"
	RuleReadOnly       Rule = "values/readonly"
	RuleFormat         Rule = "values/format"
	RuleUnknownFormat  Rule = "values/unknown-format"
	RuleKeyNotInValues Rule = "values/key-not-in-values"
	RuleNoBaseline     Rule = "values/no-baseline"
	RuleUnknownKey     Rule = "values/unknown-key"
	RuleDeferred       Rule = "values/deferred"
)

// Finding is what Check has to say about one value, or about one entry of the
// schema.
type Finding struct {
	Rule Rule
	// Key is the concrete path, `registry.addresses[1]`.
	Key string
	// Detail says what was found and what is accepted; it never holds a value
	// that may be a secret.
	Detail string
	// Hints are the author's, for the end of the message.
	Hints []string
	// Layer is the layer of the values that supplies the value; -1 when the
	// value is absent, or when the finding is about the schema.
	Layer int
	// OfSchema says that the schema is at fault, and Position is in it.
	OfSchema bool
	// Position is where the value stands in its layer, zero when it is absent.
	Position values.Position
	// Current is what was found, when it may be shown, and Proposed what would
	// certainly mend it; else nil.
	Current, Proposed any
}

// Values is what a schema is checked against.
type Values struct {
	// Tree is the effective values.
	Tree *values.Tree
	// Layers are the documents that the tree was made of.
	Layers []*values.Document
	// Own is the baseline of readonly: the pack's own values. Nil means that
	// there is none.
	Own *values.Document
	// Added are values that may come yet: what presets add.
	Added []*values.Document
}

// Check judges values by a schema and returns all findings, in the order of the
// schema.
func (s *Schema) Check(v Values) []Finding {
	c := checker{schema: s, values: v}
	for _, e := range s.Entries {
		c.entry(e)
	}
	return c.findings
}

type checker struct {
	schema   *Schema
	values   Values
	findings []Finding
	// unbased says that the missing baseline was reported.
	unbased bool
}

func (c *checker) report(e Entry, m *values.Match, rule Rule, format string, args ...any) *Finding {
	f := Finding{Rule: rule, Key: e.Key, Detail: fmt.Sprintf(format, args...), Hints: e.Template.Hints, Layer: -1}
	if m != nil {
		f.Key, f.Layer = m.Path, m.Layer
		if m.Node != nil && m.Layer >= 0 {
			f.Position = values.At(m.Node)
		}
	}
	c.findings = append(c.findings, f)
	return &c.findings[len(c.findings)-1]
}

func (c *checker) entry(e Entry) {
	t := e.Template
	if t.Format != nil {
		for _, unknown := range t.Format.Unknown() {
			hint := ""
			if unknown.Nearest != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", unknown.Nearest)
			}
			f := c.report(e, nil, RuleUnknownFormat, "the schema's format has the unknown type %q, so any value is accepted there; known are %s%s",
				unknown.Name, strings.Join(typeNames(), ", "), hint)
			f.OfSchema, f.Position, f.Hints = true, e.Position, nil
		}
	}
	matches := c.values.Tree.Find(e.Path)
	asked := false
	for i := range matches {
		if c.required(e, &matches[i]) {
			asked = true // and a value that is empty has no format to judge
			continue
		}
		c.format(e, &matches[i])
	}
	if t.ReadOnly {
		c.readOnly(e, matches)
	}
	if !asked {
		c.addressed(e, matches)
	}
}

// required judges presence, and reports whether it found some fault.
func (c *checker) required(e Entry, m *values.Match) bool {
	if !e.Template.Required {
		return false
	}
	switch {
	case m.State == values.Absent:
		c.report(e, m, RuleRequired, "is required, but absent: set it")
	case m.State == values.EmptyList:
		c.report(e, m, RuleRequired, "is required, but an empty list: give it an element")
	case m.State == values.NotAList && !isEmptyText(m.Node):
		return false // a matter of format
	case values.IsNull(m.Node):
		c.report(e, m, RuleRequired, "is required, but null: set it")
	case isEmpty(m.Node):
		c.report(e, m, RuleRequired, "is required, but empty: set it")
	default:
		return false
	}
	return true
}

// isEmpty reports whether a value is there but holds nothing. false and 0 hold
// something.
func isEmpty(n *yaml.Node) bool {
	return isEmptyText(n) || n.Kind != yaml.ScalarNode && len(n.Content) == 0
}

// isEmptyText reports whether a value is "", which packs ship where the user is
// to fill in something, be it a list.
func isEmptyText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" }

// format judges a value by the format, when it has one.
func (c *checker) format(e Entry, m *values.Match) {
	if m.State == values.NotAList && !isEmptyText(m.Node) {
		if e.Template.Format != nil || e.Template.Required {
			c.report(e, m, RuleFormat, "got %s, want a list", describeKind(m.Node))
		}
		return
	}
	format := e.Template.Format
	if format == nil || m.State != values.Present || values.IsNull(m.Node) {
		return
	}
	n := m.Node
	if n.Kind != yaml.ScalarNode {
		c.report(e, m, RuleFormat, "got %s, want %s", describeKind(n), format)
		return
	}
	if isEmptyText(n) {
		return // absent, for a format
	}
	if template.HasMacro(n.Value) {
		c.report(e, m, RuleDeferred, "holds a macro, so its format (%s) is judged once the macro is resolved", format)
		return
	}
	mismatch := format.Match(Scalar{Text: n.Value, IsString: n.ShortTag() == "!!str"})
	if mismatch == nil {
		return
	}
	detail := fmt.Sprintf("got %s, want %s", mismatch.Got, mismatch.Want)
	if mismatch.Nearest != "" {
		detail += fmt.Sprintf(" (did you mean %q?)", mismatch.Nearest)
	}
	if mismatch.Fix != "" {
		detail += "; " + mismatch.Fix
	}
	f := c.report(e, m, RuleFormat, "%s", detail)
	if mismatch.Shown {
		f.Current = n.Value
	}
	if mismatch.Proposed != "" {
		f.Proposed = mismatch.Proposed
	}
}

// describeKind says what a node is, for messages.
func describeKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a single value"
	}
}

// readOnly compares the effective values with the pack's own.
func (c *checker) readOnly(e Entry, effective []values.Match) {
	if c.values.Own == nil {
		if !c.unbased {
			c.unbased = true
			f := c.report(e, nil, RuleNoBaseline, "is read-only, but there is no baseline: no values of the pack's own to compare with")
			f.OfSchema, f.Position, f.Hints = true, e.Position, nil
		}
		return
	}
	if len(c.values.Layers) == 1 {
		return // the effective values are the pack's own
	}
	own := values.Find(c.values.Own.Root(), e.Path)
	before, after := byPath(own), byPath(effective)
	for i := range effective {
		m := &effective[i]
		was := before[m.Path]
		if was != nil && was.State == m.State && values.Equal(was.Node, m.Node) {
			continue
		}
		had := was != nil && was.Node != nil || m.State != values.Present && slices.ContainsFunc(own, func(o values.Match) bool {
			return o.Node != nil && isElement(o.Path, m.Path)
		})
		switch {
		case m.Node == nil && had:
			c.report(e, m, RuleReadOnly, "is read-only, but was removed: take back the override")
		case m.Node == nil: // the pack has no such value either
		case !had:
			c.report(e, m, RuleReadOnly, "is read-only, but was added: the pack itself does not set it, so remove it here")
		default:
			c.report(e, m, RuleReadOnly, "is read-only, but differs from the pack's own value: remove it here")
		}
	}
	for i := range own {
		m := &own[i]
		if m.Node == nil || after[m.Path] != nil || slices.ContainsFunc(effective, func(now values.Match) bool {
			// A list as a whole was reported above, and so were its elements.
			return now.State != values.Present && isElement(m.Path, now.Path) || m.State != values.Present && isElement(now.Path, m.Path)
		}) {
			continue
		}
		gone := values.Match{Path: m.Path, State: values.Absent, Layer: -1}
		c.report(e, &gone, RuleReadOnly, "is read-only, but was removed: take back the override")
	}
}

func byPath(matches []values.Match) map[string]*values.Match {
	all := make(map[string]*values.Match, len(matches))
	for i := range matches {
		all[matches[i].Path] = &matches[i]
	}
	return all
}

// isElement reports whether a concrete path leads into the elements of a list.
func isElement(path, list string) bool { return strings.HasPrefix(path, list+"[") }

// addressed reports a key of the schema that addresses nothing in any values:
// most probably it is misspelt, and checks nothing.
func (c *checker) addressed(e Entry, effective []values.Match) {
	if addresses(c.values.Tree.Root(), effective) || c.values.have(e.Path) {
		return
	}
	hint := ""
	if parent, at := deepest(c.values.Tree.Root(), e.Path); parent != nil {
		hint = nearest.Hint(e.Path.Steps()[at], keysOf(parent))
	}
	f := c.report(e, nil, RuleKeyNotInValues, "stands in the schema, but no values have it, so it checks nothing%s", hint)
	f.OfSchema, f.Position, f.Hints = true, e.Position, nil
}

// addresses reports whether matches in root lead to anything: to a value, or to
// a list that is null, under which "$[]" finds nothing although the key is right.
func addresses(root *yaml.Node, matches []values.Match) bool {
	return slices.ContainsFunc(matches, func(m values.Match) bool {
		if m.State != values.Absent {
			return true
		}
		n := root
		for _, step := range m.Steps {
			switch {
			case !step.IsIndex:
				n = values.Field(n, step.Key)
			case n != nil && n.Kind == yaml.SequenceNode && step.Index < len(n.Content):
				n = values.Resolve(n.Content[step.Index])
			default:
				n = nil
			}
		}
		return n != nil
	})
}

// have reports whether a path addresses something in one of the layers, or in
// what presets add.
func (v *Values) have(path values.Path) bool {
	return slices.ContainsFunc(slices.Concat(v.Layers, v.Added), func(d *values.Document) bool {
		return addresses(d.Root(), values.Find(d.Root(), path))
	})
}

// deepest follows a path as far as values go, and returns the mapping where they
// end and the number of the step that is missing there.
func deepest(n *yaml.Node, path values.Path) (parent *yaml.Node, at int) {
	for at, step := range path.Steps() {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil, 0
		}
		next := values.Field(n, step)
		if next == nil {
			return n, at
		}
		n = next
	}
	return nil, 0
}

func keysOf(mapping *yaml.Node) []string {
	var keys []string
	for at := 0; at+1 < len(mapping.Content); at += 2 {
		keys = append(keys, mapping.Content[at].Value)
	}
	return keys
}
