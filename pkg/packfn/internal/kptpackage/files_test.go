package kptpackage

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// What a killed run has left in a package is none of its files.
func TestAllFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Kptfile", "sub/a.yaml", ".a.yaml.x1y2z3" + staging.Suffix, "sub/.b.yaml.x1y2z3" + staging.Suffix, ".git/config"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("a\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := AllFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Kptfile", "sub/a.yaml"}, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := AllFiles(filepath.Join(dir, "absent")); err == nil {
		t.Error("no package: got no error")
	}
}
