package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// imageTag is the tag of the images that the test builds. It is not that of a release, and not the default of
// `make images`, so that the test replaces nobody's images.
const imageTag = "e2e"

const imagePrefix = "ghcr.io/krm-packs"

// requireDocker skips a test on a machine that cannot run images, or fails it if REQUIRE_DOCKER is set.
func requireDocker(t *testing.T) {
	t.Helper()
	output, err := exec.Command("docker", "info", "--format", "{{.ServerVersion}}").CombinedOutput()
	if err != nil {
		reason := strings.TrimSpace(string(output))
		if reason == "" {
			reason = err.Error()
		}
		if os.Getenv("REQUIRE_DOCKER") != "" {
			t.Fatalf("Docker does not answer: %s", reason)
		}
		t.Skipf("no images are tested: Docker does not answer: %s (REQUIRE_DOCKER=1 makes this an error)", reason)
	}
	note("e2e runs images with Docker %s", strings.TrimSpace(string(output)))
}

// TestImages builds the image of each function, and runs it with kpt on the first example of the function.
func TestImages(t *testing.T) {
	requireDocker(t)
	names, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	examples, err := Examples(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	kpt, _ := pinned(t)
	env := []string{"TAG=" + imageTag, "PREFIX=" + imagePrefix}
	built, err := succeed(root, env, filepath.Join(root, "build", "images.sh"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(built.stdout)
	for _, name := range names {
		image := imagePrefix + "/" + name + ":" + imageTag
		t.Cleanup(func() { _ = exec.Command("docker", "rmi", image).Run() })
		if name == allFunctions {
			continue
		}
		t.Run(name, func(t *testing.T) {
			own := ofFunction(examples, name)
			if len(own) == 0 {
				t.Fatalf("functions/%s has no example to run its image on", name)
			}
			example := *own[0]
			if err := example.Load(true); err != nil {
				t.Fatal(err)
			}
			if err := (Runner{Bin: functionsBin()}).Image(kpt, &example, name, image); err != nil {
				t.Errorf("%s: %v", example.Name, err)
			}
		})
	}
}
