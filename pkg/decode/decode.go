package decode

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Decoder is implemented by types that take several forms of YAML.
type Decoder interface {
	// DecodeNode fills the value from a node, which is neither an alias nor null, at a path. It
	// returns findings that are complete except for rule and origin.
	DecodeNode(n *yaml.Node, path string) []diag.Finding
}

// Node fills out, a pointer to a struct, from the YAML at n, and returns all faults: unknown
// fields, wrong types, duplicate keys, missing fields, and values that are not accepted. The
// findings have key and position, and the caller sets rule and origin. path is the path of n in its
// resource.
//
//	type Config struct {
//		Mode  string   `json:"mode" required:"true" enum:"strict,loose"`
//		Hosts []string `json:"hosts" single:"true"`
//	}
//
//	mode: strict
//	hosts: [a.example, b.example]
//
// The tags of the struct's fields determine which YAML is accepted:
//
//   - `json:"name"` is the field's name; a field without it is not read.
//   - `required:"true"`: it must be there, and be neither null nor "".
//   - `enum:"a,b"`: it must be one of these texts.
//   - `single:"true"`: a list that also takes one mapping, with a finding of
//     [diag.KindAlias].
//
// The tag `unknown` of a field `_ struct{}` determines the result for unknown fields: an error
// (without the tag), a `warning`, or nothing (`slips`). The last two are for kinds whose newer
// versions may have more fields. There the misspelt name of a field that is not given is an error
// as well, see [Misspelt].
//
// Numbers and booleans are not taken for text, since YAML has already changed some
// (1.30 is 1.3). Null counts as absent, except in a list. Merge keys are followed. A
// *yaml.Node takes anything. What has a fault keeps its zero value; everything else
// is filled. n is part of a document that package values has read, so it has limits.
func Node(n *yaml.Node, path string, out any) []diag.Finding {
	d := decoder{}
	d.decode(values.Resolve(n), fieldPath{path: path}, reflect.ValueOf(out).Elem(), "")
	return d.findings
}

// decoder fills structs and collects faults.
type decoder struct {
	// findings are the faults so far.
	findings []diag.Finding
	// stack has the entries of the mappings that are being decoded, with the innermost mapping
	// last.
	stack []pair
	// around are the mappings that are being read as structs, the innermost one last.
	around []structure
}

func (d *decoder) reset(size int) { d.stack = d.stack[:size] }

func (d *decoder) report(f diag.Finding, path string, n *yaml.Node) {
	d.findings = append(d.findings, f.At(path, values.At(n)))
}

// fieldPath is a path, or the path of an entry of the map at the path. Most entries have no fault,
// so the string of their path is never needed.
type fieldPath struct {
	// path is the path, and entry the key of the entry if isEntry is true.
	path, entry string
	isEntry     bool
}

// String returns the whole path.
func (p fieldPath) String() string {
	if p.isEntry {
		return diag.Join(p.path, p.entry)
	}
	return p.path
}

var nodeType = reflect.TypeFor[*yaml.Node]()

// decode fills a value of any type. Null and absent nodes leave it as it is.
func (d *decoder) decode(n *yaml.Node, at fieldPath, out reflect.Value, tag reflect.StructTag) {
	if n == nil || values.IsNull(n) {
		return
	}
	if out.Type() == nodeType {
		out.Set(reflect.ValueOf(n))
		return
	}
	if custom, ok := out.Addr().Interface().(Decoder); ok {
		d.findings = append(d.findings, custom.DecodeNode(n, at.String())...)
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		before := len(d.findings)
		out.Set(reflect.New(out.Type().Elem()))
		d.decode(n, at, out.Elem(), tag)
		if len(d.findings) > before && out.Elem().Kind() != reflect.Struct {
			out.SetZero() // nil, and not a pointer to zero
		}
	case reflect.Struct:
		d.structure(n, at.String(), out)
	case reflect.Map:
		d.mapping(n, at.String(), out)
	case reflect.Slice:
		d.list(n, at.String(), out, tag)
	default:
		d.scalar(n, at, out, tag)
	}
}

// list fills a slice.
func (d *decoder) list(n *yaml.Node, path string, out reflect.Value, tag reflect.StructTag) {
	if n.Kind == yaml.MappingNode && tag.Get("single") == "true" {
		f := diag.Say("got a map, read as a list of one")
		f.Kind = diag.KindAlias
		d.report(f.Do("put a dash before it"), path, n)
		out.Set(reflect.MakeSlice(out.Type(), 1, 1))
		d.decode(n, fieldPath{path: path}, out.Index(0), "")
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.report(got(n, "a list"), path, n)
		return
	}
	out.Set(reflect.MakeSlice(out.Type(), len(n.Content), len(n.Content)))
	for i, element := range n.Content {
		at := elementOf(path, i)
		if values.IsNull(element) && out.Type().Elem() != nodeType {
			f := diag.Got("null", kindFor(out.Type().Elem())).Do("set its fields, or remove the item")
			if out.Type().Elem().Kind() == reflect.String {
				f = f.Do(`write "" for an empty string, or remove the item`)
			}
			d.report(f, at, element)
			continue
		}
		d.decode(values.Resolve(element), fieldPath{path: at}, out.Index(i), tag)
	}
}

// mapping fills a map. Entries with faults are left out.
func (d *decoder) mapping(n *yaml.Node, path string, out reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.report(got(n, "a map"), path, n)
		return
	}
	out.Set(reflect.MakeMap(out.Type()))
	defer d.reset(len(d.stack))
	for _, p := range d.pairs(n, path) {
		element := reflect.New(out.Type().Elem()).Elem()
		before := len(d.findings)
		d.decode(p.value, fieldPath{path, p.name, true}, element, "")
		// An entry of the wrong type is left out: its zero value would pass for one
		// that the user gave.
		if len(d.findings) == before || element.Kind() == reflect.Struct {
			out.SetMapIndex(reflect.ValueOf(p.name), element)
		}
	}
}

// structure fills a struct, and reports fields that are missing or unknown.
func (d *decoder) structure(n *yaml.Node, path string, out reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.report(got(n, "a map"), path, n)
		return
	}
	fields := fieldsOf(out.Type())
	var few [16]presence // on the stack; most structs have fewer fields
	are := few[:min(len(fields.names), len(few))]
	if len(fields.names) > len(few) {
		are = make([]presence, len(fields.names))
	}
	defer d.reset(len(d.stack))
	d.around = append(d.around, structure{n, path, fields})
	defer func() { d.around = d.around[:len(d.around)-1] }()
	var unknown []pair
	for _, p := range d.pairs(n, path) {
		field, ok := fields.byName[p.name]
		if !ok {
			unknown = append(unknown, p)
			continue
		}
		before := len(d.findings)
		d.decode(p.value, fieldPath{path, p.name, true}, out.FieldByIndex(field.index), field.tag)
		if is := &are[field.at]; isEmpty(p.value) && len(d.findings) == before {
			is.empty = p.value
		} else {
			is.given = true
		}
	}
	if spec := fields.spec; spec != nil && are[spec.at] == (presence{}) {
		if f := fields.withoutSpec(n, unknown); f != nil {
			unknown = slices.DeleteFunc(unknown, fields.isOfSpec)
			are[spec.at].given = true
			d.findings = append(d.findings, f.At(diag.Join(path, specField), f.Position))
		}
	}
	d.unknown(unknown, path, fields, are)
	for i, name := range fields.names {
		if are[i].given || fields.byName[name].tag.Get("required") != "true" {
			continue
		}
		at, found, value := n, "empty", are[i].empty
		switch {
		case value == nil:
			found = ""
		case values.IsNull(value):
			at, found = value, "null"
		default:
			at = value
		}
		f := diag.Missing(found)
		if enum := fields.byName[name].tag.Get("enum"); enum != "" {
			f = f.Do("set it to " + diag.OneOf(strings.Split(enum, ",")))
		}
		d.report(f, diag.Join(path, name), at)
	}
}

// presence describes whether and how a mapping contains a field of a struct.
type presence struct {
	// given reports whether the field has a value, or has a fault.
	given bool
	// empty is the node of a field without a value, or nil if the field is absent.
	empty *yaml.Node
}

// unknown reports the fields of a mapping that its struct does not have.
func (d *decoder) unknown(unknown []pair, path string, fields *fieldSet, are []presence) {
	if len(unknown) == 0 {
		return
	}
	given := func(name string) bool { return name != "" && are[fields.byName[name].at].given }
	free := slices.DeleteFunc(slices.Clone(fields.names), given)
	for _, p := range unknown {
		f := diag.Unknown("field", p.name, fields.names)
		switch misspelt := nearest.Misspelt(p.name, free); {
		case misspelt != "":
			f.Nearest = misspelt
		case fields.unknown == "slips":
			continue
		case fields.unknown == "warning":
			f.Severity = diag.Warning
		}
		if owner := d.owner(p.name); owner != "" && f.Nearest == "" {
			f = f.Want("").Do("move it up: it is a field of " + owner)
		}
		if given(f.Nearest) {
			f.Mistakes[0].Text = "" // another name is meant
		}
		d.report(f, diag.Join(path, p.name), p.key)
	}
}

// structure is a mapping that is read as a struct.
type structure struct {
	// n is the mapping, path its path, and fields the fields of the struct.
	n      *yaml.Node
	path   string
	fields *fieldSet
}

// owner returns the path of the mapping around the innermost one that has a field of a name, but
// not in this mapping, or "" if there is none. The whole resource has fields of common names.
func (d *decoder) owner(name string) string {
	for i := len(d.around) - 2; i >= 0; i-- {
		if s := d.around[i]; s.path != "" && slices.Contains(s.fields.names, name) && values.Field(s.n, name) == nil {
			return s.path
		}
	}
	return ""
}

// Misspelt returns a finding for each key of a mapping that is a misspelt name of an absent field.
// It is for mappings that accept any other key, where a misspelt key would otherwise be ignored
// silently. path is the path of the mapping in its resource.
func Misspelt(n *yaml.Node, path string, known ...string) (findings []diag.Finding) {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var free []string
	for at := 0; at < len(n.Content); at += 2 {
		key := values.Resolve(n.Content[at])
		if slices.Contains(known, key.Value) {
			continue
		}
		if free == nil {
			free = slices.DeleteFunc(slices.Clone(known), func(name string) bool { return values.Field(n, name) != nil })
		}
		if name := nearest.Misspelt(key.Value, free); name != "" {
			f := diag.Unknown("field", key.Value, nil)
			f.Nearest = name
			findings = append(findings, f.At(diag.Join(path, key.Value), values.At(key)))
		}
	}
	return findings
}

// scalar fills a string, a number or a boolean, and checks its type.
func (d *decoder) scalar(n *yaml.Node, at fieldPath, out reflect.Value, tag reflect.StructTag) {
	want, yamlTag := kindFor(out.Type()), "!!str"
	switch out.Kind() {
	case reflect.Bool:
		yamlTag = "!!bool"
	case reflect.Int, reflect.Int64:
		yamlTag = "!!int"
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != yamlTag {
		f := diag.Got(values.KindOf(n), want)
		if yamlTag == "!!int" && n.ShortTag() == "!!float" {
			f.Found = "a number with a fraction"
		}
		if yamlTag == "!!str" && n.Kind == yaml.ScalarNode {
			f = f.Quote(n.Value)
		}
		d.report(f, at.String(), n)
		return
	}
	if f, ok := setText(out, n.Value, tag); !ok {
		d.report(f, at.String(), n)
	}
}

// got returns the finding about a value of another type than is wanted. Documents write ... where readers write
// something of their own.
func got(n *yaml.Node, want string) diag.Finding {
	f := diag.Got(values.KindOf(n), want)
	if n.Value == "..." || n.Value == "…" {
		f = f.Do("replace the placeholder " + n.Value)
	}
	return f
}

// kindFor returns the YAML kind of a Go type, for messages.
func kindFor(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Pointer:
		return kindFor(t.Elem())
	}
	return "a map"
}

// setText sets a string, a boolean or an integer from its text. The tag `enum` lists the strings
// that are allowed. If the text is not accepted, it returns the finding and false.
func setText(out reflect.Value, text string, tag reflect.StructTag) (f diag.Finding, ok bool) {
	switch out.Kind() {
	case reflect.String:
		if enum := tag.Get("enum"); enum != "" {
			if allowed := strings.Split(enum, ","); !slices.Contains(allowed, text) {
				return diag.GotName(text, allowed), false
			}
		}
		out.SetString(text)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return diag.GotText(text, "true or false"), false
		}
		out.SetBool(text == "true")
	default:
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return diag.GotText(text, "an integer"), false
		}
		out.SetInt(value)
	}
	return f, true
}

// isEmpty reports whether the value of a field is equivalent to an absent field.
func isEmpty(n *yaml.Node) bool {
	return values.IsNull(n) || n.Kind == yaml.ScalarNode && n.Value == ""
}
