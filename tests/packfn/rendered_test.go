package packfn

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
)

var after = regexp.MustCompile(` \(after [a-z-]+\)$`)

// Check finds in each example what it finds after a render has written the package.
func TestCheckRenderedEqualsRender(t *testing.T) {
	examples, err := filepath.Glob(filepath.Join(root, "examples/*/Kptfile"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	compared := 0
	for _, kptfile := range examples {
		name := filepath.Base(filepath.Dir(kptfile))
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "p"), os.DirFS(filepath.Dir(kptfile))); err != nil {
			t.Fatal(err)
		}
		listed := func(args ...string) []string {
			var found []string
			r := packfn(t, dir, append([]string{"check", "p", "--format", "json"}, args...)...)
			for _, f := range readFindings(t, r) {
				if checks(f.Function) {
					found = append(found, strings.Join([]string{string(f.Severity), f.Rule, f.File, f.Resource.String(), f.Field, f.Key, withoutLines(after.ReplaceAllString(f.Message, ""))}, "\n"))
				}
			}
			slices.Sort(found)
			return found
		}
		got := listed()
		if r := packfn(t, dir, "render", "p"); r.exit != 0 {
			continue // nothing was written
		}
		compared++
		if diff := cmp.Diff(listed("--as-written"), got); diff != "" {
			t.Errorf("%s: (-render, check --as-written +check):\n%s", name, diff)
		}
	}
	if compared < 15 {
		t.Errorf("only %d examples compared", compared)
	}
}

// checks reports whether packfn check runs a function.
func checks(name string) bool {
	return slices.ContainsFunc(suite.All(), func(f function.Function) bool { return f.Checks && f.Name == name })
}
