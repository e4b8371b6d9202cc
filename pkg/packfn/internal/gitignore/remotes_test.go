package gitignore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The remotes of a working tree are in its configuration, and the remotes of a
// linked working tree in the configuration of the main one.
func TestRemotes(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("main/.git/HEAD", "ref: refs/heads/main\n")
	write("main/.git/config", `[core]
	bare = false
[remote "origin"]
	url = git@github.com:example/platform.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "fork"]
	url = https://example.com/fork
`)
	write("main/.git/worktrees/linked/HEAD", "ref: refs/heads/b\n")
	write("main/.git/worktrees/linked/commondir", "../..\n")
	write("main/.git/worktrees/linked/gitdir", filepath.Join(top, "linked/.git")+"\n")
	write("linked/.git", "gitdir: "+filepath.Join(top, "main/.git/worktrees/linked")+"\n")
	write("broken/.git/HEAD", "ref: refs/heads/main\n")
	write("broken/.git/config", "[remote")
	write("none/a.yaml", "")
	for dir, want := range map[string][]string{
		"main": {"git@github.com:example/platform.git", "https://example.com/fork"}, "linked": {"git@github.com:example/platform.git", "https://example.com/fork"}, "broken": nil, "none": nil,
	} {
		w, err := Open(filepath.Join(top, dir))
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Remotes(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
		w.Close()
	}
}
