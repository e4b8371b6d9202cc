package revision

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
	return strings.TrimSpace(string(text))
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, map[string]string{
		"p/Kptfile": "k\n", "p/a b/ü.yaml": "no break at the end", "p/empty": "", "p/crlf": "a\r\nb\r\n", "other/x": "x",
		// Attributes change what git archive and a checkout give, and not what is in the repository.
		".gitattributes": "p/ignored export-ignore\np/crlf text eol=lf\n", "p/ignored": "i",
	})
	if err := os.Symlink("Kptfile", filepath.Join(dir, "p", "link")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "-c", "core.autocrlf=false", "add", "-A")
	git(t, dir, "commit", "-q", "-m", "one")
	write(t, dir, map[string]string{"p/Kptfile": "changed\n", "p/new": "n"})
	for _, name := range []string{"HEAD", git(t, dir, "rev-parse", "HEAD"), "HEAD^{commit}"} {
		tree, err := Read(context.Background(), filepath.Join(dir, "p"), name)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, file := range tree.Files {
			got[filepath.ToSlash(file.Path)] = string(file.Text)
		}
		want := map[string]string{"Kptfile": "k\n", "a b/ü.yaml": "no break at the end", "empty": "", "crlf": git(t, dir, "show", "HEAD:p/crlf") + "\n", "ignored": "i"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	write(t, dir, map[string]string{"fresh/Kptfile": "f"})
	if tree, err := Read(context.Background(), filepath.Join(dir, "fresh"), "HEAD"); err != nil || tree.Files != nil {
		t.Errorf("of a folder that is new: %v, %v", tree, err)
	}
	all, err := ReadAll(context.Background(), filepath.Join(dir, "p"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Clean(all.Dir) != "p" || len(all.Files) != 7 || !strings.Contains(string(all.Config), "[core]") {
		t.Errorf("of the whole repository: %s, %d files, the configuration %s", all.Dir, len(all.Files), all.Config)
	}
	if status := git(t, dir, "status", "--porcelain"); strings.Contains(status, "D ") {
		t.Errorf("the repository has changed:\n%s", status)
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	for name, want := range map[string]string{
		"nope": `no revision of this name`, "--help": "no revision of this name", "HEAD:": "no revision of this name", "": "no revision of this name",
	} {
		if _, err := Read(context.Background(), dir, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v; want %q", name, err, want)
		}
	}
	if _, err := Read(context.Background(), t.TempDir(), "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside of a repository: %v", err)
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "absent"), "HEAD"); err == nil {
		t.Error("a folder that is absent is read")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Read(context.Background(), dir, "HEAD"); err == nil || !strings.Contains(err.Error(), "git is not on PATH") {
		t.Errorf("without git: %v", err)
	}
}

// What git prints is checked before it is used.
func TestParse(t *testing.T) {
	const id = "8baef1b4abc478178b004d62031cf7fe6db6f903"
	for listing, want := range map[string]string{
		"100644 blob " + id + "       4\ta":                      "",
		"120000 blob " + id + "       4\tlink":                   "",
		"160000 commit " + id + "       -\tsubmodule":            "",
		"100644 blob " + id + "       4\t../a":                   "leads out of the folder",
		"100644 blob " + id + "       4\t/etc/passwd":            "leads out of the folder",
		"100644 blob " + id + "       x\ta":                      `the size of a is "x"`,
		"100644 blob " + id + " 99999999\ta":                     "more than 64 MiB",
		strings.Repeat("100644 blob "+id+" 30000000\ta\x00", 18): "more than 512 MiB together",
	} {
		_, _, err := parseTree([]byte(listing))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v; want %q", listing[:min(len(listing), 80)], err, want)
		}
	}
	files, ids, _ := parseTree([]byte("100644 blob " + id + "       4\ta\x00120000 blob " + id + "       4\tlink\x00"))
	if len(files) != 1 || len(ids) != 1 {
		t.Errorf("got %v and %v; want one file", files, ids)
	}
	for contents, want := range map[string]string{
		id + " blob 4\nabc\n\n": "", id + " blob 4\nab": "unexpected EOF", id + " missing\n": "objects are missing", id + " blob 9999999\nabc": "the size of a is",
		"": "cannot be read",
	} {
		files, _, _ := parseTree([]byte("100644 blob " + id + "       4\ta"))
		err := fill(files, []byte(contents))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v; want %q", contents, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("100644 blob 8baef1b4abc478178b004d62031cf7fe6db6f903       4\ta\x00", "8baef1b4abc478178b004d62031cf7fe6db6f903 blob 4\nabc\n\n")
	f.Fuzz(func(t *testing.T, listing, contents string) {
		files, _, err := parseTree([]byte(listing))
		if err != nil {
			return
		}
		if err := fill(files, []byte(contents)); err != nil {
			return
		}
		for _, file := range files {
			if !filepath.IsLocal(file.Path) {
				t.Errorf("%q leads out of the folder", file.Path)
			}
		}
	})
}
