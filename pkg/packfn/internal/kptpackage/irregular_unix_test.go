//go:build unix

package kptpackage

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is not a regular file of the package is not opened: a pipe would wait, and a
// device has no end.
func TestIrregular(t *testing.T) {
	for _, name := range []string{ignoreName, "a.yaml", KptfileName} {
		for what, plant := range map[string]func(string) error{
			"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		} {
			dir := t.TempDir()
			if name != KptfileName {
				os.WriteFile(filepath.Join(dir, KptfileName), []byte(`apiVersion: kpt.dev/v1
kind: Kptfile
`), 0o600)
			}
			if err := plant(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			_, err := Read(dir)
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s as a %s: %v", name, what, err)
			}
		}
	}
}
