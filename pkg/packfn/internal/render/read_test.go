package render

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A render reads subpackages in folders that .krmignore names, with what is below them, and
// nothing of git.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	const item = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for name, text := range map[string]string{
		"Kptfile": head, ".krmignore": "sub\nplain\n", "a.yaml": item, "own/Kptfile": head, "own/b.yaml": item,
		"sub/Kptfile": head, "sub/c.yaml": item, "sub/below/Kptfile": head, "sub/below/d.yaml": item, "plain/e.yaml": item, "plain/deep/Kptfile": head, "plain/deep/f.yaml": item,
		".git/x/Kptfile": head, ".git/x/g.yaml": item,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.yaml"), []byte(item), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"link.yaml", "sub/link.yaml"} {
		if err := os.Symlink(filepath.Join(outside, "x.yaml"), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range p.Files {
		got = append(got, file.Path+" in "+file.Package)
	}
	for name := range p.Kptfiles {
		got = append(got, "package "+name)
	}
	got = append(got, p.Outside...)
	slices.Sort(got)
	want := []string{
		"Kptfile in .", "a.yaml in .", "link.yaml", "own/Kptfile in own", "own/b.yaml in own", "package .", "package own", "package plain/deep", "package sub", "package sub/below",
		"plain/deep/Kptfile in plain/deep", "plain/deep/f.yaml in plain/deep", "sub/Kptfile in sub", "sub/below/Kptfile in sub/below", "sub/below/d.yaml in sub/below", "sub/c.yaml in sub", "sub/link.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub/Kptfile"), []byte("kind: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "sub/Kptfile") {
		t.Errorf("got %v", err)
	}
	if _, err := Read(outside + "/none"); err == nil {
		t.Error("a folder that is not there can be read")
	}
}

// What only kpt can do is an error that says so. Of a package that is none it is another.
func TestUnable(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Replace(head, "name: x\n", "name: x\n  annotations: {kpt.dev/bfs-rendering: \"true\"}\n", 1):  true,
		strings.Replace(head, "name: x\n", "name: x\n  annotations: {kpt.dev/bfs-rendering: \"false\"}\n", 1): false,
		head + "pipeline:\n  validators:\n  - exec: other\n":                                                  true,
		head + "pipeline:\n  mutators:\n  - exec: packfn\n":                                                   true,
	} {
		_, err := load(t, map[string]string{"Kptfile": text}).Render(Options{Functions: functions})
		if _, ok := err.(Unable); ok != want || want != (err != nil) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	// A validator does not hinder mutators.
	if _, err := load(t, map[string]string{"Kptfile": head + "pipeline:\n  validators:\n  - exec: other\n"}).Render(Options{Functions: functions, Mutators: true}); err != nil {
		t.Error(err)
	}
}
