package packfn

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/krm-packs/functions/tests/e2e"
)

// isForeign matches what packfn render says of a function of others, which it does not run.
var isForeign = regexp.MustCompile("is not a function of this suite")

// isImage matches what kpt says of an image that it cannot run: it does not reject the Kptfile.
var isImage = regexp.MustCompile("docker|podman|nerdctl")

// asKpt returns whether kpt rejects the package p in a folder, where packfn check ended with an exit code. packfn check
// and packfn render must do the same. newer is the version that reads the package, if the pinned kpt is older.
func asKpt(t *testing.T, dir string, exit int, newer string) string {
	t.Helper()
	bin, err := e2e.BuildTools(root) // versions differ in what they reject
	if err != nil {
		t.Fatal(err)
	}
	kpt := filepath.Join(bin, "kpt")
	t.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	render := packfn(t, dir, "render", "p")
	byKpt := run(t, dir, "", kpt, "fn", "render", "p", "--allow-exec")
	isRejected := byKpt.exit != 0 && !isImage.MatchString(byKpt.stderr)
	want, verdict := 0, "kpt reads it\n"
	switch {
	case isRejected && newer != "":
		verdict = "kpt reads it since " + newer
	case isRejected:
		want, verdict = 1, "kpt rejects it\n"
	case newer != "":
		t.Errorf("the pinned kpt reads it, not only %s", newer)
	}
	if exit != want || !isForeign.MatchString(render.stderr) && min(render.exit, 1) != want {
		t.Errorf("packfn check exits with %d, packfn render with %d:\n%s%s\nkpt exits with %d:\n%s", exit, render.exit, render.stdout, render.stderr, byKpt.exit, byKpt.stderr)
	}
	return verdict
}
