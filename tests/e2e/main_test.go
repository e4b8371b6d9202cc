package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// root is the repository.
var root string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if root, err = filepath.Abs("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := Watch(root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer removeImages()
	return m.Run()
}

// note prints a line that `make test` shows, whatever else it leaves out.
func note(format string, args ...any) { fmt.Printf("note: "+format+"\n", args...) }

// functions builds the functions of this repository, and returns their folder.
var functions = sync.OnceValues(func() (string, error) {
	bin, _, err := BuildFunctions(root)
	return bin, err
})

// fake builds the function that the tests of the runner use.
var fake = sync.OnceValues(func() (string, error) { return Build(root, "fake", root, "./tests/e2e/testdata/fake") })

// clients builds the pinned clients, once, and finds the others.
var clients = sync.OnceValues(func() (found struct{ kpt, kustomize []Client }, err error) {
	bin, err := BuildTools(root)
	if err != nil {
		return found, err
	}
	if found.kpt, err = Clients("kpt", bin); err != nil {
		return found, err
	}
	if found.kustomize, err = Clients("kustomize", bin); err != nil {
		return found, err
	}
	for _, clients := range [][]Client{found.kpt, found.kustomize} {
		for _, client := range clients {
			from := "from PATH, " + client.Path
			if client.Pinned {
				from = "pinned in tests/tools"
			}
			note("e2e runs %s (%s)", client, from)
		}
		if len(clients) == 1 {
			note("e2e finds no other version of %s on PATH", clients[0].Name)
		}
	}
	return found, nil
})

// pinned are the pinned kpt and kustomize.
func pinned(t *testing.T) (kpt, kustomize Client) {
	t.Helper()
	found, err := clients()
	if err != nil {
		t.Fatal(err)
	}
	return found.kpt[0], found.kustomize[0]
}
