package staging

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// tree is the files of a folder with their contents; folders end in a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if entry.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"a.yaml": "a", "gone.yaml": "x"})
	var area Area
	err := area.Write(t.Context(), []Change{
		{Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")},
		{In: dir, Path: filepath.Join(dir, "new/deep/b.yaml"), Text: []byte("n")},
		{Path: filepath.Join(dir, "gone.yaml"), Remove: true},
		{Path: filepath.Join(dir, "absent.yaml"), Remove: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.yaml": "b", "new/": "", "new/deep/": "", "new/deep/b.yaml": "n"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, _ := os.Stat(filepath.Join(dir, "a.yaml")); info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v", info.Mode())
	}
}

// A failure leaves every file, and no other, as it was.
func TestFailure(t *testing.T) {
	failed := errors.New("failed")
	for name, last := range map[string]func(dir string) Change{
		"what is written fails": func(dir string) Change {
			return Change{Path: filepath.Join(dir, "c.yaml"), Write: func(out io.Writer) error { io.WriteString(out, "c"); return failed }}
		},
		"a file in the place of a folder in the folder": func(dir string) Change {
			return Change{In: dir, Path: filepath.Join(dir, "a.yaml/b"), Text: []byte("x")}
		},
		"a folder in the place of a file":     func(dir string) Change { return Change{Path: filepath.Join(dir, "sub"), Text: []byte("x")} },
		"a file in the place of a folder":     func(dir string) Change { return Change{Path: filepath.Join(dir, "a.yaml/b"), Text: []byte("x")} },
		"the removal of a folder is an error": func(dir string) Change { return Change{Path: filepath.Join(dir, "sub"), Remove: true} },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cases.Write(t, dir, map[string]string{"a.yaml": "a", "sub/b.yaml": "b"})
			before := tree(t, dir)
			var area Area
			err := area.Write(t.Context(), []Change{
				{Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")},
				{Path: filepath.Join(dir, "new/b.yaml"), Text: []byte("n")},
				last(dir),
			})
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A rename that fails undoes those before it.
func TestUndo(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"a.yaml": "a", "gone.yaml": "g", "c.yaml": "c"})
	before := tree(t, dir)
	w := writer{roots: map[string]*os.Root{}, byName: map[place]*file{}}
	if err := w.stage(t.Context(), []Change{
		{Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")},
		{Path: filepath.Join(dir, "gone.yaml"), Remove: true},
		{In: dir, Path: filepath.Join(dir, "new/deep/d.yaml"), Text: []byte("d")},
		{Path: filepath.Join(dir, "c.yaml"), Text: []byte("d")},
		{Path: filepath.Join(dir, "named/here/e.yaml"), Text: []byte("e")},
	}); err != nil {
		t.Fatal(err)
	}
	w.files[3].root.Remove(w.files[3].staged)
	if w.commit() == nil {
		t.Fatal("no error")
	}
	if err := w.undo(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// interrupted is a context that ends when it is asked for the time after the next ones.
type interrupted struct {
	context.Context
	left int
}

func (c *interrupted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// An interrupt at any time leaves all files as they were, or all changed, and no others.
func TestInterruptAtAnyTime(t *testing.T) {
	const files = 5
	changes := func(dir string) (all []Change) {
		for i := range files {
			all = append(all, Change{Path: filepath.Join(dir, string('a'+rune(i))+".yaml"), Text: []byte("after")})
		}
		return all
	}
	for left := range files + 1 {
		dir := t.TempDir()
		cases.Write(t, dir, map[string]string{"a.yaml": "before", "b.yaml": "before"})
		before := tree(t, dir)
		var area Area
		err := area.Write(&interrupted{t.Context(), left}, changes(dir))
		want := before
		if left >= files { // a look after each file
			want = map[string]string{}
			for _, c := range changes(dir) {
				want[filepath.Base(c.Path)] = "after"
			}
		}
		if diff := cmp.Diff(want, tree(t, dir)); diff != "" || (err == nil) != (left >= files) {
			t.Errorf("interrupted after %d looks: %v (-want +got):\n%s", left, err, diff)
		}
		out := filepath.Join(dir, "out")
		tree := changes("")
		err = area.WriteTree(&interrupted{t.Context(), left}, out, tree)
		made, _ := os.ReadDir(out)
		if isWhole := left >= files; (err == nil) != isWhole || isWhole != (len(made) == files) {
			t.Errorf("a tree interrupted after %d looks: %v, %d files", left, err, len(made))
		}
	}
}

// An interrupt before the renames leaves everything as it was.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var area Area
	err := area.Write(ctx, []Change{{Path: filepath.Join(dir, "a.yaml"), Text: []byte("b")}})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
	if files := tree(t, dir); len(files) > 0 {
		t.Errorf("left %v", files)
	}
}

// isWaiting reports whether one of the stacks of all goroutines waits for the lock of an Area.
func isWaiting(stacks string) bool {
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if strings.Contains(stack, "sync.(*Mutex).Lock") && strings.Contains(stack, "staging.(*Area).Write(") {
			return strings.Contains(strings.SplitN(stack, "\n", 2)[0], "[sync.Mutex.Lock")
		}
	}
	return false
}

// After Wait no change begins.
func TestWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	area := &Area{}
	area.Wait()
	done := make(chan error)
	go func() { done <- area.Write(context.Background(), []Change{{Path: path, Text: []byte("b")}}) }()
	// The write waits for ever, or it ends.
	stacks := make([]byte, 1<<20)
	for !isWaiting(string(stacks[:runtime.Stack(stacks, true)])) {
		select {
		case <-done:
			t.Fatal("written after Wait")
		default:
			runtime.Gosched()
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("written after Wait")
	}
}

// A tree is written as a whole, into a folder that has nothing else.
func TestWriteTree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "above", "out")
	var area Area
	files := []Change{{Path: "a/b.yaml", Text: []byte("b")}, {Path: "c", Text: []byte("c")}}
	if err := area.WriteTree(t.Context(), dir, append(files, Change{Path: "../x"})); err == nil {
		t.Error("a path out of the folder is written")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := area.WriteTree(ended, dir, files); err == nil {
		t.Error("a tree is written after an interruption")
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil { // an empty one
		t.Fatal(err)
	}
	if err := area.WriteTree(t.Context(), dir, files); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(filepath.Join(dir, file.Path)); err != nil || string(text) != string(file.Text) {
			t.Errorf("%s: %q, %v", file.Path, text, err)
		}
	}
	if err := area.WriteTree(t.Context(), dir, nil); err == nil {
		t.Error("a folder with files is replaced")
	}
	single := filepath.Join(dir, "a") // os.Remove would take an empty one
	if err := area.WriteTree(t.Context(), single, files); err == nil || !strings.Contains(err.Error(), "is not empty; remove it") {
		t.Errorf("a folder with one file: %v", err)
	}
}

// A file that only its owner may read is so from the start, also if others could read it.
func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	if err := os.WriteFile(old, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	var area Area
	if err := area.Write(t.Context(), []Change{{Path: old, Text: []byte("b"), IsPrivate: true}, {Path: new, Text: []byte("b"), IsPrivate: true}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{old, new} {
		if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
