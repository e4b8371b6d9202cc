package apiserver

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// walker changes each field of an object in turn: it adds what is absent, changes and removes what is there, and walks
// into what it has added.
type walker struct {
	// try looks at the object as it is now, with what was changed, such as spec.template.metadata.labels[]. It returns
	// false if the object is not valid.
	try func(changed string) bool
	// from makes the object as it is now the one that changes are compared with, and returns what undoes that.
	from func() (undo func())
	// leaveOut are paths that are not walked.
	leaveOut []string
	// enums are the values of the string types of k8s.io/api.
	enums map[string][]string
	// around are the types that the walk is in, which ends it in types that contain themselves.
	around []reflect.Type
}

// most is the number of valid values that are tried in a field.
const most = 2

// set tries a value, and walks into it if it is valid. It reports whether it is.
func (w *walker) set(v, value reflect.Value, at string, walk func()) bool {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	defer v.Set(old)
	v.Set(value)
	if !w.try(at) {
		return false
	}
	if walk != nil {
		undo := w.from()
		walk()
		undo()
	}
	return true
}

// walk changes what is below a value.
func (w *walker) walk(v reflect.Value, at string) {
	t := v.Type()
	if slices.Contains(w.leaveOut, at) {
		return
	}
	switch {
	case t.Kind() == reflect.Pointer && !v.IsNil():
		w.set(v, reflect.Zero(t), at, nil)
		w.walk(v.Elem(), at)
	case t.Kind() == reflect.Pointer:
		w.add(t.Elem(), at, func(element reflect.Value, walk func(reflect.Value)) bool {
			value := reflect.New(t.Elem())
			value.Elem().Set(element)
			return w.set(v, value, at, func() { walk(v.Elem()) })
		})
	case isScalar(t):
		valid := 0
		for _, candidate := range w.candidates(t, at) {
			if valid < most && !reflect.DeepEqual(candidate.Interface(), v.Interface()) && w.set(v, candidate, at, nil) {
				valid++
			}
		}
	case t.Kind() == reflect.Struct:
		if slices.Contains(w.around, t) {
			return
		}
		w.around = append(w.around, t)
		for i := range t.NumField() {
			w.walk(v.Field(i), below(at, t.Field(i)))
		}
		w.around = w.around[:len(w.around)-1]
	case t.Kind() == reflect.Slice:
		w.walkList(v, at+"[]")
	case t.Kind() == reflect.Map:
		w.walkMap(v, at+"[]")
	}
}

// add tries values of a type in an absent place: what the type requires, and if that is not valid each optional
// field in addition. put sets the value, and walks into it.
func (w *walker) add(t reflect.Type, at string, put func(value reflect.Value, walk func(reflect.Value)) bool) {
	if isScalar(t) {
		valid := 0
		for _, candidate := range w.candidates(t, at) {
			if valid < most && put(candidate, func(reflect.Value) {}) {
				valid++
			}
		}
		return
	}
	if slices.Contains(w.around, t) {
		return
	}
	value := w.filled(t, at)
	if put(value, func(v reflect.Value) { w.walk(v, at) }) || t.Kind() != reflect.Struct {
		return
	}
	for _, f := range optional(t) {
		field := value.FieldByIndex(f.Index)
		if !field.IsZero() {
			continue
		}
		with := reflect.New(t).Elem()
		with.Set(value)
		name := below(at, f)
		if f.Type.Kind() == reflect.Pointer {
			p := reflect.New(f.Type.Elem())
			p.Elem().Set(w.filled(f.Type.Elem(), name))
			with.FieldByIndex(f.Index).Set(p)
		} else {
			with.FieldByIndex(f.Index).Set(w.filled(f.Type, name))
		}
		put(with, func(v reflect.Value) { w.walk(v.FieldByIndex(f.Index), name) })
	}
}

func (w *walker) walkList(v reflect.Value, at string) {
	t := v.Type()
	n := v.Len()
	if n > 0 {
		w.set(v, v.Slice3(0, n-1, n-1), at, nil)
	}
	if n > 1 {
		swapped := reflect.AppendSlice(reflect.MakeSlice(t, 0, n), v)
		reflect.Swapper(swapped.Interface())(0, n-1)
		w.set(v, swapped, at, nil)
	}
	w.add(t.Elem(), at, func(element reflect.Value, walk func(reflect.Value)) bool {
		longer := reflect.Append(v.Slice3(0, n, n), element)
		return w.set(v, longer, at, func() {
			if n == 0 {
				walk(v.Index(0))
			}
		})
	})
	for i := range n {
		// The elements are in memory that others may share.
		own := reflect.AppendSlice(reflect.MakeSlice(t, 0, n), v)
		v.Set(own)
		w.walk(v.Index(i), at)
	}
}

func (w *walker) walkMap(v reflect.Value, at string) {
	t := v.Type()
	with := func(key, value reflect.Value) reflect.Value {
		m := reflect.MakeMap(t)
		for _, k := range v.MapKeys() {
			m.SetMapIndex(k, v.MapIndex(k))
		}
		m.SetMapIndex(key, value)
		return m
	}
	w.add(t.Elem(), at, func(element reflect.Value, _ func(reflect.Value)) bool {
		for _, key := range []string{"b", "requests.storage", "memory", "a/b", "-"} {
			if w.set(v, with(reflect.ValueOf(key).Convert(t.Key()), element), at, nil) {
				return true
			}
		}
		return false
	})
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		w.set(v, with(key, reflect.Value{}), at, nil)
		if isScalar(t.Elem()) {
			w.add(t.Elem(), at, func(element reflect.Value, _ func(reflect.Value)) bool {
				return !reflect.DeepEqual(element.Interface(), v.MapIndex(key).Interface()) && w.set(v, with(key, element), at, nil)
			})
		}
	}
}

// filled returns a value of a type with the fields that JSON always has.
func (w *walker) filled(t reflect.Type, at string) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case isScalar(t):
		if all := w.candidates(t, at); len(all) > 0 {
			v.Set(all[0])
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if name := below(at, f); !strings.Contains(f.Tag.Get("json"), ",omit") && f.Type.Kind() != reflect.Pointer {
				v.Field(i).Set(w.filled(f.Type, name))
			}
		}
	case t.Kind() == reflect.Slice && !slices.Contains(w.around, t.Elem()):
		v.Set(reflect.Append(v, w.filled(t.Elem(), at+"[]")))
	case t.Kind() == reflect.Map && isScalar(t.Elem()):
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(reflect.ValueOf("b").Convert(t.Key()), w.filled(t.Elem(), at+"[]"))
	}
	return v
}

// optional returns the fields that JSON leaves out if they are absent, those of embedded structs included.
func optional(t reflect.Type) (all []reflect.StructField) {
	for _, f := range reflect.VisibleFields(t) {
		if strings.Contains(f.Tag.Get("json"), ",omit") || f.Type.Kind() == reflect.Pointer {
			all = append(all, f)
		}
	}
	return all
}

// below returns the path of a field of a struct. Embedded structs are in the place of their parent.
func below(at string, f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name == "":
		return at
	case at == "":
		return name
	}
	return at + "." + name
}

// isScalar reports whether JSON has a type as one value.
func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) && t.Name() != "JSONSchemaPropsOrBool" && t.Name() != "JSONSchemaPropsOrArray"
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	}
	return t.Kind() != reflect.Pointer && t.Kind() != reflect.Map
}

// texts are values of strings, by what the names of fields end in. The others are tried after them.
var texts = []struct{ names, values string }{
	{"path|mountpath|keyring", "/b /c"},
	{"clusterip|clusterips|ip|ips|loadbalancerip|externalips|addresses", "10.0.0.9 10.0.0.8 None fd00::9"},
	{"server|hostname|host|fqdn", "b.example.com c.example.com"},
	{"driver|drivername|signername|provisioner|controller|loadbalancerclass|managedby|topologykey", "example.com/b b.example.com c.example.com"},
	{"url|endpoint", "https://b.example.com:8443/b"},
	{"apigroup|apigroups|group", "rbac.authorization.k8s.io b.example.com"},
	{"apiversion", "v1 b.example.com/v1"},
	{"kind", "ClusterRole Role Group User"},
	{"scope", "Cluster Namespaced"},
	{"schedule", "@daily @hourly"},
	{"expression|rule", "true has(object.metadata)"},
	{"cidr|cidrs|cidrblock|sourceranges|loadbalancersourceranges", "10.1.0.0/16 10.2.0.0/24"},
	{"", "b c 1 /b b.example.com example.com/b 10.0.0.9 true 10.1.0.0/16 * Local"},
}

// candidates returns values of a type that JSON has as one value, those first that are likely to be valid.
func (w *walker) candidates(t reflect.Type, at string) (all []reflect.Value) {
	of := func(values ...any) {
		for _, value := range values {
			all = append(all, reflect.ValueOf(value).Convert(t))
		}
	}
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		of(resource.MustParse("3Gi"), resource.MustParse("1"), resource.MustParse("2"), resource.MustParse("500m"))
		return all
	case reflect.TypeFor[intstr.IntOrString]():
		of(intstr.FromInt32(2), intstr.FromString("50%"), intstr.FromString("b"))
		return all
	case reflect.TypeFor[metav1.Time]():
		of(metav1.Unix(1e9, 0))
		return all
	case reflect.TypeFor[metav1.MicroTime]():
		of(metav1.MicroTime(metav1.Unix(1e9, 0)))
		return all
	case reflect.TypeFor[metav1.Duration]():
		of(metav1.Duration{Duration: 1e9})
		return all
	case reflect.TypeFor[runtime.RawExtension]():
		of(runtime.RawExtension{Raw: []byte(`{"b":1}`)}, runtime.RawExtension{Raw: []byte(`{"b":2}`)})
		return all
	}
	switch t.Kind() {
	case reflect.Bool:
		of(true, false)
	case reflect.String:
		for _, value := range w.enums[t.PkgPath()+"."+t.Name()] {
			of(value)
		}
		name := strings.ToLower(strings.TrimSuffix(at[strings.LastIndex(at, ".")+1:], "[]"))
		for _, row := range texts {
			if row.names == "" || slices.Contains(strings.Split(row.names, "|"), name) {
				for _, value := range strings.Fields(row.values) {
					of(value)
				}
			}
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		of(2, 1, 0, 3, 8080, 600, 30001, 1000)
	case reflect.Slice:
		of([]byte("b"), []byte("c"))
	case reflect.Struct:
		for _, text := range []string{`"b"`, `1`, `{}`} {
			v := reflect.New(t)
			if json.Unmarshal([]byte(text), v.Interface()) == nil {
				all = append(all, v.Elem())
			}
		}
	}
	return all
}

// readEnums returns the constants of the string types of k8s.io/api, by the names of the types with their packages.
func readEnums() (map[string][]string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		return nil, err
	}
	root, enums := strings.TrimSpace(string(dir)), map[string][]string{}
	err = filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(file) != "types.go" {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, filepath.Dir(file))
		for _, declaration := range parsed.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				name, isNamed := value.Type.(*ast.Ident)
				if !isNamed || len(value.Values) != 1 {
					continue
				}
				if literal, ok := value.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					full := path.Join("k8s.io/api", filepath.ToSlash(rel)) + "." + name.Name
					enums[full] = append(enums[full], text)
				}
			}
		}
		return nil
	})
	if err == nil && len(enums) == 0 {
		err = fmt.Errorf("no constants in %s", root)
	}
	delete(enums, "k8s.io/api/core/v1.string")
	return enums, err
}

// manifest returns an object as people write it.
func manifest(object runtime.Object) []byte {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // an object of the API
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	delete(fields, "status")
	dropNulls(fields)
	text, _ = json.Marshal(fields)
	return text
}

func dropNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, child any) bool { return child == nil })
		for _, child := range v {
			dropNulls(child)
		}
	case []any:
		for _, child := range v {
			dropNulls(child)
		}
	}
}
