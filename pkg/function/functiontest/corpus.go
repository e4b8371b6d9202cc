package functiontest

import (
	"os"
	"path/filepath"
	"testing"
)

// Corpus returns the files below the folder of public packs that PACK_CORPUS names, by
// a pattern such as `packs/*/values.yaml`. The corpus is not a part of the project:
// without PACK_CORPUS the test is skipped. A corpus without such files fails it.
func Corpus(t testing.TB, pattern string) []string {
	t.Helper()
	root := os.Getenv("PACK_CORPUS")
	if root == "" {
		t.Skip("PACK_CORPUS is not set: no public packs to test with")
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("PACK_CORPUS names %s, which has no %s", root, pattern)
	}
	return files
}
