package packfn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// With --fail-on new only packages that were not refused before make the exit code 1.
func TestFleetFailOnNew(t *testing.T) {
	dir := t.TempDir()
	upstream := filepath.Join(dir, "platform")
	if err := os.CopyFS(upstream, os.DirFS(filepath.Join(root, exampleUpstream))); err != nil {
		t.Fatal(err)
	}
	makeFleet(t, filepath.Join(dir, "set"), 10)
	run := func(exit int, args ...string) outcome {
		t.Helper()
		return packfn(t, dir, append([]string{"fleet", "--set", "set", "--upstream", "platform"}, args...)...).want(t, exit)
	}
	run(1, "--to", "before")
	if got := run(0, "--against", "before", "--fail-on", "new").stdout; !strings.Contains(got, "refused as before: 2 (") {
		t.Errorf("the outcomes are not compared:\n%s", got)
	}
	run(1, "--against", "before", "--fail-on", "error")
	vault := filepath.Join(upstream, "vault.yaml")
	text, err := os.ReadFile(vault)
	if err != nil {
		t.Fatal(err)
	}
	// One cluster is large enough now.
	write(t, vault, strings.Replace(string(text), "replicas: 5", "replicas: 3", 1))
	got := run(0, "--against", "before", "--fail-on", "new", "--to", "after")
	if !strings.Contains(got.stdout, "no longer refused: 1 (ap-south-1") || !strings.Contains(got.stdout, "refused as before: 1 (eu-central-3") {
		t.Errorf("the outcomes differ otherwise:\n%s", got.stdout)
	}
	write(t, vault, string(text))
	file := readFleet(t, run(1, "--against", "after", "--fail-on", "new", "--format", "json"))
	o := file.Changes.Outcomes
	if o == nil || len(o.NewlyRefused) != 1 || len(o.NoLongerRefused) != 0 || len(o.RefusedAsBefore) != 1 {
		t.Errorf("got %+v", o)
	}

	// A folder without a record, as earlier versions wrote it.
	if err := os.Remove(filepath.Join(dir, "before", ".packfn-fleet")); err != nil {
		t.Fatal(err)
	}
	old := packfn(t, dir, "fleet", "--set", "set", "--upstream", "platform", "--against", "before").want(t, 1, "before: outcomes cannot be compared")
	if strings.Contains(old.stdout, "refused:") || !strings.Contains(old.stdout, "no change in 10 clusters") {
		t.Errorf("the files are not compared:\n%s", old.stdout)
	}
	before := tree(t, dir)
	for _, args := range [][]string{{"--against", "before", "--fail-on", "new", "--to", "x"}, {"--fail-on", "new"}, {"--fail-on", "nwe", "--against", "after"}} {
		run(2, args...)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files change:\n%s", diff)
	}
}
