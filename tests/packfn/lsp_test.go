package packfn

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/cli"
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
	fails := func() (has bool) {
		for _, all := range c.Diagnostics {
			has = has || slices.ContainsFunc(all, func(d editor.Diagnostic) bool { return d.Code == "values/chart-fails" })
		}
		return has
	}
	if err := c.Open(name, before); err != nil || fails() {
		t.Errorf("after the file is opened: %+v, %v", c.Diagnostics, err)
	}
	if err := errors.Join(c.Save(name), c.Until(fails)); err != nil {
		t.Fatal(err)
	}
	mended := before + "    a: 1\n"
	if err := c.Change(name, mended); err != nil || !fails() {
		t.Errorf("while it is changed: %+v, %v", c.Diagnostics, err)
	}
	write(t, filepath.Join(dir, name), mended)
	if err := errors.Join(c.Save(name), c.Until(func() bool { return !fails() })); err != nil {
		t.Error(err)
	}
}

// serveEditor starts packfn lsp in a folder, for a workspace. It ends with the test.
func serveEditor(t *testing.T, workspace, in string) *editor.Client {
	t.Helper()
	t.Chdir(in)
	c := serveLSP(t, suiteProgram())
	if err := c.Initialize(workspace); err != nil {
		t.Fatal(err)
	}
	return c
}

// serveLSP starts packfn lsp in this process. It ends with the test.
func serveLSP(t *testing.T, p cli.Program) *editor.Client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(p, []string{"lsp"}, fromClient, toClient, &stderr) }()
	c := editor.New(fromServer, toServer)
	t.Cleanup(func() {
		if err := c.Leave(); err != nil {
			t.Error(err)
		}
		if exit := <-ended; exit != 0 || stderr.Len() > 0 {
			t.Errorf("packfn lsp ends with %d:\n%s", exit, &stderr)
		}
		toClient.Close()
	})
	return c
}
