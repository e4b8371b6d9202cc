package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func tree(t *testing.T) (above string, in *Folder) {
	t.Helper()
	above = t.TempDir()
	for path, text := range map[string]string{"in/a.yaml": "a", "in/sub/b.yaml": "b", "out/secret": "s", "in/latin.yaml": "a\xe9", "in/first.yaml": "\xe9"} {
		path = filepath.Join(above, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"in/inside": "sub/b.yaml", "in/absolute": filepath.Join(above, "in/a.yaml"), "in/outside": "../out/secret", "in/dir": "../out",
		"in/nothing": "none", "in/chain": "outside", "in/device": "/dev/zero", "in/loop": "loop", "named": "in",
	} {
		if err := os.Symlink(to, filepath.Join(above, link)); err != nil {
			t.Fatal(err)
		}
	}
	in, err := Open(filepath.Join(above, "named"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return above, in
}

// Only files of the folder are read, by whatever name.
func TestRead(t *testing.T) {
	_, in := tree(t)
	for name, want := range map[string]string{"a.yaml": "a", "sub/b.yaml": "b", "inside": "b", "absolute": "a", "sub/../a.yaml": "a"} {
		if text, err := in.ReadText(name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for name, want := range map[string]error{
		"outside": ErrOutside, "chain": ErrOutside, "dir/secret": ErrOutside, "device": ErrOutside, "../out/secret": ErrOutside, "/etc/passwd": ErrOutside,
		"nothing": fs.ErrNotExist, "none": fs.ErrNotExist, "sub": nil, "loop": nil, "a.yaml/b": nil,
	} {
		text, err := in.ReadText(name)
		if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), filepath.Join("named", name)) || strings.Contains(err.Error(), in.real) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if path, err := in.Path(name); want != nil && !errors.Is(err, want) {
			t.Errorf("%s leads to %s, %v", name, path, err)
		}
	}
	for name, want := range map[string]string{"latin.yaml": "byte 2 is 0xe9", "first.yaml": "byte 1 is 0xe9"} {
		if text, err := in.ReadText(name); err == nil || !strings.HasSuffix(err.Error(), name+" is not UTF-8: "+want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if text, err := fs.ReadFile(in.Files(), "a.yaml"); err != nil || string(text) != "a" || in.Digest() != "" {
		t.Errorf("a file as it is there: %q, %v", text, err)
	}
	if text, err := fs.ReadFile(in.Files(), "outside"); err == nil {
		t.Errorf("a file outside as it is there: %q", text)
	}
	for name, want := range map[string]string{"dir": ErrOutside.Error(), "a.yaml": "named/a.yaml"} {
		if _, err := in.Sub(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a folder %s: %v", name, err)
		}
	}
	sub, err := in.Sub("sub")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if text, err := sub.ReadText("b.yaml"); err != nil || string(text) != "b" {
		t.Errorf("in a folder: %q, %v", text, err)
	}
}

// The working directory may be a symbolic link.
func TestWorkingDirectory(t *testing.T) {
	above, _ := tree(t)
	t.Chdir(filepath.Join(above, "named"))
	for _, dir := range []string{".", "sub", "../in", "../named/sub"} {
		in, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		name := "b.yaml"
		if strings.HasSuffix(dir, "in") || dir == "." {
			name = "inside"
		}
		if text, err := in.ReadText(name); err != nil || string(text) != "b" {
			t.Errorf("%s in %s: %q, %v", name, dir, text, err)
		}
		in.Close()
	}
}

// A link that takes the place of a file after it was resolved leads nowhere.
func TestSwapped(t *testing.T) {
	above, in := tree(t)
	name := filepath.Join(above, "in/a.yaml")
	if err := errors.Join(os.Remove(name), os.Symlink("../out/secret", name)); err != nil {
		t.Fatal(err)
	}
	if text, err := in.readResolved("a.yaml", "a.yaml", 10); err == nil {
		t.Errorf("read %q", text)
	}
	if file, err := in.open("a.yaml"); err == nil { // after it was looked at
		file.Close()
		t.Error("the link was followed")
	}
}

// What is not a regular file is not opened, and what takes the place of one is not read.
func TestIrregular(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	regular := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(regular, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened := 0
	open := func() (fs.File, error) { opened++; return reader, nil }
	if _, err := read("a", 10, reader.Stat, open); err == nil || opened > 0 {
		t.Errorf("a pipe was opened: %v", err)
	}
	if _, err := read("a", 10, func() (fs.FileInfo, error) { return os.Stat(regular) }, open); err == nil || opened != 1 || err.Error() != "open a: it is not a regular file; write it to one" {
		t.Errorf("a pipe in the place of a file: %v", err)
	}
}

func TestSize(t *testing.T) {
	_, in := tree(t)
	if _, err := in.Read("a.yaml", 1); err != nil {
		t.Error(err)
	}
	if _, err := in.Read("a.yaml", 0); err == nil || !strings.Contains(err.Error(), "has 1 bytes") {
		t.Errorf("got %v", err)
	}
}

// A name that the user gave may be a link, but is a regular file.
func TestNamed(t *testing.T) {
	above, _ := tree(t)
	if text, err := ReadText(filepath.Join(above, "in/outside")); err != nil || string(text) != "s" {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]string{"/dev/zero": "it is not a regular file", above: "it is a folder; name the files in it, as in " + filepath.Join(above, "*.yaml")} {
		if _, err := Read(name, 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := OpenFile(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is opened: %v", name, err)
		}
	}
}

// What is read of a folder has a limit, also of folders in it.
func TestTotal(t *testing.T) {
	_, in := tree(t)
	text, err := in.Read("a.yaml", 10)
	if err != nil || len(text) == 0 {
		t.Fatal(err)
	}
	in.left.Store(int64(2 * len(text)))
	sub, err := in.Sub(".")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []*Folder{in, sub, in, sub} {
		if _, err := f.Read("a.yaml", 10); (err != nil) != (i >= 2) || err != nil && !strings.Contains(err.Error(), "a.yaml: more than 1024 MiB") {
			t.Errorf("read %d: %v", i, err)
		}
	}
}
