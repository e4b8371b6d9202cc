package staging

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Nothing is written through a link, neither outside of the folder nor in it.
func TestLinks(t *testing.T) {
	for name, link := range map[string]struct{ at, to, path string }{
		"a file":                {"link.yaml", "a.yaml", "link.yaml"},
		"a file outside":        {"link.yaml", "../out/a.yaml", "link.yaml"},
		"nothing":               {"link.yaml", "../out/new.yaml", "link.yaml"},
		"a folder":              {"link", "sub", "link/b.yaml"},
		"a folder outside":      {"link", "../out", "link/new.yaml"},
		"a folder further down": {"sub/link", "../../out", "sub/link/deep/new.yaml"},
	} {
		for what, change := range map[string]Change{"write": {Text: []byte("x")}, "remove": {Remove: true}} {
			t.Run(name+"/"+what, func(t *testing.T) {
				above := t.TempDir()
				write(t, above, map[string]string{"in/a.yaml": "a", "in/sub/b.yaml": "b", "out/a.yaml": "a"})
				if err := os.Symlink(link.to, filepath.Join(above, "in", link.at)); err != nil {
					t.Fatal(err)
				}
				before := namesOf(t, above)
				change.In = filepath.Join(above, "in")
				change.Path = filepath.Join(change.In, link.path)
				var area Area
				err := area.Write(t.Context(), []Change{{In: change.In, Path: filepath.Join(change.In, "a.yaml"), Text: []byte("b")}, change})
				if err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
					t.Errorf("got %v", err)
				}
				if diff := cmp.Diff(before, namesOf(t, above)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// namesOf is the files of a folder with their contents, without following links.
func namesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var text []byte
			text, err = os.ReadFile(path)
			files[path] = string(text)
		} else {
			files[path] = entry.Type().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What a killed run has left is removed after a minute; what is under way stays.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".a.yaml.AAAAAA" + Suffix: "secret", "sub/.b.yaml.AAAAAA" + Suffix: "secret", ".now.yaml.AAAAAA" + Suffix: "x",
		"mine" + Suffix: "x", ".git/.c.AAAAAA" + Suffix: "x", "a.yaml": "a",
	})
	old := time.Now().Add(-time.Hour)
	for name := range tree(t, dir) {
		if !strings.Contains(name, "now") {
			os.Chtimes(filepath.Join(dir, name), old, old)
		}
	}
	var area Area
	if err := area.Write(t.Context(), []Change{{In: dir, Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")}}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"sub/": "", ".now.yaml.AAAAAA" + Suffix: "x", "mine" + Suffix: "x", ".git/": "", ".git/.c.AAAAAA" + Suffix: "x", "a.yaml": "b"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The longest name that is accepted can be written.
func TestLongName(t *testing.T) {
	dir := t.TempDir()
	var area Area
	if err := area.Write(t.Context(), []Change{{Path: filepath.Join(dir, strings.Repeat("a", maxName)), Text: []byte("b")}}); err != nil {
		t.Error(err)
	}
	if err := area.Write(t.Context(), []Change{{Path: filepath.Join(dir, strings.Repeat("a", maxName+1)), Text: []byte("b")}}); err == nil || !strings.Contains(err.Error(), "236") {
		t.Errorf("got %v", err)
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"redis", "a.b-c_d", "config", "com", "com10", "cone"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"CON", "con.yaml", "aux", "LPT1", "lpt9.x", "com0.txt", "a\nb", "a\u202eb", "a.", "a ", "a/b", `a\b`, "a:b", "..", "", ".GIT", strings.Repeat("a", 300)} {
		if CheckName(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

// The folders that killed runs have left next to a folder are removed with its next
// writing, after a minute; those of other folders stay.
func TestLeftTrees(t *testing.T) {
	above := t.TempDir()
	write(t, above, map[string]string{
		".out.1" + Suffix + "/a/Kptfile": "secret", ".out.2" + Suffix + "/b": "x", ".other.1" + Suffix + "/c": "x", ".out.d/d": "x", ".out.e" + Suffix: "x",
	})
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{".out.1" + Suffix, ".other.1" + Suffix, ".out.d", ".out.e" + Suffix} {
		os.Chtimes(filepath.Join(above, name), old, old)
	}
	var area Area
	if err := area.WriteTree(t.Context(), filepath.Join(above, "out"), []Change{{Path: "a", Text: []byte("a")}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for name := range tree(t, above) {
		if !strings.HasSuffix(name, "/") {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	want := []string{".other.1" + Suffix + "/c", ".out.2" + Suffix + "/b", ".out.d/d", ".out.e" + Suffix, "out/a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
