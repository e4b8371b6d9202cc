package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/tests/e2e"
)

// kustomize build, piped to packfn check -, finds what the functions find as transformers.
func TestStandardInput(t *testing.T) {
	tools, err := e2e.BuildTools(root)
	if err != nil {
		t.Fatal(err)
	}
	kustomize := filepath.Join(tools, "kustomize")
	examples, err := filepath.Glob(filepath.Join(root, "examples/*/Kptfile"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, kptfile := range examples {
		name := filepath.Base(filepath.Dir(kptfile))
		dir := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(dir, os.DirFS(filepath.Dir(kptfile))); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
		kustomization := `buildMetadata: [originAnnotations]
resources:
`
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil || filepath.Base(file) == "kustomization.yaml" || strings.Contains(string(text), "apiVersion: "+function.ConfigGroupVersion) {
				continue // of the pipeline
			}
			write(t, file, strings.ReplaceAll(string(text), `local-config: "true"`, `local-config: "false"`)) // others are not in the output
			kustomization += "- " + filepath.Base(file) + "\n"
		}
		write(t, filepath.Join(dir, "kustomization.yaml"), kustomization)
		built := run(t, dir, "", kustomize, "build", ".")
		items := list.FileItems([]byte(built.stdout), "x.yaml")
		if built.exit != 0 || len(items) == 0 || slices.ContainsFunc(items, dependency.IsBundle) { // outside of packages they are candidates
			continue
		}
		compared++
		var want, got []string
		for _, f := range suite.All() {
			if !f.Checks {
				continue
			}
			l := &list.List{}
			for _, item := range items {
				l.Items = append(l.Items, item.Next())
			}
			for _, found := range function.Evaluate(f, l).Findings {
				if id := found.Rule.ID; !strings.HasSuffix(id, "/waiting") && id != "nothing-to-do" && id != "resources/no-pool" {
					want = append(want, f.Name+" "+id+" "+found.Resource().String()+" "+found.Path())
				}
			}
		}
		checked := run(t, dir, built.stdout, program, "check", "-", "--format", "json")
		var file packfntest.File
		if err := json.Unmarshal([]byte(checked.stdout), &file); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, checked.stderr)
		}
		for _, f := range file.Findings {
			if slices.ContainsFunc(suite.All(), func(one function.Function) bool { return one.Checks && one.Name == f.Function }) && f.Rule != "resources/no-pool" {
				got = append(got, f.Function+" "+f.Rule+" "+f.Resource.String()+" "+f.Field)
			}
			if f.Resource != nil && !strings.HasSuffix(f.File, ".yaml") {
				t.Errorf("%s: no file of origin: %+v", name, f)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
			t.Errorf("%s: -functions +check\n%s", name, diff)
		}
	}
	if compared < 15 {
		t.Errorf("only %d examples", compared)
	}
}
