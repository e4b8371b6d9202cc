package constraint

import (
	"strings"
	"testing"
)

func TestClusterConstraints(t *testing.T) {
	for _, c := range []struct{ name, constraint, want string }{
		{"newer", `{type: olm.constraint, value: {failureMessage: be certified, cel: {rule: 'properties.exists(p, p.type == "certified")'}}}`,
			"cluster-constraint/unsatisfied : bundle \"bad.v1.0.0\" may not be installed: the cluster requires that it satisfies the rule `properties.exists(p, p.type == \"certified\")`, but the rule is false (failureMessage: \"be certified\")"},
		{"older", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'properties.exists(p, p.type == "certified")', message: be certified, action: {id: require}}}`,
			"cluster-constraint/unsatisfied : bundle \"bad.v1.0.0\" may not be installed: the cluster requires that it satisfies the rule `properties.exists(p, p.type == \"certified\")`, but the rule is false (failureMessage: \"be certified\")"},
		{"conflict", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'properties.exists(p, p.type == "bad")', action: {id: conflict}}}`,
			"cluster-constraint/unsatisfied : bundle \"bad.v1.0.0\" may not be installed: the cluster requires that it does not satisfy the rule `properties.exists(p, p.type == \"bad\")`, but it does"},
		{"top-level not", `{type: olm.constraint, value: {not: {constraints: [{package: {name: bad, versionRange: '1.x'}}]}}}`,
			`cluster-constraint/unsatisfied : bundle "bad.v1.0.0" may not be installed: the cluster requires that it is not package "bad" in range 1.x, but it is version 1.0.0`},
		{"other evaluator", `{type: olm.constraint, value: {evaluator: {id: rego}, rule: 'true'}}`,
			`cluster-constraint/invalid constraints[0].value.evaluator.id: the cluster: the cluster constraint can not be read: constraints[0].value.evaluator.id: got "rego", want cel`},
		{"other action", `{type: olm.constraint, value: {evaluator: {id: cel}, rule: 'true', action: {id: requires}}}`,
			`cluster-constraint/invalid constraints[0].value.action.id: the cluster: the cluster constraint can not be read: constraints[0].value.action.id: got "requires", want require or conflict (did you mean "require"?)`},
		{"mixed", `{type: olm.constraint, value: {evaluator: {id: cel}, cel: {rule: 'true'}}}`,
			`cluster-constraint/invalid constraints[0].value.cel: the cluster: the cluster constraint can not be read: constraints[0].value.cel: the key "cel" of a generic constraint stands beside those of the older spelling; use one spelling: failureMessage and cel, or evaluator, rule, message and action`},
		{"other type", `{type: olm.gvk, value: {}}`,
			`cluster-constraint/invalid constraints[0].type: the cluster: the cluster constraint can not be read: constraints[0].type: got the type "olm.gvk", want olm.constraint`},
		{"no value", `{type: olm.constraint}`,
			`cluster-constraint/invalid constraints[0]: the cluster: the cluster constraint can not be read: constraints[0]: has no value; want {type, value}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := &Cluster{Constraints: entries(t, "constraints", "["+c.constraint+"]")}
			good, bad, exempt := bundle(t, "good.v1.0.0", "[{type: certified, value: yes}]"), bundle(t, "bad.v1.0.0", "[{type: bad}]"), bundle(t, "old.v1.0.0", "[{type: bad}]")
			want(t, Check([]*Bundle{good, bad, exempt}, cluster, Options{Exempt: func(name, version string) bool { return name == "old" && version == "1.0.0" }}), c.want)
		})
	}
}

func TestClusterProperties(t *testing.T) {
	cluster := &Cluster{Properties: entries(t, "properties", "[{type: olm.label, value: {label: secured}}, {type: olm.k8s, value: {version: '1.21'}}]")}
	rule := `{type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "olm.k8s" && semver_compare(p.value.version, "v1.20") > 0)'}}}`
	red := bundle(t, "red.v1.0.0", "[{type: olm.label.required, value: {label: secured}}, "+rule+"]")
	if got := Check([]*Bundle{red}, cluster, Options{}); len(got) != 0 {
		t.Errorf("got %v", told(got))
	}
	if got := Check([]*Bundle{red}, nil, Options{}); len(got) != 2 {
		t.Errorf("without a cluster: got %v", told(got))
	}
	// Its properties are never merged into those of a bundle.
	union := bundle(t, "red.v1.0.0", `[{type: own}, {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "own") && properties.exists(p, p.type == "olm.k8s")'}}}]`)
	if got := Check([]*Bundle{union}, cluster, Options{}); len(got) != 1 {
		t.Errorf("a union of properties: got %v", told(got))
	}
	bad := &Cluster{Properties: entries(t, "properties", "[{type: x}]")}
	if got := Check(nil, bad, Options{}); len(got) != 1 || got[0].Rule != RuleClusterInvalid || !strings.Contains(got[0].Message, "has no value") {
		t.Errorf("got %v", told(got))
	}
}

// TestClustersRequireNothing: a property of the cluster that requires something
// is no constraint of the cluster.
func TestClustersRequireNothing(t *testing.T) {
	cluster := &Cluster{Properties: entries(t, "properties", "[{type: olm.package.required, value: {packageName: none, versionRange: '>=1.0.0'}}, {type: olm.constraint, value: {cel: {rule: 'false'}}}]")}
	if got := Check([]*Bundle{bundle(t, "a.v1.0.0", "")}, cluster, Options{}); len(got) != 0 {
		t.Errorf("got %v", told(got))
	}
}
