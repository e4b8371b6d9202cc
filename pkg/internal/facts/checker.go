package facts

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// TagEmpty marks violations of values that are missing or empty: the user of a published
// pack sets them.
const TagEmpty = "empty"

// Checker checks the effective values of a pack by what its charts read.
type Checker struct {
	// Versions takes the charts that do not allow the version of the cluster, for one finding
	// about all packs. It may be nil.
	Versions *Versions
	// Meter has the budget of the run, which the schemas of charts charge.
	Meter *meter.Meter

	// facts are the facts of the pack, and pack is the pack.
	facts *Pack
	// charts are the names of its charts, sorted.
	charts []string
	pack   *pack.Pack
	// others yields the texts in which macros may read values: those beside the pack and in its layers.
	others iter.Seq[string]
	// references are what the texts of others read of values for charts.
	references func() references
	// named are the values that others name, by the text before them.
	named map[string]named
	// layers are the documents of the effective values that count, the lowest first.
	layers []*values.Document
	// own is the document of the pack's own values, or nil if there is none.
	own *values.Document
	// root is the effective values.
	root *yaml.Node
	// findings are the findings so far.
	findings []diag.Finding
}

// NewChecker returns a Checker of the effective values of a pack. others are texts beside the
// pack in which macros may read its values.
func NewChecker(p *Pack, of *pack.Pack, effective *pack.Effective, others []string) *Checker {
	k := &Checker{Meter: new(meter.Meter), facts: p, charts: slices.Sorted(maps.Keys(p.Charts)), pack: of, layers: effective.Documents, own: effective.Own, root: effective.Tree.Root(), named: map[string]named{}}
	first := len(effective.Documents) - len(of.Overrides)
	for i, o := range of.Overrides {
		if o.Replace {
			k.layers = effective.Documents[first+i:]
		}
	}
	k.others = func(yield func(string) bool) {
		for _, text := range others {
			if !yield(text) {
				return
			}
		}
		texts(contents(k.layers)...)(yield)
	}
	k.references = sync.OnceValue(func() references { return readTexts(k.others) })
	return k
}

// Findings checks the values, layer by layer.
func (k *Checker) Findings() []diag.Finding {
	k.inert()
	k.misplaced()
	k.schemas()
	k.versions()
	return k.findings
}

// Knows reports whether it is certain of a key, `charts.vault.port`, whether a chart or a
// manifest reads it. A nil Checker knows nothing.
func (k *Checker) Knows(key string) bool {
	if k == nil {
		return false
	}
	for name, c := range k.facts.Charts {
		if below, ok := strings.CutPrefix(key, "charts."+name+"."); ok && c.knows(strings.Split(below, "."), k.references) {
			return true
		}
	}
	for name, read := range k.facts.Manifests {
		if below, ok := strings.CutPrefix(key, "manifests."+name+"."); ok && (&Chart{Reads: read}).knows(strings.Split(below, "."), nil) {
			return true
		}
	}
	return false
}

func (k *Checker) add(f diag.Finding) { k.findings = append(k.findings, f.For(k.pack.Name)) }

// inert reports values that no chart or manifest reads.
func (k *Checker) inert() {
	for _, document := range k.layers {
		for _, root := range []string{"manifests", "charts"} {
			for _, pair := range values.Pairs(values.Field(document.Root(), root)) {
				if name, ok := pair.Name(); ok && !pair.Merged {
					k.inertBelow(document, root, name, pair)
				}
			}
		}
	}
}

// inertBelow reports values for one chart or manifest, unless a macro may read them.
func (k *Checker) inertBelow(document *values.Document, root, name string, pair values.Pair) {
	report := func(f diag.Finding, key *yaml.Node, path ...string) {
		if below := strings.Join(append([]string{name}, path...), "."); !k.isNamed("."+root+".", below) {
			k.add(f.In(document.Origin(), root+"."+below, values.At(key)))
		}
	}
	var f diag.Finding
	var unread []Key
	switch read, c := k.facts.Manifests[name], k.facts.Charts[name]; {
	case root == "manifests":
		if read != nil {
			f, unread = diag.Say("the manifest %s does not read this key", name), (&Chart{Reads: read}).top(nil).inert(pair.Value)
		}
	case c != nil:
		f, unread = diag.Say("no template of the chart %s reads this key", c), c.top(k.references).inert(pair.Value)
	case len(k.facts.Charts) > 0 && !k.facts.Incomplete && !hasAnchor(pair.Value):
		f = diag.Unknown("chart", name, k.charts).Do("values here do nothing")
		if f.Rule = rule.ValuesInert; f.Nearest != "" {
			f.Rule = rule.ValuesMisplaced
		}
		report(f, pair.Key)
	}
	for _, key := range unread {
		f := f.Meant(key.Node.Value, key.Nearest, key.Known)
		report(f.Do("correct the key, or remove it").Of(rule.ValuesInert), key.Node, key.Path...)
	}
}

// String names the chart for messages: `vault 0.28.0`.
func (c *Chart) String() string { return strings.TrimSpace(c.Name + " " + c.Version) }

// isNamed reports whether a text names a value after a mark, `.charts.web.port`.
func (k *Checker) isNamed(mark, name string) bool {
	if k.named[mark] == nil {
		k.named[mark] = newNamed(k.others, mark)
	}
	return k.named[mark].has(mark + name)
}

// named are the places in texts after which values are named, each with what follows,
// sorted: there can be as many keys as texts.
type named []string

// newNamed finds a mark in texts, such as `.charts.`, and keeps the texts from there on.
func newNamed(texts iter.Seq[string], mark string) named {
	found := named{}
	for text := range texts {
		for {
			at := strings.Index(text, mark)
			if at < 0 {
				break
			}
			found, text = append(found, text[at:]), text[at+1:]
		}
	}
	slices.Sort(found)
	return found
}

// has reports whether a text names a value.
func (r named) has(name string) bool {
	at, _ := slices.BinarySearch(r, name)
	return at < len(r) && strings.HasPrefix(r[at], name)
}

// schemas checks the effective values by the schemas of the charts.
func (k *Checker) schemas() {
	for _, name := range k.charts {
		given := values.Field(k.root, "charts", name)
		isAbsent := values.IsNull(given)
		if isAbsent {
			given = node.Map()
		}
		if given.Kind != yaml.MappingNode {
			continue
		}
		violations := k.facts.Charts[name].Violations(k.Meter, given, HasMacro)
		for _, v := range violations {
			if !isAbsent || v.IsRejected || v.isSpent() { // the name of a chart may be misspelt, or the chart not deployed
				k.add(k.violation(name, v))
			}
		}
		if areSpent(violations) {
			return
		}
	}
}

// say returns the finding about a violation. root are the values, and steps lead to the violation there.
func (v *Violation) say(root *yaml.Node, steps []values.Step) diag.Finding {
	f := diag.Say("%s (values.schema.json of the chart %s)", v.Message, v.Chart).Of(rule.ValuesChartSchema)
	if v.isSpent() {
		return meter.Exceeded(fmt.Sprintf("checking all values by the schemas of charts, such as values.schema.json of the chart %s,", v.Chart), "simplify this schema, or check fewer packs or releases at a time").Of(rule.InputInvalid)
	}
	if v.IsRejected {
		f.Found, f.Action = fmt.Sprintf("Helm rejects the values.schema.json of the chart %s, so it does not install the chart with any values: %v", v.Chart, v.Unused), "correct the schema in the chart"
	} else if v.Unused != nil {
		f.Found, f.Severity = fmt.Sprintf("values are not checked by values.schema.json of the chart %s: %v", v.Chart, v.Unused), diag.Info
		f.Action = "correct the schema in the chart, or check the values with Helm"
	} else if v.Added != nil {
		f.Found = fmt.Sprintf("Helm adds global to the values of the subchart %s, and values.schema.json of the chart %s does not allow it, so no values are valid", v.Added, v.Chart)
		f.Action = "correct the schema in the chart"
		if len(v.Added.Condition) > 0 {
			condition := values.Below(steps[:len(steps)-2], values.Keys(v.Added.Condition[0]...)...)
			f.Action += fmt.Sprintf(", or switch the subchart off with %s: false", jsonschema.Path(condition))
		}
	} else if value := values.Follow(root, steps); v.Keyword == "required" || values.IsNull(value) || v.Keyword != "type" && value.Value == "" && len(value.Content) == 0 {
		f.Tags = map[string]string{TagEmpty: "true"}
	}
	return f
}

// violation makes a finding at the key that the user has, or the nearest one above it.
func (k *Checker) violation(name string, v Violation) diag.Finding {
	steps := values.Below(values.Keys("charts", name), v.Path...)
	f := v.say(k.root, steps).For(k.pack.Name)
	for n := len(steps); n > 0; n-- {
		for _, layer := range slices.Backward(k.layers) {
			if found := values.Follow(layer.Root(), steps[:n]); found != nil {
				return f.In(layer.Origin(), jsonschema.Path(steps).String(), values.At(found))
			}
		}
	}
	if k.pack.Metadata != nil { // no layer has values of the chart
		return f.In(k.pack.Metadata.Origin, "charts", diag.Position{})
	}
	return f.About(k.pack.Resource, "")
}
