package olm

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/documents"
)

const (
	annotated = `annotations:
  operators.operatorframework.io.bundle.package.v1: red
`
	csv = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: red.v1.0.0}
`
)

func TestIsBundle(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  bool
	}{
		"a bundle":                       {map[string]string{"metadata/annotations.yaml": annotated, "manifests/a.yaml": csv}, true},
		"without manifests":              {map[string]string{"metadata/annotations.yaml": annotated}, true},
		"annotations of others":          {map[string]string{"metadata/annotations.yaml": "annotations: {a: b}\n", "manifests/a.yaml": csv}, false},
		"without annotations":            {map[string]string{"metadata/properties.yaml": "properties: []\n", "manifests/a.yaml": csv}, true},
		"the metadata of others":         {map[string]string{"metadata/dependencies.yaml": "a: 1\n", "manifests/a.yaml": "kind: ConfigMap\n"}, false},
		"manifests alone":                {map[string]string{"manifests/a.yaml": csv}, false},
		"a folder of the name of a file": {map[string]string{"metadata/annotations.yaml/a": annotated}, false},
	} {
		dir := t.TempDir()
		cases.Write(t, dir, tc.files)
		if got := IsBundle(dir); got != tc.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestReadBundle(t *testing.T) {
	for name, tc := range map[string]struct {
		files     map[string]string
		wantFiles []string
		name      string
		faults    []string
	}{
		"whole":          {files: map[string]string{"metadata/annotations.yaml": annotated, "metadata/dependencies.yaml": "dependencies: []\n", "manifests/a.yaml": csv, "manifests/b.yaml": "kind: Service\n", "manifests/c/d.yaml": csv}, wantFiles: []string{"metadata/annotations.yaml", "metadata/dependencies.yaml", "manifests/a.yaml"}, name: "red.v1.0.0"},
		"half":           {files: map[string]string{"metadata/annotations.yaml": annotated}, wantFiles: []string{"metadata/annotations.yaml"}, name: "red", faults: []string{"metadata/annotations.yaml: line 1: this bundle has no ClusterServiceVersion in manifests/. Add the one of its version"}},
		"a Helm chart":   {files: map[string]string{"metadata/annotations.yaml": annotated + "  operators.operatorframework.io.bundle.mediatype.v1: helm\n"}, wantFiles: []string{"metadata/annotations.yaml"}, name: "red"},
		"two":            {files: map[string]string{"metadata/annotations.yaml": annotated, "manifests/a.yaml": "a: 1\n---\n" + csv, "manifests/b.json": `{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion", "metadata": {"name": "b"}}`}, wantFiles: []string{"metadata/annotations.yaml", "manifests/a.yaml"}, name: "red.v1.0.0", faults: []string{"manifests/b.json: line 1: a bundle has one ClusterServiceVersion, but this is another one besides ClusterServiceVersion red.v1.0.0 (manifests/a.yaml). Put it into a separate bundle directory"}},
		"no annotations": {files: map[string]string{"metadata/properties.yaml": "properties: []\n", "manifests/a.yaml": csv}, wantFiles: []string{"metadata/properties.yaml", "manifests/a.yaml"}, name: "red.v1.0.0", faults: []string{"metadata/properties.yaml: line 1: this bundle has no metadata/annotations.yaml, which names its package. Add it, with the annotation operators.operatorframework.io.bundle.package.v1"}},
		"not a text":     {files: map[string]string{"metadata/annotations.yaml": annotated, "metadata/properties.yaml": "\xff", "manifests/a.yaml": csv}, wantFiles: []string{"metadata/annotations.yaml", "manifests/a.yaml"}, name: "red.v1.0.0", faults: []string{"metadata/properties.yaml is not UTF-8: byte 1 is 0xff"}},
	} {
		dir := t.TempDir()
		cases.Write(t, dir, tc.files)
		b := ReadBundle(dir, nil)
		var files, faults []string
		for _, f := range b.Files {
			files = append(files, f.Path)
		}
		for _, err := range b.Faults {
			faults = append(faults, strings.ReplaceAll(err.Error(), dir+"/", ""))
		}
		if diff := cmp.Diff(tc.wantFiles, files); diff != "" {
			t.Errorf("%s: files: -want +got:\n%s", name, diff)
		}
		if diff := cmp.Diff(tc.faults, faults); diff != "" {
			t.Errorf("%s: faults: -want +got:\n%s", name, diff)
		}
		if b.Name() != tc.name {
			t.Errorf("%s: the name is %q", name, b.Name())
		}
		if items, err := b.Items("x"); err != nil || items[0].Resource().File != "x/metadata/annotations.yaml" || items[0].Name() != tc.name {
			t.Errorf("%s: %v, %v", name, items, err)
		}
	}
}

func TestIsCatalog(t *testing.T) {
	for text, want := range map[string]bool{
		"schema: olm.bundle\n": true,
		`---
name: a
schema: "olm.package"
`: true,
		"{schema: olm.channel, name: a}\n": true,
		`{
  "name": "a", "schema": "olm.bundle"}`: true,
		"\ufeff{\"schema\": \"olm.bundle\"}": true,
		`schema: other.bundle
x: olm.
`: false,
		`data:
  bundle.yaml: |
    schema: olm.bundle
`: false,
		`data:
  a: |
    {"schema": "olm.bundle"}
`: false,
		`{"data": {"bundle.yaml": "{\"schema\": \"olm.bundle\"}"}}`: false,
		"": false,
	} {
		if got := IsCatalog([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestFind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	cases.Write(t, dir, map[string]string{
		"red/metadata/annotations.yaml": annotated, "red/manifests/a.yaml": csv, "red/tests/x.yaml": "schema: olm.bundle\n",
		"catalog/a.json": `{"schema": "olm.bundle"}`, "catalog/b.txt": "schema: olm.bundle\n", "other/csv.yaml": csv, "other/a.yaml": "a: 1\n", ".git/c.yaml": "schema: olm.bundle\n",
		"metadata/c.yaml": "schema: olm.bundle\n",
	})
	found, err := Find(dir)
	if err != nil || found.IsEmpty() {
		t.Fatalf("%v, %v", found, err)
	}
	for _, tc := range []struct{ got, want []string }{
		{found.Bundles, []string{"red"}}, {found.Catalogs, []string{"catalog/a.json", "metadata/c.yaml", "red/tests/x.yaml"}}, {found.Manifests, []string{"other/csv.yaml"}},
	} {
		for i := range tc.want {
			tc.want[i] = filepath.Join(dir, tc.want[i])
		}
		if diff := cmp.Diff(tc.want, tc.got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if _, err := Find(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if err := errors.Join(os.Symlink(dir, filepath.Join(dir, "../link")), os.Symlink("a.json", filepath.Join(dir, "catalog/b.json"))); err != nil {
		t.Fatal(err)
	}
	if linked, err := Find(filepath.Join(dir, "../link")); err != nil || len(linked.Catalogs) != 3 {
		t.Errorf("a link: %v, %v", linked, err)
	}
	if one, err := Find(filepath.Join(dir, "catalog/a.json")); err != nil || len(one.Catalogs) != 1 {
		t.Errorf("a file: %v, %v", one, err)
	}
}

// What is read again is what was read, from a file and from a text.
func TestReread(t *testing.T) {
	const text = `schema: olm.package
---
schema: olm.bundle
`
	name := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Catalog{{Path: name}, {Path: "none", Text: []byte(text)}} {
		in, err := c.Open()
		if err != nil {
			t.Fatal(err)
		}
		for d := range documents.Each(in) {
			if again, err := c.Reread(d); err != nil || again != d.Text {
				t.Errorf("got %q, %v; want %q", again, err, d.Text)
			}
		}
		in.Close()
	}
	none := &Catalog{Path: filepath.Dir(name)}
	if _, err := none.Open(); err == nil {
		t.Error("a folder is opened")
	}
	if _, err := none.Reread(documents.Document{}); err == nil {
		t.Error("a folder is read")
	}
}

// A catalog has a largest size, which a file with holes has soon.
func TestLimited(t *testing.T) {
	read, err := io.ReadAll(&limited{strings.NewReader("abcdef"), 4})
	if string(read) != "abcd" || !errors.Is(err, errTooLarge) {
		t.Errorf("%q, %v", read, err)
	}
}

// Whatever a catalog has: it is read to its end.
func FuzzCatalog(f *testing.F) {
	for _, seed := range []string{`schema: olm.bundle
---
{`, "{\"schema\": \"olm.bundle\"}{}", "\ufeff\n\n", "a\r\nb\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		IsCatalog(text)
		c := &Catalog{Text: append([]byte{}, text...)}
		in, _ := c.Open()
		defer in.Close()
		for d := range documents.Each(in) {
			if again, err := c.Reread(d); d.Err == nil && (err != nil || again != d.Text) {
				t.Fatalf("%q: %q, %v", d.Text, again, err)
			}
		}
	})
}
