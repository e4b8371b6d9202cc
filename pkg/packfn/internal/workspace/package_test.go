package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

const whenPack = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  values: |
    replicas: 1
  presets:
  - {name: large, add: "replicas: 5\n"}
`

const named = `apiVersion: v1
kind: ConfigMap
metadata:
  name: `

// The files of a package are in the order of their paths, each with its items in their order.
// Files without resources stay, and those that have lost all of them do not.
func TestFiles(t *testing.T) {
	tree := load(t, map[string]string{
		"Kptfile": head, "b.yaml": "# b\n" + named + "b0\n---\n" + named + "b1\n", "c.yaml": "# nothing\n", "d.yaml": named + "d0\n",
	})
	added := func(name, file string, index int) *list.Item {
		return list.FileItem([]byte(named+name+"\n"), file, index).InPackage("/")
	}
	byName := map[string]*list.Item{}
	for _, item := range tree.Items() {
		byName[item.Name()] = item
	}
	items := []*list.Item{added("z1", "z.yaml", 1), byName["b1"], added("a0", "a.yaml", 0), added("z0", "z.yaml", 0), byName["b0"], byName["x"], added("m0", "m.yaml", 0)}
	var got []string
	for _, file := range tree.FilesOf(items) {
		got = append(got, file.Path+": "+strings.ReplaceAll(string(file.Text), named, ""))
	}
	want := []string{
		"Kptfile: " + head, "a.yaml: a0\n",
		`b.yaml: # b
b0
---
b1
`,
		"c.yaml: # nothing\n", "m.yaml: m0\n",
		`z.yaml: z0
---
z1
`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A tree with edited items has the Kptfile among them, and the tree that it is made of has its own.
func TestWith(t *testing.T) {
	tree := load(t, map[string]string{"Kptfile": head, "a.yaml": whenPack})
	edit := func(by func([]*list.Item) (*Package, error), text string) (*Package, error) {
		items := tree.Items()
		items[0].ReplaceText(text)
		return by(items)
	}
	withName := func(items []*list.Item) (*Package, error) { return tree.With(items, "f") }
	steps := func(tree *Package) int {
		all, faults := tree.Steps(functions)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return len(all)
	}
	pipeline := head + `pipeline:
  validators:
  - exec: validate-pack-values
`
	for name, by := range map[string]func([]*list.Item) (*Package, error){"With": withName, "Annotated": tree.Annotated} {
		edited, err := edit(by, pipeline)
		if err != nil {
			t.Fatal(err)
		}
		if now, before := steps(edited), steps(tree); now != 1 || before != 0 {
			t.Errorf("%s: %d steps, %d before", name, now, before)
		}
		result, err := edited.Render(Options{Functions: functions})
		if err != nil {
			t.Fatal(err)
		}
		changed := map[string]string{}
		for _, item := range result.Items {
			changed[item.Resource().File] = result.ChangedBy(item)
		}
		want := map[string]string{"Kptfile": "f", "a.yaml": ""}
		if name == "Annotated" {
			want["Kptfile"] = ""
		}
		if diff := cmp.Diff(want, changed); diff != "" {
			t.Errorf("%s: what changed items: -want +got:\n%s", name, diff)
		}
	}
	if _, err := edit(withName, `kind: Kptfile
pipeline: 1
`); err == nil || !strings.HasPrefix(err.Error(), "pkg/Kptfile: ") {
		t.Errorf("a Kptfile that cannot be read: %v", err)
	}
}

func TestLoadOfNoPackage(t *testing.T) {
	if tree, err := Load(&kptpackage.Package{Dir: "pkg"}); err == nil || tree != nil || err.Error() != "pkg is not a package: it has no Kptfile" {
		t.Errorf("got %v", err)
	}
}

// Each resource of a stream ends with its line.
func TestStream(t *testing.T) {
	tree := load(t, map[string]string{"Kptfile": head, "a.yaml": named + "a", "b.yaml": named + "b"})
	if got := string(tree.Stream(tree.Items()[1:])); got != named+"a\n---\n"+named+"b\n" {
		t.Errorf("got %q", got)
	}
}
