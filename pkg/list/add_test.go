package list

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const newResource = `apiVersion: v1
kind: ConfigMap
metadata:
  name: new
data:
  text: |
    one

      two
    #three
`

// inColumn indents the lines of an item that are not empty.
func inColumn(n int, item string) string { return string(indentLines([]byte(item), n)) }

func TestAdd(t *testing.T) {
	const config = `functionConfig:
  apiVersion: v1
  kind: ConfigMap
`
	asItem := "- " + strings.TrimPrefix(inColumn(2, newResource), "  ")
	frame := strings.TrimSuffix(listStart, "items:\n")
	tests := []struct{ name, input, want string }{
		{"after the items", listStart + oneItem, listStart + oneItem + asItem},
		{"in their column", listStart + inColumn(4, oneItem), listStart + inColumn(4, oneItem+asItem)},
		{"before other sections", listStart + oneItem + config, listStart + oneItem + asItem + config},
		{"no final newline", listStart + strings.TrimSuffix(oneItem, "\n"), listStart + oneItem + asItem},
		{"an empty list", frame + "items: []\n", listStart + asItem},
		{
			"an empty list with comments",
			frame + `items: [] # a
# b
`,
			frame + `items: # a
# b
` + asItem,
		},
		{"no list", frame, listStart + asItem},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := read(t, test.input)
			item, err := l.Add(newResource)
			if err != nil {
				t.Fatal(err)
			}
			if !item.Added() || !item.Is("v1", "ConfigMap") || item.Name() != "new" {
				t.Errorf("got %s, added %v", item.Resource(), item.Added())
			}
			out := written(t, l)
			if diff := cmp.Diff(test.want, string(out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkReaders(t, out)
			l.Restore()
			if diff := cmp.Diff(string(written(t, read(t, test.input))), string(written(t, l))); diff != "" {
				t.Errorf("after Restore (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddToListsInOtherForms(t *testing.T) {
	for name, input := range map[string]string{
		"JSON":       `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}]}`,
		"flow":       `{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}`,
		"flow items": listStart[:len(listStart)-1] + ` [{apiVersion: v1, kind: A, metadata: {name: a}}]`,
		"CRLF":       strings.ReplaceAll(listStart+oneItem, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			l := read(t, input)
			if _, err := l.Add(newResource); err != nil {
				t.Fatal(err)
			}
			var got struct{ Items []map[string]any }
			var want map[string]any
			if err := yaml.Unmarshal(written(t, l), &got); err != nil {
				t.Fatal(err)
			}
			if err := yaml.Unmarshal([]byte(newResource), &want); err != nil {
				t.Fatal(err)
			}
			if len(got.Items) != 2 {
				t.Fatalf("got %d items", len(got.Items))
			}
			if diff := cmp.Diff(want, got.Items[1]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An added item is an item: it can be changed and removed.
func TestAddedItem(t *testing.T) {
	l := read(t, listStart+oneItem)
	item, err := l.Add(newResource)
	if err != nil {
		t.Fatal(err)
	}
	setData(t, item)
	if got := string(written(t, l)); strings.Count(got, "- apiVersion") != 2 || !strings.Contains(got, "a: b") {
		t.Errorf("got\n%s", got)
	}
	item.Remove()
	if got := string(written(t, l)); got != listStart+oneItem {
		t.Errorf("removed, but got\n%s", got)
	}
}

// A resource that a client could not store is an error.
func TestAddRefuses(t *testing.T) {
	for _, text := range []string{
		"kind: A\n",
		`apiVersion: v1
kind: A
`,
		`apiVersion: v1
kind: A
metadata: {namespace: b}
`,
		"metadata: {name: a}\n",
		`apiVersion: v1
kind: A
metadata: {name: }}
`,
	} {
		l := read(t, listStart+oneItem)
		if _, err := l.Add(text); err == nil || len(l.Items) != 1 {
			t.Errorf("added %q", text)
		}
	}
}

// A list of files gets a document.
func TestAddToFiles(t *testing.T) {
	l := &List{Items: FileItems([]byte(`apiVersion: v1
kind: A
metadata: {name: a}
`), "a.yaml")}
	item, err := l.Add(newResource)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(item.Text()); got != newResource {
		t.Errorf("got %q", got)
	}
	if r := item.Resource(); r.File != "a.yaml" || r.Index != 1 {
		t.Errorf("got %+v", r)
	}
}
