package constraint

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/rule"
)

// Faults of rules are explained in words of the rule.
func TestCompileFaults(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		facts []string
	}{
		{`properties.exists(p, p.type = "a")`, []string{"line 1, column 29", `"="`, "Write =="}},
		{`properties.exists(p, p.type === "a")`, []string{"line 1, column 31", `"="`, "Write =="}},
		{`true & true`, []string{"column 6", `"&"`, "Write &&"}},
		{`true || true | true`, []string{"column 14", `"|"`, "Write ||"}},
		{`true and true`, []string{"column 6", `"and"`, "Write &&"}},
		{`true or true`, []string{"column 6", `"or"`, "Write ||"}},
		{`not true`, []string{"column 5", `"not"`, "Write !"}},
		{"true &&\n  1 +", []string{"line 2, column 6", "too early"}},
		{`properties.exists(p, p.type == "a"`, []string{"column 35", "too early", "bracket"}},
		{`properties.exists(p, p.type == "a"))`, []string{"column 36", `")"`, "bracket"}},
		{`properties.exists(p, p.type == 'a)`, []string{"column 32", "quotes"}},
		{`properties.exist(p, p.type == "a")`, []string{"column 17", "exist", `Did you mean "exists"?`}},
		{`propertys.exists(p, true)`, []string{"column 1", "propertys", `Did you mean "properties"?`}},
		{`semver_compar("1", "2") > 0`, []string{"semver_compar", `Did you mean "semver_compare"?`}},
		{`unknowable`, []string{"column 1", "unknowable"}},
		{`"a" == 1`, []string{"column 5", "_==_", "string, int"}},
		{`1 + 1`, []string{"bool", "int"}},
	} {
		found := Check([]*Bundle{{Name: "a.v1.0.0", Properties: entries(t, "properties", "- type: olm.constraint\n  value:\n    cel:\n      rule: |-\n        "+strings.ReplaceAll(tt.rule, "\n", "\n        ")+"\n")}}, nil, Options{})
		if len(found) != 1 || found[0].Rule != rule.ConstraintInvalid || !says(found[0], tt.facts...) {
			t.Errorf("%s: got %s, want %q", tt.rule, messages(found), tt.facts)
		}
		if strings.Contains(messages(found), "expecting") || strings.Contains(messages(found), "in container") {
			t.Errorf("words of the parser: %s", messages(found))
		}
	}
}

// What comes closest to a rule is named with its value, also if it is the cluster.
func TestClosest(t *testing.T) {
	cluster := &Cluster{Properties: entries(t, "properties", `[{type: olm.k8s, value: {version: "1.21", nodes: [1, {a: {b: {c: d}}}]}}, {type: nested, value: {node: {child: [{leaf: x}]}}}]`)}
	stable := bundle(t, "stable.v1.0.0", `[{type: channel, value: {name: stable, level: 3}}]`)
	for _, tt := range []struct {
		rule  string
		facts []string
	}{
		{`properties.exists(p, p.type == "olm.k8s" && semver_compare(p.value.version, "1.30") >= 0)`, []string{"the closest, the cluster", `olm.k8s {nodes: [1, {a: …}], version: "1.21"}`}},
		{`properties.exists(p, p.type == 'channel' && p.value.name == "fast")`, []string{`the closest, bundle "stable.v1.0.0"`, `channel {level: 3, name: "stable"}`}},
		{`properties.exists(p, p.type == "olm.constraint" && p.value == "x")`, []string{`the closest, bundle "red.v1.0.0"`}},
		{`properties.exists(p, p.type == "olm.k8") && true`, []string{"the closest", "is false"}},
		{`properties.exists(p, p.type == "chanel")`, []string{"none of 2 bundles and the cluster", `"chanel" (did you mean "channel"?)`}},
		{`properties.exists(p, p.type == "certified")`, []string{"none of 2 bundles and the cluster", `a property of type "certified"`}},
		{`properties.exists(p, p.value.nam == "x")`, []string{"no such key: nam", `did you mean "name"?`}},
		{`properties.exists(p, p.type == "nested" && p.value.node.childd == "x")`, []string{"no such key: childd", `did you mean "child"?`}},
		{`properties.exists(p, p.type == "nested" && p.value.node.child[0].leav == "x")`, []string{"no such key: leav", `did you mean "leaf"?`}},
		{`properties.exists(p, p.value.zzz == "x")`, []string{"no such key: zzz", "has("}},
		{`properties[9].type == "x"`, []string{"index out of bounds: 9", "size()"}},
		{`properties[0].value > 1`, []string{"type()"}},
		{`properties.exists(p, semver_compare(p.value, "1") > 0)`, []string{"semver_compare: a map is not a version"}},
		{`properties.exists(p, p.type == "channel" && semver_compare("1", p.value) > 0)`, []string{"semver_compare: a map is not a version"}},
		{`properties.exists(p, p.type == "channel" && semver_compare(p.value.name, "1") > 0)`, []string{"semver_compare: the string is not a version like 1.2.3 or v1.2"}},
		{`properties.exists(p, p.type == "channel" && semver_compare(p.value.level, "3.0") > 0)`, []string{"is false"}},
	} {
		red := bundle(t, "red.v1.0.0", "- type: olm.constraint\n  value:\n    cel:\n      rule: |-\n        "+tt.rule+"\n")
		found := Check([]*Bundle{red, stable}, cluster, Options{})
		if len(found) != 1 || !says(found[0], tt.facts...) {
			t.Errorf("%s: got %s, want %q", tt.rule, messages(found), tt.facts)
		}
	}
	barring := &Cluster{Constraints: entries(t, "constraints", `[{type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "channel" && p.value.name == "fast")'}}}]`)}
	if found := Check([]*Bundle{stable}, barring, Options{}); len(found) != 1 || !says(found[0], "is false", `channel {level: 3, name: "stable"}`) {
		t.Errorf("alone: got %s", messages(found))
	}
}
