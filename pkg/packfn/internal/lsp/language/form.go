package language

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// form holds the fields of a JSON Schema that completion and hover use.
type form struct {
	// Description is Markdown without links.
	Description string `json:"description"`
	// Type has the names of JSON types: string, integer, number, boolean, object, array, null.
	Type oneOrMore `json:"type"`
	// Enum lists the values, and Const is the only one.
	Enum  []any  `json:"enum"`
	Const string `json:"const"`
	// Default is the default as JSON.
	Default json.RawMessage `json:"default"`
	// ReadOnly is true for values that only the author of a pack sets.
	ReadOnly bool `json:"readOnly"`
	// Minimum and Maximum are the bounds of a number, or "".
	Minimum json.Number `json:"minimum"`
	Maximum json.Number `json:"maximum"`
	// Required lists the required keys.
	Required []string `json:"required"`
	// Properties are the forms of the keys, and AdditionalProperties the form of all others.
	Properties           map[string]*form `json:"properties"`
	AdditionalProperties *others          `json:"additionalProperties"`
	// Items is the form of the elements of a list.
	Items *form `json:"items"`
	// AnyOf lists forms of which a value has one.
	AnyOf []*form `json:"anyOf"`
}

// oneOrMore is a string or a list of strings.
type oneOrMore []string

// UnmarshalJSON reads `"string"` or `["string", "null"]`.
func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]string)(o))
	}
	*o = make(oneOrMore, 1)
	return json.Unmarshal(text, &(*o)[0])
}

// others is the value of additionalProperties: the form of all other keys, or a boolean.
type others struct{ *form }

// UnmarshalJSON reads an object, and leaves the form nil for true and false.
func (o *others) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		o.form = &form{}
		return json.Unmarshal(text, o.form)
	}
	return nil
}

// formOf parses a JSON Schema. It returns nil if that fails.
func formOf(described any) *form {
	f := &form{}
	text, err := json.Marshal(described)
	if err != nil || json.Unmarshal(text, f) != nil {
		return nil
	}
	return f
}

// at returns the form of the value at a path, or nil if there is none.
func (f *form) at(path []values.Step) *form {
	for _, step := range path {
		switch {
		case f == nil:
			return nil
		case step.IsIndex:
			f = f.Items
		case f.Properties[step.Key] != nil:
			f = f.Properties[step.Key]
		case f.AdditionalProperties != nil:
			f = f.AdditionalProperties.form
		default:
			f = nil
		}
	}
	return f
}

// formAt returns a form that contains another form at a path.
func formAt(path []values.Step, of *form) *form {
	for _, step := range slices.Backward(path) {
		if step.IsIndex {
			of = &form{Items: of}
		} else {
			of = &form{Properties: map[string]*form{step.Key: of}}
		}
	}
	return of
}

// keys returns the keys that the form defines, sorted.
func (f *form) keys() []string {
	if f == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(f.Properties))
}

// options returns the values that the form accepts, if it lists them.
func (f *form) options() []any {
	if f == nil {
		return nil
	}
	all := f.Enum
	for _, one := range f.AnyOf {
		all = append(all, one.Enum...)
	}
	if f.Const != "" {
		all = append(all, f.Const)
	}
	if len(all) == 0 && slices.Equal(f.withoutNull(), []string{"boolean"}) {
		all = []any{true, false}
	}
	return slices.DeleteFunc(slices.Clone(all), func(one any) bool { // drop a string that equals another option written without quotes
		text, ok := one.(string)
		return ok && slices.ContainsFunc(all, func(other any) bool { return other != one && scalarText(other) == text })
	})
}

// withoutNull returns the types without null, and without string if it only stands for a quoted
// value of another type.
func (f *form) withoutNull() []string {
	isOther := slices.ContainsFunc(f.Type, func(t string) bool { return t != "null" && t != "string" })
	return slices.DeleteFunc(slices.Clone([]string(f.Type)), func(t string) bool { return t == "null" || t == "string" && isOther && len(f.Type) == 3 })
}

// scalarText returns a value as a string, and quotedScalar returns it as YAML.
func scalarText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// quotedScalar returns a value as YAML, quoted if it is a string that needs quotes.
func quotedScalar(v any) string {
	if text, ok := v.(string); ok {
		return values.Quote(text)
	}
	return scalarText(v)
}

// isCollection reports whether values of the form are maps or lists.
func (f *form) isCollection() bool {
	return f != nil && (len(f.Properties) > 0 || f.Items != nil || slices.Contains(f.Type, "object") || slices.Contains(f.Type, "array"))
}

// detail returns one line about the values that the form accepts, such as `integer, [1-10],
// required`.
func (f *form) detail(isRequired bool) string {
	var parts []string
	if types := f.withoutNull(); len(types) > 0 && len(types) < 3 {
		parts = append(parts, strings.Join(types, " or "))
	}
	if f.Minimum != "" || f.Maximum != "" {
		parts = append(parts, "["+f.Minimum.String()+"-"+f.Maximum.String()+"]")
	}
	if options := f.options(); len(options) > 0 && !slices.Contains(f.Type, "boolean") {
		var texts []string
		for _, one := range options {
			texts = append(texts, quotedScalar(one))
		}
		parts = append(parts, "one of "+strings.Join(texts, ", "))
	}
	if f.ReadOnly {
		parts = append(parts, "read-only")
	}
	if isRequired {
		parts = append(parts, "required")
	}
	return strings.Join(parts, ", ")
}

// forms are the forms of kinds and documents. Each file is parsed at its first use.
type forms struct {
	// files are the schema files, read their forms by file name, and kinds the kinds with the files
	// that describe them.
	files fs.FS
	read  map[string]*form
	kinds []kind
}

// kind is a kind of resource that has a form.
type kind struct{ apiVersion, name, file string }

// of returns the form in a schema file.
func (f *forms) of(file string) *form {
	if f.read[file] == nil {
		text, _ := fs.ReadFile(f.files, file)
		f.read[file] = formOf(json.RawMessage(text))
	}
	return f.read[file]
}

// all returns the kinds that have forms.
func (f *forms) all() []kind {
	if f.kinds != nil {
		return f.kinds
	}
	names, _ := fs.Glob(f.files, "*.json")
	for _, name := range names {
		of := f.of(name).Properties
		if of["kind"] != nil && of["metadata"] != nil { // otherwise it is not a resource
			f.kinds = append(f.kinds, kind{scalarText(of["apiVersion"].options()[0]), scalarText(of["kind"].options()[0]), name})
		}
	}
	return f.kinds
}

// kind returns the form of a kind, or nil if it has none.
func (f *forms) kind(apiVersion, name string) *form {
	for _, k := range f.all() {
		if k.name == name && (k.apiVersion == apiVersion || apiVersion == "") {
			return f.of(k.file)
		}
	}
	return nil
}
