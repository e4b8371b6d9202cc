package fleet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// Edges end at packs, pass the packs between them, and go around the packs of a cycle.
func TestDraw(t *testing.T) {
	g := graph{
		Nodes: []graphNode{{Name: "a", Version: "1"}, {Name: "b", Depth: 1}, {Name: "c", Depth: 2}, {Name: "a longer name than most of the others have", Depth: 1}, {Name: "d", Depth: 1}},
		Edges: []graphEdge{{From: 2, To: 1, Versions: ">=1"}, {From: 1, To: 0, Optional: true}, {From: 2, To: 0}, {From: 0, To: 2}, {From: 3, To: 4}, {From: 4, To: 4}},
	}
	g.draw()
	got := []string{fmt.Sprintf("%d x %d, %d wide", g.Width, g.Height, g.NodeWidth)}
	for _, n := range g.Nodes {
		got = append(got, fmt.Sprintf("%.1s at %d,%d", n.Name, n.X, n.Y))
	}
	for _, e := range g.Edges {
		if e.Path != "" {
			got = append(got, g.Says(e)+": "+e.Path)
		}
	}
	want := []string{
		"782 x 174, 212 wide", "a at 569,67", "b at 285,109", "c at 1,67", "a at 285,1", "d at 285,55",
		"c requires b >=1: M213 87C249 87 249 129 285 129",
		"b requires a (optional): M497 129C533 129 533 87 569 87",
		"c requires a: M213 87C249 87 249 168 285 168H497C533 168 533 87 569 87",
		"a requires c: M569 87C391 87 391 87 213 87",
		"a longer name than most of the others have requires d: M285 21C249 21 249 75 285 75",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{strings.Repeat("é", mostCharacters): strings.Repeat("é", mostCharacters), strings.Repeat("é", mostCharacters+1): strings.Repeat("é", mostCharacters-1) + "…"} {
		if got := cut(text); got != want {
			t.Errorf("got %q", got)
		}
	}
}

// The page shows characters that hide, or change the text around them.
func TestShowInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\té": "a\n\té", "a\u202eb": `a\u{202e}b`, "\x00\r": `\u{0}\u{d}`, "\u2028 \u2029": `\u{2028} \u{2029}`, "\u200d\n": "\\u{200d}\n",
	} {
		if got := showInvisible(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// The packages of a folder are its outermost folders with a Kptfile.
func TestListPackages(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Kptfile", "r/p/Kptfile", "r/p/sub/Kptfile", "r/q/Kptfile", "r/no/a.yaml", ".git/p/Kptfile", "r/.p.x1y2z3" + staging.Suffix + "/Kptfile", "file"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := listPackages(dir)
	if diff := cmp.Diff(map[string]bool{"r/p": true, "r/q": true}, found); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for name, want := range map[string]string{"file": "is a file, not a folder", "absent": "no such file"} {
		if _, err := listPackages(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := made(Deployable).Compare(filepath.Join(dir, "absent"), diag.Record); err == nil {
		t.Error("no folder: got no error")
	}
	if _, err := readPackage(filepath.Join(dir, "absent")); err == nil {
		t.Error("no package: got no error")
	}
}

// The expression of a set's template that makes a key of a function's configMap.
func TestExpressionOf(t *testing.T) {
	document, err := values.Parse(`template:
  pipeline:
    mutators:
    - configMapExprs:
      - {key: a, valueExpr: 'repository.labels["size"]'}
      - {key: b, valueExpr: 'repository.labels["a"] + repository.labels["b"]'}
    - configMapExprs: {a: 1}
    - {}
    validators: {a: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	const at = "pipeline.mutators[0]"
	for field, want := range map[string]expression{
		at + ".configMap.a": {at + ".configMapExprs[0]", "size"}, at + ".configMap[b]": {at + ".configMapExprs[1]", ""},
		at + ".configMap.c": {}, at + ".exec": {}, "pipeline.mutators[1].configMap.a": {}, "pipeline.mutators[2].configMap.a": {}, "pipeline.mutators[3].configMap.a": {},
		"pipeline.mutators.configMap.a": {}, "pipeline.mutators[x].configMap.a": {}, "pipeline.validators[0].configMap.a": {}, "pipeline.others[0].configMap.a": {},
	} {
		if got, ok := expressionOf(document.Root(), field); got != want || ok != (want.field != "") {
			t.Errorf("%s: got %+v, %v", field, got, ok)
		}
	}
}

// A workspace is a revision if a PackageRevision says so, or its name does.
func TestUpstreamRevision(t *testing.T) {
	in := &input{revisions: map[string][]packageRevision{"default/r/p": {{workspace: "w", revision: 7}, {workspace: "v3", revision: 8}}, "other/r/p": {{workspace: "w", revision: 9}}}}
	for _, tc := range []struct {
		namespace, workspace string
		want                 int
	}{{"", "w", 7}, {"default", "w", 7}, {"other", "w", 9}, {"", "v3", 8}, {"", "v4", 4}, {"", "5", 5}, {"", "x", unknownRevision}, {"", mainWorkspace, unnumbered}, {"third", "w", unknownRevision}} {
		v := &packageVariant{PackageVariant: &variant.PackageVariant{Namespace: tc.namespace}, isPorch: true}
		v.Spec.Upstream.Repo, v.Spec.Upstream.Package, v.Spec.Upstream.WorkspaceName = "r", "p", tc.workspace
		if got := in.upstreamRevision(v); got != tc.want {
			t.Errorf("%+v: got %d", tc, got)
		}
	}
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(text []byte) (int, error) {
	if f.left -= len(text); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(text), nil
}

// What cannot be printed is an error in each format.
func TestWriteFails(t *testing.T) {
	p := made(Deployable, Refused, Failed)
	p.Patches = &Patches{
		Groups: []Patch{
			{
				Packages: []string{"a/p"},
				Patch: `--- a/a
+++ b/a
@@ -1 +1 @@
-1
+2
`,
			},
		},
		New:      []string{"b/p"},
		Outcomes: &Verdicts{NewlyRefused: []string{"a/p"}},
	}
	for _, format := range Formats {
		how := Print{Format: report.Format(format), All: true}
		whole := len(printed(t, p, how))
		for _, left := range []int{0, whole / 2, whole - 1} {
			if err := p.Write(&failing{left}, how); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s after %d of %d bytes: got %v", format, left, whole, err)
			}
		}
	}
	if err := p.Write(io.Discard, Print{Format: "tabel"}); err == nil || !strings.Contains(err.Error(), `Did you mean "table"?`) {
		t.Errorf("an unknown format: %v", err)
	}
}

// Objects are offered by their names, and those with the nearest names in the order of their
// places.
func TestNear(t *testing.T) {
	object := func(kind, namespace, name string) *list.Item {
		return list.FileItems(fmt.Appendf(nil, `apiVersion: v1
kind: %s
metadata: {name: %s, namespace: %s}
`, kind, name, namespace), name+kind+".yaml")[0]
	}
	o := newObjects([]*list.Item{
		object("A", "n", "east-11"), object("A", "n", "west"), object("B", "n", "east-12"), object("A", "m", "east-13"), object("A", "n", "east-1"), object("Kptfile", "n", "east-10"),
		list.FileItems([]byte("kind: A\n"), "x.yaml")[0], list.FileItems([]byte("a: [\n"), "y.yaml")[0],
	})
	if len(o.all) != 5 {
		t.Errorf("got %d objects", len(o.all))
	}
	for range 20 { // kinds and namespaces have no order of their own
		var got []string
		for _, item := range o.near([]string{"east-1", "east-1"}) {
			got = append(got, item.Kind()+" "+item.Namespace()+"/"+item.Name())
		}
		if want := []string{"B n/east-12", "A m/east-13"}; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// An object fits a point if its kind, its name, and its namespace, if it has one, are those
// that are asked for.
func TestHasObject(t *testing.T) {
	o := newObjects(list.FileItems([]byte(`apiVersion: v1
kind: A
metadata: {name: in, namespace: n}
---
apiVersion: v1
kind: A
metadata: {name: none}
`), "a.yaml"))
	for _, tc := range []struct {
		namespace, name string
		point           variant.Point
		want            bool
	}{
		{"n", "in", variant.Point{APIVersion: "v1", Kind: "A"}, true}, {"m", "in", variant.Point{APIVersion: "v1", Kind: "A"}, false}, {"m", "none", variant.Point{APIVersion: "v1", Kind: "A"}, true},
		{"n", "in", variant.Point{APIVersion: "v1", Kind: "B"}, false}, {"n", "in", variant.Point{APIVersion: "v2", Kind: "A"}, false}, {"n", "other", variant.Point{APIVersion: "v1", Kind: "A"}, false},
	} {
		v := &packageVariant{PackageVariant: &variant.PackageVariant{Namespace: tc.namespace}}
		v.Spec.Injectors = []variant.Injector{{Name: tc.name}}
		if got := o.has(v, tc.point); got != tc.want {
			t.Errorf("%+v: got %v", tc, got)
		}
	}
}

// Files without resources are merged one by one, and are in the order of their paths.
func TestMergedFiles(t *testing.T) {
	files := func(names ...string) (all []workspace.File) {
		for _, name := range names {
			all = append(all, workspace.File{Path: name, Text: []byte(name)})
		}
		return all
	}
	for range 10 { // a merge has no order of its own
		var got []string
		for _, f := range mergedFiles(files("a", "gone"), files("a", "d", "c", "b"), files("e", "a", "gone")) {
			got = append(got, f.Path+"="+string(f.Text))
		}
		if want := []string{"a=a", "b=b", "c=c", "d=d", "e=e"}; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}
