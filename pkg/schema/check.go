package schema

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Values are the values that a schema checks, with their context.
type Values struct {
	// Tree has the effective values.
	Tree *values.Tree
	// Layers are the documents that the tree was made of.
	Layers []*values.Document
	// Own is the baseline of readonly: the pack's own values. Nil means that
	// there is none.
	Own *values.Document
	// Baseline replaces Own for readonly. It is nil if it is not known. Recorded are the
	// fingerprints of its read-only values by the keys of the schema, see [Fingerprint].
	Baseline *values.Document
	// Recorded are fingerprints such as `1f6a0c2e`.
	Recorded map[string]string
	// Edited reports whether Own contains the values of a profile, not the pack's own values.
	Edited bool
	// Sources are the effective values with the sources of macros, and OwnSources the pack's own,
	// which readonly compares. Nil means that there are no macros.
	Sources    *values.Tree
	OwnSources *values.Document
	// Variable returns the value of a variable for macros, or nil if it is not known. It may be
	// nil.
	Variable func(name string) *VariableValue
	// Added are values that presets can add, and Removed what they can remove.
	Added   []*values.Document
	Removed []values.Path
	// Absent is the place of findings about values that no layer has.
	Absent *diag.Origin
	// Incomplete reports whether a layer is missing, so that there are no findings about absent or
	// empty values.
	Incomplete bool
	// IsPending reports whether a layer is still to be injected, so that there are only findings
	// about the schema itself.
	IsPending bool
	// Meter bounds the work together with that on other values. Without one, each check has its
	// own.
	Meter *meter.Meter
}

// Check returns the findings of values under a schema, in the order of the schema.
// Each is about the document that supplies the value at fault, or about the schema.
// Findings show no values that may be secrets.
func (s *Schema) Check(v Values) []diag.Finding {
	var findings []diag.Finding
	newChecker(s, v, func(f diag.Finding) { findings = append(findings, f) }).entries()
	return findings
}

// checker checks values. It keeps no findings: a short text can have very many.
type checker struct {
	// schema is the schema, and values are the values with their context.
	schema *Schema
	values Values
	// own are the pack's own values, or nil if there is none.
	own *yaml.Node
	// found gets each finding.
	found func(diag.Finding)
	// comparer finds near names, up to a number of comparisons.
	comparer comparer
	// unknown asks for each unknown key, and not only for slips.
	unknown bool
	// reported are the places in layers with a finding about their value or key.
	reported map[layerKey]bool
	// isUnbased reports whether the missing baseline was reported, and isSpent whether the meter
	// was exceeded.
	isUnbased, isSpent bool
	// addedAt are the documents of presets by the keys that they add.
	addedAt map[string][]*values.Document
	// searched counts the missing values that were searched elsewhere.
	searched int
}

// layerKey is a key of a layer.
type layerKey struct {
	// layer is the document, and key the path in it.
	layer *diag.Origin
	key   string
}

// newChecker returns the checker of values. Without a meter the values get one of their own.
func newChecker(s *Schema, v Values, found func(diag.Finding)) *checker {
	if v.Meter == nil {
		v.Meter = new(meter.Meter)
	}
	c := &checker{schema: s, values: v, found: found, reported: map[layerKey]bool{}}
	if v.Own != nil {
		c.own = v.Own.Root()
	}
	return c
}

// entries checks all entries of the schema, in its order.
func (c *checker) entries() {
	for _, e := range c.schema.Entries {
		c.entry(e)
	}
}

// emit reports a finding.
func (c *checker) emit(f diag.Finding) {
	if f.Rule == rule.ValuesRequired || f.Rule == rule.ValuesFormat {
		c.reported[layerKey{f.Origin, f.Key}] = true
	}
	c.found(f)
}

// add reports a finding at a node of a layer, unless there is one.
func (c *checker) add(f diag.Finding, layer *diag.Origin, key string, n *yaml.Node) {
	if at := (layerKey{layer, key}); !c.reported[at] {
		c.reported[at] = true
		c.found(f.In(layer, key, values.At(n)))
	}
}

// report adds a finding about a value.
func (c *checker) report(f diag.Finding, e Entry, m *values.Match, r diag.Rule) {
	f.Hints = e.Template.Hints
	origin := c.values.Absent
	if m.Layer >= 0 {
		origin = c.values.Layers[m.Layer].Origin()
	}
	c.emit(f.In(origin, m.Path, values.At(m.Node)).Of(r))
}

// reportSchema adds a finding about an entry of the schema.
func (c *checker) reportSchema(f diag.Finding, e Entry, rule diag.Rule) {
	c.found(f.In(c.schema.Origin, e.Key, e.Position).Of(rule))
}

// entry checks the values that an entry addresses. While a layer is pending, only the schema itself is
// checked.
func (c *checker) entry(e Entry) {
	t := e.Template
	if t.Format != nil {
		for _, name := range t.Format.unknown() {
			f := diag.Unknown("type", name, typeNames).Until("any value is accepted")
			c.found(f.In(c.schema.Origin, e.Key, e.templateAt).Of(rule.ValuesUnknownFormat))
		}
	}
	if c.values.IsPending {
		return
	}
	isMissing := false
	matches := c.values.Tree.All(e.Path)
	if !t.Required {
		matches = slices.Values(c.values.Tree.Present(e.Path))
	}
	count := 0
	for m := range matches {
		if count++; count > 1 && !c.charge(e, 1) { // one for each key is linear
			return
		}
		if c.required(e, &m) {
			isMissing = true // and an empty value has no format
			continue
		}
		c.format(e, &m)
	}
	if t.ReadOnly {
		c.readOnly(e)
	}
	if !isMissing {
		c.addressed(e)
	}
}

// stepsOfMatch is the cost of the check of one match, with its finding.
const stepsOfMatch = 128

// charge charges the matches of an entry, and reports whether they may be checked. A key below a list has
// a match in each element.
func (c *checker) charge(e Entry, matches int) bool {
	if !c.isSpent && !c.values.Meter.Charge(stepsOfMatch*matches) {
		c.isSpent = true
		c.reportSchema(meter.Exceeded("checking the schema's keys in all elements of lists", "shorten the lists, or write fewer keys below $[]"), e, rule.InputInvalid)
	}
	return !c.isSpent
}

// required checks presence, and reports whether it found a fault.
func (c *checker) required(e Entry, m *values.Match) bool {
	if !e.Template.Required {
		return false
	}
	f := diag.Missing("")
	switch {
	case m.State == values.Absent && (c.replaced(m) || c.elsewhere(m)):
		return true
	case m.State == values.Absent:
		f = c.misspelt(f, m)
	case m.State == values.EmptyList:
		f = diag.Missing("an empty list").Do("add an element")
	case m.State == values.NotAList && !isEmptyText(m.Node):
		return false // a fault of the format
	case values.IsNull(m.Node):
		f = diag.Missing("null")
	case isEmpty(m.Node):
		f = diag.Missing("empty")
	default:
		return false
	}
	if !c.values.Incomplete { // else the layer that is missing may have it
		c.report(f, e, m, rule.ValuesRequired)
	}
	return true
}

// misspelt adds to a finding of a missing value the near key that a layer has in its
// place: the name is misspelt there or in the schema.
func (c *checker) misspelt(f diag.Finding, m *values.Match) diag.Finding {
	at, key := c.comparer.nearPath(c.values.Tree, m.Steps, c.schema.keys)
	if key == "" {
		return f
	}
	steps := values.Below(m.Steps[:at], values.Key(key))
	for _, layer := range slices.Backward(c.values.Layers) {
		if n := layer.Follow(layer.Root(), steps); n != nil {
			f.Nearest = key
			where := layer.Origin().Place(values.At(n))
			if resource := layer.Origin().Resource.String(); resource != "" {
				where = resource + " (" + where + ")"
			}
			return f.Do(fmt.Sprintf("%s has %q: rename it to %q (if the schema is wrong, correct the key there)", where, key, m.Steps[at].Key))
		}
	}
	return f
}

// isEmpty reports whether a value is "", or a list or map without entries. false
// and 0 are not empty.
func isEmpty(n *yaml.Node) bool {
	return isEmptyText(n) || n.Kind != yaml.ScalarNode && len(n.Content) == 0
}

// isEmptyText reports whether a value is "", which packs ship in place of what the
// user has to set, a list included.
func isEmptyText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" }

// format checks a value by the format, if the entry has one.
func (c *checker) format(e Entry, m *values.Match) {
	if m.State == values.NotAList && !isEmptyText(m.Node) {
		if e.Template.Format != nil || e.Template.Required {
			c.report(diag.Got(values.KindOf(m.Node), "a list"), e, m, rule.ValuesFormat)
		}
		return
	}
	format := e.Template.Format
	if format == nil || m.State != values.Present || values.IsNull(m.Node) {
		return
	}
	n := m.Node
	if n.Kind != yaml.ScalarNode {
		c.report(diag.Got(values.KindOf(n), format.String()), e, m, rule.ValuesFormat)
		return
	}
	text := n.Value
	var variable *VariableValue
	if template.HasMacro(text) {
		if text, variable = c.values.resolved(text); variable == nil {
			c.report(diag.Say("has a macro; its format (%s) is checked when the macro is resolved", format), e, m, rule.ValuesDeferred)
			return
		}
	}
	if f := format.match(Scalar{Text: text, IsString: isString(n)}, c.values.Meter); f != nil {
		if variable != nil {
			*f = variable.finding(*f)
		} else if f.Value.Class != diag.Open {
			*f = f.OfClass(c.classOf(e, m))
		}
		c.report(*f, e, m, rule.ValuesFormat)
	}
}

// isString reports whether a scalar is a string, quoted or plain. A plain date is one in
// YAML 1.2, kubectl and Helm.
func isString(n *yaml.Node) bool { return n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp" }

// valueOf returns the value of a match, with hidden as its description for readers who must not see
// it.
func (c *checker) valueOf(e Entry, m *values.Match, hidden string) diag.Value {
	if m.Node == nil || m.Node.Kind != yaml.ScalarNode {
		return diag.Value{}
	}
	return diag.Value{Text: m.Node.Value, Class: c.classOf(e, m), Instead: hidden}
}

func (c *checker) classOf(e Entry, m *values.Match) diag.Class {
	return Context{secret.Of(m, c.values.Tree), &e}.ClassOf(m.Node)
}

// byPath returns matches by their paths.
func byPath(matches []values.Match) map[string]*values.Match {
	all := make(map[string]*values.Match, len(matches))
	for i := range matches {
		all[matches[i].Path] = &matches[i]
	}
	return all
}

// listsOf returns the paths of the lists that the matches for which a condition holds are in.
func listsOf(matches []values.Match, holds func(values.Match) bool) map[string]bool {
	lists := map[string]bool{}
	for _, m := range matches {
		if holds(m) {
			isPartOf(m.Path, func(list string) bool { lists[list] = true; return false })
		}
	}
	return lists
}

// isPartOf reports whether a concrete path leads into the elements of a list for which a condition holds.
func isPartOf(path string, holds func(list string) bool) bool {
	for i := range len(path) {
		if path[i] == '[' && holds(path[:i]) {
			return true
		}
	}
	return false
}

// addressed reports a key of the schema that is in no values. It is probably
// misspelt, and validates nothing.
func (c *checker) addressed(e Entry) {
	if c.values.Incomplete || c.values.Tree.Has(e.Path) || c.have(e.Path) {
		return
	}
	f := diag.Say("is in the schema but in no values, so it validates nothing")
	_, f.Nearest = c.comparer.nearPath(c.values.Tree, keySteps(e.Path), c.schema.keys)
	c.reportSchema(f, e, rule.ValuesKeyNotInValues)
}

// searched are values in which many keys are looked up.
type searched interface {
	Root() *yaml.Node
	Follow(n *yaml.Node, steps []values.Step) *yaml.Node
}
