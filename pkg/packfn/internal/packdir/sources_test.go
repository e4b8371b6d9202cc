package packdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSources(t *testing.T) {
	dir := t.TempDir()
	for at, text := range map[string]string{
		"a/1": `{"name": "web", "version": "1.2.10"}`, "a/2": `{"name": "web", "version": "1.2.9"}`, "b/3": `{"name": "web", "version": "1.20.0"}`,
		"b/4": `{"name": "odd", "version": "nightly"}`, "b/5": `{"version": "1.0.0"}`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, at, Metadata), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := OpenSources([]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, version, tag, want string }{
		{"web", "1.2.9", "1.2.x", "a/2 []"},
		{"web", "1.2.10", "", "a/1 []"},
		{"web", "1.2.3", "1.2.x", " [1.2.10 1.2.9 1.20.0]"}, // the version counts
		{"web", "", "1.2.9", "a/2 []"},
		{"web", "", "1.2.x", "a/1 []"}, // the newest one, and not 1.20.0
		{"web", "", "1.x", "b/3 []"},
		{"web", "", "2.x", " [1.2.10 1.2.9 1.20.0]"},
		{"web", "", "", " [1.2.10 1.2.9 1.20.0]"},
		{"odd", "nightly", "", "b/4 []"},
		{"none", "1", "", " []"},
	} {
		found, others := s.Find(tc.name, tc.version, tc.tag)
		if found != "" {
			others = nil
		}
		if got := fmt.Sprint(strings.TrimPrefix(found, dir+"/"), " ", others); got != tc.want {
			t.Errorf("%+v: got %s", tc, got)
		}
	}
	s.Archive = func(name, version string) string { return name + "-" + version + ".tar.gz" }
	if found, _ := s.Find("none", "1.0.0", ""); found != "none-1.0.0.tar.gz" {
		t.Errorf("got %s", found)
	}
	if _, err := OpenSources([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a folder that is not there")
	}
}
