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
// no faults. Each function removes one from all files of a package.
var allowed = map[string]func(t *testing.T, files map[string]string) map[string]string{
	// packfn reads the upstream package from a folder, which need not be in git. So it takes
	// another commit, which functions that record it copy into resources.
	"the commit of the upstream package": func(t *testing.T, files map[string]string) map[string]string {
		var kptfile struct {
			UpstreamLock struct{ Git struct{ Commit string } }
		}
		if err := yaml.Unmarshal([]byte(files["Kptfile"]), &kptfile); err != nil {
			t.Fatalf("Kptfile: %v\n%s", err, files["Kptfile"])
		}
		commit := kptfile.UpstreamLock.Git.Commit
		if commit == "" {
			return files
		}
		named := map[string]string{}
		for name, text := range files {
			named[name] = strings.ReplaceAll(text, commit, "COMMIT")
		}
		return named
	},
}

// comparePackages compares a package that Porch made with one that packfn predicts: every
// resource as YAML, and every other file byte by byte.
func comparePackages(t *testing.T, what string, porch, packfn map[string]string) {
	t.Helper()
	for _, difference := range differences(t, porch, packfn) {
		t.Errorf("%s: %s", what, difference)
	}
}

func differences(t *testing.T, porch, packfn map[string]string) (found []string) {
	t.Helper()
	for _, remove := range allowed {
		porch, packfn = remove(t, porch), remove(t, packfn)
	}
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
			found = append(found, name+": only packfn has it")
		case !isPredicted:
			found = append(found, name+": only Porch has it")
		case !isResources(name):
			if made != predicted {
				found = append(found, name+" (-Porch +packfn):\n"+cmp.Diff(made, predicted))
			}
		default:
			if diff := cmp.Diff(resources(t, name, made), resources(t, name, predicted)); diff != "" {
				found = append(found, name+" (-Porch +packfn):\n"+diff)
			}
		}
	}
	return found
}

// isResources reports whether Porch takes a file for resources.
func isResources(name string) bool {
	base := filepath.Base(name)
	return base == "Kptfile" || slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(base))
}

// resources are the documents of a file.
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
		all = append(all, resource)
	}
	return all
}

// TestDifferences shows that the comparison sees what differs, and only that.
func TestDifferences(t *testing.T) {
	const kptfile = `kind: Kptfile
metadata: {name: a}
upstreamLock: {git: {ref: main, commit: abc}}
`
	porch := map[string]string{
		"Kptfile": kptfile,
		"a.yaml": `kind: A
spec: {a: '1', b: [1, 2]}
---
kind: B
`,
		"README.md":  "text\n",
		".krmignore": "x\n",
	}
	for name, test := range map[string]struct {
		file, text string
		want       int
	}{
		"equal": {"README.md", "text\n", 0},
		"order and quotes": {"a.yaml", `# comment
spec:
  b:
    - 1
    - 2
  a: "1"
kind: A
---
kind: B
`, 0},
		"another commit": {"Kptfile", strings.Replace(kptfile, "abc", "def", 1), 0},
		"no commit":      {"Kptfile", strings.Replace(kptfile, ", commit: abc", "", 1), 1},
		"another ref":    {"Kptfile", strings.Replace(kptfile, "main", "v1", 1), 1},
		"another type": {"a.yaml", `kind: A
spec: {a: 1, b: [1, 2]}
---
kind: B
`, 1},
		"another order": {"a.yaml", `kind: A
spec: {a: '1', b: [2, 1]}
---
kind: B
`, 1},
		"a resource less": {"a.yaml", `kind: A
spec: {a: '1', b: [1, 2]}
`, 1},
		"another text":        {"README.md", "text\n\n", 1},
		"another hidden file": {".krmignore", "y\n", 1},
		"a file more":         {"b.yaml", "kind: C\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			packfn := maps.Clone(porch)
			packfn[test.file] = test.text
			if found := differences(t, porch, packfn); len(found) != test.want {
				t.Errorf("found %d differences, want %d: %v", len(found), test.want, found)
			}
			if found := differences(t, packfn, porch); len(found) != test.want {
				t.Errorf("the other way: found %d differences, want %d: %v", len(found), test.want, found)
			}
		})
	}
}
