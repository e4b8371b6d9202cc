package packfn

import (
	"path/filepath"
	"strings"
	"testing"
)

const whenKptfile = kptfileText + "pipeline:\n  validators:\n  - exec: validate-pack-values\n    when: %s\n"

// check and render skip a function whose field when is false, and cannot run where its
// value is not known.
func TestWhen(t *testing.T) {
	faulty := strings.Replace(packOf("a", ""), "replicas: 1 ", "replicas: 9 ", 1)
	for _, tc := range []struct {
		when string
		exit int
		part string
	}{
		{`"false"`, 0, ""},
		{`resources.exists(r, r.kind == "Pack" && r.metadata.name == "b")`, 0, ""},
		{`resources.exists(r, r.kind == "Pack" && r.metadata.name == "a")`, 1, "values/format"},
		{`resources.size(`, 1, "7:1: error: pipeline.validators[0]: when: "},
		{`"size(resources)"`, 1, "must yield bool, got int"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "p/Kptfile"), strings.Replace(whenKptfile, "%s", tc.when, 1))
		write(t, filepath.Join(dir, "p/a.yaml"), faulty)
		for _, command := range []string{"check", "render"} {
			if got := packfn(t, dir, command, "p").want(t, tc.exit); !strings.Contains(got.stdout+got.stderr, tc.part) {
				t.Errorf("%s, %s: %s%s", command, tc.when, got.stdout, got.stderr)
			}
		}
	}
}
