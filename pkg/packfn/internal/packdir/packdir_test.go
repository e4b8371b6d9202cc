package packdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A pack whose pack.json has no name that can be read is still there to be checked, under the
// name of its directory. What needs the name refuses it.
func TestOpenWithoutName(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "a", "version": "1.0.0"}`: "",
		`{"name": "a"`:                      "pack.json: line 1",
		`{"version": "1.0.0"}`:              "has no name",
	} {
		dir := filepath.Join(t.TempDir(), "vault-1.0.0")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, Metadata), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, strict := Read(dir)
		name := "a"
		if want != "" {
			name = "vault-1.0.0"
		}
		if p.Name != name || (p.Fault != nil) != (want != "") || (strict != nil) != (want != "") || strict != nil && !strings.Contains(strict.Error(), want) {
			t.Errorf("%s: got %q, the fault %v and the error %v", text, p.Name, p.Fault, strict)
		}
		if string(p.File(Metadata)) != text {
			t.Errorf("%s: the file is lost", text)
		}
	}
}
