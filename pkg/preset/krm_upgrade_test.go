package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func kptfileAt(commit string) string {
	return "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n  annotations:\n    config.kubernetes.io/path: Kptfile\nupstreamLock:\n  type: git\n  git:\n    commit: " + commit + "\n---\n"
}

const cloned = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault-1
  annotations:
    config.kubernetes.io/path: packs/vault.yaml
data:
  pack.json: '{"name": "vault", "version": "1.0.0"}'
  presets.yaml: |
    presets:
    - {name: ha, group: size, add: {replicas: 3, memory: 4Gi, backup: true}}
  values.yaml: |
    replicas: 1
    memory: 1Gi
`

// upgraded is the values of a package whose upstream replaced them, with an edit of
// replicas that was rendered before.
func upgraded(t *testing.T, config string) string {
	t.Helper()
	output, _ := evaluate(t, config, kptfileAt("c1")+cloned)
	output, facts := evaluate(t, config, strings.Replace(output, "    replicas: 3\n    memory", "    replicas: 7\n    memory", 1))
	if want := []string{"info preset/applied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha", "info preset/edited ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault"}; cmp.Diff(want, facts) != "" {
		t.Fatalf("before the upgrade: %q", facts)
	}
	return strings.NewReplacer("commit: c1", "commit: c2", "    replicas: 7\n    memory: 4Gi\n    backup: true\n", "    replicas: 1\n    memory: 2Gi\n").Replace(output)
}

// The commit of the Kptfile shows that an upgrade replaced the values: the preset is set
// again, and the lost edit is reported, also by the next runs.
func TestUpgrade(t *testing.T) {
	config := asked("vault ha")
	items := upgraded(t, config)
	output, facts := evaluate(t, config, items)
	want := []string{
		"info preset/applied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha",
		"info preset/reapplied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha",
		"warning preset/edit-lost ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] key=replicas at=1:11 pack=vault group=size preset=ha",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !strings.Contains(output, "    replicas: 3\n    memory: 4Gi\n    backup: true\n") {
		t.Errorf("the preset is not set again:\n%s", output)
	}
	checkSteady(t, config, items)
	// A value that the user sets again is an edit, and no longer a lost one.
	_, facts = evaluate(t, config, strings.Replace(output, "    replicas: 3\n    memory", "    replicas: 7\n    memory", 1))
	if want := append(want[:1:1], "info preset/edited ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault", want[1]); cmp.Diff(want, facts) != "" {
		t.Errorf("set again: %q", facts)
	}
	// The finding can be accepted, at its key.
	_, facts = evaluate(t, config, strings.Replace(output, "    config.kubernetes.io/path: packs", "    packs.kpt.dev/accept: 'preset/edit-lost replicas: 3 is right'\n    config.kubernetes.io/path: packs", 1))
	if len(facts) != 3 || strings.Contains(strings.Join(facts, "\n"), "warning") {
		t.Errorf("accepted: %q", facts)
	}
}

// A changed definition does not overwrite an edit, and the warning says so in all runs.
func TestChangedDefinition(t *testing.T) {
	config := asked("vault ha")
	output, _ := evaluate(t, config, kptfileAt("c1")+cloned)
	edited, _ := evaluate(t, config, strings.Replace(output, "    replicas: 3\n    memory", "    replicas: 7\n    memory", 1))
	items := strings.NewReplacer("commit: c1", "commit: c2", "{replicas: 3, memory: 4Gi, backup: true}", "{replicas: 4, memory: 6Gi}").Replace(edited)
	output, facts := evaluate(t, config, items)
	if !strings.Contains(output, "    replicas: 7\n    memory: 6Gi\n    backup: true\n") {
		t.Errorf("got\n%s", output)
	}
	want := []string{
		"info preset/applied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha",
		"info preset/reapplied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha",
		"warning preset/edited ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] key=replicas at=1:11 pack=vault group=size preset=ha",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	checkSteady(t, config, items)
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, items))
	if got := outcome.Findings[1].Message(); !strings.Contains(got, "sets memory") || !strings.Contains(got, "no longer sets backup") {
		t.Errorf("got %q", got)
	}
}

// A leaf that the user removed is kept away, and reported at the mapping that it was in.
func TestChangedDefinitionOfARemovedLeaf(t *testing.T) {
	config := asked("vault ha")
	pack := strings.NewReplacer("replicas: 3, memory: 4Gi, backup: true", "server: {replicas: 3, memory: 4Gi}", "    replicas: 1\n    memory: 1Gi\n", "    name: a\n    server:\n      memory: 1Gi\n").Replace(cloned)
	output, _ := evaluateUnnoted(t, config, kptfileAt("c1")+pack)
	removed, _ := evaluateUnnoted(t, config, strings.Replace(output, "      replicas: 3\n", "", 1))
	items := strings.NewReplacer("commit: c1", "commit: c2", "{replicas: 3, memory: 4Gi}", "{replicas: 4, memory: 4Gi}").Replace(removed)
	output, facts := evaluateUnnoted(t, config, items)
	if strings.Contains(output, "      replicas:") {
		t.Errorf("got\n%s", output)
	}
	want := []string{
		"info preset/applied ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] pack=vault group=size preset=ha",
		"warning preset/edited ConfigMap/vault-1 packs/vault.yaml#0 data[values.yaml] key=server.replicas at=3:3 pack=vault group=size preset=ha",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The commit is that of the nearest Kptfile around the resource that has one.
func TestUpstream(t *testing.T) {
	at := func(path, commit string) string {
		return strings.Replace(kptfileAt(commit), "path: Kptfile", "path: "+path, 1)
	}
	for _, tc := range []struct{ kptfiles, want string }{
		{"", ""},
		{at("Kptfile", "c1"), "c1"},
		{at("Kptfile", "''"), ""},
		{at("Kptfile", "c1") + at("packs/Kptfile", "c2"), "c2"},
		{at("packs/Kptfile", "c2") + at("Kptfile", "c1"), "c2"},
		{at("Kptfile", "c1") + at("packs/Kptfile", "''"), "c1"},
		{at("Kptfile", "c1") + at("packs/vault/Kptfile", "c2") + at("pack/Kptfile", "c3"), "c1"},
		{strings.Replace(at("Kptfile", "c1"), "kpt.dev/v1\n", "example.com/v1\n", 1), ""},
		{strings.Replace(at("Kptfile", "c1"), "upstreamLock", "upstream", 1), ""},
	} {
		output, _ := evaluate(t, asked("vault ha"), tc.kptfiles+cloned)
		if got := strings.Contains(output, `"upstream":`); got != (tc.want != "") || got && !strings.Contains(output, `"upstream":"`+tc.want+`"`) {
			t.Errorf("%s\nwant %q, got\n%s", tc.kptfiles, tc.want, output)
		}
	}
}

// An annotation that cannot be read prevents every write.
func TestUnreadableLeaves(t *testing.T) {
	const path = "    config.kubernetes.io/path: packs"
	for _, text := range []string{"x", "[]", "{", "null", `"a"`, `{"a":1}`, `{"a":{"leaves":{"b":{}}}}`, `{"a":{"leaves":{"b":{"before":"-","after":"SECRET1"}}}}`, `{"a":{"leaf":{}}}`,
		`{"a":{"leaves":{"b..c":{"before":"-","after":"-"}}}}`, `{"a":{"leaves":{"b":{"before":"-","after":"-","upgrade":"sett"}}}}`, `{"a":{"leaves":{}},"a":{"leaves":{}}}`, "{}{}"} {
		items := strings.Replace(cloned, path, "    packs.kpt.dev/preset-leaves: '"+text+"'\n"+path, 1)
		output, facts := evaluate(t, asked("vault ha"), items)
		if output != items || len(facts) != 1 || !strings.HasPrefix(facts[0], "error preset/invalid ConfigMap/vault-1 packs/vault.yaml#0 metadata.annotations[packs.kpt.dev/preset-leaves]") {
			t.Errorf("%s: got %q\n%s", text, facts, cmp.Diff(items, output))
		}
		if strings.Contains(strings.Join(facts, ""), "SECRET1") {
			t.Errorf("%s: got %q", text, facts)
		}
	}
}

// Two presets that another step has keep what they set; a new one takes its leaves over.
func TestOtherSteps(t *testing.T) {
	items := kptfileAt("c1") + strings.Replace(cloned, "    presets:\n", "    presets:\n    - {name: many, add: {replicas: 9, log: debug}}\n", 1)
	first, _ := evaluate(t, asked("vault ha"), items)
	both, facts := evaluate(t, asked("vault many"), first)
	if len(facts) != 1 || !strings.Contains(both, "    replicas: 9\n") {
		t.Fatalf("%q\n%s", facts, both)
	}
	// The first step neither takes the leaf back, nor calls it an edit.
	again, facts := evaluate(t, asked("vault ha"), both)
	if again != both || len(facts) != 1 {
		t.Errorf("%q: %s", facts, cmp.Diff(both, again))
	}
	// After an upgrade both steps set theirs again.
	upgraded := strings.NewReplacer("commit: c1", "commit: c2", "    replicas: 9\n    memory: 4Gi\n    backup: true\n    log: debug\n", "    replicas: 1\n    memory: 1Gi\n    x: 1\n").Replace(both)
	output, _ := evaluate(t, asked("vault ha"), upgraded)
	output, _ = evaluate(t, asked("vault many"), output)
	if !strings.Contains(output, "    replicas: 9\n    memory: 4Gi\n    x: 1\n    backup: true\n    log: debug\n") {
		t.Errorf("got\n%s", output)
	}
	checkSteady(t, asked("vault ha"), output)
}
