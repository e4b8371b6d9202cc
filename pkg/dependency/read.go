package dependency

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
)

// entryFields are the fields of an entry of constraints.dependencies. Numbers are taken
// as they are written.
type entryFields struct {
	PackName   pack.Text `json:"packName" required:"true"`
	Layer      pack.Text `json:"layer"`
	MinVersion pack.Text `json:"minVersion"`
	MaxVersion pack.Text `json:"maxVersion"`
	Type       pack.Text `json:"type"`
	_          struct{}  `unknown:"slips"`
}

// types are the known types.
var types = []string{string(Required), string(Optional), string(NotSupported), string(Upgrade)}

// Read reads the dependencies in the content of a pack.json, and returns what is wrong
// with them, without a rule and an origin. Of an entry with a fault, everything that is
// certain is returned. Unknown fields are ignored, except misspelt ones: a bound or a list
// that is not read would let everything pass.
func Read(packJSON *yaml.Node) ([]Dependency, []diag.Finding) {
	r := reader{}
	r.misspelt("", pack.KeysLike(packJSON, "constraints", func(key string, value *yaml.Node) bool {
		return value.Kind != yaml.ScalarNode && nearest.IsSlip(key, "constraints")
	}), "constraints")
	constraints := values.Field(packJSON, "constraints")
	isEmptyList := constraints != nil && constraints.Kind == yaml.SequenceNode && len(constraints.Content) == 0
	if !values.IsNull(constraints) && constraints.Kind != yaml.MappingNode && !isEmptyList {
		r.report(diag.Got(values.KindOf(constraints), "a mapping with dependencies and resources"), "constraints", constraints)
		return nil, r.findings
	}
	r.misspelt("constraints", pack.KeysLike(constraints, "dependencies", func(key string, value *yaml.Node) bool {
		isLike := nearest.Name(key, []string{"resources", "dependencies"}) == "dependencies"
		// Names that are less near, such as dependents, must also look like it.
		return value.Kind != yaml.ScalarNode && (nearest.IsSlip(key, "dependencies") || isLike && namesPack(value))
	}), "dependencies")
	list := values.Field(constraints, "dependencies")
	if values.IsNull(list) {
		return nil, r.findings
	}
	if list.Kind != yaml.SequenceNode {
		r.report(diag.Got(values.KindOf(list), "a list of entries with packName, minVersion, maxVersion and type"), "constraints.dependencies", list)
		return nil, r.findings
	}
	var all []Dependency
	for i, n := range list.Content {
		if d, ok := r.entry(fmt.Sprintf("constraints.dependencies[%d]", i), values.Resolve(n)); ok {
			all = append(all, d)
		}
	}
	return all, r.findings
}

type reader struct{ findings []diag.Finding }

func (r *reader) report(f diag.Finding, key string, n *yaml.Node) {
	r.findings = append(r.findings, f.At(key, values.At(n)))
}

// misspelt reports the keys of a mapping that are misspelt.
func (r *reader) misspelt(path string, keys []*yaml.Node, want string) {
	for _, key := range keys {
		f := diag.Unknown("field", key.Value, nil)
		f.Nearest = want
		r.report(f, diag.Join(path, key.Value), key)
	}
}

// namesPack reports whether a value is an entry of a dependency, or has one.
func namesPack(n *yaml.Node) bool {
	if n.Kind == yaml.SequenceNode {
		return slices.ContainsFunc(n.Content, func(entry *yaml.Node) bool { return values.Field(entry, "packName") != nil })
	}
	return values.Field(n, "packName") != nil
}

// entry reads one entry. It reports false for one that says nothing.
func (r *reader) entry(path string, n *yaml.Node) (Dependency, bool) {
	var fields entryFields
	faulty := map[string]bool{}
	if values.IsNull(n) || n.Kind != yaml.MappingNode {
		r.report(diag.Got(values.KindOf(n), "a mapping with packName, minVersion, maxVersion and type"), path, n)
		return Dependency{}, false
	}
	for _, f := range decode.Node(n, path, &fields) {
		name := strings.TrimPrefix(f.Key, path+".")
		if f.Kind == diag.KindUnknown {
			name = f.Nearest
		}
		if f.Kind == diag.KindMissing && faulty[name] {
			continue // the misspelt one is meant
		}
		faulty[name] = true
		r.findings = append(r.findings, f)
	}
	text := func(t pack.Text) string { return strings.TrimSpace(string(t)) }
	d := Dependency{Path: path, at: placesOf(n), Pack: text(fields.PackName), Layer: text(fields.Layer), Type: Type(text(fields.Type))}
	isKnown := !faulty["type"]
	switch {
	case !isKnown:
	case d.Type == "":
		d.Type, d.IsUntyped = Optional, true
	case !slices.Contains(types, string(d.Type)):
		f := diag.GotName(string(d.Type), types)
		r.report(f.Propose(string(d.Type), f.Nearest), path+".type", values.Field(n, "type"))
		isKnown = false
	}
	d.isUnchecked = faulty["minVersion"] || faulty["maxVersion"]
	d.Range.Min = r.bound(&d, n, "minVersion", text(fields.MinVersion))
	d.Range.Max = r.bound(&d, n, "maxVersion", text(fields.MaxVersion))
	if !d.isUnchecked && d.Range.IsEmpty() {
		f := diag.Say("minVersion %s is above maxVersion %s: no version of %q is in range", d.Range.Min, d.Range.Max, d.Pack)
		if d.Pack == "" {
			f = diag.Say("minVersion %s is above maxVersion %s: no version is in range", d.Range.Min, d.Range.Max)
		}
		r.report(f.Do("swap them or correct one"), path+".minVersion", values.Field(n, "minVersion"))
		d.isUnchecked = true
	}
	return d, isKnown && d.Pack != ""
}

// bound reads a bound of a dependency.
func (r *reader) bound(d *Dependency, n *yaml.Node, field, text string) version.Bound {
	bound, err := version.ParseBound(text, parser(d.isKubernetes()))
	if err != nil {
		r.report(diag.Got(fmt.Sprintf("%q", text), version.Form), d.Path+"."+field, values.Field(n, field))
		d.isUnchecked = true
	}
	return bound
}
