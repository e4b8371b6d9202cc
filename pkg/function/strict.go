package function

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Problem is one fault of a document that is read strictly.
type Problem struct {
	// Path is where it is, `spec.targets[0].selector.kin`.
	Path string
	// Message says what was found, what is accepted and how to mend it; it does
	// not repeat the path.
	Message string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// unknownField begins the message of every problem that is a field nobody knows.
const unknownField = "unknown field"

// UnknownField reports whether the problem is a field that is not known. Kinds
// that belong to others may have fields that a function does not look at.
func (p Problem) UnknownField() bool { return strings.HasPrefix(p.Message, unknownField) }

// NodeDecoder is implemented by types that several forms of YAML decode into.
type NodeDecoder interface {
	DecodeNode(n *yaml.Node, path string) []Problem
}

// Decode fills out, a pointer to a struct, from the YAML at n, and returns all
// faults: unknown fields with the nearest known one, wrong types, duplicate
// keys, and values that an `enum:"a,b"` tag does not list. Fields are named by
// their json tags; one tagged `required:"true"` has to be there. Numbers and
// booleans are not taken for text, since YAML has already changed some
// (1.30 is 1.3). Null counts as absent. A *yaml.Node takes anything. What has a
// fault keeps its zero value; everything else is filled all the same.
func Decode(n *yaml.Node, path string, out any) []Problem {
	d := decoder{}
	d.decode(values.Resolve(n), path, reflect.ValueOf(out).Elem(), "")
	return d.problems
}

type decoder struct{ problems []Problem }

func (d *decoder) fail(path, format string, args ...any) {
	d.problems = append(d.problems, Problem{path, fmt.Sprintf(format, args...)})
}

var nodeType = reflect.TypeFor[*yaml.Node]()

func (d *decoder) decode(n *yaml.Node, path string, out reflect.Value, enum reflect.StructTag) {
	if n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if out.Type() == nodeType {
		out.Set(reflect.ValueOf(n))
		return
	}
	if custom, ok := out.Addr().Interface().(NodeDecoder); ok {
		d.problems = append(d.problems, custom.DecodeNode(n, path)...)
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		before := len(d.problems)
		out.Set(reflect.New(out.Type().Elem()))
		d.decode(n, path, out.Elem(), enum)
		if len(d.problems) > before && out.Elem().Kind() != reflect.Struct {
			out.SetZero() // which is nil, and not a pointer to zero
		}
	case reflect.Struct:
		d.decodeStruct(n, path, out)
	case reflect.Map:
		d.decodeMap(n, path, out)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.fail(path, "got %s, want a list", KindOf(n))
			return
		}
		out.Set(reflect.MakeSlice(out.Type(), len(n.Content), len(n.Content)))
		for i, element := range n.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			if values.IsNull(element) && out.Type().Elem() != nodeType {
				d.fail(at, "got nothing: fill the entry or remove it")
				continue
			}
			d.decode(values.Resolve(element), at, out.Index(i), enum)
		}
	default:
		d.decodeScalar(n, path, out, enum)
	}
}

func (d *decoder) decodeScalar(n *yaml.Node, path string, out reflect.Value, enum reflect.StructTag) {
	want, tag := "text", "!!str"
	switch out.Kind() {
	case reflect.Bool:
		want, tag = "true or false", "!!bool"
	case reflect.Int, reflect.Int64:
		want, tag = "a whole number", "!!int"
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != tag {
		hint := ""
		if tag == "!!str" && n.Kind == yaml.ScalarNode {
			hint = `: put it in quotes`
		}
		d.fail(path, "got %s, want %s%s", KindOf(n), want, hint)
		return
	}
	if message := setScalar(out, n.Value, enum); message != "" {
		d.fail(path, "%s", message)
	}
}

// setScalar sets a field from text, and says what is wrong with it.
func setScalar(out reflect.Value, text string, tag reflect.StructTag) string {
	switch out.Kind() {
	case reflect.String:
		if enum := tag.Get("enum"); enum != "" {
			allowed := strings.Split(enum, ",")
			if !slices.Contains(allowed, text) {
				return fmt.Sprintf("got %q, want %s%s", text, OneOf(allowed), nearest.Hint(text, allowed))
			}
		}
		out.SetString(text)
	case reflect.Bool:
		value, err := strconv.ParseBool(text)
		if err != nil || (text != "true" && text != "false") {
			return fmt.Sprintf("got %q, want true or false", text)
		}
		out.SetBool(value)
	default:
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Sprintf("got %q, want a whole number", text)
		}
		out.SetInt(value)
	}
	return ""
}

func (d *decoder) decodeMap(n *yaml.Node, path string, out reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fail(path, "got %s, want a mapping", KindOf(n))
		return
	}
	out.Set(reflect.MakeMap(out.Type()))
	seen := map[string]bool{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		name := values.Resolve(n.Content[at]).Value
		if seen[name] {
			d.fail(join(path, name), "is given twice")
			continue
		}
		seen[name] = true
		element := reflect.New(out.Type().Elem()).Elem()
		before := len(d.problems)
		d.decode(values.Resolve(n.Content[at+1]), join(path, name), element, "")
		// An entry of the wrong type is left out: its zero value would be taken
		// for one that the user gave.
		if len(d.problems) == before || element.Kind() == reflect.Struct {
			out.SetMapIndex(reflect.ValueOf(name), element)
		}
	}
}

func (d *decoder) decodeStruct(n *yaml.Node, path string, out reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fail(path, "got %s, want a mapping", KindOf(n))
		return
	}
	fields := structFields(out)
	seen, given := map[string]bool{}, map[string]bool{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		name := values.Resolve(n.Content[at]).Value
		given[name] = !isBlank(values.Resolve(n.Content[at+1]))
		field, known := fields.byName[name]
		switch {
		case !known:
			d.fail(join(path, name), unknownField+"; known are %s%s", strings.Join(fields.names, ", "), nearest.Hint(name, fields.names))
		case seen[name]:
			d.fail(join(path, name), "is given twice")
		default:
			d.decode(values.Resolve(n.Content[at+1]), join(path, name), field.value, field.tag)
		}
		seen[name] = true
	}
	for _, name := range fields.names {
		if fields.byName[name].tag.Get("required") == "true" && !given[name] && !d.hasProblemAt(join(path, name)) {
			d.fail(join(path, name), "is required")
		}
	}
}

// isBlank reports whether a field that is there says no more than an absent one.
func isBlank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Value == "" || values.IsNull(n))
}

func (d *decoder) hasProblemAt(path string) bool {
	return slices.ContainsFunc(d.problems, func(p Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

type structField struct {
	value reflect.Value
	tag   reflect.StructTag
}

type fieldSet struct {
	names  []string
	byName map[string]structField
}

// structFields lists the fields of a struct and of those embedded in it, in
// order.
func structFields(out reflect.Value) fieldSet {
	set := fieldSet{byName: map[string]structField{}}
	var add func(reflect.Value)
	add = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				add(v.Field(i))
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			set.names = append(set.names, name)
			set.byName[name] = structField{v.Field(i), f.Tag}
		}
	}
	add(out)
	return set
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// KindOf says for people what a node is, never what it holds.
func KindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return KindOf(n.Alias)
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "nothing"
	case "!!timestamp":
		return "a date"
	default:
		return "text"
	}
}

// OneOf lists what is accepted: `a, b or c`.
func OneOf(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
}
