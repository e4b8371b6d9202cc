package e2e

import (
	"path/filepath"
	"testing"
)

// TestImageExamples renders examples whose functions are images with kpt, in the form
// that build/imageexamples writes, and compares the outcome with their expectations.
func TestImageExamples(t *testing.T) {
	requireDocker(t)
	if err := images(); err != nil {
		t.Fatal(err)
	}
	bin, err := Build(root, "build", root, "./build/imageexamples")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "examples")
	if _, err := succeed(root, nil, filepath.Join(bin, "imageexamples"), "-o", dir, "-prefix", imagePrefix, "-tag", imageTag); err != nil {
		t.Fatal(err)
	}
	kpt, _ := pinned(t)
	// One that passes with three functions, and one that fails.
	for _, name := range []string{"resolve-macros-pipeline", "validate-pack-values-failing"} {
		example := &Example{Name: name, Dir: filepath.Join(dir, name)}
		if err := example.Load(false); err != nil {
			t.Fatal(err)
		}
		example.Config.Flags = append(example.Config.Flags, "--image-pull-policy", "Never")
		if err := (Runner{}).Kpt(kpt, example); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
