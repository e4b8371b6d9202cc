package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// Sets that select nothing say so at their lines, with the labels that exist.
func TestUnmatchedSets(t *testing.T) {
	w := newWorld(t)
	w.edit("set/set.yaml", "env: production", "env: none")
	p := w.run(nil)
	if len(p.Rows) != 0 || !p.Sets.Failed() {
		t.Fatalf("%d packages: %+v", len(p.Rows), p.Sets.Findings)
	}
	var found []string
	for _, f := range p.Sets.Findings {
		if f.Severity == diag.Error {
			found = append(found, fmt.Sprintf("%s %s:%d", f.Rule, f.File, f.Line))
			if !strings.Contains(f.Message, "production") {
				t.Errorf("no label that exists: %s", f.Message)
			}
		}
	}
	if want := []string{fmt.Sprintf("variant-set/unmatched set/set.yaml:%d", w.lineOf("set/set.yaml", "targets:", "repositorySelector"))}; !slices.Equal(found, want) {
		t.Errorf("got %q, want %q", found, want)
	}
}

// Where no function of a package resolves macros, fleet checks them by the facts of the clusters.
func TestUnresolvedMacros(t *testing.T) {
	w := newWorld(t)
	w.edit("upstream/Kptfile", "    - exec: resolve-macros\n", "")
	w.edit("upstream/Kptfile", "  mutators:\n", "")
	w.edit("upstream/vault.yaml", "  values.yaml: |\n", "  values.yaml: |\n    other: \"{{ .spectro.system.clustr.name }}\"\n")
	p := w.run(nil)
	found := map[string]int{}
	for i := range p.Groups {
		if g := &p.Groups[i]; strings.HasPrefix(g.Finding.Rule, "macro/") {
			found[string(g.Finding.Severity)+" "+g.Finding.Rule] += len(g.Packages)
		}
	}
	if found["warning macro/unknown"] != 10 || found["info macro/unresolved"] != 10 || len(found) != 2 {
		t.Errorf("got %v", found)
	}
}
