package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The committed files are those of the functions and the version as they are now, and
// every program has its entry.
func TestFilesAreCurrent(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v: run go run ./build/porch", err)
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is old, run go run ./build/porch (-want +got):\n%s", name, diff)
		}
	}
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, main := range mains {
		program := filepath.Base(filepath.Dir(main))
		for name, want := range map[string]string{"config.yaml": "- function: " + program + "\n", "functionconfigs.yaml": "path: /functions/" + program + "\n"} {
			if !strings.Contains(string(files[name]), want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
	}
	if len(mains) == 0 {
		t.Error("found no programs")
	}
}
