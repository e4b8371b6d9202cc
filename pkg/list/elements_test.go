package list

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/values"
)

// Each element is a resource with its own text, at its lines and columns of the file.
func TestFlat(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string // apiVersion, kind and name, and the place of the name in the file, 0 if it is not there
	}{
		"a list of kubectl": {
			`apiVersion: v1
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a

# b
- apiVersion: v1
  kind: Secret
  metadata: {name: b}
kind: List
metadata:
  resourceVersion: ""
`,
			[]string{"v1 ConfigMap a 6:11", "v1 Secret b 11:20"},
		},
		"an indented one after another document": {
			`apiVersion: v1
kind: A
metadata: {name: x}
---
kind: List
apiVersion: v1
items:
  -   kind: B
      apiVersion: v1
      metadata:
        name: y
`,
			[]string{"v1 A x 3:18", "v1 B y 11:15"},
		},
		"a typed list": {
			`apiVersion: v1
kind: ConfigMapList
items:
- metadata:
    name: a
- metadata: {name: b}
`,
			[]string{"v1 ConfigMap a 5:11", "v1 ConfigMap b 6:20"},
		},
		"JSON": {
			`{
  "apiVersion": "v1",
  "items": [
    {
      "apiVersion": "v1",
      "kind": "ConfigMap",
      "metadata": {"name": "a"}
    },
    {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "b"}}
  ],
  "kind": "List"
}
`,
			[]string{"v1 ConfigMap a 7:28", "v1 Secret b 9:65"},
		},
		"a typed list in JSON": {
			"{\"kind\": \"ConfigMapList\", \"apiVersion\": \"v1\", \"items\": [\n{\"metadata\": {\"name\": \"a\"}}]}\n", []string{"v1 ConfigMap a 0:0"},
		},
		"a ResourceList": {
			`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- {apiVersion: v1, kind: A, metadata: {name: a}}
`,
			[]string{"v1 A a 0:0"},
		},
		"with an anchor": {
			`apiVersion: v1
kind: List
items:
- &a {apiVersion: v1, kind: A, metadata: {name: a}}
- *a
`,
			[]string{"v1 A a 4:44", "v1 A a 4:44"},
		},
		"with a dash on a line of its own": {
			`apiVersion: v1
kind: List
items:
-
  apiVersion: v1
  kind: A
  metadata: {name: a}
-
  apiVersion: v1
  kind: B
  metadata: {name: b}
`,
			[]string{"v1 A a 0:0", "v1 B b 0:0"},
		},
		"empty": {`apiVersion: v1
kind: List
items: []
`, nil},
		"without items": {`apiVersion: v1
kind: List
metadata: {name: a}
`, []string{"v1 List a 3:18"}},
		"of other things": {`apiVersion: v1
kind: ShoppingList
metadata: {name: a}
items: [milk]
`, []string{"v1 ShoppingList a 3:18"}},
		"of a custom kind": {`apiVersion: v1
kind: ShoppingList
metadata: {name: a}
items: [{name: milk}]
`, []string{"v1 ShoppingList a 3:18"}},
	} {
		var got []string
		for i, item := range Flat([]byte(tc.text), "a.yaml", nil) {
			document, err := item.Document()
			if err != nil || item.Resource().Index != i {
				t.Fatalf("%s: %v, %d\n%s", name, err, item.Resource().Index, item.Text())
			}
			n := values.Field(document.Root(), "metadata", "name")
			line, column := n.Line+item.Line()-1, n.Column
			if lines := strings.Split(tc.text, "\n"); line > len(lines) || column > len(lines[line-1]) || !strings.HasPrefix(strings.TrimLeft(lines[line-1][column-1:], `"`), item.Name()) {
				line, column = 0, 0
			}
			got = append(got, fmt.Sprintf("%s %s %s %d:%d", item.APIVersion(), item.Kind(), item.Name(), line, column))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The elements have the content that the list has, whatever its form.
func TestElementsEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		indent := strings.Repeat(" ", rapid.IntRange(0, 3).Draw(t, "indent"))
		gap := strings.Repeat(" ", rapid.IntRange(1, 3).Draw(t, "gap"))
		var b strings.Builder
		b.WriteString(`apiVersion: v1
kind: List
items:
`)
		count := rapid.IntRange(1, 4).Draw(t, "count")
		for range count {
			lines := []string{"apiVersion: v1", "kind: A", "metadata:", "  name: a"}
			for _, line := range rapid.SliceOfN(rapid.SampledFrom([]string{
				"b: 1", "# comment", "", "c: [1, 2]",
				`d: |
  - x
  # no comment

  y`,
				`e:
- f
- g: h`,
				`i: "j # k"`,
			}), 0, 3).Draw(t, "lines") {
				if line == "" || line[0] == '#' || !strings.Contains(strings.Join(lines, "\n"), "\n"+line[:2]) {
					lines = append(lines, line)
				}
			}
			for i, line := range strings.Split(strings.Join(lines, "\n"), "\n") {
				prefix := indent + " " + gap
				if i == 0 {
					prefix = indent + "-" + gap
				}
				if line == "" {
					prefix = ""
				}
				b.WriteString(prefix + line + "\n")
			}
		}
		if rapid.Bool().Draw(t, "more") {
			b.WriteString("metadata: {}\n")
		}
		whole, err := values.Parse(b.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		items := Flat([]byte(b.String()), "a.yaml", nil)
		if len(items) != count {
			t.Fatalf("%d elements\n%s", len(items), b.String())
		}
		for i, item := range items {
			document, err := item.Document()
			if n := values.Field(whole.Root(), "items").Content[i]; err != nil || !values.Equal(document.Root(), n) || values.At(document.Root()).Line+item.Line()-1 != n.Line || document.Root().Column != n.Column {
				t.Fatalf("element %d: %v\n%s\nof\n%s", i, err, item.Text(), b.String())
			}
		}
	})
}
