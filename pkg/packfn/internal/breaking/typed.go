package breaking

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// readObject returns an object of a type with its defaults, and the paths of values that are not of the types
// of their fields, which are left out.
func readObject(t reflect.Type, n *yaml.Node) (reflect.Value, [][]string) {
	v := reflect.New(t).Elem()
	var r reader
	r.read(nil, values.AsAPIServer(n), v) // as a whole, because an alias may be far from its anchor
	setDefaults(v)
	if claim, ok := v.Addr().Interface().(*corev1.PersistentVolumeClaim); ok { // and no template of one
		syncSources(&claim.Spec)
	}
	return v, r.faults
}

// reader reads values of Go types of Kubernetes as an API server does. It ignores fields that it does not know.
type reader struct{ faults [][]string }

func (r *reader) read(at []string, n *yaml.Node, v reflect.Value) {
	n = values.Resolve(n)
	if values.IsNull(n) {
		return
	}
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		v.Set(reflect.New(t.Elem()))
		r.read(at, n, v.Elem())
		return
	}
	if isScalar(t) {
		text, ok := values.JSON(n)
		if !ok || json.Unmarshal([]byte(text), v.Addr().Interface()) != nil {
			r.faults = append(r.faults, at)
			v.SetZero()
		}
		return
	}
	switch {
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		r.readFields(at, values.ByName(n), v)
	case t.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		v.Set(reflect.MakeMap(t))
		for name, child := range values.ByName(n) {
			element := reflect.New(t.Elem()).Elem()
			r.read(below(at, name), child, element)
			v.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), element)
		}
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		v.Set(reflect.MakeSlice(t, len(n.Content), len(n.Content)))
		for i, child := range n.Content {
			r.read(below(at, index(i)), child, v.Index(i))
		}
	default:
		r.faults = append(r.faults, at)
	}
}

func (r *reader) readFields(at []string, fields map[string]*yaml.Node, v reflect.Value) {
	for i := range v.NumField() {
		name, isInline := jsonName(v.Type().Field(i))
		if isInline {
			r.readFields(at, fields, v.Field(i))
		} else if n, ok := fields[name]; ok {
			r.read(below(at, name), n, v.Field(i))
		}
	}
}

// isScalar reports whether a type is read and compared as a whole: strings, numbers, quantities, times.
func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	case reflect.Map:
		return false
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	}
	return t.Kind() != reflect.Pointer
}

// jsonName returns the name of a field in JSON, and reports whether its own fields are in its place.
func jsonName(f reflect.StructField) (name string, isInline bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, name == "" && (f.Anonymous || strings.Contains(options, "inline"))
}

// below returns a path with one more step. It shares no memory with the path.
func below(at []string, step string) []string { return append(slices.Clip(at), step) }

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// indexOf returns the index that a step of a path means, and reports whether it is one.
func indexOf(step string) (int, bool) {
	text, ok := strings.CutPrefix(step, "[")
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(strings.TrimSuffix(text, "]"))
	return i, err == nil
}

// valueAt returns the value of a field, which is zero if what contains the field is absent.
func valueAt(v reflect.Value, at []string) reflect.Value {
	for _, step := range at {
		v = fieldOf(elementOf(v), step)
	}
	return v
}

// fieldOf returns the field of a struct by its name in JSON.
func fieldOf(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		own, isInline := jsonName(v.Type().Field(i))
		if own == name {
			return v.Field(i)
		}
		if isInline {
			if found := fieldOf(v.Field(i), name); found.IsValid() {
				return found
			}
		}
	}
	return reflect.Value{}
}

// elementOf returns what a pointer points to, and a zero value if it is nil.
func elementOf(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() != reflect.Pointer:
		return v
	case v.IsNil():
		return reflect.New(v.Type().Elem()).Elem()
	}
	return v.Elem()
}

// mostKeys is the number of keys of a map that differ, beyond which the map itself differs.
const mostKeys = 100

// differences returns the deepest paths at which two values of a type differ, as the API server compares them: lists and
// maps that are empty equal absent ones, quantities are compared by value, and the type of an object in an object
// is of no consequence.
func differences(at []string, a, b reflect.Value) (all [][]string) {
	t := a.Type()
	if t.Kind() == reflect.Pointer {
		switch {
		case a.IsNil() && b.IsNil():
			return nil
		case isScalar(t.Elem()) && (a.IsNil() || b.IsNil()):
			return [][]string{at}
		}
		if all = differences(at, elementOf(a), elementOf(b)); len(all) == 0 && (a.IsNil() || b.IsNil()) {
			return [][]string{at}
		}
		return all
	}
	switch {
	case isScalar(t):
		if !equality.Semantic.DeepEqual(a.Interface(), b.Interface()) {
			return [][]string{at}
		}
	case t == reflect.TypeFor[metav1.TypeMeta]():
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if name, isInline := jsonName(t.Field(i)); isInline {
				all = append(all, differences(at, a.Field(i), b.Field(i))...)
			} else {
				all = append(all, differences(below(at, name), a.Field(i), b.Field(i))...)
			}
		}
	case t.Kind() == reflect.Map:
		names := map[string]reflect.Value{}
		for _, m := range []reflect.Value{a, b} {
			for _, key := range m.MapKeys() {
				names[key.String()] = key
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if len(all) > mostKeys {
				return [][]string{at}
			}
			x, y := a.MapIndex(names[name]), b.MapIndex(names[name])
			if !x.IsValid() || !y.IsValid() {
				all = append(all, below(at, name))
			} else {
				all = append(all, differences(below(at, name), x, y)...)
			}
		}
	case a.Len() != b.Len():
		return [][]string{at}
	default:
		for i := range a.Len() {
			all = append(all, differences(below(at, index(i)), a.Index(i), b.Index(i))...)
		}
	}
	return all
}
