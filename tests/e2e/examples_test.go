package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples runs every example with the pinned clients; with TEST_ALL, or if an example is about a field that the pinned
// kpt may not know, also with the kpt on PATH.
func TestExamples(t *testing.T) {
	examples, err := Examples(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	bin, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	found, err := clients()
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("UPDATE") != ""
	for i := range examples {
		example := &examples[i]
		t.Run(example.Name, func(t *testing.T) {
			t.Parallel()
			if err := example.Load(update); err != nil {
				t.Fatal(err)
			}
			if update && example.Config.KptField == "" { // what a pinned kpt cannot render is written by hand
				updateExample(t, bin, example)
			}
			if err := example.Load(false); err != nil {
				t.Fatal(err)
			}
			runner := Runner{Bin: bin}
			if example.Config.KptField != "" {
				if err := runner.Packfn(example); err != nil {
					t.Error(err)
				}
			}
			for i, kpt := range found.kpt {
				if i > 0 && example.Config.KptField == "" && !All() {
					break
				}
				t.Run(kpt.String(), func(t *testing.T) {
					err := runner.Kpt(kpt, example)
					if errors.Is(err, errUnknownField) { // it names this field, and packfn renders it
						t.Log(err)
						return
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			if !example.Kustomization {
				return
			}
			for _, kustomize := range found.kustomize {
				t.Run(kustomize.String(), func(t *testing.T) {
					if err := runner.Kustomize(kustomize, example); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// updateExample writes the expectations of an example as the pinned clients have them.
func updateExample(t *testing.T, bin string, example *Example) {
	t.Helper()
	kpt, kustomize := pinned(t)
	if err := example.Load(true); err != nil {
		t.Fatal(err)
	}
	runner := Runner{Bin: bin, Update: true}
	if err := runner.Kpt(kpt, example); err != nil {
		t.Error(err)
	}
	if example.Kustomization {
		if err := runner.Kustomize(kustomize, example); err != nil {
			t.Error(err)
		}
	}
}

// TestEveryFunctionHasAnExample keeps a function, and an example, from being left out.
func TestEveryFunctionHasAnExample(t *testing.T) {
	names, err := Functions(root)
	if err != nil {
		t.Fatal(err)
	}
	examples, err := Examples(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(root, "examples", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range examples {
		if !strings.Contains(string(index), "["+example.Name+"]("+example.Name+")") {
			t.Errorf("examples/README.md does not name %s", example.Name)
		}
	}
	for _, name := range names {
		if name != allFunctions && len(ofFunction(examples, name)) == 0 {
			t.Errorf("functions/%s has no example: add examples/%s-<case>", name, name)
		}
	}
}

// ofFunction are the examples that a function is the subject of.
func ofFunction(examples []Example, function string) []*Example {
	var found []*Example
	for i := range examples {
		if strings.HasPrefix(examples[i].Name, function+"-") {
			found = append(found, &examples[i])
		}
	}
	return found
}
