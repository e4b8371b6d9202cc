package dependency

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
)

// Problem is a fault of an entry, for its author to mend.
type Problem struct {
	// Key is where it is in pack.json: `constraints.dependencies[2].type`.
	Key      string
	Position values.Position
	// Message says what was found, what is accepted and how to mend it; it does
	// not repeat the key.
	Message string
}

// types are the known types, and fields the fields of an entry.
var (
	types  = []string{string(Required), string(Optional), string(NotSupported), string(Upgrade)}
	fields = []string{"packName", "layer", "minVersion", "maxVersion", "type"}
)

// Read reads the dependencies out of the content of a pack.json. An entry with a
// fault is told among the problems; what of it is certain is checked all the
// same, and so are the other entries. Unknown fields are let be, unless they are
// a slip of the pen: a bound or a list that nobody reads would let everything
// pass.
func Read(packJSON *yaml.Node) ([]Dependency, []Problem) {
	r := reader{}
	r.misspelt("", pack.KeysLike(packJSON, "constraints", func(key string, value *yaml.Node) bool {
		return value.Kind != yaml.ScalarNode && nearest.IsSlip(key, "constraints")
	}), "constraints")
	constraints := values.Field(packJSON, "constraints")
	isEmptyList := constraints != nil && constraints.Kind == yaml.SequenceNode && len(constraints.Content) == 0
	if !values.IsNull(constraints) && constraints.Kind != yaml.MappingNode && !isEmptyList {
		r.fail("constraints", constraints, "got %s, want a mapping with dependencies and resources", function.KindOf(constraints))
		return nil, r.problems
	}
	r.misspelt("constraints.", pack.KeysLike(constraints, "dependencies", func(key string, value *yaml.Node) bool {
		like := nearest.Name(key, []string{"resources", "dependencies"}) == "dependencies"
		// What is called otherwise, as dependents are, has to look like it, too.
		return value.Kind != yaml.ScalarNode && (nearest.IsSlip(key, "dependencies") || like && namesPack(value))
	}), "dependencies")
	list := values.Field(constraints, "dependencies")
	if values.IsNull(list) {
		return nil, r.problems
	}
	if list.Kind != yaml.SequenceNode {
		r.fail("constraints.dependencies", list, "got %s, want a list of entries with packName, minVersion, maxVersion and type", function.KindOf(list))
		return nil, r.problems
	}
	var all []Dependency
	for i, n := range list.Content {
		if d, ok := r.entry(fmt.Sprintf("constraints.dependencies[%d]", i), values.Resolve(n)); ok {
			all = append(all, d)
		}
	}
	return all, r.problems
}

type reader struct{ problems []Problem }

func (r *reader) fail(key string, n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{key, values.At(n), fmt.Sprintf(format, args...)})
}

// misspelt tells the keys of a mapping that are a slip of one that is not there.
func (r *reader) misspelt(path string, keys []*yaml.Node, want string) {
	for _, key := range keys {
		r.fail(path+key.Value, key, "unknown field (did you mean %q?)", want)
	}
}

// namesPack reports whether a value has an entry of a dependency, or is one.
func namesPack(n *yaml.Node) bool {
	if n.Kind == yaml.SequenceNode {
		return slices.ContainsFunc(n.Content, func(entry *yaml.Node) bool { return values.Field(entry, "packName") != nil })
	}
	return values.Field(n, "packName") != nil
}

// entry reads one entry. It reports false for one that says nothing.
func (r *reader) entry(path string, n *yaml.Node) (Dependency, bool) {
	if n.Kind != yaml.MappingNode {
		r.fail(path, n, "got %s, want a mapping with packName, minVersion, maxVersion and type", function.KindOf(n))
		return Dependency{}, false
	}
	d := Dependency{Path: path, node: n}
	texts := map[string]string{}
	wrong := map[string]bool{}
	for _, field := range fields {
		value := values.Field(n, field)
		if !values.IsNull(value) && value.Kind != yaml.ScalarNode {
			r.fail(path+"."+field, value, "got %s, want text", function.KindOf(value))
			wrong[field] = true
			continue
		}
		texts[field] = strings.TrimSpace(values.Text(value))
	}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key := values.Resolve(n.Content[at])
		if meant := slip(key.Value); meant != "" && values.Field(n, meant) == nil {
			r.fail(path+"."+key.Value, key, "unknown field (did you mean %q?)", meant)
			wrong[meant] = true
		}
	}
	d.Pack, d.Layer = texts["packName"], texts["layer"]
	if d.Pack == "" {
		if !wrong["packName"] {
			r.fail(path, n, "has no packName; say which pack it is about")
		}
		return d, false
	}
	d.Type = Type(texts["type"])
	known := true
	switch {
	case wrong["type"]:
		known = false
	case d.Type == "":
		d.Type, d.Untyped = Optional, true
	case d.Type != Required && d.Type != Optional && d.Type != NotSupported && d.Type != Upgrade:
		r.fail(path+".type", values.Field(n, "type"), "got %q, want %s%s", d.Type, strings.Join(types[:3], ", ")+" or "+types[3], nearest.Hint(string(d.Type), types))
		known = false
	}
	d.unchecked = wrong["minVersion"] || wrong["maxVersion"]
	for _, bound := range []struct {
		field string
		into  *version.Bound
	}{{"minVersion", &d.Range.Min}, {"maxVersion", &d.Range.Max}} {
		var err error
		if *bound.into, err = version.ParseBound(texts[bound.field], parser(d.kubernetes())); err != nil {
			r.fail(path+"."+bound.field, values.Field(n, bound.field), "%q as a version of %q: %v", texts[bound.field], d.Pack, err)
			d.unchecked = true
		}
	}
	if !d.unchecked && d.Range.IsEmpty() {
		r.fail(path+".minVersion", values.Field(n, "minVersion"), "minVersion %s is above maxVersion %s, so that no version of %q is in range; swap them or mend one", d.Range.Min, d.Range.Max, d.Pack)
		d.unchecked = true
	}
	return d, known
}

// slip returns the field that a key is a slip of: another case, or one or two
// letters wrong. It returns "" for fields, and for what is like none.
func slip(key string) string {
	for _, field := range fields {
		if key == field {
			return ""
		}
	}
	for _, field := range fields {
		if strings.EqualFold(key, field) || len(field) > 6 && levenshtein.Distance(strings.ToLower(key), strings.ToLower(field), nil) <= 2 {
			return field
		}
	}
	return ""
}
