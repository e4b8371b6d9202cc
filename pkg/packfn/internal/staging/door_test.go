package staging

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// Nothing is written through a link out of the folder, and nothing in a folder that is a link.
func TestLinks(t *testing.T) {
	for name, link := range map[string]struct{ at, to, path string }{
		"a file of git":         {"link.yaml", ".git/config", "link.yaml"},
		"a file outside":        {"link.yaml", "../out/a.yaml", "link.yaml"},
		"nothing":               {"link.yaml", "../out/new.yaml", "link.yaml"},
		"a folder":              {"link", "sub", "link/b.yaml"},
		"a folder outside":      {"link", "../out", "link/new.yaml"},
		"a folder further down": {"sub/link", "../../out", "sub/link/deep/new.yaml"},
	} {
		for what, change := range map[string]Change{"write": {Text: []byte("x")}, "remove": {Remove: true}} {
			t.Run(name+"/"+what, func(t *testing.T) {
				above := t.TempDir()
				cases.Write(t, above, map[string]string{"in/a.yaml": "a", "in/sub/b.yaml": "b", "in/.git/config": "c", "out/a.yaml": "a"})
				if err := os.Symlink(link.to, filepath.Join(above, "in", link.at)); err != nil {
					t.Fatal(err)
				}
				before := namesOf(t, above)
				change.In = filepath.Join(above, "in")
				change.Path = filepath.Join(change.In, link.path)
				var area Area
				err := area.Write(t.Context(), []Change{{In: change.In, Path: filepath.Join(change.In, "a.yaml"), Text: []byte("b")}, change})
				if err == nil || !strings.Contains(err.Error(), "got a symbolic link") {
					t.Errorf("got %v", err)
				}
				if diff := cmp.Diff(before, namesOf(t, above)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// A link to a file in the folder stays, and its target is written. Both must get the same text.
func TestLinksWithin(t *testing.T) {
	for name, tc := range map[string]struct {
		changes []Change
		want, a string
	}{
		"the link":                  {[]Change{{Path: "link.yaml", Text: []byte("x")}}, "", "x"},
		"the link and the file":     {[]Change{{Path: "link.yaml", Text: []byte("x")}, {Path: "sub/a.yaml", Text: []byte("x")}}, "", "x"},
		"the file and the link":     {[]Change{{Path: "sub/a.yaml", Text: []byte("x")}, {Path: "link.yaml", Text: []byte("x")}}, "", "x"},
		"different texts":           {[]Change{{Path: "sub/a.yaml", Text: []byte("x")}, {Path: "link.yaml", Text: []byte("y")}}, "are one file", "a"},
		"a removal of the link":     {[]Change{{Path: "link.yaml", Remove: true}}, "got a symbolic link", "a"},
		"a removal beside the link": {[]Change{{Path: "link.yaml", Text: []byte("a")}, {Path: "sub/a.yaml", Remove: true}}, "are one file", "a"},
		"a removal beside no text":  {[]Change{{Path: "link.yaml", Text: []byte{}}, {Path: "sub/a.yaml", Remove: true}}, "are one file", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cases.Write(t, dir, map[string]string{"sub/a.yaml": "a"})
			if err := os.Symlink("sub/a.yaml", filepath.Join(dir, "link.yaml")); err != nil {
				t.Fatal(err)
			}
			before := namesOf(t, dir)
			before[filepath.Join(dir, "sub/a.yaml")] = tc.a
			for i := range tc.changes {
				tc.changes[i].In, tc.changes[i].Path = dir, filepath.Join(dir, tc.changes[i].Path)
			}
			var area Area
			err := area.Write(t.Context(), tc.changes)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v", err)
			}
			if diff := cmp.Diff(before, namesOf(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
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

// What a killed run has left of a file is removed with its next writing, after a minute. What
// is under way stays, and so does what belongs to other files, or to nobody.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{
		".a.yaml.AAAAAA" + Suffix: "secret", ".a.yaml.Z23456" + Suffix: "secret", ".gone.yaml.AAAAAA" + Suffix: "secret", "sub/.b.yaml.AAAAAA" + Suffix: "secret", "a.yaml": "a", "gone.yaml": "a",
	})
	others := map[string]string{
		".a.yaml.NOW" + "AAA" + Suffix: "x", "sub/.a.yaml.AAAAAA" + Suffix: "x", ".c.yaml.AAAAAA" + Suffix: "x", "sub/deep/.b.yaml.AAAAAA" + Suffix: "x", ".a.yaml.b.AAAAAA" + Suffix: "x",
		".a.yaml.AAAAA" + Suffix: "x", ".a.yaml.aaaaaa" + Suffix: "x", "a.yaml.AAAAAA" + Suffix: "x", ".a.yaml" + Suffix: "x", Suffix: "x", "mine" + Suffix: "x", ".a.yaml.DIRDIR" + Suffix + "/x": "x", ".a.yaml.AAAAAA" + Suffix + "x": "x",
	}
	cases.Write(t, dir, others)
	old := time.Now().Add(-time.Hour)
	for name := range tree(t, dir) {
		if !strings.Contains(name, "NOW") {
			os.Chtimes(filepath.Join(dir, name), old, old)
		}
	}
	var area Area
	if err := area.Write(t.Context(), []Change{{In: dir, Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")}, {Path: filepath.Join(dir, "sub/b.yaml"), Text: []byte("b")}, {Path: filepath.Join(dir, "gone.yaml"), Remove: true}}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.yaml": "b", "sub/": "", "sub/b.yaml": "b", "sub/deep/": "", ".a.yaml.DIRDIR" + Suffix + "/": ""}
	maps.Copy(want, others)
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
// writing, after a minute; the leftovers of other folders stay.
func TestLeftTrees(t *testing.T) {
	above := t.TempDir()
	cases.Write(t, above, map[string]string{
		".out.AAAAAA" + Suffix + "/a/Kptfile": "secret", ".out.BBBBBB" + Suffix + "/b": "x", ".other.AAAAAA" + Suffix + "/c": "x", ".out.old.AAAAAA" + Suffix + "/e": "x", ".out.d/d": "x", ".out.EEEEEE" + Suffix: "x",
	})
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{".out.AAAAAA" + Suffix, ".other.AAAAAA" + Suffix, ".out.old.AAAAAA" + Suffix, ".out.d", ".out.EEEEEE" + Suffix} {
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
	want := []string{".other.AAAAAA" + Suffix + "/c", ".out.BBBBBB" + Suffix + "/b", ".out.EEEEEE" + Suffix, ".out.d/d", ".out.old.AAAAAA" + Suffix + "/e", "out/a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
