package staging

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// A link that the user names is followed and told, whether it is to a file or to a folder. One to
// nothing or into git's own files is rejected, and nothing is told of what is not written.
func TestNamedLinks(t *testing.T) {
	for name, tc := range map[string]struct {
		link, target string
		write        func(a *Area, link string) error
		want         string // the file that is written
		fault        string
	}{
		"a file": {"r.json", "real/a.yaml", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{Path: link, Text: []byte("new")}})
		}, "real/a.yaml", ""},
		"a folder": {"out", "real", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{In: link, Path: filepath.Join(link, "b.yaml"), Text: []byte("new")}})
		}, "real/b.yaml", ""},
		"a folder with a slash": {"out", "real", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{In: link + "/", Path: filepath.Join(link, "b.yaml"), Text: []byte("new")}})
		}, "real/b.yaml", ""},
		"a tree": {"out", "empty", func(a *Area, link string) error {
			return a.WriteTree(t.Context(), link, []Change{{Path: "b.yaml", Text: []byte("new")}})
		}, "empty/b.yaml", ""},
		"a tree with files": {"out", "real", func(a *Area, link string) error {
			return a.WriteTree(t.Context(), link, []Change{{Path: "b.yaml", Text: []byte("new")}})
		}, "", "is not empty"},
		"no file": {"r.json", "absent", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{Path: link, Text: []byte("new")}})
		}, "", "leads to nothing"},
		"no folder": {"out", "absent", func(a *Area, link string) error {
			return a.WriteTree(t.Context(), link, []Change{{Path: "b.yaml", Text: []byte("new")}})
		}, "", "leads to nothing"},
		"a loop": {"out", "out", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{In: link, Path: filepath.Join(link, "b.yaml"), Text: []byte("new")}})
		}, "", "leads to nothing"},
		"git's files": {"r.json", ".git/hook", func(a *Area, link string) error {
			return a.Write(t.Context(), []Change{{Path: link, Text: []byte("new")}})
		}, "", "belongs to git"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cases.Write(t, dir, map[string]string{"real/a.yaml": "a", ".git/hook": "h", "empty/x": ""})
			os.Remove(filepath.Join(dir, "empty/x"))
			link := filepath.Join(dir, tc.link)
			if err := os.Symlink(tc.target, link); err != nil {
				t.Fatal(err)
			}
			want := namesOf(t, dir)
			var told []string
			area := &Area{Note: func(line string) { told = append(told, line) }}
			err := tc.write(area, link)
			if (err == nil) != (tc.fault == "") || err != nil && !strings.Contains(err.Error(), tc.fault) {
				t.Fatalf("got %v", err)
			}
			var lines []string
			if tc.want != "" {
				want[filepath.Join(dir, tc.want)] = "new"
				lines = []string{link + " is a symbolic link; its target " + filepath.Join(dir, tc.target) + " is written"}
			}
			if diff := cmp.Diff(want, namesOf(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(lines, told); diff != "" {
				t.Errorf("told: (-want +got):\n%s", diff)
			}
		})
	}
}
