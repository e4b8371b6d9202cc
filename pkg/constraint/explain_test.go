package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// explained is the one error about a constraint of red, over red itself and other
// bundles.
func explained(t *testing.T, value string, others ...*Bundle) diag.Finding {
	t.Helper()
	red := bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+value+"}]")
	var errors []diag.Finding
	for _, f := range Check(append([]*Bundle{red}, others...), nil, Options{}) {
		if f.Rule == rule.ConstraintUnsatisfied || f.Rule == rule.ConstraintInvalid {
			errors = append(errors, f)
		}
	}
	if len(errors) != 1 {
		t.Fatalf("got %d errors, want 1: %v", len(errors), messages(errors))
	}
	if !says(errors[0], `bundle "red.v1.0.0" requires `) && !says(errors[0], `bundle "red.v1.0.0" conflicts with `) {
		t.Errorf("who requires it is not said: %s", errors[0].Message())
	}
	return errors[0]
}

func TestExplanations(t *testing.T) {
	blue, stable := bundle(t, "blue.v1.2.0", ""), bundle(t, "stable.v1.0.0", "[{type: stable}, {type: tested}]")
	for _, c := range []struct {
		name, value string
		facts       []string
	}{
		{"parts of parts have numbers of their own", `{any: {constraints: [{all: {constraints: [{gvk: {version: v1, kind: A}}, {gvk: {version: v1, kind: B}}]}}, {gvk: {version: v1, kind: C}}]}}`,
			[]string{"one of 2 alternatives", "(1) all of 2 conditions", "2 are not", "(1.1) API v1 A", "nothing provides", "(1.2) API v1 B", "(2) API v1 C", ". Add what is missing", "selectors"}},
		{"messages at every level, innermost first", `{failureMessage: outer, all: {constraints: [{failureMessage: middle, any: {constraints: [{failureMessage: inner, package: {packageName: blue, versionRange: '2.x'}}]}}]}}`,
			[]string{`OLM package "blue" with version 2.x`, `bundle "blue.v1.2.0" is 1.2.0`, `(failureMessage: "inner") (failureMessage: "middle") (failureMessage: "outer")`}},
		{"messages within not", `{failureMessage: outer, all: {constraints: [{failureMessage: middle, not: {constraints: [{failureMessage: within, any: {constraints: [{gvk: {version: v1, kind: A}}, {failureMessage: innermost, package: {packageName: blue, versionRange: '1.x'}}]}}]}}]}}`,
			[]string{`conflicts with API v1 A or OLM package "blue" with version 1.x (failureMessage: "within")`, `bundle "blue.v1.2.0"`, "1.2.0", `(failureMessage: "innermost") (failureMessage: "middle") (failureMessage: "outer")`}},
		{"a message with quotes", `{failureMessage: 'say "yes"', package: {packageName: blue, versionRange: '2.x'}}`, []string{`(failureMessage: say "yes")`}},
		{"a rule below not", `{all: {constraints: [{not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == "stable")'}}]}}]}}`,
			[]string{"no bundle", "`properties.exists(p, p.type == \"stable\")`", `bundle "stable.v1.0.0" satisfies it`}},
		{"the closest has most terms", `{cel: {rule: 'properties.exists(p, p.type == "no") && properties.exists(p, p.type == "stable") && properties.exists(p, p.type == "tested")'}}`,
			[]string{"&&", "the closest", `bundle "stable.v1.0.0"`, "`properties.exists(p, p.type == \"no\")` is false"}},
		{"a term that goes wrong", `{cel: {rule: 'properties.exists(p, p.type == "stable") && properties[0].value.level > 1'}}`,
			[]string{"the closest", `bundle "stable.v1.0.0"`, "`properties[0].value.level > 1` fails: "}},
		{"the only part that fails", `{all: {constraints: [{package: {packageName: stable, versionRange: 1.x}}, {package: {packageName: blue, versionRange: 2.x}}]}}`,
			[]string{`requires OLM package "blue" with version 2.x, but bundle "blue.v1.2.0" is 1.2.0`}},
		{"the only alternative", `{any: {constraints: [{package: {packageName: blue, versionRange: 2.x}}]}}`, []string{`requires OLM package "blue" with version 2.x, but bundle "blue.v1.2.0" is 1.2.0`}},
		{"a long rule", `{cel: {rule: 'properties.exists(p, p.type == "` + strings.Repeat("é", 400) + `")'}}`, []string{strings.Repeat("é", 267) + "…`"}},
		{"a value of null", `{cel: {rule: 'properties.exists(p, p.type == "stable" && p.value == 1)'}}`, []string{`the closest, bundle "stable.v1.0.0"`, "stable null"}},
		{"no bundle does", `{cel: {rule: 'properties.exists(p, p.type == "no")'}}`, []string{"`properties.exists(p, p.type == \"no\")`", "none of 3 bundles"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := explained(t, c.value, blue, stable); !says(f, c.facts...) {
				t.Errorf("got  %s\nwant %q", f.Message(), c.facts)
			}
		})
	}
}

// TestLongExplanations: a constraint of thousands of parts has a message that can
// be read.
func TestLongExplanations(t *testing.T) {
	var parts, provided []string
	for i := range 1000 {
		parts = append(parts, fmt.Sprintf("{gvk: {version: v1, kind: K%d}}", i))
		provided = append(provided, fmt.Sprintf("{type: olm.gvk, value: {version: v1, kind: K%d}}", i))
	}
	list := "{constraints: [" + strings.Join(parts, ", ") + "]}"
	all := bundle(t, "all.v1.0.0", "["+strings.Join(provided, ", ")+"]")
	for _, c := range []struct {
		value, part string
		others      []*Bundle
	}{
		{"{any: " + list + "}", "; and 990 more", nil},
		{"{all: " + list + "}", "; and 990 more", nil},
		{"{all: {constraints: [{not: " + list + "}]}}", ", and the same of 995 more", []*Bundle{all}},
		{"{all: {constraints: [{not: {constraints: [{any: " + list + "}]}}]}}", " or 995 more, but", []*Bundle{all}},
		{"{all: {constraints: [{not: {constraints: [{all: " + list + "}]}}]}}", " and more", []*Bundle{all}},
	} {
		f := explained(t, c.value, c.others...)
		if !strings.Contains(f.Message(), c.part) || len(f.Message()) > 1100 {
			t.Errorf("%.40s: got %d bytes, want %q in\n%s", c.value, len(f.Message()), c.part, f.Message())
		}
	}
}

func TestAdviceOfSeveral(t *testing.T) {
	red := bundle(t, "red.v1.0.0", `[{type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '2.x'}}, {package: {packageName: green, versionRange: '3.x'}}]}}}]`)
	findings := Check([]*Bundle{red, bundle(t, "blue.v1.0.0", "")}, nil, Options{Suggest: func(q Question) Suggestion {
		return Suggestion{"blue", "9", "take 9 of " + q.Leaf.Package}
	}})
	if len(findings) != 1 || !strings.Contains(findings[0].Message(), `. For OLM package "blue", take 9 of blue; for OLM package "green", take 9 of green`) || findings[0].Proposed != nil {
		t.Errorf("got %v", messages(findings))
	}
}

// TestScopeDiffers names who satisfies alone what the list does not.
func TestScopeDiffersNames(t *testing.T) {
	red := bundle(t, "red.v1.0.0", `[{type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '1.x'}}, {not: {constraints: [{package: {packageName: green, versionRange: '1.x'}}]}}]}}}]`)
	for _, f := range Check([]*Bundle{red, bundle(t, "green.v1.0.0", ""), bundle(t, "blue.v1.0.0", "")}, nil, Options{}) {
		if f.Rule == rule.ConstraintScopeDiffers {
			if !strings.Contains(f.Message(), `"red.v1.0.0", because bundle "blue.v1.0.0" alone satisfies its constraint`) {
				t.Errorf("got %s", f.Message())
			}
			return
		}
	}
	t.Error("no finding")
}

// TestScopeDiffersAdvice: parts of all can be split, but splitting alternatives would
// require all of them.
func TestScopeDiffersAdvice(t *testing.T) {
	const both = "{all: {constraints: [{package: {packageName: blue, versionRange: 1.x}}, {gvk: {version: v1, kind: K}}]}}"
	const none = "{all: {constraints: [{package: {packageName: none, versionRange: 1.x}}, {gvk: {version: v1, kind: K}}]}}"
	for value, want := range map[string]string{both: "split", "{any: {constraints: [" + both + ", " + none + "]}}": "alternative"} {
		bundles := []*Bundle{
			bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+value+"}]"), bundle(t, "blue.v1.0.0", ""),
			bundle(t, "green.v1.0.0", "[{type: olm.gvk, value: {version: v1, kind: K}}]"),
		}
		found := Check(bundles, nil, Options{})
		if len(found) != 1 || found[0].Rule != rule.ConstraintScopeDiffers || !strings.Contains(found[0].Action, want) || want != "split" && strings.Contains(found[0].Action, "split") {
			t.Errorf("%s: got %s", value, messages(found))
		}
	}
}

func TestNamesOfAPIs(t *testing.T) {
	provider := bundle(t, "a.v1.0.0", "[{type: olm.gvk, value: {group: g, version: v2, kind: Green}}, {type: olm.gvk, value: {group: g, version: v1, kind: Other}}]")
	for wanted, want := range map[string]string{
		"{group: g, version: v1, kind: Green}":  ` (bundle "a.v1.0.0" provides g/v2 Green)`,
		"{group: h, version: v2, kind: Green}":  ` (bundle "a.v1.0.0" provides g/v2 Green)`,
		"{group: G, version: v2, kind: greeN}":  ` (bundle "a.v1.0.0" provides g/v2 Green)`,
		"{group: h, version: v1, kind: Green}":  ". Add it to the package",
		"{group: g, version: v1, kind: Nobody}": ". Add it to the package",
	} {
		if f := explained(t, "{gvk: "+wanted+"}", provider); !strings.Contains(f.Message(), "but nothing provides it"+want) {
			t.Errorf("%s: got %s", wanted, f.Message())
		}
	}
}

func TestNamesOfLabels(t *testing.T) {
	provider := bundle(t, "a.v1.0.0", "[{type: olm.label, value: {label: secured}}, {type: olm.label, value: {label: other}}]")
	for wanted, want := range map[string]string{"secrued": ` (bundle "a.v1.0.0" provides "secured")`, "tested": ". Add it to the package"} {
		red := bundle(t, "red.v1.0.0", "[{type: olm.label.required, value: {label: "+wanted+"}}]")
		if found := Check([]*Bundle{red, provider}, nil, Options{}); len(found) != 1 || !strings.Contains(found[0].Message(), "but nothing provides it"+want) {
			t.Errorf("%s: got %s", wanted, messages(found))
		}
	}
}

// Of many providers a few are named.
func TestManyProviders(t *testing.T) {
	for count, want := range map[int]string{3: "is 1.1.0 and bundle", 4: "and 1 more", 6: "and 3 more"} {
		bundles := []*Bundle{bundle(t, "red.v1.0.0", "[{type: olm.package.required, value: {packageName: blue, versionRange: 2.x}}]")}
		for i := range count {
			bundles = append(bundles, bundle(t, fmt.Sprintf("blue.v1.%d.0", i), ""))
		}
		for _, f := range Check(bundles, nil, Options{}) {
			if f.Rule == rule.RequirementUnsatisfied && (!strings.Contains(f.Message(), want) || strings.Contains(f.Message(), " more") != (count > 3)) {
				t.Errorf("%d: got %s", count, f.Message())
			}
		}
	}
}

// The place of an error is the innermost constraint that causes it alone.
func TestBlamed(t *testing.T) {
	const yes, no = `package: {packageName: blue, versionRange: 1.x}`, `package: {packageName: blue, versionRange: 2.x}`
	for value, want := range map[string]string{
		`{` + no + `}`: "package",
		`{all: {constraints: [{` + yes + `}, {` + no + `}]}}`:                          "all.constraints[1].package",
		`{any: {constraints: [{` + no + `}]}}`:                                         "any.constraints[0].package",
		`{any: {constraints: [{` + no + `}, {` + no + `}]}}`:                           "any",
		`{not: {constraints: [{` + no + `}, {` + yes + `}]}}`:                          "not.constraints[1].package",
		`{not: {constraints: [{all: {constraints: [{` + yes + `}]}}]}}`:                "not.constraints[0].all.constraints[0].package",
		`{not: {constraints: [{all: {constraints: [{` + yes + `}, {` + yes + `}]}}]}}`: "not.constraints[0].all",
		`{not: {constraints: [{any: {constraints: [{` + no + `}, {` + yes + `}]}}]}}`:  "not.constraints[0].any.constraints[1].package",
	} {
		if f := explained(t, value, bundle(t, "blue.v1.2.0", "")); f.Key != "properties[0].value."+want {
			t.Errorf("%s: got %s", value, f.Key)
		}
	}
}
