package constraint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "constraint")) }

// entries reads a list of properties or dependencies.
func entries(t testing.TB, key, text string) []Entry {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var all []Entry
	if d.Root() == nil {
		return nil
	}
	for i, n := range d.Root().Content {
		all = append(all, Entry{Node: n, Key: fmt.Sprintf("%s[%d]", key, i)})
	}
	return all
}

func bundle(t testing.TB, name, properties string) *Bundle {
	t.Helper()
	return &Bundle{Name: name, Properties: entries(t, "properties", properties)}
}

// want compares the facts of findings, see functiontest.Facts.
func want(t *testing.T, findings []diag.Finding, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, functiontest.Facts(functiontest.Noted(findings))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// messages are for failures.
func messages(findings []diag.Finding) string {
	var all []string
	for i := range findings {
		all = append(all, functiontest.Facts(findings[i : i+1])[0]+": "+findings[i].Message())
	}
	return strings.Join(all, "\n")
}

// says reports whether a message has all facts, in order.
func says(f diag.Finding, facts ...string) bool {
	rest := f.Message()
	for _, fact := range facts {
		at := strings.Index(rest, fact)
		if at < 0 {
			return false
		}
		rest = rest[at+len(fact):]
	}
	return true
}

// TestMalformed: every row of what is not a constraint, with the place.
func TestMalformed(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{all: {constraints: [`, n) + `{gvk: {group: g, version: v1, kind: K}}` + strings.Repeat(`]}}`, n)
	}
	for _, c := range []struct{ name, value, want, fact string }{
		{"gvk", `{gvk: {group: g, version: v1, kind: K}}`, "", ""},
		{"core group", `{gvk: {version: v1, kind: Pod}}`, "", ""},
		{"name", `{package: {name: a, versionRange: '>=1.0.0'}}`, "warning constraint/invalid properties[0].value.package.name bundle=a.v1.0.0", "Write packageName"},
		{"both names, equal", `{package: {name: a, packageName: a, versionRange: '>=1.0.0'}}`, "", ""},
		{"no failureMessage", `{cel: {rule: 'true'}}`, "", ""},
		{"ten deep", deep(9), "", ""},
		{"eleven deep", deep(10), "error constraint/invalid properties[0].value" + strings.Repeat(".all.constraints[0]", 10) + " bundle=a.v1.0.0", "more than 10"},
		{"no type", `{failureMessage: x}`, `error constraint/invalid properties[0].value missing= want="one of gvk, package, cel, all, any or not" bundle=a.v1.0.0`, ""},
		{"two types", `{cel: {rule: 'true'}, gvk: {version: v1, kind: K}}`, `error constraint/invalid properties[0].value bundle=a.v1.0.0`, "below all"},
		{"none", `{none: {constraints: []}}`, `error constraint/invalid properties[0].value.none unknown="field \"none\"" want="failureMessage, gvk, package, cel, all, any or not" near=not bundle=a.v1.0.0`, ""},
		{"other case", `{CEL: {rule: 'true'}}`, `error constraint/invalid properties[0].value.CEL unknown="field \"CEL\"" want="failureMessage, gvk, package, cel, all, any or not" near=cel bundle=a.v1.0.0`, ""},
		{"message", `{message: x, cel: {rule: 'true'}}`, `error constraint/invalid properties[0].value.message unknown="field \"message\"" want="failureMessage, gvk, package, cel, all, any or not" near=failureMessage bundle=a.v1.0.0`, ""},
		{"unknown key below", `{all: {constraints: [{any: {constraints: [{gvk: {version: v1, kindd: K, kind: K}}]}}]}}`, `error constraint/invalid properties[0].value.all.constraints[0].any.constraints[0].gvk.kindd unknown="field \"kindd\"" want="group, version or kind" near=kind bundle=a.v1.0.0`, ""},
		{"both names", `{package: {name: a, packageName: b, versionRange: '>=1.0.0'}}`, `error constraint/invalid properties[0].value.package.name bundle=a.v1.0.0`, `packageName is "b", but name is "a"`},
		{"no range", `{package: {packageName: a}}`, `error constraint/invalid properties[0].value.package.versionRange missing= bundle=a.v1.0.0`, "'>=0.0.0-0' for any version"},
		{"version", `{package: {packageName: a, version: '>=1.0.0'}}`, `error constraint/invalid properties[0].value.package.version unknown="field \"version\"" want="packageName, name or versionRange" near=versionRange bundle=a.v1.0.0`, ""},
		{"no package name", `{package: {versionRange: '>=1.0.0'}}`, `error constraint/invalid properties[0].value.package.packageName missing= bundle=a.v1.0.0`, ""},
		{"no version", `{gvk: {kind: K}}`, `error constraint/invalid properties[0].value.gvk.version missing= bundle=a.v1.0.0`, ""},
		{"no kind", `{gvk: {version: v1}}`, `error constraint/invalid properties[0].value.gvk.kind missing= bundle=a.v1.0.0`, ""},
		{"version is a number", `{gvk: {version: 1, kind: K}}`, `error constraint/invalid properties[0].value.gvk.version got="a number" want="a string" bundle=a.v1.0.0`, "quotes"},
		{"all of nothing", `{all: {constraints: []}}`, `error constraint/invalid properties[0].value.all.constraints missing=empty want="at least one constraint" bundle=a.v1.0.0`, ""},
		{"any without the list", `{any: {}}`, `error constraint/invalid properties[0].value.any.constraints missing= bundle=a.v1.0.0`, ""},
		{"not of a list", `{not: [{gvk: {version: v1, kind: K}}]}`, `error constraint/invalid properties[0].value.not got="a list" want="a map" bundle=a.v1.0.0`, "field constraints"},
		{"empty rule", `{cel: {rule: ''}}`, `error constraint/invalid properties[0].value.cel.rule missing=empty bundle=a.v1.0.0`, ""},
		{"blank rule", `{cel: {rule: ' '}}`, `error constraint/invalid properties[0].value.cel.rule missing=empty want="a CEL expression" bundle=a.v1.0.0`, ""},
		{"no rule", `{cel: {}}`, `error constraint/invalid properties[0].value.cel.rule missing= bundle=a.v1.0.0`, ""},
		{"broken rule", `{cel: {rule: 'properties.exists(p, q.type == "a")'}}`, `error constraint/invalid properties[0].value.cel.rule bundle=a.v1.0.0`, "line 1, column 22: undeclared reference to 'q'"},
		{"no bool", `{cel: {rule: '1 + 1'}}`, `error constraint/invalid properties[0].value.cel.rule bundle=a.v1.0.0`, "must yield bool, got int"},
		{"too large", `{failureMessage: ` + strings.Repeat("x", 66000) + `, cel: {rule: 'true'}}`, `error constraint/invalid properties[0].value bundle=a.v1.0.0`, "larger than 64 KiB"},
		{"JSON text", `'{"cel": {"rule": "true"}}'`, `error constraint/invalid properties[0].value got="a string" want="a map with one of gvk, package, cel, all, any or not" bundle=a.v1.0.0`, "the quotes"},
		{"duplicate key", `{cel: {rule: 'true', rule: 'false'}}`, `error constraint/invalid properties[0].value.cel.rule duplicate-of=1:39 bundle=a.v1.0.0`, ""},
		{"duplicate type", `{cel: null, cel: {rule: 'true'}}`, `error constraint/invalid properties[0].value.cel duplicate-of=1:33 bundle=a.v1.0.0`, ""},
		{"null", `null`, `error constraint/invalid properties[0].value got=null want="a map with one of gvk, package, cel, all, any or not" bundle=a.v1.0.0`, ""},
		{"alias bomb", "{failureMessage: &a " + strings.Repeat("y", 9000) + ", all: {constraints: [{failureMessage: *a, cel: {rule: 'true'}}, {failureMessage: *a}, {failureMessage: *a}, {failureMessage: *a}, {failureMessage: *a}, {failureMessage: *a}, {failureMessage: *a}, {failureMessage: *a}]}}", `error constraint/invalid properties[0].value bundle=a.v1.0.0`, "larger than 64 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bundle(t, "a.v1.0.0", "[{type: olm.constraint, value: "+c.value+"}]")
			found := slices.DeleteFunc(Check([]*Bundle{b}, nil, Options{}), func(f diag.Finding) bool { return f.Rule != rule.ConstraintInvalid })
			got := strings.Join(functiontest.Facts(found), "\n")
			if got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, messages(found))
			}
			for _, f := range found {
				if f.Position.Line == 0 {
					t.Error("no position")
				}
				if !says(f, c.fact) {
					t.Errorf("got %s, want %s", f.Message(), c.fact)
				}
			}
		})
	}
}

const green = `- {type: olm.gvk, value: {group: greens.example.com, version: v1, kind: Green}}
- {type: olm.label, value: {label: secured}}
`

// A misspelt type of OLM is reported, and others are opaque.
func TestMisspeltTypes(t *testing.T) {
	findings := Check([]*Bundle{bundle(t, "red.v1.0.0", `[{type: olm.constrain, value: 5}, {type: olm.gvk.requried, value: {}}, {type: olm.maxOpenShiftVersion, value: "4.9"}, {type: olm.skips, value: a}, {type: label, value: a}]`)}, nil, Options{})
	want(t, findings,
		`error constraint/invalid properties[0].type unknown="type \"olm.constrain\"" want="olm.package, olm.gvk, olm.label, olm.constraint, olm.package.required, olm.gvk.required or olm.label.required" near=olm.constraint bundle=red.v1.0.0`,
		`error constraint/invalid properties[1].type unknown="type \"olm.gvk.requried\"" want="olm.package, olm.gvk, olm.label, olm.constraint, olm.package.required, olm.gvk.required or olm.label.required" near=olm.gvk.required bundle=red.v1.0.0`)
}

// A rule that excludes a misspelt type of property holds always, which is said. Types that are
// near no known one may be those of bundles that are not here.
func TestUnknownProperties(t *testing.T) {
	cel := func(text string) string { return "{cel: {rule: '" + text + "'}}" }
	for _, tc := range []struct{ constraint, near, key string }{
		{cel(`!properties.exists(p, p.type == "previews")`), "preview", ".cel"},
		{cel(`properties.all(p, p.type != "prevew")`), "preview", ".cel"},
		{cel(`!properties.exists(p, p.type in ["olm.gkv"])`), "olm.gvk", ".cel"},
		{cel(`!properties.exists(p, p.type == "preview" && p.value == 5)`), "", ""},
		{cel(`!properties.exists(p, p.type == "deprecated")`), "", ""},
		{cel(`properties.exists(p, p.type == "olm.label" || p.type == "olm.lable")`), "", ""},
		{"{all: {constraints: [" + cel(`properties.exists(p, p.type == "olm.label")`) + ", {not: {constraints: [" + cel(`properties.exists(p, p.type == "previews")`) + "]}}]}}", "preview", ".all.constraints[1].not.constraints[0].cel"},
		{"{all: {constraints: [{not: {constraints: [" + cel(`!properties.exists(p, p.type == "previews" || p.type == "olm.label")`) + "]}}, " + cel(`properties.exists(p, p.type == "olm.label")`) + "]}}", "", ""},
		{"{all: {constraints: [{not: {constraints: [{not: {constraints: [" + cel(`properties.exists(p, p.type == "previews")`) + "]}}]}}, " + cel(`properties.exists(p, p.type == "olm.label")`) + "]}}", "", ""},
	} {
		bundles := func() []*Bundle {
			return []*Bundle{bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+tc.constraint+"}]"), bundle(t, "blue.v1.2.0", "[{type: preview, value: {}}]"), bundle(t, "green.v0.1.0", green)}
		}
		var found []string
		if tc.near != "" {
			found = []string{"warning constraint/unknown-property properties[0].value" + tc.key + " near=" + tc.near + " bundle=red.v1.0.0"}
		}
		unknown := func(options Options, cluster *Cluster, all []*Bundle) []string {
			return functiontest.Facts(functiontest.Noted(slices.DeleteFunc(Check(all, cluster, options), func(f diag.Finding) bool { return f.Rule != rule.ConstraintUnknownProperty })))
		}
		if diff := cmp.Diff(found, unknown(Options{}, nil, bundles())); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.constraint, diff)
		}
		for _, options := range []Options{{IsPending: true}, {IsUnread: true}} {
			if got := unknown(options, nil, bundles()); len(got) > 0 {
				t.Errorf("%s: got %q, but more properties may come", tc.constraint, got)
			}
		}
		cluster := &Cluster{Constraints: entries(t, "constraints", "[{type: olm.constraint, value: "+tc.constraint+"}]")}
		if got := unknown(Options{}, cluster, bundles()[1:]); len(got) != len(found) {
			t.Errorf("%s of the cluster: got %q", tc.constraint, got)
		}
	}
}

func TestRequirements(t *testing.T) {
	for _, c := range []struct {
		name, properties, want string
		facts                  []string
	}{
		{"package", `[{type: olm.package.required, value: {packageName: blue, versionRange: '>=1.0.0'}}]`, "", nil},
		{"wrapped", `[{property: {type: olm.package.required, value: {packageName: blue, versionRange: '>=3.0.0'}}}]`,
			"error requirement/unsatisfied properties[0].property.value bundle=red.v1.0.0", []string{`OLM package "blue" with version >=3.0.0`, `bundle "blue.v1.2.0" is 1.2.0`}},
		{"oneself", `[{type: olm.package.required, value: {packageName: red, versionRange: '1.x'}}]`, "", nil},
		{"missing", `[{type: olm.package.required, value: {packageName: bluee, versionRange: '>=1.0.0'}}]`,
			"error requirement/unsatisfied properties[0].value bundle=red.v1.0.0", []string{`OLM package "bluee" with version >=1.0.0`, `nothing provides it (did you mean "blue"?)`}},
		{"API", `[{type: olm.gvk.required, value: {group: greens.example.com, version: v1, kind: Green}}]`, "", nil},
		{"API in other case", `[{type: olm.gvk.required, value: {group: greens.example.com, version: v1, kind: green}}]`,
			"error requirement/unsatisfied properties[0].value bundle=red.v1.0.0", []string{"API greens.example.com/v1 green", `bundle "green.v0.1.0" provides greens.example.com/v1 Green`}},
		{"label", `[{type: olm.label.required, value: {label: secured}}]`, "", nil},
		{"no label", `[{type: olm.label.required, value: {label: fast}}]`,
			"error requirement/unsatisfied properties[0].value bundle=red.v1.0.0", []string{`label "fast"`, "nothing provides it", "selectors"}},
		{"any, none", `[{type: olm.constraint, value: {failureMessage: outer, any: {constraints: [{failureMessage: inner, gvk: {version: v1, kind: A}}, {package: {packageName: blue, versionRange: '<1.0.0'}}]}}}]`,
			"error constraint/unsatisfied properties[0].value.any bundle=red.v1.0.0", []string{"one of 2", "(1) API v1 A", "nothing provides it", `"inner"`, `(2) OLM package "blue" with version <1.0.0`, `bundle "blue.v1.2.0" is 1.2.0`, `"outer"`}},
		{"not below all", `[{type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '1.x'}}, {not: {constraints: [{gvk: {version: v1, kind: A}}, {failureMessage: no green, gvk: {group: greens.example.com, version: v1, kind: Green}}]}}, {gvk: {group: greens.example.com, version: v1, kind: Green}}]}}}]`,
			"error constraint/unsatisfied properties[0].value.all.constraints[1].not.constraints[1].gvk bundle=red.v1.0.0", []string{"conflicts with API greens.example.com/v1 Green", `"no green"`, `bundle "green.v0.1.0" provides it`}},
		{"rule", `[{type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "olm.label") && properties.exists(p, p.type == "certified")'}}}]`,
			"error constraint/unsatisfied properties[0].value.cel bundle=red.v1.0.0", []string{"&&", `bundle "green.v0.1.0"`, "`properties.exists(p, p.type == \"certified\")` is false"}},
		{"rule that fails", `[{type: olm.constraint, value: {cel: {rule: '!(properties[0].value.versio == "")'}}}]`,
			"error constraint/unsatisfied properties[0].value.cel bundle=red.v1.0.0", []string{"`!(properties[0].value.versio == \"\")`", "the closest", `bundle "red.v1.0.0" itself`, "no such key: versio", `did you mean "version"?`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Check([]*Bundle{bundle(t, "red.v1.0.0", c.properties), bundle(t, "blue.v1.2.0", ""), bundle(t, "green.v0.1.0", green)}, nil, Options{})
			if got := strings.Join(functiontest.Facts(found), "\n"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if len(found) == 1 && !says(found[0], c.facts...) {
				t.Errorf("got %s, want %q", found[0].Message(), c.facts)
			}
		})
	}
}

func TestScopes(t *testing.T) {
	red := func(value string) []*Bundle {
		return []*Bundle{bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+value+"}]"), bundle(t, "blue.v1.2.0", ""), bundle(t, "green.v0.1.0", green)}
	}
	rules := func(findings []diag.Finding) string {
		var all []string
		functiontest.Noted(findings)
		for _, f := range findings {
			all = append(all, f.Rule.ID)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ value, set, bundle string }{
		{`{all: {constraints: [{package: {packageName: blue, versionRange: '1.x'}}, {gvk: {group: greens.example.com, version: v1, kind: Green}}]}}`,
			"constraint/scope-differs", "constraint/unsatisfied constraint/scope-differs"},
		{`{not: {constraints: [{gvk: {group: greens.example.com, version: v1, kind: Green}}]}}`,
			"constraint/top-level-not constraint/unsatisfied constraint/scope-differs", "constraint/top-level-not constraint/scope-differs"},
		{`{any: {constraints: [{package: {packageName: blue, versionRange: '1.x'}}, {package: {packageName: none, versionRange: '1.x'}}]}}`, "", ""},
	} {
		if got := rules(Check(red(c.value), nil, Options{})); got != c.set {
			t.Errorf("set: %s: got %s, want %s", c.value, got, c.set)
		}
		if got := rules(Check(red(c.value), nil, Options{Scope: ScopeBundle})); got != c.bundle {
			t.Errorf("bundle: %s: got %s, want %s", c.value, got, c.bundle)
		}
	}
}

func TestNotIncludesTheDependent(t *testing.T) {
	red := bundle(t, "red.v1.0.0", `[{type: olm.constraint, value: {all: {constraints: [{not: {constraints: [{package: {packageName: red, versionRange: '1.x'}}]}}]}}}]`)
	findings := Check([]*Bundle{red}, nil, Options{})
	if len(findings) == 0 || !strings.Contains(findings[0].Message(), `bundle "red.v1.0.0" itself is version 1.0.0 of it`) {
		t.Errorf("got %v", messages(findings))
	}
}

func TestProviders(t *testing.T) {
	api := API{GVK: GVK{"g", "v1", "K"}}
	one, two, newer := bundle(t, "one.v1.0.0", ""), bundle(t, "two.v1.0.0", ""), bundle(t, "one.v2.0.0", "")
	one.APIs, two.APIs, newer.APIs = []API{api}, []API{api}, []API{api}
	want(t, Check([]*Bundle{one, two, newer}, nil, Options{}),
		"warning provider/duplicate bundle=two.v1.0.0",
		"warning provider/duplicate bundle=one.v2.0.0",
	)
	required := &Bundle{Name: "x.v1.0.0", APIs: []API{{GVK: GVK{"g", "v2", "K"}, Required: true, Entry: Entry{Key: "[0]", Node: &yaml.Node{}}}}}
	if got := Check([]*Bundle{required}, nil, Options{}); len(got) != 1 || got[0].Rule != rule.RequirementUnsatisfied {
		t.Errorf("got %v", messages(got))
	}
}

func TestPrerelease(t *testing.T) {
	found := Check([]*Bundle{bundle(t, "red.v1.0.0", `[{type: olm.package.required, value: {packageName: blue, versionRange: '>=1.0.0'}}]`), bundle(t, "blue.v2.0.0-rc.1", "")}, nil, Options{})
	want(t, found, "info constraint/prerelease properties[0].value bundle=red.v1.0.0")
	if !says(found[0], `OLM package "blue" with version >=1.0.0`, `bundle "blue.v2.0.0-rc.1"`, "2.0.0-rc.1") {
		t.Error(found[0].Message())
	}
}

func TestPackagesAreBundles(t *testing.T) {
	p := &Bundle{Name: "vault", Version: "v1.2", IsPack: true}
	for r, ok := range map[string]bool{"1.2.x": true, ">=1.3.0": false} {
		got := Check([]*Bundle{bundle(t, "red.v1.0.0", `[{type: olm.package.required, value: {packageName: vault, versionRange: '`+r+`'}}]`), p}, nil, Options{})
		if (len(got) == 0) != ok {
			t.Errorf("%s: got %v", r, messages(got))
		}
	}
}

func TestDependencies(t *testing.T) {
	red := &Bundle{Name: "red.v1.0.0", Dependencies: entries(t, "dependencies", `
- {type: olm.package, value: {packageName: blue, version: '>=2.0.0'}}
- {type: olm.gvk, value: {group: g, version: v1, kind: K}}
- {type: olm.label, value: {label: l}}
- {type: olm.constraint, value: {cel: {rule: 'false'}}}
- {type: olm.packages, value: {}}
- {type: olm.package, value: {packageName: blue, versionRange: '>=2.0.0'}}
- {type: something.else, value: {}}
- {type: olm.package, value: {packageName: blue}}
`)}
	var got []string
	for _, f := range Check([]*Bundle{red, bundle(t, "blue.v1.0.0", "")}, nil, Options{}) {
		got = append(got, f.Rule.ID+" "+f.Key)
	}
	if diff := cmp.Diff([]string{
		"constraint/invalid dependencies[4].type", "constraint/invalid dependencies[5].value.versionRange",
		"constraint/invalid dependencies[6].type", "constraint/invalid dependencies[7].value.version",
		"requirement/unsatisfied dependencies[0].value", "requirement/unsatisfied dependencies[1].value",
		"requirement/unsatisfied dependencies[2].value", "constraint/unsatisfied dependencies[3].value.cel",
	}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Rules see the dependencies of a bundle as the properties that OLM makes of them.
func TestRulesSeeDependencies(t *testing.T) {
	red := &Bundle{Name: "red.v1.0.0", Properties: entries(t, "properties", "[{type: olm.gvk, value: {group: a, version: v1, kind: A}}]"), Dependencies: entries(t, "dependencies", `
- {type: olm.package, value: {packageName: blue, version: '>=2.0.0'}}
- {property: {type: olm.gvk, value: {group: g, version: v1, kind: K}}}
- {type: olm.label, value: {label: l}}
- {type: olm.constraint, value: {cel: {rule: 'true'}}}
- {type: olm.gvk.required, value: {version: v1, kind: Pod}}
- {type: something.else, value: {}}
`)}
	csv := &Bundle{Name: "csv.v1.0.0", APIs: []API{{GVK: GVK{"g", "v1", "R"}, Required: true}, {GVK: GVK{"g", "v1", "O"}}}}
	const own = `{"type": "olm.package", "value": {"packageName": "%s", "version": "1.0.0"}}]`
	for b, list := range map[*Bundle]string{
		red: `[{"type": "olm.gvk", "value": {"group": "a", "version": "v1", "kind": "A"}},
			{"type": "olm.package.required", "value": {"packageName": "blue", "versionRange": ">=2.0.0"}},
			{"type": "olm.gvk.required", "value": {"group": "g", "version": "v1", "kind": "K"}}, {"type": "olm.label.required", "value": {"label": "l"}},
			{"type": "olm.constraint", "value": {"cel": {"rule": "true"}}}, {"type": "olm.gvk.required", "value": {"version": "v1", "kind": "Pod"}}, ` + fmt.Sprintf(own, "red"),
		csv: `[{"type": "olm.gvk", "value": {"group": "g", "version": "v1", "kind": "O"}},
			{"type": "olm.gvk.required", "value": {"group": "g", "version": "v1", "kind": "R"}}, ` + fmt.Sprintf(own, "csv"),
	} {
		text := strconv.Quote(strings.NewReplacer("\n", "", "\t", "").Replace("properties == " + list))
		cluster := &Cluster{Constraints: entries(t, "constraints", `[{type: olm.constraint, value: {cel: {rule: `+text+`}}}]`)}
		if got := count(Check([]*Bundle{b}, cluster, Options{}), rule.ClusterConstraintUnsatisfied); got != 0 {
			t.Errorf("%s: its properties are not %s", b.Name, list)
		}
	}
}

func TestTooExpensive(t *testing.T) {
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "- {type: t%d, value: 1}\n", i)
	}
	costly := `{cel: {rule: 'properties.all(a, properties.all(b, properties.all(c, a.type + b.type != c.type)))'}}`
	big, red := bundle(t, "big.v1.0.0", many.String()), bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: "+costly+"}]")
	if got := Check([]*Bundle{big, red}, nil, Options{}); len(got) != 0 { // red satisfies it
		t.Errorf("got %v", messages(got))
	}
	big.Properties = append(big.Properties, red.Properties...)
	got := Check([]*Bundle{big}, nil, Options{})
	if len(got) != 1 || got[0].Rule != rule.ConstraintInvalid || !strings.Contains(got[0].Message(), "exceeds the cost limit") {
		t.Errorf("got %v", messages(got))
	}
}

func TestSuggestions(t *testing.T) {
	red := bundle(t, "red.v1.0.0", `[{type: olm.package.required, value: {packageName: blue, versionRange: '>=2.0.0'}}]`)
	got := Check([]*Bundle{red, bundle(t, "blue.v1.0.0", "")}, nil, Options{Suggest: func(Question) Suggestion { return Suggestion{"blue", "2.1.0", "version 2.1.0 suits all"} }})
	want(t, got, "error requirement/unsatisfied properties[0].value bundle=red.v1.0.0 package=blue version=2.1.0")
	if !says(got[0], `bundle "blue.v1.0.0" is 1.0.0`, ". Version 2.1.0 suits all") {
		t.Error(got[0].Message())
	}
	// Of several packages none is what to use.
	both := bundle(t, "red.v1.0.0", `[{type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '>=2.0.0'}}, {package: {packageName: green, versionRange: '>=2.0.0'}}]}}}]`)
	got = Check([]*Bundle{both, bundle(t, "blue.v1.0.0", ""), bundle(t, "green.v1.0.0", "")}, nil, Options{Suggest: func(q Question) Suggestion { return Suggestion{q.Leaf.Package, "2.1.0", "use 2.1.0"} }})
	want(t, got, "error constraint/unsatisfied properties[0].value.all.constraints[0].package bundle=red.v1.0.0")
	if d := readAll([]*Bundle{red}, nil).Demands()["blue"]; len(d) != 1 || d[0].Wants != ">=2.0.0" || d[0].By != red.String() {
		t.Errorf("got %+v", d)
	}
}

// TestTooExpensiveForMany: a rule that costs too much is given up after a few
// bundles, and reported without saying more than is known.
func TestTooExpensiveForMany(t *testing.T) {
	var many strings.Builder
	for i := range 120 {
		fmt.Fprintf(&many, "- {type: t%d, value: 1}\n", i)
	}
	costly := `{type: olm.constraint, value: {cel: {rule: 'properties.all(a, properties.all(b, properties.all(c, a.type + b.type != c.type)))'}}}`
	var bundles []*Bundle
	for i := range mostOverruns + 2 {
		bundles = append(bundles, bundle(t, fmt.Sprintf("b%d.v1.0.0", i), many.String()))
	}
	got := Check(bundles, &Cluster{Constraints: entries(t, "constraints", "["+costly+"]")}, Options{})
	if len(got) != 1 || got[0].Rule != rule.ClusterConstraintInvalid || got[0].Key != "constraints[0].value.cel" || got[0].Position.Line == 0 ||
		!strings.Contains(got[0].Message(), `on bundle "b0.v1.0.0" and 9 more, so it was not tried on others`) {
		t.Errorf("the cluster's: got %v", messages(got))
	}
	// The small bundle satisfies it, but is looked at last.
	bundles = append(bundles[:2], bundle(t, "red.v1.0.0", "["+costly+"]"))
	if got := Check(bundles, nil, Options{}); len(got) != 0 {
		t.Errorf("one satisfies it: got %v", messages(got))
	}
}

// TestNoVersion: what states no version is in no range, not even in that of any.
func TestNoVersion(t *testing.T) {
	red := bundle(t, "red.v1.0.0", `[{type: olm.package.required, value: {packageName: blue, versionRange: '>=0.0.0-0'}}]`)
	for version, want := range map[string]string{
		"":       `bundle "blue" has no version`,
		"latest": `bundle "blue" is "latest", which is not a version`,
	} {
		if got := Check([]*Bundle{red, {Name: "blue", Version: version}}, nil, Options{}); len(got) != 1 || got[0].Rule != rule.RequirementUnsatisfied || !says(got[0], want) {
			t.Errorf("%q: got %s", version, messages(got))
		}
	}
}

func TestPlaceOfWhatIsMissing(t *testing.T) {
	for _, f := range Check([]*Bundle{bundle(t, "a.v1.0.0", "\n- type: olm.gvk\n- {type: olm.constraint}\n- {value: 1}\n")}, nil, Options{}) {
		if f.Rule != rule.ConstraintInvalid || f.Position.Line == 0 {
			t.Errorf("line %d: %s", f.Position.Line, f.Message())
		}
	}
}

// TestOneAPITwice: it is reported once.
func TestOneAPITwice(t *testing.T) {
	api := `{type: olm.gvk, value: {version: v1, kind: K}}`
	first, second := bundle(t, "a.v1.0.0", "["+api+"]"), bundle(t, "b.v1.0.0", "["+api+", "+api+"]")
	if got := Check([]*Bundle{first, second}, nil, Options{}); len(got) != 1 || got[0].Rule != rule.ProviderDuplicate {
		t.Errorf("got %v", messages(got))
	}
	if got := Check([]*Bundle{second}, nil, Options{}); len(got) != 0 {
		t.Errorf("it is not the same: got %v", messages(got))
	}
}

// TestValuesOfProperties: what rules see is what JSON would have.
func TestValuesOfProperties(t *testing.T) {
	properties := `
- &base {type: base, value: {q: 1, deep: {a: [1, x, null, true, 2001-01-01, 0x10, 1.5]}}}
- {type: merged, value: {<<: {q: 1, r: 1}, r: 2}}
- {type: none}
- {type: text, value: "1"}
- {type: &name aliases, value: {map: &map {q: 7}, again: *map, list: [*map, *name], *name : 2}}
- {type: date, value: {<<: {d: 2001-01-01}}}
- {value: {a: 1}, type: reversed}
- {type: numbers, value: [0x10, 1_000, -1, 1e3]}
`
	for _, rule := range []string{
		`properties[0].value.q == 1 && properties[0].value.q == 1.0`,
		`type(properties[0].value.q) == double`,
		`properties[0].value.deep.a[1] == "x" && properties[0].value.deep.a[2] == null && properties[0].value.deep.a[3]`,
		`properties[0].value.deep.a[4] == "2001-01-01" && properties[0].value.deep.a[5] == 16 && properties[0].value.deep.a[6] == 1.5`,
		`properties[1].value.q == 1 && properties[1].value.r == 2`,
		`properties[2].value == null`,
		`properties[3].value == "1"`,
		`properties[4].value.again.q == 7 && properties[4].value.list[0].q == 7 && properties[4].value.list[1] == "aliases" && properties[4].value.aliases == 2`,
		`properties[5].value.d == "2001-01-01"`,
		`properties[6].type == "reversed" && properties[6].value.a == 1`,
		`properties[7].value == [16.0, 1000.0, -1.0, 1000.0]`,
		`properties.exists(p, p.type == "olm.package" && p.value.packageName == "red" && p.value.version == "1.0.0")`,
		`semver_compare("v1.2", "1.2.0") == 0 && semver_compare("1.30", "1.4") == 1 && semver_compare("1.0.0-rc.1", "1.0.0") == -1 && semver_compare(1.5, "1.5.0") == 0`,
	} {
		b := bundle(t, "red.v1.0.0", properties+"- {type: olm.constraint, value: {cel: {rule: '"+rule+"'}}}\n")
		if got := Check([]*Bundle{b}, nil, Options{}); len(got) != 0 {
			t.Errorf("got %v", messages(got))
		}
	}
}

// TestHostile: wrong types everywhere, and what is made to be large, are reported and
// no more: what is right beside them is checked.
func TestHostile(t *testing.T) {
	right := "- {type: olm.label.required, value: {label: none}}\n"
	for name, text := range map[string]string{
		"a number": "- 5\n", "null": "- ~\n", "a list": "- []\n", "no type": "- {value: 1}\n", "a type that is a list": "- {type: [a]}\n",
		"a property that is text": "- {property: x}\n", "an API that is a number": "- {type: olm.gvk, value: 5}\n", "a label that is a list": "- {type: olm.label, value: {label: [a]}}\n",
		"a package without a name": "- {type: olm.package, value: {version: 1.0.0}}\n", "a number as a version": "- {type: olm.package, value: {packageName: a, version: 1.2}}\n",
		"infinity": "- {type: x, value: .inf}\n", "infinity in a list": "- {type: x, value: {a: [1, .inf]}}\n", "a number that is none": "- {type: x, value: .nan}\n",
		"twice the type":     "- {type: a, value: 1, type: b}\n",
		"aliases":            "- type: olm.constraint\n  value: {all: {constraints: &a [{gvk: {version: v1, kind: K}, any: {constraints: [{gvk: &g {version: v1}}, {gvk: *g}]}}]}}\n",
		"control characters": `- {type: olm.constraint, value: {failureMessage: "` + strings.Repeat(`\x01`, 11000) + `", cel: {rule: "true"}}}` + "\n",
		"a long rule":        "- {type: olm.constraint, value: {cel: {rule: '" + strings.Repeat("(", 5000) + "'}}}\n",
		"a wide constraint":  "- {type: olm.constraint, value: {all: {constraints: [" + strings.Repeat("{gvk: {}},", 5000) + "]}}}\n",
		"an empty range":     "- {type: olm.package.required, value: {packageName: a, versionRange: ' '}}\n",
		"a long range":       "- {type: olm.package.required, value: {packageName: a, versionRange: '" + strings.Repeat(">=1.0.0 ", 5000) + "'}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := Check([]*Bundle{bundle(t, "a.v1.0.0", text+right)}, nil, Options{})
			if count(got, rule.ConstraintInvalid) != 1 || count(got, rule.RequirementUnsatisfied) != 1 {
				t.Errorf("got %v", messages(got))
			}
			for _, f := range got {
				if len(f.Message()) > 1100 || strings.ContainsAny(f.Message(), "\n\x01") {
					t.Errorf("%d bytes: %q", len(f.Message()), f.Message())
				}
			}
		})
	}
}

// The size of a value counts keys that are aliases with the text that they stand for.
func TestCompactSize(t *testing.T) {
	const long = "a key of some length"
	for text, want := range map[string]int{
		"{a: &k '" + long + "', *k : 1}": len(`{"a":"` + long + `","` + long + `":1}`),
		"[1, x, null, true]":             len(`[1,"x",null,true]`),
		"{}":                             2,
		"[]":                             2,
		"[[], {a: {}}]":                  len(`[[],{"a":{}}]`),
		`["\"\\\n\r\t", "\a\x1f "]`:      len(`["\"\\\n\r\t","\u0007\u001f "]`),
		"[1.50, '1', 2001-01-01]":        len(`[1.50,"1","2001-01-01"]`),
	} {
		document, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := compactSize(document.Root(), MaxSize); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

// Entries of two fields are read without package decode if these are type and value. The
// version of a package is one of three numbers.
func TestMalformedEntries(t *testing.T) {
	const at = "error constraint/invalid properties[0]."
	const version, nothing = ` want="a version of three numbers (as in 1.2.3 or 1.2.3-rc.1)"`, `value got=null want="a map with packageName and version" bundle=a.v1.0.0`
	const misspelt = `valeu unknown="field \"valeu\"" want="type or value" near=value bundle=a.v1.0.0`
	for entry, want := range map[string]string{
		"type: olm.package, value: {packageName: b, version: 1.2.3}":  "",
		"value: {packageName: b, version: 1.2.3}, type: olm.package":  "",
		"type: olm.package, value: {packageName: b, version: '1.2'}":  at + `value.version got="\"1.2\""` + version + " near=1.2.0 now=1.2 propose=1.2.0 bundle=a.v1.0.0",
		"type: olm.package, value: {packageName: b, version: latest}": at + `value.version got="\"latest\""` + version + " bundle=a.v1.0.0",
		"type: olm.package, value: {packageName: b, version: ''}":     at + "value.version missing=empty bundle=a.v1.0.0",
		"type: olm.package, valeu: {packageName: b, version: 1.2.3}":  at + misspelt,
		"valeu: {packageName: b, version: 1.2.3}, type: olm.package":  at + misspelt,
		"type: olm.package": at + nothing,
		"tpye: olm.package, value: {packageName: b, version: 1.2.3}": at + `tpye unknown="field \"tpye\"" want="type or value" near=type bundle=a.v1.0.0`,
		"type: '', value: {packageName: b, version: 1.2.3}":          at + "type missing=empty bundle=a.v1.0.0",
	} {
		found := Check([]*Bundle{bundle(t, "a.v1.0.0", "[{"+entry+"}]")}, nil, Options{})
		errors := slices.DeleteFunc(found, func(f diag.Finding) bool { return f.Severity == diag.Warning })
		if got := strings.Join(functiontest.Facts(errors), "\n"); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entry, got, want)
		}
	}
}
