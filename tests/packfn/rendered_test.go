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

// rendered is a package whose preset and macro make values that its schema refuses. The
// preset adds lines, so that places in the rendered text are not those on disk.
const renderedPack = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
  annotations: {config.kubernetes.io/local-config: 'true'}
data:
  pack.json: '{"name": "vault", "version": "1.0.0"}'
  values.yaml: |
    registry:
      mode: one
      port: 5001
      token: "{{ .spectro.var.TOKEN }}"
      name: 5
  schema.yaml: |
    registry.port:
      schema: '{{ required | format "${number:[5000-5005]}" }}'
    registry.token:
      schema: '{{ required | format "${string:/^x/}" }}'
    registry.name:
      schema: '{{ format "${string:/^a/}" }}'
    registry.added:
      schema: '{{ format "${number:[1-2]}" }}'
  presets.yaml: |
    presets:
    - name: ha
      add: |
        registry:
          mode:
            kind: three
          port: 70000
          added: 7
`

const renderedKptfile = kptfileText + `pipeline:
  mutators:
  - exec: apply-preset
    configMap: {vault: ha}
  - image: ghcr.io/krm-packs/resolve-macros:v1
    configMap: {variables.TOKEN: bad}
  validators:
  - exec: another-program
`

// The checks see the package after its mutators. A finding has the line
// on disk, and names the function that changed the resource.
func TestCheckRendered(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p/Kptfile"), renderedKptfile)
	write(t, filepath.Join(dir, "p/vault.yaml"), "# first\napiVersion: v1\nkind: Secret\nmetadata: {name: other}\n---\n"+renderedPack)
	write(t, filepath.Join(dir, "p/same.yaml"), strings.NewReplacer("vault", "same", "5001", "70000", `"{{ .spectro.var.TOKEN }}"`, "xa").Replace(renderedPack))
	before := tree(t, dir)
	line := func(file, text string) int {
		return strings.Count(before[file][:strings.Index(before[file], text)], "\n") + 1
	}
	if got := findings(t, dir, 1, "p", "--as-written", "--packs", "vault"); len(got) != 2 || got[0].Key != "registry.token" || got[1].Key != "registry.name" {
		t.Errorf("as written: %v", facts(got))
	}
	want := map[string]int{ // the lines by the keys
		"same registry.port": line("p/same.yaml", "port: 70000"), "same registry.name": line("p/same.yaml", "name: 5"),
		"vault registry.port": line("p/vault.yaml", "port: 5001"), "vault registry.token": line("p/vault.yaml", "token:"),
		"vault registry.name":  line("p/vault.yaml", "name: 5"),
		"vault registry.added": line("p/vault.yaml", "registry:"), // the nearest key that is on disk
	}
	places := map[string]int{}
	for _, f := range findings(t, dir, 1, "p", "--only", "values/format") {
		places[f.Pack+" "+f.Key] = f.Line
		if by := map[string]string{"vault": " (after resolve-macros)"}[f.Pack]; by != "" && !strings.HasSuffix(f.Message, by) || by == "" && strings.Contains(f.Message, "(after") {
			t.Errorf("got %s", f.Message)
		}
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
	// What the mutators report is part of the list, under the same options.
	if got := findings(t, dir, 0, "p", "--only", "preset/applied"); len(got) != 1 || got[0].File != "p/vault.yaml" {
		t.Errorf("preset/applied: %v", facts(got))
	}

	// If a mutator fails, or is not of the suite, the package is checked as it is on disk.
	write(t, filepath.Join(dir, "p/Kptfile"), strings.Replace(renderedKptfile, "vault: ha", "vault: he", 1))
	asWritten := facts(findings(t, dir, 1, "p", "--as-written"))
	got := findings(t, dir, 1, "p")
	if got[0].Rule != "preset/unknown" || got[0].File != "p/Kptfile" || got[0].Line != 8 || got[0].Resource.String() != "Kptfile p" || got[0].Field != "pipeline.mutators[0].configMap.vault" {
		t.Errorf("a mutator that fails: %+v", got[0])
	}
	if diff := cmp.Diff(asWritten, facts(got[1:])); diff != "" {
		t.Errorf("after a mutator that fails (-as written +got):\n%s", diff)
	}
	packfn(t, dir, "check", "p").want(t, 1, "p: the pipeline stops at the errors of a mutator, so packfn checks the package as it is on disk")
	write(t, filepath.Join(dir, "p/Kptfile"), strings.Replace(renderedKptfile, "exec: apply-preset", "image: example.com/set-labels:v1", 1))
	packfn(t, dir, "check", "p").want(t, 1, "p: mutators of other suites do not run (set-labels): what they change is checked as it is without them")
	others := strings.Split(strings.Replace(strings.Join(asWritten, "\n"), "info values/deferred p/vault.yaml:17", "error values/format p/vault.yaml:17", 1), "\n")
	if diff := cmp.Diff(others, facts(findings(t, dir, 1, "p"))); diff != "" {
		t.Errorf("with a mutator of another suite (-others ran +got):\n%s", diff)
	}
	// So it is if a Kptfile has a field that packfn does not know.
	write(t, filepath.Join(dir, "p/Kptfile"), renderedKptfile+"new: 1\n")
	if diff := cmp.Diff(append([]string{"warning kptfile/unknown-field p/Kptfile:13:1"}, asWritten...), facts(findings(t, dir, 1, "p"))); diff != "" {
		t.Errorf("with an unknown field (-want +got):\n%s", diff)
	}
	packfn(t, dir, "check", "p").want(t, 1, "p: the mutators do not run, because packfn does not know a field of p/Kptfile")
	write(t, filepath.Join(dir, "p/Kptfile"), strings.Replace(renderedKptfile, "exec: apply-preset", "exec: apply-presets", 1))
	packfn(t, dir, "render", "p").want(t, 1, "p: nothing is written")
}

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
