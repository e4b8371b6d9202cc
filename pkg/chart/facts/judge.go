package facts

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/jsonschema"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// TagEmpty marks violations of values that are missing or empty: the user of a published
// pack sets them.
const TagEmpty = "empty"

// Judge judges the effective values of a pack, layer by layer. others are texts beside the
// pack in which macros may read its values.
func (p *Pack) Judge(of *pack.Pack, effective *pack.Effective, others []string) []diag.Finding {
	k := &checker{facts: p, pack: of, others: slices.Clone(others), layers: effective.Documents, root: effective.Tree.Root()}
	for i, o := range of.Overrides {
		if at := len(k.layers) - len(of.Overrides) + i; o.Replace {
			k.layers = effective.Documents[at:]
		}
	}
	for _, document := range k.layers {
		k.others = append(k.others, document.Text())
		if document.Text() == "" {
			k.others = append(k.others, Texts(document.Root())...)
		}
	}
	k.inert()
	k.schemas()
	return k.findings
}

// Judges reports whether it is known of a key, `charts.vault.port`, whether a chart reads it.
func (p *Pack) Judges(key string) bool {
	if p == nil {
		return false
	}
	for name := range p.Charts {
		if strings.HasPrefix(key, "charts."+name+".") {
			return true
		}
	}
	return false
}

type checker struct {
	facts  *Pack
	pack   *pack.Pack
	others []string
	// named are the values of charts that others name; nil until they are needed.
	named  named
	layers []*values.Document
	// root is the effective values.
	root     *yaml.Node
	findings []diag.Finding
}

func (k *checker) add(f diag.Finding) { k.findings = append(k.findings, f.For(k.pack.Name)) }

// inert reports values that no chart reads.
func (k *checker) inert() {
	if len(k.facts.Charts) == 0 {
		return
	}
	for _, document := range k.layers {
		for _, pair := range values.Pairs(values.Field(document.Root(), "charts")) {
			name, ok := pair.Name()
			if !ok || pair.Merged {
				continue
			}
			c := k.facts.Charts[name]
			if c == nil {
				if !k.facts.Incomplete && !HasAnchor(pair.Value) {
					f := diag.Unknown("chart", name, slices.Sorted(maps.Keys(k.facts.Charts)))
					k.reportInert(document, f.Do("values here do nothing"), []string{name}, pair.Key)
				}
				continue
			}
			for _, key := range c.Inert(pair.Value, k.others) {
				f := diag.Say("no template of the chart %s reads this key", c)
				f.Nearest = key.Nearest
				k.reportInert(document, f, append([]string{name}, key.Path...), key.Node)
			}
		}
	}
}

// String names the chart for messages: `vault 0.28.0`.
func (c *Chart) String() string { return strings.TrimSpace(c.Name + " " + c.Version) }

// reportInert reports a key below `charts`, unless a macro may read it.
func (k *checker) reportInert(document *values.Document, f diag.Finding, path []string, key *yaml.Node) {
	at := "charts." + strings.Join(path, ".")
	if k.named == nil {
		k.named = newNamed(k.others)
	}
	if k.named.has("." + at) {
		return
	}
	k.add(f.In(document.Origin(), at, values.At(key)).Of(rule.ValuesInert))
}

// named are the places in texts that name values of charts, each with what follows, sorted:
// there can be as many keys as texts.
type named []string

func newNamed(texts []string) named {
	found := named{}
	for _, text := range texts {
		for {
			at := strings.Index(text, ".charts.")
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

func isEmpty(n *yaml.Node) bool {
	return n == nil || values.IsNull(n) || n.Value == "" && len(n.Content) == 0
}

// schemas judges the effective values by the schemas of the charts.
func (k *checker) schemas() {
	for _, pair := range values.Pairs(values.Field(k.root, "charts")) {
		name, _ := pair.Name()
		c := k.facts.Charts[name]
		if c == nil || pair.Value.Kind != yaml.MappingNode {
			continue
		}
		for _, v := range c.Violations(pair.Value) {
			k.add(k.violation(name, v))
		}
	}
}

// violation makes a finding at the key that the user has, or the nearest one above it.
func (k *checker) violation(name string, v Violation) diag.Finding {
	steps := values.Below(values.Keys("charts", name), v.Path...)
	f := diag.Say("%s, says values.schema.json of the chart %s", v.Message, v.Chart).For(k.pack.Name).Of(rule.ValuesChartSchema)
	if value := values.Follow(k.root, steps); v.Keyword == "required" || values.IsNull(value) || v.Keyword != "type" && isEmpty(value) {
		f.Tags = map[string]string{TagEmpty: "true"}
	}
	for n := len(steps); n > 0; n-- {
		for i := len(k.layers) - 1; i >= 0; i-- {
			if found := values.Follow(k.layers[i].Root(), steps[:n]); found != nil {
				return f.In(k.layers[i].Origin(), jsonschema.Path(steps).String(), values.At(found))
			}
		}
	}
	return f.In(k.layers[0].Origin(), jsonschema.Path(steps).String(), diag.Position{})
}
