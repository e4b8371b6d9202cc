package packdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// makeFiles writes files with their texts into a folder.
func makeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	cases.Write(t, dir, files)
	return dir
}

// A path names a pack, an archive, or all packs below it. Hidden folders and the
// folders inside packs are not searched.
func TestFind(t *testing.T) {
	const metadata = `{"name": "a"}`
	for name, tc := range map[string]struct {
		files map[string]string
		at    string
		want  string // the directories, or the error after "!"
	}{
		"a pack":                 {map[string]string{"pack.json": metadata, "sub/pack.json": metadata}, "", "."},
		"packs":                  {map[string]string{"b/pack.json": metadata, "a/x/pack.json": metadata, "c/a.yaml": "", "a-1.0.0.tar.gz": "", "c/b-1.0.0.tar.gz": "", "d.tgz": ""}, "", "a/x a-1.0.0.tar.gz b c/b-1.0.0.tar.gz"},
		"an archive":             {map[string]string{"a-1.0.0.tar.gz": ""}, "a-1.0.0.tar.gz", "a-1.0.0.tar.gz"},
		"hidden":                 {map[string]string{".b/pack.json": metadata, "a/.git/pack.json": metadata, "c/pack.json": metadata}, "", "c"},
		"a hidden folder itself": {map[string]string{".b/pack.json": metadata}, ".b", ".b"},
		"a file":                 {map[string]string{"pack.json": metadata}, "pack.json", "!is a file; name the directory of a pack, or an archive NAME-VERSION.tar.gz"},
		"none":                   {map[string]string{"a/x.yaml": ""}, "", "!holds no pack: a pack directory has the file pack.json"},
		"absent":                 {nil, "x", "!no such file"},
		"half a pack":            {map[string]string{"a/values.yaml": ""}, "", "!a holds half a pack: it has values.yaml, but no pack.json"},
		"a misspelt name":        {map[string]string{"a/values.yaml": "", "a/pack.jsn": ""}, "", "!but no pack.json; rename pack.jsn"},
		"a misspelt folder":      {map[string]string{"a/values.yaml": "", "a/pack.jsn/x": ""}, "", "!but no pack.json"},
		"a chart":                {map[string]string{"a/values.yaml": "", "a/Chart.yaml": "", "b/pack.json": metadata}, "", "b"},
	} {
		dir := makeFiles(t, tc.files)
		found, err := Find(filepath.Join(dir, tc.at))
		for i := range found {
			found[i], _ = filepath.Rel(dir, found[i])
		}
		got := strings.Join(found, " ")
		if err != nil {
			got = "!" + err.Error()
		}
		if want, isError := strings.CutPrefix(tc.want, "!"); isError && (err == nil || !strings.Contains(got, want) || strings.Contains(got, "rename") != strings.Contains(want, "rename")) || !isError && got != want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// In a folder with other files, a pack.json of another program is not one of a pack.
func TestIn(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"packs":            {map[string]string{"a/pack.json": `{"name": "a"}`, "a/sub/pack.json": `{"name": "a"}`, "b/pack.json": `{"version": "1"}`, "c/pack.json": `{"layer": "addon"}`}, "a b c"},
		"another program":  {map[string]string{"a/pack.json": `{"dependencies": {}}`, "a/sub/pack.json": `{"name": "a"}`}, "a/sub"},
		"with its values":  {map[string]string{"a/pack.json": `{"dependencies": {}}`, "a/values.yaml": ""}, "a"},
		"no JSON":          {map[string]string{"a/pack.json": `{`}, "a"},
		"of git":           {map[string]string{".git/pack.json": `{"name": "a"}`}, ""},
		"hidden":           {map[string]string{".a/pack.json": `{"name": "a"}`}, ".a"},
		"the folder":       {map[string]string{"pack.json": `{"name": "a"}`}, "."},
		"a folder of this": {map[string]string{"a/pack.json/x": ""}, ""},
	} {
		dir := makeFiles(t, tc.files)
		found, err := In(dir)
		for i := range found {
			found[i], _ = filepath.Rel(dir, found[i])
		}
		if got := strings.Join(found, " "); err != nil || got != tc.want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, tc.want)
		}
	}
	if _, err := In(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("no folder: got no error")
	}
}

func TestMisnamed(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a slip":          {map[string]string{"pack.jsn": "", "values.yaml": ""}, "rename pack.jsn"},
		"a slip alone":    {map[string]string{"pack.jsn": ""}, ""},
		"another file":    {map[string]string{"values.yaml": ""}, ""},
		"the right name":  {map[string]string{"pack.json": "", "pack.jsn": "", "values.yaml": ""}, ""},
		"a folder's name": {map[string]string{"pack.jsn/a": "", "values.yaml": ""}, ""},
		"a chart":         {map[string]string{"pack.jsn": "", "values.yaml": "", "Chart.yaml": ""}, ""},
	} {
		if err := Misnamed(makeFiles(t, tc.files)); tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for name, want := range map[string]bool{"pack.json": false, "pack.jsn": true, "packs.json": true, "Pack.json": true, "other.json": false} {
		if got := IsMisnamed(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// A pack has the files that functions read, those that are asked for, and the names of all
// others.
func TestOpenFiles(t *testing.T) {
	dir := makeFiles(t, map[string]string{"pack.json": `{"name": "a", "version": "1.0.0"}`, "values.yaml": "a: 1\n", "shema.yaml": "", "presets.yaml/x": "", "README.md": "text", "more/a.txt": "b", "logo.png": ""})
	if _, err := Open(dir); err == nil {
		t.Error("a folder in place of a file: got no error")
	}
	if err := os.RemoveAll(filepath.Join(dir, "presets.yaml")); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir, "README.md", "more/a.txt", "absent.md", "values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range p.Files {
		names = append(names, f.Name+"="+string(f.Text))
	}
	if want := []string{`pack.json={"name": "a", "version": "1.0.0"}`, "values.yaml=a: 1\n", "README.md=text", "more/a.txt=b"}; !slices.Equal(names, want) {
		t.Errorf("got %q", names)
	}
	if want := []string{"logo.png", "more", "shema.yaml"}; !slices.Equal(p.Left, want) {
		t.Errorf("left are %q", p.Left)
	}
	if len(p.Misspelt) != 1 || p.Misspelt["shema.yaml"] != "schema.yaml" || p.Name != "a" || p.Version != "1.0.0" {
		t.Errorf("got %+v", p)
	}
	for name, want := range map[string]bool{"values.yaml": true, "more": true, "more/a.txt": true, "absent": false, "more/absent": false} {
		if got := p.Has(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if _, err := Open(makeFiles(t, map[string]string{"values.yaml": ""})); err == nil || !strings.Contains(err.Error(), "holds no pack") {
		t.Errorf("no pack.json: got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "absent")); err == nil {
		t.Error("no directory: got no error")
	}
}

// Packs that cannot be read are an error, and those without a name are not sources.
func TestSourcesFaults(t *testing.T) {
	if _, err := OpenSources([]string{makeFiles(t, map[string]string{"a-1.0.0.tar.gz": "no archive"})}); err == nil || !strings.Contains(err.Error(), "is not a gzipped tar archive") {
		t.Errorf("no archive: got %v", err)
	}
	s, err := OpenSources([]string{makeFiles(t, map[string]string{"a/pack.json": `{"name": "a", "version": "2"}`, "b/pack.json": `{"name": "a", "version": "1"}`, "c/pack.json": `{"name": "a", "version": "1"}`, "d/pack.json": "{"})})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Versions("a"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("got %s", got)
	}
	if got := slices.Collect(s.All("a", "1")); len(got) != 2 || filepath.Base(got[0]) != "b" || filepath.Base(got[1]) != "c" {
		t.Errorf("got %s", got)
	}
}

func TestNewest(t *testing.T) {
	versions := []string{"1.2.0", "1.10.0", "1.3.0", "1.3.0+build", "nightly", "2.0.0"}
	for tag, want := range map[string]string{"1.x": "1.10.0", "1.2.x": "1.2.0", "1.3.x": "1.3.0", "1.3.0": "1.3.0", "nightly": "nightly", "1.4.x": "", "1": "", "": "", ".x": "", "x": ""} {
		if got := Newest(tag, versions); got != want {
			t.Errorf("%s: got %s, want %s", tag, got, want)
		}
	}
}
