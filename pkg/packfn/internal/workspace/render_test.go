package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// load makes a tree of files in memory, all in the root package.
func load(t *testing.T, files map[string]string) *Package {
	t.Helper()
	p := &kptpackage.Package{Dir: "pkg", Kptfiles: map[string]*kptpackage.Kptfile{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		p.Files = append(p.Files, &kptpackage.File{Path: name, Package: ".", Text: []byte(text)})
		if name == "Kptfile" {
			kptfile, err := kptpackage.ParseKptfile([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p.Kptfiles["."] = kptfile
		}
	}
	tree, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

const head = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: x
`

func TestReplaced(t *testing.T) {
	kptfile := func(entries ...string) string {
		return head + `pipeline:
  mutators:
  - ` + strings.Join(entries, "\n  - ") + "\n"
	}
	for _, tc := range []struct {
		entry string
		want  string // the images
	}{
		{"{exec: a}", ""},
		{"{image: r.io/a:v1.2.3}", ""},
		{"{image: r.io/a:1.2.3}", ""},
		{"{image: \"r.io:5000/a:v1.2.4\"}", "r.io:5000/a:v1.2.4"},
		{"{image: \"r.io:5000/a\"}", "r.io:5000/a:latest"},
		{"{image: a}", "a:latest"},
		{`{image: b:v2}
  - image: a:v2`, "a:v2 and b:v2"},
		{"{image: r.io/a:v1.0.0, tag: v1.2.3}", ""},
		{"{image: \"r.io/a:v1.2.3@sha256:" + strings.Repeat("a", 64) + "\"}", "r.io/a:sha256:" + strings.Repeat("a", 64)},
		{"{image: r.io/a:v1.2.3, tag: v1.0.0}", "r.io/a:v1.0.0"},
		{"{image: r.io/a, tag: \"~1.2\"}", ""},
		{"{image: r.io/a, tag: \">= 1.3\"}", "r.io/a:>= 1.3"},
	} {
		tree := load(t, map[string]string{"Kptfile": kptfile(tc.entry, tc.entry)})
		result := &Result{}
		for _, entry := range slices.Concat(tree.Kptfiles["."].Mutators, tree.Kptfiles["."].Validators) {
			result.Runs = append(result.Runs, Run{Step: pipeline.Step{Entry: entry, Function: function.Function{New: func() function.Processor { return nil }}}})
		}
		if got := diag.AllOf(result.Replaced("v1.2.3")); got != tc.want {
			t.Errorf("%s: got %q", tc.entry, got)
		}
	}
}

// counter is an adder that counts its runs.
type counter struct {
	adder
	runs *int
}

func (c *counter) Process(run *function.Run) {
	*c.runs++
	c.adder.Process(run)
}

// Changes are in the order of their files.
func TestChangesAreInOrder(t *testing.T) {
	tree := load(t, map[string]string{"Kptfile": head})
	items := tree.Items()
	for i := range 9 {
		items = append(items, list.FileItem([]byte(fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: n%d}
`, i)), fmt.Sprintf("n%d.yaml", 8-i), 0))
	}
	changes := tree.Changes(items)
	if len(changes) != 9 || !slices.IsSortedFunc(changes, func(a, b staging.Change) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("got %+v", changes)
	}
}

// A tree does not change by its renders, and a memo gives the same results.
func TestRenderTwice(t *testing.T) {
	tree := load(t, map[string]string{
		"Kptfile": head + `pipeline:
  mutators:
  - exec: add
`,
		"a.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: gone
`,
	})
	memo := function.NewMemo()
	count := 0
	add := function.Function{Name: "add", Kind: "Add", Mutates: true, New: func() function.Processor {
		return &counter{
			adder{`apiVersion: v1
kind: ConfigMap
metadata:
  name: new
`},
			&count,
		}
	}}
	var first []File
	for i := range 3 {
		result, err := tree.Render(Options{Functions: []function.Function{add}, Evaluate: memo.Evaluate})
		if err != nil || result.Failed {
			t.Fatal(err, result)
		}
		files := tree.FilesOf(result.Items)
		if i == 0 {
			first = files
		}
		if diff := cmp.Diff(first, files); diff != "" {
			t.Errorf("render %d (-first +got):\n%s", i, diff)
		}
	}
	if count != 1 {
		t.Errorf("the function ran %d times, want once", count)
	}
}
