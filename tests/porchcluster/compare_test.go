package porchcluster

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// allowed are the differences between a package of Porch and one of `packfn fleet` that are
// no faults. Each function removes one from a resource of both.
var allowed = map[string]func(resource map[string]any){}

// comparePackages compares a package that Porch made with one that packfn predicts: every
// resource as YAML, and every other file byte by byte.
func comparePackages(t *testing.T, porch, packfn map[string]string) {
	t.Helper()
	names := map[string]bool{}
	for name := range porch {
		names[name] = true
	}
	for name := range packfn {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		made, isMade := porch[name]
		predicted, isPredicted := packfn[name]
		switch {
		case !isMade:
			t.Errorf("%s: only packfn has it", name)
		case !isPredicted:
			t.Errorf("%s: only Porch has it", name)
		case !isResources(name):
			if made != predicted {
				t.Errorf("%s (-Porch +packfn):\n%s", name, cmp.Diff(made, predicted))
			}
		default:
			if diff := cmp.Diff(resources(t, name, made), resources(t, name, predicted)); diff != "" {
				t.Errorf("%s (-Porch +packfn):\n%s", name, diff)
			}
		}
	}
}

// isResources reports whether Porch takes a file for resources.
func isResources(name string) bool {
	base := filepath.Base(name)
	return base == "Kptfile" || slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(base))
}

// resources are the documents of a file without the differences that are allowed.
func resources(t *testing.T, name, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for document := range strings.SplitSeq("\n"+text, "\n---") {
		var resource map[string]any
		if err := yaml.Unmarshal([]byte(document), &resource); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if resource == nil {
			continue
		}
		for _, remove := range allowed {
			remove(resource)
		}
		all = append(all, resource)
	}
	return all
}
