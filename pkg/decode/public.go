package decode

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// IsPublic reports whether the field at a path of a struct, or of the list of one, holds no
// value that may be a secret. Maps of texts, custom types and *yaml.Node may hold one. So may
// a field with the tag `holds:"values"`, and none below one with `holds:"names"`. An unknown
// field may be meant for any one beside it.
func IsPublic(of any, path string) bool { return isPublic(reflect.TypeOf(of), path) }

func isPublic(t reflect.Type, path string) bool {
	for t.Kind() == reflect.Pointer && t != nodeType {
		t = t.Elem()
	}
	path = strings.TrimPrefix(path, ".")
	switch isCustom := reflect.PointerTo(t).Implements(reflect.TypeFor[Decoder]()); {
	case t == nodeType || t == reflect.TypeFor[yaml.Node]():
		return false
	case t.Kind() == reflect.Struct && path == "":
		return !holdsValues(t)
	case t.Kind() == reflect.Struct:
		name, rest := path, ""
		if end := strings.IndexAny(path, ".["); end >= 0 {
			name, rest = path[:end], path[end:]
		}
		field, ok := fieldsOf(t).byName[name]
		if holds := field.tag.Get("holds"); !ok || holds != "" {
			return !ok && rest == "" && !holdsValues(t) || holds == "names"
		}
		return isPublic(field.kind, rest)
	case t.Kind() == reflect.Slice && !isCustom:
		_, rest, _ := strings.Cut(path, "]")
		return isPublic(t.Elem(), rest)
	case t.Kind() == reflect.Map:
		_, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), ".")
		return !isCustom && isStruct(t.Elem()) && isPublic(t.Elem(), rest)
	}
	return t.Kind() != reflect.Slice && path == ""
}

// holdsValues reports whether a field of a struct may hold a value that is a secret.
func holdsValues(t reflect.Type) bool {
	for name, field := range fieldsOf(t).byName {
		if kind := field.kind; field.tag.Get("holds") == "values" || field.tag.Get("holds") == "" && !isStruct(kind) && !isPublic(kind, "") {
			return name != ""
		}
	}
	return false
}

func isStruct(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t != nodeType.Elem()
}
