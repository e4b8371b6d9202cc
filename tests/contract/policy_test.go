package contract

import (
	"strings"
	"testing"
)

// capact makes a resource of Capact's group.
func capact(kind, name, spec string) string {
	return `apiVersion: ocf.capact.io/v1alpha1
kind: ` + kind + `
metadata:
  name: ` + name + `
  annotations:
    internal.config.kubernetes.io/path: 'hub.yaml'
    internal.config.kubernetes.io/index: '0'
spec: ` + spec + "\n"
}

var (
	capactInterface = capact("Interface", "db", "{path: cap.interface.db, revision: 0.1.0}")
	capactOther     = capact("Interface", "cache", "{path: cap.interface.cache, revision: 0.1.0}")
	capactDB        = capact("Implementation", "rds", "{path: cap.implementation.rds, revision: 0.1.0, implements: [{path: cap.interface.db, revision: 0.1.0}]}")
	capactPolicy    = capact("Policy", "global", "{scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{}]}]}}")
)

// A selection comes after the other resources, which leave byte for byte, and
// names the file that it is to be stored in.
func TestSelections(t *testing.T) {
	input := list(deployment, capactInterface, capactDB, capactPolicy)
	got := start(t, "select-implementations", input)
	if got.exit != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, input) {
		t.Fatalf("exit %d, standard error %q, output:\n%s", got.exit, got.stderr, got.stdout)
	}
	added, _, _ := strings.Cut(got.stdout[len(input):], "results:")
	for _, want := range []string{
		`- apiVersion: ocf.capact.io/v1alpha1
  kind: ImplementationSelection
`,
		"    internal.config.kubernetes.io/path: implementationselections/cap.interface.db-0.1.0.yaml\n", "  outcome: Selected\n",
	} {
		if !strings.Contains(added, want) {
			t.Errorf("%q is not in\n%s", want, added)
		}
	}
	wants(t, got.results(t), "policy/selected", "global", "cap.implementation.rds:0.1.0")
	// Again, nothing changes.
	if again := start(t, "select-implementations", input+added); !strings.HasPrefix(again.stdout, input+added+"results:") {
		t.Errorf("the second run gives\n%s", again.stdout)
	}
}

// What can be selected is written although something else cannot be selected; a faulty
// configuration writes nothing.
func TestSelectionsBesideErrors(t *testing.T) {
	input := list(capactInterface, capactOther, capactDB, capactPolicy)
	got := start(t, "select-implementations", input)
	if got.exit != 1 || !strings.HasPrefix(got.stdout, input) || !strings.Contains(got.stdout, "  outcome: Selected\n") || !strings.Contains(got.stdout, "  outcome: Unsatisfied\n") {
		t.Errorf("exit %d, output:\n%s", got.exit, got.stdout)
	}
	if strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "error: hub.yaml: Policy global: spec.interface.rules[0].oneOf: ") || !strings.Contains(got.stderr, "cap.interface.cache:0.1.0") {
		t.Errorf("standard error is %q", got.stderr)
	}
	input += "functionConfig: {apiVersion: fn.kpt.dev/v1alpha1, kind: SelectImplementations, metadata: {name: x}, spec: {onNotSelected: maybe}}\n"
	got = start(t, "select-implementations", input)
	if got.exit != 1 || !strings.HasPrefix(got.stdout, input) || strings.Contains(got.stdout, "ImplementationSelection") {
		t.Errorf("exit %d, output:\n%s", got.exit, got.stdout)
	}
}

// Parameters may be secrets: no message holds them.
func TestParametersStaySecret(t *testing.T) {
	implementation := capact("Implementation", "rds", "{path: cap.implementation.rds, revision: 0.1.0, implements: [{path: cap.interface.db, revision: 0.1.0}], additionalInput: {parameters: {p: {typeRef: {path: cap.type.p, revision: 0.1.0}}}}}")
	typ := capact("Type", "p", `{path: cap.type.p, revision: 0.1.0, jsonSchema: {value: '{"properties": {"password": {"type": "string", "pattern": "^[0-9]+$"}}}'}}`)
	policy := capact("Policy", "global", "{scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{inject: {additionalParameters: [{name: p, value: {password: hunter2}}]}}]}]}}")
	got := start(t, "select-implementations", list(capactInterface, implementation, typ, policy))
	wants(t, got.results(t), "policy/invalid", "global", `"^[0-9]+$" (JSON schema of cap.type.p:0.1.0)`)
	_, results, _ := strings.Cut(got.stdout, "results:")
	if strings.Contains(results+got.stderr, "hunter2") {
		t.Errorf("the value is shown:\n%s%s", results, got.stderr)
	}
}
