package packfn

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krm-packs/functions/tests/editor"
)

// The configuration of a workspace counts, and not that of the folder in which the editor was
// started.
func TestWorkspaceConfiguration(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: registry
data:
  pack.json: '{"name": "registry", "version": "1.0.0", "layer": "addon"}'
  values.yaml: 'port: 70000'
  schema.yaml: |
    port: {schema: '{{ format "${number:[1-65535]}" }}'}
`
	write(t, filepath.Join(dir, "registry.yaml"), text)
	const configuration = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nseverity:\n  values/format: "
	write(t, filepath.Join(dir, "packfn.yaml"), configuration+"warning\n")
	write(t, filepath.Join(elsewhere, "packfn.yaml"), configuration+"off\n")
	c := serveEditor(t, dir, elsewhere)
	if err := c.Open("registry.yaml", text); err != nil {
		t.Fatal(err)
	}
	got := c.Diagnostics["registry.yaml"]
	if len(got) != 1 || got[0].Severity != 2 {
		t.Errorf("got %+v", got)
	}
}

// Charts are rendered when a file is saved, if the configuration says so. What that finds stays
// while the user types.
func TestTemplatesAtSave(t *testing.T) {
	dir := repositoryWithConfig(t, "sources: [packs]\nchecks:\n  template: true\n")
	const name = "packs/web-1.0.0/values.yaml"
	write(t, filepath.Join(dir, "packs/web-1.0.0/charts/c/templates/b.yaml"), `# {{ required "set a" .Values.a }}`)
	before := tree(t, dir)[name]
	c := serveEditor(t, dir, dir)
	fails := func(when string, want bool, err error) {
		t.Helper()
		has := false
		for _, all := range c.Diagnostics {
			has = has || slices.ContainsFunc(all, func(d editor.Diagnostic) bool { return d.Code == "values/chart-fails" })
		}
		if err != nil || has != want {
			t.Errorf("%s: values/chart-fails: %v %v", when, has, err)
		}
	}
	fails("after the file is opened", false, c.Open(name, before))
	fails("after it is saved", true, c.Save(name))
	mended := before + "    a: 1\n"
	fails("while it is changed", true, c.Change(name, mended))
	write(t, filepath.Join(dir, name), mended)
	fails("after it is mended and saved", false, c.Save(name))
}

// serveEditor starts packfn lsp in a folder, for a workspace. It ends with the test.
func serveEditor(t *testing.T, workspace, in string) *editor.Client {
	t.Helper()
	command := exec.Command(program, "lsp")
	command.Dir = in
	to, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c := editor.New(from, to)
	t.Cleanup(func() {
		if err := errors.Join(c.Leave(), command.Wait()); err != nil {
			t.Error(err)
		}
	})
	if err := c.Initialize(workspace); err != nil {
		t.Fatal(err)
	}
	return c
}
