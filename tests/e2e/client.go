package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Client is a program that runs functions.
type Client struct {
	Name    string // kpt or kustomize
	Version string // as the program says it
	Path    string // absolute
	Pinned  bool   // built from tests/tools, not found on PATH
}

func (c Client) String() string { return c.Name + " " + c.Version }

// Clients are the pinned client of that name out of a folder, and the one on PATH when its version is another.
func Clients(name, bin string) ([]Client, error) {
	pinned := Client{Name: name, Path: filepath.Join(bin, name), Pinned: true}
	if err := pinned.askVersion(); err != nil {
		return nil, err
	}
	clients := []Client{pinned}
	path, err := exec.LookPath(name)
	if err != nil {
		return clients, nil
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	found := Client{Name: name, Path: path}
	if err := found.askVersion(); err != nil {
		return nil, err
	}
	if found.Version != pinned.Version {
		clients = append(clients, found)
	}
	return clients, nil
}

// askVersion asks the program for its version: the last word of the first line that it prints, which is all of it for
// most releases, and what follows "Version:" for the latest kpt.
func (c *Client) askVersion() error {
	done, err := succeed("", nil, c.Path, "version")
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(done.stdout, "\n")
	words := strings.Fields(first)
	if len(words) == 0 {
		return fmt.Errorf("%s: printed no version", done.command)
	}
	c.Version = strings.TrimPrefix(words[len(words)-1], "v")
	return nil
}
