package porch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nephio-project/porch/pkg/repository"
)

// resource is a resource of a package that is to be merged.
type resource struct {
	kind, name string
	values     map[string]string
	elements   []string
}

// mergeable is a package that is to be merged.
type mergeable struct {
	description string
	functions   []string
	labels      map[string]string
	files       map[string][]resource
	readmes     map[string]string
}

var kinds = []string{"ConfigMap", "Deployment", "Widget"}

func newResource(r *rand.Rand, name string) resource {
	one := resource{kind: some(r, kinds...), name: name, values: map[string]string{}}
	for range 1 + r.Intn(3) {
		one.values[some(r, "a", "b", "c", "d")] = some(r, "1", "x", "two words", "")
	}
	for _, element := range []string{"e", "f", "g"} {
		if r.Intn(2) == 0 {
			one.elements = append(one.elements, element+"="+some(r, "1", "2"))
		}
	}
	return one
}

func newMergeable(r *rand.Rand) *mergeable {
	p := &mergeable{description: "first", labels: map[string]string{}, files: map[string][]resource{}, readmes: map[string]string{"README.md": "first\n"}}
	for i := range 2 + r.Intn(2) {
		name := some(r, "a.yaml", "b.yaml")
		p.files[name] = append(p.files[name], newResource(r, fmt.Sprintf("r%d", i)))
	}
	p.functions = someFunctions(r)
	return p
}

func someFunctions(r *rand.Rand) []string {
	var chosen []string
	for _, name := range []string{"validate-pack-values", "check-dependencies", "check-resources"} {
		if r.Intn(2) == 0 {
			chosen = append(chosen, name+some(r, "", "", "=named"))
		}
	}
	return chosen
}

func (p *mergeable) clone() *mergeable {
	c := &mergeable{p.description, slices.Clone(p.functions), maps.Clone(p.labels), map[string][]resource{}, maps.Clone(p.readmes)}
	for name, all := range p.files {
		for _, one := range all {
			c.files[name] = append(c.files[name], resource{one.kind, one.name, maps.Clone(one.values), slices.Clone(one.elements)})
		}
	}
	return c
}

// mutate changes a package a little.
func (p *mergeable) mutate(r *rand.Rand, by string) {
	for range r.Intn(4) {
		names := slices.Sorted(maps.Keys(p.files))
		name := some(r, names...)
		if len(p.files[name]) == 0 {
			continue
		}
		at := r.Intn(len(p.files[name]))
		one := &p.files[name][at]
		switch r.Intn(9) {
		case 0, 1:
			one.values[some(r, "a", "b", "c", "d")] = by
		case 2:
			delete(one.values, some(r, "a", "b", "c", "d"))
		case 3:
			one.elements = append(slices.DeleteFunc(one.elements, func(e string) bool { return strings.HasPrefix(e, "f") }), "f="+by)
		case 4:
			one.elements = slices.DeleteFunc(one.elements, func(e string) bool { return strings.HasPrefix(e, "e") })
		case 5:
			p.files[name] = slices.Delete(p.files[name], at, at+1)
			if len(p.files[name]) == 0 {
				delete(p.files, name)
			}
			if len(p.files) == 0 {
				p.files[name] = []resource{newResource(r, "last")}
			}
		case 6:
			name := some(r, "b.yaml", "c.yaml")
			p.files[name] = append(p.files[name], newResource(r, by))
		case 7:
			p.readmes[some(r, "README.md", "NOTES", by)] = by
			p.description = some(r, p.description, by)
		case 8:
			p.functions = someFunctions(r)
			p.labels[some(r, "a", "b")] = by
		}
	}
	for name, all := range p.files { // Porch refuses duplicates before anything else
		p.files[name] = slices.CompactFunc(all, func(a, b resource) bool { return a.kind == b.kind && a.name == b.name })
	}
}

// texts prints a package. Copies have the marks of Porch.
func (p *mergeable) texts(name string, isCopy bool) map[string]string {
	files := maps.Clone(p.readmes)
	kptfile := fmt.Sprintf(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: %s
`, name)
	if len(p.labels) > 0 {
		kptfile += "  labels:\n"
		for _, key := range slices.Sorted(maps.Keys(p.labels)) {
			kptfile += fmt.Sprintf("    %s: %s\n", key, p.labels[key])
		}
	}
	if isCopy {
		git := fmt.Sprintf(`  type: git
  git:
    repo: https://example.com/r.git
    directory: %s
    ref: %s/v1
`, name, name)
		kptfile += "upstream:\n" + git + "upstreamLock:\n" + git + "    commit: 0123456789012345678901234567890123456789\n"
	}
	kptfile += `info:
  description: ` + p.description + "\n"
	if len(p.functions) > 0 {
		kptfile += `pipeline:
  validators:
`
		for _, function := range p.functions {
			image, name, _ := strings.Cut(function, "=")
			kptfile += "    - image: ghcr.io/krm-packs/" + image + ":v0.1.0\n"
			if name != "" {
				kptfile += "      name: " + name + "-" + image + "\n"
			}
		}
	}
	files["Kptfile"] = kptfile
	for name, all := range p.files {
		var b strings.Builder
		for i, one := range all {
			if i > 0 {
				b.WriteString("---\n")
			}
			group, body := "v1", "data"
			switch one.kind {
			case "Deployment":
				group, body = "apps/v1", "spec"
			case "Widget":
				group, body = "example.com/v1", "spec"
			}
			fmt.Fprintf(&b, `apiVersion: %s
kind: %s
metadata:`, group, one.kind)
			if isCopy {
				fmt.Fprintf(&b, " # kpt-merge: /%s", one.name)
			}
			fmt.Fprintf(&b, "\n  name: %s\n", one.name)
			if isCopy {
				g, _, ok := strings.Cut(group, "/")
				if !ok {
					g = ""
				}
				fmt.Fprintf(&b, `  annotations:
    internal.kpt.dev/upstream-identifier: '%s|%s|default|%s'
`, g, one.kind, one.name)
			}
			fmt.Fprintf(&b, `%s:
  own: text
`, body)
			for _, key := range slices.Sorted(maps.Keys(one.values)) {
				fmt.Fprintf(&b, "  %s: %q\n", key, one.values[key])
			}
			if one.kind != "ConfigMap" && len(one.elements) > 0 {
				b.WriteString(`  template:
    spec:
      containers:
`)
				for _, element := range one.elements {
					name, value, _ := strings.Cut(element, "=")
					fmt.Fprintf(&b, `        - name: %s
          image: %q
`, name, value)
				}
			}
		}
		files[name] = b.String()
	}
	return files
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// comparable are the documents of a package without what only a whole Porch writes after
// a merge.
func comparable(t *testing.T, files map[string]string) map[string][]any {
	t.Helper()
	all := documents(t, files)
	for name, list := range all {
		for _, one := range list {
			resource, ok := one.(map[string]any)
			if !ok {
				continue
			}
			if name == "Kptfile" {
				delete(resource, "upstream")
				delete(resource, "upstreamLock")
			}
			metadata, _ := resource["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			delete(annotations, "internal.kpt.dev/upstream-identifier")
			if len(annotations) == 0 {
				delete(metadata, "annotations")
			}
		}
		// The place of a resource in a file means nothing.
		slices.SortFunc(list, func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return bytes.Compare(x, y)
		})
	}
	return all
}

// What packfn fleet says of upgrades is what Porch's updater makes of the same packages.
func TestUpgrades(t *testing.T) {
	const cases = 150
	r := rand.New(rand.NewSource(1))
	dir := t.TempDir()
	args := []string{"fleet", "--set", filepath.Join(dir, "set"), "--downstream", filepath.Join(dir, "down"), "--to", filepath.Join(dir, "out"), "--format", "json", "--output", filepath.Join(dir, "fleet.json")}
	want := map[string]map[string][]any{}
	for i := range cases {
		name := fmt.Sprintf("p%03d", i)
		original := newMergeable(r)
		updated, local := original.clone(), original.clone()
		updated.mutate(r, "theirs")
		local.mutate(r, "ours")
		sides := map[string]map[string]string{"old": original.texts(name, false), "new": updated.texts(name, false), "down/d": local.texts(name, true)}
		for side, files := range sides {
			writeFiles(t, filepath.Join(dir, side, name), files)
		}
		writeFiles(t, filepath.Join(dir, "set"), map[string]string{name + ".yaml": fmt.Sprintf(
			`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: %s
spec:
  upstream:
    repo: r
    package: %s
    workspaceName: v2
  downstream:
    repo: d
    package: %s
`, name, name, name)})
		args = append(args, "--upstream", fmt.Sprintf("r/%s@v1=%s", name, filepath.Join(dir, "old", name)), "--upstream", fmt.Sprintf("r/%s@v2=%s", name, filepath.Join(dir, "new", name)))
		merged, err := (&repository.DefaultPackageUpdater{}).Update(t.Context(), repository.PackageResources{Contents: sides["down/d"]},
			repository.PackageResources{Contents: sides["old"]}, repository.PackageResources{Contents: sides["new"]}, "resource-merge")
		if err == nil {
			want["d/"+name] = comparable(t, merged.Contents)
		}
	}
	command := exec.Command(filepath.Join(programs, "packfn"), args...)
	if out, err := command.CombinedOutput(); err != nil && command.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	var preview struct {
		Packages []struct{ Repo, Package, Outcome, Reason string }
	}
	text, err := os.ReadFile(filepath.Join(dir, "fleet.json"))
	if err == nil {
		err = json.Unmarshal(text, &preview)
	}
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, p := range preview.Packages {
		at := p.Repo + "/" + p.Package
		merged, ok := want[at]
		if !ok {
			if p.Outcome != "refused at upgrade" {
				t.Errorf("%s: Porch rejects it; fleet says: %s", at, p.Outcome)
			}
			continue
		}
		if p.Outcome != "can be deployed" {
			t.Errorf("%s: fleet says: %s %s", at, p.Outcome, p.Reason)
			continue
		}
		got := comparable(t, filesOf(t, filepath.Join(dir, "out", at)))
		if diff := cmp.Diff(merged, got); diff != "" {
			t.Errorf("%s (-Porch +fleet):\n%s", at, diff)
			continue
		}
		same++
	}
	t.Logf("%d of %d packages are the same; Porch rejects %d", same, cases, cases-len(want))
	if same < cases/2 {
		t.Errorf("only %d packages can be compared", same)
	}
}
