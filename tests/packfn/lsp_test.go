package packfn

import (
	"errors"
	"os/exec"
	"path/filepath"
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
	command := exec.Command(program, "lsp")
	command.Dir = elsewhere
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
	if err := errors.Join(c.Initialize(dir), c.Open("registry.yaml", text)); err != nil {
		t.Fatal(err)
	}
	got := c.Diagnostics["registry.yaml"]
	if len(got) != 1 || got[0].Severity != 2 {
		t.Errorf("got %+v", got)
	}
	if err := errors.Join(c.Leave(), command.Wait()); err != nil {
		t.Error(err)
	}
}
