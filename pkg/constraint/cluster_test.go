package constraint

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestClusterConstraints(t *testing.T) {
	const barred = "error cluster-constraint/unsatisfied bundle=bad.v1.0.0 constraint=\"the cluster\" constraintKey="
	for _, c := range []struct {
		name, constraint, want string
		facts                  []string
	}{
		{"newer", `{type: olm.constraint, value: {failureMessage: be certified, cel: {rule: 'properties.exists(p, p.type == "certified")'}}}`,
			barred + "constraints[0].value.cel", []string{`bundle "bad.v1.0.0"`, "the cluster requires", "`properties.exists(p, p.type == \"certified\")`", "is false", `"be certified"`}},
		{"older", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'properties.exists(p, p.type == "certified")', message: be certified, action: {id: require}}}`,
			barred + "constraints[0].value.rule", []string{`bundle "bad.v1.0.0"`, "the cluster requires", "`properties.exists(p, p.type == \"certified\")`", "is false", `"be certified"`}},
		{"older without an action", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'properties.exists(p, p.type == "certified")'}}`,
			barred + "constraints[0].value.rule", nil},
		{"conflict", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'properties.exists(p, p.type == "bad")', action: {id: conflict}}}`,
			barred + "constraints[0].value.rule", []string{"not satisfy the rule", `"bad"`, "it does"}},
		{"top-level not", `{type: olm.constraint, value: {not: {constraints: [{package: {packageName: bad, versionRange: '1.x'}}]}}}`,
			barred + "constraints[0].value.not.constraints[0].package", []string{`not OLM package "bad" with version 1.x`, "1.0.0"}},
		{"a package", `{type: olm.constraint, value: {all: {constraints: [{not: {constraints: [{package: {packageName: bad, versionRange: '1.x'}}]}}]}}}`,
			barred + "constraints[0].value.all.constraints[0].not.constraints[0].package", nil},
		{"other evaluator", `{type: olm.constraint, value: {evaluator: {id: rego}, rule: 'true'}}`,
			`error cluster-constraint/invalid constraints[0].value.evaluator.id got="\"rego\"" want=cel`, nil},
		{"no evaluator", `{type: olm.constraint, value: {rule: 'true'}}`,
			`error cluster-constraint/invalid constraints[0].value.evaluator missing=`, nil},
		{"other action", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'true', action: {id: requires}}}`,
			`error cluster-constraint/invalid constraints[0].value.action.id got="\"requires\"" want="require or conflict" near=require`, nil},
		{"too large", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'true', message: ` + strings.Repeat("x", 66000) + `}}`,
			"error cluster-constraint/invalid constraints[0].value", []string{"larger than 64 KiB"}},
		{"mixed", `{type: olm.constraint, value: {evaluator: {id: cel}, cel: {rule: 'true'}}}`,
			"error cluster-constraint/invalid constraints[0].value.cel", []string{"cel", "old one", "Use either failureMessage and cel", "evaluator, rule, message and action"}},
		{"other type", `{type: olm.gvk, value: {}}`,
			`error cluster-constraint/invalid constraints[0].type got="\"olm.gvk\"" want=olm.constraint`, nil},
		{"no value", `{type: olm.constraint}`,
			"error cluster-constraint/invalid constraints[0].value missing=", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := &Cluster{Constraints: entries(t, "constraints", "["+c.constraint+"]")}
			good, bad, exempt := bundle(t, "good.v1.0.0", "[{type: certified, value: yes}]"), bundle(t, "bad.v1.0.0", "[{type: bad}]"), bundle(t, "old.v1.0.0", "[{type: bad}]")
			found := Check([]*Bundle{good, bad, exempt}, cluster, Options{IsExempt: func(name, version string) bool { return name == "old" && version == "1.0.0" }})
			want(t, found, c.want)
			if len(found) == 1 && !says(found[0], c.facts...) {
				t.Errorf("got %s, want %q", found[0].Message(), c.facts)
			}
		})
	}
}

func TestClusterProperties(t *testing.T) {
	cluster := &Cluster{Properties: entries(t, "properties", "[{type: olm.label, value: {label: secured}}, {type: olm.k8s, value: {version: '1.21'}}]")}
	labeled := `{type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "olm.k8s" && semver_compare(p.value.version, "v1.20") > 0)'}}}`
	red := bundle(t, "red.v1.0.0", "[{type: olm.label.required, value: {label: secured}}, "+labeled+"]")
	if got := Check([]*Bundle{red}, cluster, Options{}); len(got) != 0 {
		t.Errorf("got %v", messages(got))
	}
	if got := Check([]*Bundle{red}, nil, Options{}); len(got) != 2 {
		t.Errorf("without a cluster: got %v", messages(got))
	}
	// Its properties are never merged into those of a bundle.
	union := bundle(t, "red.v1.0.0", `[{type: own}, {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "own") && properties.exists(p, p.type == "olm.k8s")'}}}]`)
	if got := Check([]*Bundle{union}, cluster, Options{}); len(got) != 1 {
		t.Errorf("a union of properties: got %v", messages(got))
	}
	bad := &Cluster{Properties: entries(t, "properties", "[{type: x}]")}
	if got := Check(nil, bad, Options{}); len(got) != 1 || got[0].Rule != rule.ClusterConstraintInvalid || got[0].Kind != diag.KindMissing || got[0].Key != "properties[0].value" {
		t.Errorf("got %v", messages(got))
	}
}

// TestClustersRequireNothing: a property of the cluster that requires something
// is not a constraint of the cluster.
func TestClustersRequireNothing(t *testing.T) {
	cluster := &Cluster{Properties: entries(t, "properties", "[{type: olm.package.required, value: {packageName: none, versionRange: '>=1.0.0'}}, {type: olm.constraint, value: {cel: {rule: 'false'}}}]")}
	if got := Check([]*Bundle{bundle(t, "a.v1.0.0", "")}, cluster, Options{}); len(got) != 0 {
		t.Errorf("got %v", messages(got))
	}
}

// An error about a bundle that the cluster does not accept says which package it is.
func TestOtherPackages(t *testing.T) {
	cluster := &Cluster{Constraints: entries(t, "constraints", "[{type: olm.constraint, value: {package: {packageName: blue, versionRange: 2.x}}}]")}
	for name, want := range map[string]string{
		"blue.v1.2.0": "but it is version 1.2.0",
		"red.v1.0.0":  `but it is OLM package "red"`,
		"blue":        "but it declares no version",
		"blue.v2.0.0": "",
	} {
		found := Check([]*Bundle{bundle(t, name, "")}, cluster, Options{})
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || !says(found[0], `requires that it is OLM package "blue" with version 2.x, `+want) {
			t.Errorf("%s: got %v", name, messages(found))
		}
	}
}
