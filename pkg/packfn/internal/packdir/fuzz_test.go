package packdir

import (
	"os"
	"path/filepath"
	"testing"
)

// A pack directory is an error, or a pack with a name.
func FuzzRead(f *testing.F) {
	f.Add(`{"name": "p", "version": "1.0.0"}`, "values.yml", "a: 1")
	f.Add("name: [", "schema.yaml", "\xff")
	f.Fuzz(func(t *testing.T, metadata, name, content string) {
		dir := t.TempDir()
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			name = "values.yaml"
		}
		_ = os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600) // not every name is one of a file
		if err := os.WriteFile(filepath.Join(dir, Metadata), []byte(metadata), 0o600); err != nil {
			t.Fatal(err)
		}
		IsFound(dir)
		p, err := Read(dir)
		if err == nil && (p.Name == "" || p.Item() == nil) {
			t.Errorf("got %+v", p)
		}
	})
}
