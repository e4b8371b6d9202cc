package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

func read(t *testing.T, files map[string]string) *kptpackage.Package {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := kptpackage.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: x}
pipeline:
`

func TestWithin(t *testing.T) {
	for pair, want := range map[[2]string]bool{{"a", "."}: true, {"a/b", "a"}: true, {"ab", "a"}: false, {".", "a"}: false, {"a", "a"}: true} {
		if got := Within(pair[0], pair[1]); got != want {
			t.Errorf("%v: %v", pair, got)
		}
	}
}
