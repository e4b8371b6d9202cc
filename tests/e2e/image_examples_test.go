package e2e

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestImageExamples renders examples whose functions are images with kpt, in the form
// that build/imageexamples writes, and compares the outcome with their expectations.
func TestImageExamples(t *testing.T) {
	requireDocker(t)
	const tag = "e2e-examples" // TestImages removes its own images
	dir := filepath.Join(t.TempDir(), "examples")
	if _, err := succeed(root, nil, "go", "run", "./build/imageexamples", "-o", dir, "-prefix", imagePrefix, "-tag", tag); err != nil {
		t.Fatal(err)
	}
	// One that passes with three functions, and one that fails.
	names := []string{"resolve-macros-pipeline", "validate-pack-values-failing"}
	images := []string{"apply-preset", "resolve-macros", "validate-pack-values"}
	if _, err := succeed(filepath.Join(root, "build", "release"), nil, "go", "run", ".", "images", "--load", "--tag", tag,
		"--programs", strings.Join(images, ","), "--platforms", "linux/"+runtime.GOARCH, "--out", t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, name := range images {
			_ = exec.Command("docker", "rmi", imagePrefix+"/"+name+":"+tag).Run()
		}
	})
	kpt, _ := pinned(t)
	for _, name := range names {
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
