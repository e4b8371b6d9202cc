package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

// imageTag is the tag of the images that the test builds. It is not that of a release, so that the test replaces no
// image of the user.
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

// imaged are the programs whose images are tested: by default that of all functions, and those that the examples of
// TestImageExamples need.
func imaged() ([]string, error) {
	if All() || os.Getenv("REQUIRE_DOCKER") != "" {
		return Functions(root)
	}
	return []string{"apply-preset", allFunctions, "resolve-macros", "validate-pack-values"}, nil
}

// images builds the images and gives them to Docker, once. TestMain removes them.
var images = sync.OnceValue(func() error {
	bin, err := Build(root, "release", filepath.Join(root, "build", "release"), ".")
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp("", "e2e-images-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	names, err := imaged()
	if err != nil {
		return err
	}
	haveImages = true
	_, err = succeed(filepath.Join(root, "build", "release"), nil, filepath.Join(bin, "release"), "images", "--load", "--tag", imageTag,
		"--programs", strings.Join(names, ","), "--platforms", "linux/"+runtime.GOARCH, "--out", out)
	return err
})

var haveImages bool

// removeImages removes what images gave to Docker.
func removeImages() {
	if !haveImages {
		return
	}
	names, err := imaged()
	if err != nil {
		return
	}
	for _, name := range names {
		_ = exec.Command("docker", "rmi", imagePrefix+"/"+name+":"+imageTag).Run()
	}
}

// TestImages runs each image of a function with kpt on the first example of the function.
func TestImages(t *testing.T) {
	requireDocker(t)
	bin, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	names, err := imaged()
	if err != nil {
		t.Fatal(err)
	}
	examples, err := Examples(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	kpt, _ := pinned(t)
	if err := images(); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		image := imagePrefix + "/" + name + ":" + imageTag
		if name == allFunctions {
			continue
		}
		t.Run(name+" confined", func(t *testing.T) { confined(t, bin, name, image) })
		t.Run(name, func(t *testing.T) {
			own := ofFunction(examples, name)
			if len(own) == 0 {
				t.Fatalf("functions/%s has no example to run its image on", name)
			}
			example := *own[0]
			if err := example.Load(true); err != nil {
				t.Fatal(err)
			}
			if err := (Runner{Bin: bin}).Image(kpt, &example, name, image); err != nil {
				t.Errorf("%s: %v", example.Name, err)
			}
		})
	}
}

// confined runs the image of a function without network, capabilities and a file system to write to, as another user
// than the image's, and compares it with the function's own program. The image of all functions gives the same, by the
// kind of the functionConfig and by its argument.
func confined(t *testing.T, bin, name, image string) {
	kind := ""
	for _, f := range suite.All() {
		if f.Name == name {
			kind = f.Kind
		}
	}
	list := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ` + kind +
		`
  metadata:
    name: config
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: vault
  data:
    pack.json: '{"name": 1}'
    values.yaml: 'a: 1'
`
	run := func(program string, args ...string) (string, int) {
		command := exec.Command(program, args...)
		command.Stdin = strings.NewReader(list)
		out, err := command.Output()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		return string(out), command.ProcessState.ExitCode()
	}
	want, exit := run(filepath.Join(bin, name))
	if !strings.Contains(want, "kind: ResourceList") {
		t.Fatalf("%s prints no list: %q", name, want)
	}
	all := imagePrefix + "/" + allFunctions + ":" + imageTag
	for _, args := range [][]string{{image}, {all}, {all, name}} {
		flags := []string{"run", "--rm", "-i", "--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "nobody"}
		got, code := run("docker", append(flags, args...)...)
		if got != want || code != exit {
			t.Errorf("docker run %v: exit %d and\n%s\nthe program: exit %d and\n%s", args, code, got, exit, want)
		}
	}
}
