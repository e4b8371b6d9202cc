package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// deployment is a JSON schema of Deployments, as kubeconform takes it from its server.
const deployment = `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"],
	"properties": {"apiVersion": {"const": "apps/v1"}, "spec": {"type": "object", "required": ["selector", "template"], "properties": {"replicas": {"type": "integer"}}}}}`

// `packfn template … | kubeconform -` validates what a pack deploys: a value that makes a
// manifest wrong is found there.
func TestTemplate(t *testing.T) {
	bin, err := filepath.Abs("../../.cache/kubeconform")
	if err == nil {
		err = build(bin)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "registry"), os.DirFS("../../docs/packs/registry-2.3.0")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "deployment.json"), []byte(deployment), 0o600); err != nil {
		t.Fatal(err)
	}
	validate := func() (string, bool) {
		t.Helper()
		template := exec.Command(filepath.Join(bin, "packfn"), "template", filepath.Join(dir, "registry"))
		text, err := template.Output()
		if err != nil {
			t.Fatal(err)
		}
		command := exec.Command(filepath.Join(bin, "kubeconform"), "-strict", "-summary", "-schema-location", dir+"/{{ .ResourceKind }}.json", "-")
		command.Stdin = bytes.NewReader(text)
		output, err := command.CombinedOutput()
		return string(output), err == nil
	}
	if output, ok := validate(); !ok || !strings.Contains(output, "Valid: 1") {
		t.Errorf("got %s", output)
	}
	values := filepath.Join(dir, "registry/values.yaml")
	text, err := os.ReadFile(values)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "replicas: 2", "replicas: two", 1)
	if err := os.WriteFile(values, []byte(wrong), 0o600); err != nil || wrong == string(text) {
		t.Fatal(err)
	}
	if output, ok := validate(); ok || !strings.Contains(output, "/spec/replicas") {
		t.Errorf("got %s", output)
	}
}
