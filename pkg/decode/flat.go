package decode

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// DataReader is implemented by structs whose flat form has keys beyond their fields.
type DataReader interface {
	// DataKeys returns the forms of these keys for messages, `variables.NAME`, and the key that an
	// unknown one was probably meant to be, or "" if there is none.
	DataKeys(unknown string) (forms []string, meant string)
	// ReadData takes one entry. It reports false for a key that is not one of these.
	ReadData(key, value string) (known bool, err error)
}

// Flat fills out, a pointer to a struct, from the data of a ConfigMap, and returns
// all faults as Node does. A field takes the text, a list of texts takes them
// separated by commas, and a map takes `key=value` entries separated by commas. Other
// fields, and those tagged `flat:"-"`, do not exist in this form; typed is the kind to
// use for those that could not be written in a ConfigMap.
func Flat(data map[string]string, path string, out any, typed string) []diag.Finding {
	fields := fieldsOf(reflect.TypeOf(out).Elem())
	names := fields.flatNames()
	of := reflect.ValueOf(out).Elem()
	custom, _ := out.(DataReader)
	var findings []diag.Finding
	for _, key := range slices.Sorted(maps.Keys(data)) {
		f, ok := flatEntry(key, data[key], of, fields, names, custom, typed)
		if !ok {
			findings = append(findings, f.At(diag.Join(path, key), diag.Position{}))
		}
	}
	return findings
}

// FlatNames returns the fields of a struct, to which out points, that its flat form has.
func FlatNames(out any) []string {
	return fieldsOf(reflect.TypeOf(out).Elem()).flatNames()
}

// flatNames returns the names of the options of the plain form.
func (s *fieldSet) flatNames() []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool {
		field := s.byName[name]
		return field.tag.Get("flat") == "-" || !isFlat(field.kind)
	})
}

// flatEntry reads an entry of a ConfigMap as an option. ok is false if it has a fault.
func flatEntry(key, text string, out reflect.Value, fields *fieldSet, names []string, custom DataReader, typed string) (f diag.Finding, ok bool) {
	if slices.Contains(names, key) {
		return flatField(out.FieldByIndex(fields.byName[key].index), text, fields.byName[key].tag)
	}
	options, meant := names, ""
	if custom != nil {
		known, err := custom.ReadData(key, text)
		if err != nil {
			return diag.Say("%v", err), false
		}
		if known {
			return f, true
		}
		forms, key := custom.DataKeys(key)
		options, meant = slices.Concat(names, forms), key
	}
	isPrefix := func(option string) bool { return strings.HasPrefix(option, key+".") }
	if _, ok := fields.byName[key]; ok && !slices.ContainsFunc(options, isPrefix) {
		return diag.Say("a ConfigMap cannot set %q", key).Do("use the kind " + typed), false
	}
	f = diag.Unknown("option", key, options)
	f.Nearest = cmp.Or(meant, nearest.Name(key, names))
	return f, false
}

// isFlat reports whether a type can be written as a string.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		return true
	case reflect.Slice, reflect.Map:
		return t.Elem().Kind() == reflect.String
	}
	return false
}

// flatField reads an option. Lists and maps are separated by commas.
func flatField(out reflect.Value, text string, tag reflect.StructTag) (f diag.Finding, ok bool) {
	switch out.Kind() {
	case reflect.Slice:
		for _, part := range splitList(text) {
			element := reflect.New(out.Type().Elem()).Elem()
			if f, ok := setText(element, part, tag); !ok {
				return f, false
			}
			out.Set(reflect.Append(out, element))
		}
	case reflect.Map:
		out.Set(reflect.MakeMap(out.Type()))
		for _, part := range splitList(text) {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return diag.GotText(part, "key=value entries with commas between them"), false
			}
			out.SetMapIndex(reflect.ValueOf(strings.TrimSpace(key)), reflect.ValueOf(strings.TrimSpace(value)))
		}
	default:
		return setText(out, text, tag)
	}
	return f, true
}

// splitList splits a text at commas, and leaves out empty parts.
func splitList(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
