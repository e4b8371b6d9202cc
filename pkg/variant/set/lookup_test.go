package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
)

func TestTooMany(t *testing.T) {
	names := make([]string, 1001)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
	}
	inventory := &Inventory{}
	for i := range 1000 {
		inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: fmt.Sprint("r", i)})
	}
	_, lines := expandWith(t, withTarget(`objectSelector: {apiVersion: v1, kind: A}
  packageNames: [`+strings.Join(names, ", ")+"]"), inventory)
	if diff := cmp.Diff([]string{`error variant-set/invalid spec.targets got="more than 50050 variants of all sets" want=fewer`, "warning variant-set/not-in-porch spec.targets[0].packageNames"}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Repositories that are written one by one have no limit of this kind, and all sets of a run
// have one together.
func TestLimitOfVariants(t *testing.T) {
	var written []string
	for i := range SomeVariants + 1 {
		written = append(written, fmt.Sprintf("{name: r%d}", i))
	}
	if _, lines := expandWith(t, withTarget("repositories: ["+strings.Join(written, ", ")+"]"), repositories(nil, "a")); slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "more than") }) {
		t.Errorf("got %s", lines[0])
	}
	var names []string
	for i := range 150 {
		names = append(names, fmt.Sprint("r", i))
	}
	budget := &Budget{}
	for run, want := range []bool{false, false, true} {
		e, _ := New(read(t, withTarget(`repositorySelector: {}
  packageNames: [`+strings.TrimSuffix(strings.Repeat("p, ", 30), ", ")+"]")), NewEnvironment())
		e.Budget = budget
		_, findings := e.Expand(repositories(nil, names...), 0)
		if got := slices.ContainsFunc(findings, func(f diag.Finding) bool { return strings.Contains(f.Found, "more than 10000 variants of all sets") }); got != want {
			t.Errorf("set %d: %v", run, facts(findings)[:1])
		}
	}
}
