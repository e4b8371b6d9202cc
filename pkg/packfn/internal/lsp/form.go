package lsp

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// form is what completion and hover read of a JSON Schema.
type form struct {
	Description          string           `json:"description"`
	Type                 oneOrMore        `json:"type"`
	Enum                 []any            `json:"enum"`
	Const                string           `json:"const"`
	Default              json.RawMessage  `json:"default"`
	ReadOnly             bool             `json:"readOnly"`
	Minimum              json.Number      `json:"minimum"`
	Maximum              json.Number      `json:"maximum"`
	Required             []string         `json:"required"`
	Properties           map[string]*form `json:"properties"`
	AdditionalProperties *others          `json:"additionalProperties"`
	Items                *form            `json:"items"`
	AnyOf                []*form          `json:"anyOf"`
}

// oneOrMore is a text or a list of texts.
type oneOrMore []string

func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]string)(o))
	}
	*o = make(oneOrMore, 1)
	return json.Unmarshal(text, &(*o)[0])
}

// others is the form of all other keys, or whether they are accepted.
type others struct{ *form }

func (o *others) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		o.form = &form{}
		return json.Unmarshal(text, o.form)
	}
	return nil
}

// formOf reads a JSON Schema; nil if that fails.
func formOf(described any) *form {
	f := &form{}
	text, err := json.Marshal(described)
	if err != nil || json.Unmarshal(text, f) != nil {
		return nil
	}
	return f
}

// at returns the form of the value at a path, nil for none.
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

// formAt returns a form that has another one at a path.
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

// keys returns the keys that the form names, sorted.
func (f *form) keys() []string {
	if f == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(f.Properties))
}

// options returns the values that the form accepts, if it names them.
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
	return slices.DeleteFunc(slices.Clone(all), func(one any) bool { // a text that another one is without quotes
		text, ok := one.(string)
		return ok && slices.ContainsFunc(all, func(other any) bool { return other != one && scalarText(other) == text })
	})
}

// withoutNull returns the types but null, and text that stands for others.
func (f *form) withoutNull() []string {
	isOther := slices.ContainsFunc(f.Type, func(t string) bool { return t != "null" && t != "string" })
	return slices.DeleteFunc(slices.Clone([]string(f.Type)), func(t string) bool { return t == "null" || t == "string" && isOther && len(f.Type) == 3 })
}

// scalarText returns a value as a text; quotedScalar as YAML has it.
func scalarText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func quotedScalar(v any) string {
	if text, ok := v.(string); ok {
		return values.Quote(text)
	}
	return scalarText(v)
}

// isCollection reports whether values of the form are mappings or lists.
func (f *form) isCollection() bool {
	return f != nil && (len(f.Properties) > 0 || f.Items != nil || slices.Contains(f.Type, "object") || slices.Contains(f.Type, "array"))
}

// detail says in one line what the form accepts, and that a key is required.
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

// forms are those of kinds and documents, read when they are needed.
type forms struct {
	files fs.FS
	read  map[string]*form
	kinds []kind
}

// kind is a kind with a form.
type kind struct{ apiVersion, name, file string }

// of returns the form of a file.
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
		if of["kind"] != nil && of["metadata"] != nil { // else it is a document of its own
			f.kinds = append(f.kinds, kind{scalarText(of["apiVersion"].options()[0]), scalarText(of["kind"].options()[0]), name})
		}
	}
	return f.kinds
}

// kind returns the form of a kind, nil for none.
func (f *forms) kind(apiVersion, name string) *form {
	for _, k := range f.all() {
		if k.name == name && (k.apiVersion == apiVersion || apiVersion == "") {
			return f.of(k.file)
		}
	}
	return nil
}
