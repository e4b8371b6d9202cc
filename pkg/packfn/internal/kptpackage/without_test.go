package kptpackage

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// What is left out is in no package: kpt reads the files of packages.
func TestReadWithout(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"a.yaml": "a: 1\n", "b/a.yaml": "a: 1\n", "b/p/Kptfile": kptfile, "c/a.yaml": "a: 1\n", "p/Kptfile": kptfile, "p/a.yaml": "a: 1\n", "p/b/a.yaml": "a: 1\n"})
	for root, want := range map[string][]string{
		".": {"c/a.yaml", "p/Kptfile", "p/a.yaml", "p/b/a.yaml"},
		"p": {"Kptfile", "a.yaml", "b/a.yaml"},
	} {
		p, err := ReadWithout(filepath.Join(dir, root), func(name string, isDir bool) bool {
			return name == "a.yaml" && !isDir || filepath.Base(name) == "b" && isDir
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range p.Files {
			got = append(got, file.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", root, got, want)
		}
	}
}
