package suite

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
)

// TestRelease compares what shows the version of the suite with build/VERSION: the
// constant of the programs, and the images and archives in documents and examples. UPDATE=1 writes it.
func TestRelease(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "build/VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	release := strings.TrimSpace(string(text))
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9a-z.]+)?$`).MatchString(release) || string(text) != release+"\n" {
		t.Fatalf("build/VERSION: got %q; want a line such as v1.2.3", text)
	}
	image := regexp.MustCompile(`(ghcr\.io/krm-packs/[a-z-]+)(:[\w.-]+)?`)
	archive := regexp.MustCompile(`\bpackfn_v\d+\.\d+\.\d+(-[0-9a-z.]+)?_`)
	images := 0
	check := func(name string, want func([]byte) []byte) {
		file := filepath.Join(root, name)
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch changed := want(got); {
		case bytes.Equal(got, changed):
		case os.Getenv("UPDATE") != "":
			if err := os.WriteFile(file, changed, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows another version than %s; run UPDATE=1 go test ./functions/suite", name, release)
		}
	}
	check("pkg/function/version.go", func(text []byte) []byte {
		return regexp.MustCompile(`(?m)^const Release = ".*"$`).ReplaceAll(text, []byte(`const Release = "`+release+`"`))
	})
	if function.Release != release && os.Getenv("UPDATE") == "" {
		t.Errorf("the programs say %s, build/VERSION %s", function.Release, release)
	}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "tests" || name != "." && strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".expected"):
			return fs.SkipDir // the images of tests have tags of their own
		case entry.IsDir() || name == "CHANGELOG.md": // releases before this one have their own tags
			return nil
		}
		switch path.Ext(name) {
		case ".md", ".yaml":
		default:
			if path.Base(name) != "Kptfile" {
				return nil
			}
		}
		check(name, func(text []byte) []byte {
			images += len(image.FindAll(text, -1))
			return archive.ReplaceAll(image.ReplaceAll(text, []byte("${1}:"+release)), []byte("packfn_"+release+"_"))
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if images < 2*len(All()) {
		t.Errorf("found %d images in the documents; want at least the README and metadata.yaml of each function", images)
	}
}
