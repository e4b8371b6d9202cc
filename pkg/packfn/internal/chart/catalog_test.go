package chart

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/release"
)

func TestNameOfArchive(t *testing.T) {
	for base, want := range map[string]string{
		"ingress-nginx-4.10.1.tgz": "ingress-nginx 4.10.1", "web-v1.0.0-rc.1.tgz": "web v1.0.0-rc.1", "web-1.0.tgz": "", "web.tgz": "", "web-1.0.0.tar.gz": "", "-1.0.0.tgz": " 1.0.0", "a-1-1.0.0.tgz": "a-1 1.0.0",
	} {
		name, version, ok := nameOfArchive(base)
		if got := name + " " + version; ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v", base, got, ok)
		}
	}
}

// Charts of one name and version are one if they read the same, whether they are folders or archives.
func TestCatalog(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"a/web", "b/web", "c/other"} {
		write(folder+"/Chart.yaml", "name: "+filepath.Base(folder)+"\nversion: 1.0.0\n")
		write(folder+"/values.yaml", "a: 1\n")
		write(folder+"/charts/sub/Chart.yaml", `name: sub
version: 1.0.0
`)
	}
	write("c/web/Chart.yaml", `name: web
version: 2.0.0
`)
	write("d/web/Chart.yaml", `name: web
version: 2.0.0
`)
	write("d/web/values.yaml", "b: 1\n")
	write("d/web/Chart.yaml", `name: web
version: 2.0.0
`)
	write("e/Chart.yaml", "a: [")
	write(".hidden/web/Chart.yaml", `name: web
version: 9.0.0
`)
	write("f/db-3.0.0.tgz", "this is no archive")
	c := &Catalog{Run: &Run{}, Archive: func(name, version string) string {
		if name == "far" && version == "1.0.0" {
			return "far.tgz"
		}
		return ""
	}}
	if count, err := c.AddAll(dir); err != nil || count != 7 {
		t.Errorf("%d charts, %v", count, err)
	}
	for _, tc := range []struct {
		of        release.Chart
		path, why string
	}{
		{release.Chart{Name: "web", Version: "1.0.0"}, "a/web", ""},
		{release.Chart{Name: "web"}, "", "2 charts at hand have this name and version, and differ: c/web and d/web"},
		{release.Chart{Name: "web", Version: "3.x"}, "", `the charts at hand are 1.0.0 and 2.0.0`},
		{release.Chart{Name: "sub"}, "", ""},
		{release.Chart{Name: "far", Version: "1.0.0"}, "far.tgz", ""},
		{release.Chart{Name: "far"}, "", ""},
		{release.Chart{Name: "other", Dirs: []string{filepath.Join(dir, "gone"), filepath.Join(dir, "d/web")}}, "d/web", ""},
		{release.Chart{IsDir: true, Dir: "gone", Dirs: []string{filepath.Join(dir, "gone")}}, "", "there is no chart in gone"},
		{release.Chart{Name: "web", Why: "unknown"}, "", "unknown"},
	} {
		path, why := c.Find(&tc.of)
		path, why = strings.TrimPrefix(path, dir+"/"), strings.ReplaceAll(why, dir+"/", "")
		if path != tc.path || why != tc.why {
			t.Errorf("%+v: got %q, %q", tc.of, path, why)
		}
	}
	if _, err := c.Facts(filepath.Join(dir, "f/db-3.0.0.tgz"), false); err == nil {
		t.Error("an archive that is none has facts")
	}
	first, err := c.Facts(filepath.Join(dir, "a/web"), false)
	if err != nil {
		t.Fatal(err)
	}
	c.Prepare(map[string]bool{filepath.Join(dir, "b/web"): false, filepath.Join(dir, "gone"): true})
	if again, err := c.Facts(filepath.Join(dir, "b/web"), false); err != nil || again != first {
		t.Errorf("the facts of an equal chart are read again: %v", err)
	}
}
