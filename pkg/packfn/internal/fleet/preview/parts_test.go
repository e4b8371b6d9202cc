package preview

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
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
