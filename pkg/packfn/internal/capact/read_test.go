package capact

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

const (
	types = `ocfVersion: 0.0.1
revision: 0.1.0
kind: Type
metadata:
  prefix: cap.type
  name: a
  displayName: A
  attributes:
    cap.attribute.x: {revision: 0.1.0}
spec:
  jsonSchema: {value: '{}'}
`
	policy = `interface:
  rules:
  - interface: {path: cap.*}
    oneOf: []
`
	instance = "{\"id\": \"6F9F\", \"typeRef\": {\"path\": \"cap.type.a\", \"revision\": \"0.1.0\"}, \"latestResourceVersion\": {\"spec\": {\"value\": \"s3cr3t\"}}}"
)

// The documents of a file become resources; what is no document of Capact stays.
func TestRead(t *testing.T) {
	for name, tc := range map[string]struct {
		file, text string
		want       []string
	}{
		"a manifest":   {"a.yaml", types, []string{`Type cap.type.a-0.1.0 {attributes: {cap.attribute.x: {revision: 0.1.0}}, jsonSchema: {value: '{}'}, path: cap.type.a, revision: 0.1.0}`}},
		"without spec": {"a.yaml", types[:strings.Index(types, "spec:")], []string{`Type cap.type.a-0.1.0 {attributes: {cap.attribute.x: {revision: 0.1.0}}, path: cap.type.a, revision: 0.1.0}`}},
		"a policy":     {"p/Global Policy.yaml", policy, []string{`Policy global-policy {interface: {rules: [{interface: {path: cap.*}, oneOf: []}]}, scope: GLOBAL}`}},
		"a scope":      {"p.yaml", "scope: ACTION\n" + policy, []string{`Policy p {interface: {rules: [{interface: {path: cap.*}, oneOf: []}]}, scope: ACTION}`}},
		"rules": {
			"p.yaml",
			`rules:
- interface: {path: cap.*}
`,
			[]string{`Policy p {interface: {rules: [{interface: {path: cap.*}}]}, scope: GLOBAL}`},
		},
		"a list":                    {"p.yaml", "- interface: {path: cap.*}\n", []string{`Policy p {interface: {rules: [{interface: {path: cap.*}}]}, scope: GLOBAL}`}},
		"backends":                  {"p.yaml", "typeInstance: {rules: []}\n", []string{`Policy p {scope: GLOBAL, typeInstance: {rules: []}}`}},
		"two policies":              {"p.yaml", policy + "---\nrules: [{interface: {path: cap.*}}]\n", []string{`Policy p {interface: {rules: [{interface: {path: cap.*}, oneOf: []}]}, scope: GLOBAL}`, `Policy p-2 {interface: {rules: [{interface: {path: cap.*}}]}, scope: GLOBAL}`}},
		"an instance":               {"i.json", instance, []string{`TypeInstance 6f9f {id: 6F9F, typeRef: {path: cap.type.a, revision: 0.1.0}}`}},
		"an instance as a manifest": {"i.yaml", instanceManifest, []string{`TypeInstance 6f9f {id: 6F9F, typeRef: {path: cap.type.a, revision: 0.1.0}}`}},
		"instances":                 {"i.json", "[" + instance + ",\n" + strings.Replace(instance, "6F9F", "b", 1) + "]", []string{`TypeInstance 6f9f {id: 6F9F, typeRef: {path: cap.type.a, revision: 0.1.0}}`, `TypeInstance b {id: b, typeRef: {path: cap.type.a, revision: 0.1.0}}`}},
		"one far right":             {"i.json", "[" + instance + "," + strings.Repeat(" ", 5000) + strings.Replace(instance, "6F9F", "b", 1) + "]", []string{`TypeInstance 6f9f {id: 6F9F, typeRef: {path: cap.type.a, revision: 0.1.0}}`, `TypeInstance b {id: b, typeRef: {path: cap.type.a, revision: 0.1.0}}`}},
		"with resources": {
			"a.yaml",
			`apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
` + types,
			[]string{`ConfigMap a`, `Type cap.type.a-0.1.0 {attributes: {cap.attribute.x: {revision: 0.1.0}}, jsonSchema: {value: '{}'}, path: cap.type.a, revision: 0.1.0}`},
		},
		"a vendor": {"a.yaml", strings.Replace(types, "kind: Type", "kind: Vendor", 1), nil},
		"a resource": {"a.yaml", `apiVersion: ocf.capact.io/v1alpha1
kind: Type
metadata: {name: a}
spec: {path: cap.type.a, revision: 0.1.0}
`, []string{"Type a"}},
		"other rules": {"a.yaml", `rules:
- alert: a
  path: b
  interface: c
`, []string{" "}},
	} {
		file := Read([]byte(tc.text), tc.file, "GLOBAL", nil)
		var got []string
		for i, item := range file.Items {
			line := item.Kind() + " " + item.Name()
			if file.Is(i) {
				document, err := item.Document()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				line += " " + shown(t, values.Field(document.Root(), "spec"))
			}
			got = append(got, line)
		}
		if !slices.Equal(got, tc.want) || len(file.Faults) > 0 {
			t.Errorf("%s: got %q, want %q, %+v", name, got, tc.want, file.Faults)
		}
	}
}

const instanceManifest = `ocfVersion: 0.0.1
kind: TypeInstance
metadata: {id: 6F9F}
spec:
  typeRef: {path: cap.type.a, revision: 0.1.0}
  value: {password: x}
`

// shown is a tree on one line, with sorted keys.
func shown(t *testing.T, n *yaml.Node) string {
	t.Helper()
	var sorted func(n *yaml.Node) *yaml.Node
	sorted = func(n *yaml.Node) *yaml.Node {
		c := yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: yaml.FlowStyle}
		if n.Kind == yaml.MappingNode {
			var pairs [][2]*yaml.Node
			for i := 0; i < len(n.Content); i += 2 {
				pairs = append(pairs, [2]*yaml.Node{sorted(n.Content[i]), sorted(n.Content[i+1])})
			}
			slices.SortFunc(pairs, func(a, b [2]*yaml.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
			for _, pair := range pairs {
				c.Content = append(c.Content, pair[0], pair[1])
			}
			return &c
		}
		if n.Kind == yaml.ScalarNode {
			c.Style = 0
		}
		for _, child := range n.Content {
			c.Content = append(c.Content, sorted(child))
		}
		return &c
	}
	text, err := yaml.Marshal(sorted(n))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// A field of a resource has its path and place in the file.
func TestOriginal(t *testing.T) {
	for _, tc := range []struct{ text, path, want string }{
		{types, "spec.path", "metadata.name 6:3"},
		{strings.Replace(types, "cap.type", "cap type", 1), "spec.path", "metadata.prefix 5:3"},
		{instanceManifest, "spec.id", "metadata.id 3:12"},
		{instanceManifest, "spec.typeRef.path", "spec.typeRef.path 5:13"},
		{strings.Replace(types, "  prefix: cap.type\n", "", 1), "spec.path", "metadata.prefix 4:1"},
		{strings.Replace(types, "  name: a\n", "", 1), "spec.path", "metadata.name 4:1"},
		{types, "spec.revision", "revision 2:1"},
		{types, "spec.attributes.cap.attribute.x.revision", "metadata.attributes.cap.attribute.x.revision 9:23"},
		{types, "spec.jsonSchema.value", "spec.jsonSchema.value 11:16"},
		{types, "spec.additionalRefs", "spec.additionalRefs 10:1"},
		{types, "kind", "kind 3:1"},
		{policy, "spec.interface.rules[0].oneOf", "interface.rules[0].oneOf 4:5"},
		{policy, "spec.scope", " 1:1"},
		{policy, "metadata.name", " 1:1"},
		{
			`rules:
- interface: {path: cap.*}
`,
			"spec.interface.rules[0].interface.path", "rules[0].interface.path 2:15",
		},
		{"- interface: {path: cap.*}\n", "spec.interface.rules[0].interface.path", "[0].interface.path 1:15"},
		{"[" + instance + "]", "spec.typeRef.path", "[0].typeRef.path 1:29"},
		{"[" + instance + "]", "spec.id", "[0].id 1:3"},
	} {
		path, at := Read([]byte(tc.text), "a.yaml", "GLOBAL", nil).Original(0, tc.path)
		if got := fmt.Sprintf("%s %d:%d", path, at.Line, at.Column); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.path, got, tc.want)
		}
	}
}

func TestScopes(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	for _, tc := range []struct {
		given []string
		want  string
	}{
		{nil, "GLOBAL GLOBAL"},
		{[]string{"ACTION"}, "ACTION ACTION"},
		{[]string{"ACTION=" + a}, "ACTION GLOBAL"},
		{[]string{"WORKFLOW", "ACTION=" + b}, "WORKFLOW ACTION"},
		{[]string{"ACTON"}, `must be "GLOBAL", "ACTION" or "WORKFLOW", got "ACTON". Did you mean "ACTION"?`},
		{[]string{"ACTION="}, "ACTION= has no file"},
		{[]string{"ACTION", "GLOBAL"}, "write GLOBAL=FILE for one file"},
		{[]string{"ACTION=" + a, "GLOBAL=" + a}, "has the scope ACTION already"},
	} {
		s, err := ParseScopes(tc.given)
		if got := s.Of(a) + " " + s.Of(b); err == nil && got != tc.want || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: got %s, %v", tc.given, got, err)
		}
	}
}

// A walk finds the files of Capact outside of packages, pack directories and charts.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"hub/a.yaml": types,
		"p.json":     `{"interface": {"rules": []}}`,
		"i/i.yml":    instance,
		"other.yaml": "a: 1\n",
		"broken.yaml": `ocfVersion: 0.0.1
a: [
`,
		"package/Kptfile":  "",
		"package/a.yaml":   types,
		"chart/Chart.yaml": "",
		"chart/a.yaml":     types,
		"pack/pack.json":   `{"name": "a"}`,
		"pack/a.yaml":      types,
		".git/a.yaml":      types,
		"text.txt":         types,
		"bytes.yaml":       "ocfVersion: \xff\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out.yaml")); err != nil {
		t.Fatal(err)
	}
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	all, err := Find(dir, Scopes{Default: manifest.ScopeAction}, note)
	var got []string
	for _, one := range all {
		relative, _ := filepath.Rel(dir, one.Path)
		got = append(got, relative)
	}
	if want := []string{"broken.yaml", "hub/a.yaml", "i/i.yml", "p.json"}; err != nil || !slices.Equal(got, want) || len(notes) != 2 {
		t.Errorf("%v, got %q, notes %q", err, got, notes)
	}
	for name, want := range map[string]int{"hub/a.yaml": 1, "other.yaml": 0, "text.txt": 0, "pack": 0} {
		if all, err := Find(filepath.Join(dir, name), Scopes{}, note); err != nil || len(all) != want {
			t.Errorf("%s: %v, %d files", name, err, len(all))
		}
	}
	if _, err := Find(filepath.Join(dir, "none"), Scopes{}, note); err == nil {
		t.Error("no error for a path that is not there")
	}
}

// Whatever a file has, it is read, and each resource has a place in it.
func FuzzRead(f *testing.F) {
	f.Add(types)
	f.Add(policy + "---\n" + types)
	f.Add("[" + instance + ", {\"id\": [], \"typeRef\": {\"path\": 1}}, null, *a]")
	f.Add(`rules: &a [{interface: {path: a}}]
interface: *a
`)
	f.Add(`ocfVersion: 1
kind: &k {}
metadata: {prefix: [], name: *k, attributes: []}
spec: []
revision: 1
`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		Is([]byte(text))
		IsManifest([]byte(text))
		file := Read([]byte(text), "a.yaml", "GLOBAL", nil)
		for i, item := range file.Items {
			if item.Resource().Index != i {
				t.Fatalf("item %d has the index %d", i, item.Resource().Index)
			}
			document, err := item.Document()
			if !file.Is(i) || err != nil {
				continue
			}
			if values.Field(document.Root(), "apiVersion") == nil {
				t.Errorf("no apiVersion")
			}
			for _, path := range []string{"", "kind", "spec", "spec.path", "spec.revision", "spec.attributes.a", "spec.scope", "spec.interface.rules[0].oneOf", "spec.typeRef.path", "metadata.name"} {
				file.Original(i, path)
			}
		}
	})
}
