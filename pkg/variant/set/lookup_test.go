package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

func TestUpstream(t *testing.T) {
	for _, tc := range []struct {
		upstream string
		want     string // "" when it is found
	}{
		{"{repo: r, package: p, revision: v3}", ""},
		{"{repo: r, package: p, revision: 3}", ""},
		{`{repo: r, package: p, revision: "3"}`, ""},
		{"{repo: r, package: p, workspaceName: w}", ""},
		{"{repo: r, package: p, revision: 0, workspaceName: w}", ""}, // Porch's number for none
		{"{repo: r, package: p, revision: v3, workspaceName: w}", ""},
		{"{repo: r, package: p, revision: 4}", ""}, // written v4 there
		{"{repo: r, package: p, revision: stable}", ""},
		{"{repo: r, package: p, revision: v3, workspaceName: x}", `no="PackageRevision of the package \"p\" of the repository \"r\" in revision \"v3\" in workspace \"x\" in the namespace default" want="3 (workspace w), stable or v4"`},
		{"{repo: r, package: p, revision: v5}", `no="PackageRevision of the package \"p\" of the repository \"r\" in revision \"v5\" in the namespace default" want="3 (workspace w), stable or v4"`},
		{"{repo: r, package: p, revision: vstable}", `no="PackageRevision of the package \"p\" of the repository \"r\" in revision \"vstable\" in the namespace default" want="3 (workspace w), stable or v4"`},
		{"{repo: r, package: packege, revision: v1}", `no="PackageRevision of the package \"packege\" of the repository \"r\" in revision \"v1\" in the namespace default" want="draft, p or package" near=package`},
		{"{repo: r, package: zebrb, revision: v1}", `no="PackageRevision of the package \"zebrb\" of the repository \"r\" in revision \"v1\" in the namespace default" want="draft, p or package"`},
		{"{repo: r, package: draft, revision: v}", `no="PackageRevision of the package \"draft\" of the repository \"r\" in revision \"v\" in the namespace default" want="(workspace d)"`},
		{"{repo: s, package: p, revision: v3}", `no="PackageRevision of the package \"p\" of the repository \"s\" in revision \"v3\" in the namespace default"`},
		{"{repo: r, package: elsewhere, revision: v1}", `no="PackageRevision of the package \"elsewhere\" of the repository \"r\" in revision \"v1\" in the namespace default; it is in the namespace other"`},
	} {
		inventory := repositories(nil, "a")
		add := func(namespace, pkg, revision, workspace string) {
			inventory.AddRevision(&PackageRevision{Object: Object{Namespace: namespace, Name: "r." + pkg + revision}, Repository: "r", PackageName: pkg, Revision: variant.Revision(revision), WorkspaceName: workspace})
		}
		add("default", "p", "v4", "")
		add("default", "p", "3", "w")
		add("", "p", "stable", "")
		add("default", "package", "v1", "")
		add("default", "draft", "", "d")
		add("other", "elsewhere", "v1", "")
		add("other", "zebra", "v1", "")
		inventory.AddRevision(&PackageRevision{Object: Object{Name: "q.zebra"}, Repository: "q", PackageName: "zebra", Revision: "v1"})
		_, lines := expandWith(t, "upstream: "+tc.upstream+"\ntargets: [{repositories: [{name: a}], template: {labelExprs: [{key: a, valueExpr: upstream.name}, {key: b, valueExpr: upstream.labels.x}]}}]", inventory)
		want := "error variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr "
		if tc.want != "" { // what expressions make of a missing upstream is not reported
			want = "error variant-set/upstream-not-found spec.upstream " + tc.want
		}
		lines = slices.DeleteFunc(lines, func(fact string) bool { return strings.Contains(fact, rule.VariantSetNotInPorch.ID) })
		if len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.upstream, strings.Join(lines, "\n"), want)
		}
	}
}

// Of several revisions the first by name is taken, whatever the order.
func TestSeveralUpstreams(t *testing.T) {
	for _, names := range []string{"a b", "b a"} {
		inventory := &Inventory{}
		for name := range strings.FieldsSeq(names) {
			inventory.AddRevision(&PackageRevision{Object: Object{Name: name}, Repository: "example-repo", PackageName: "foo", Revision: "1"})
		}
		x, _ := expandWith(t, withTemplate("{labelExprs: [{key: a, valueExpr: upstream.name}]}"), inventory)
		if got := x.Variants[0].Spec.Labels["a"]; got != "a" {
			t.Errorf("got %s of %s", got, names)
		}
	}
}

// A missing Repository is reported where it is named, once for each place.
func TestRepositories(t *testing.T) {
	inventory := repositories(nil, "cluster-01")
	inventory.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Namespace: "other", Name: "far"})
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Name: "team"})
	for _, tc := range []struct{ target, want string }{
		{"repositories: [{name: cluster-01}, {name: cluster-02, packageNames: [a, b]}]", `repositories[1].name no="Repository named \"cluster-02\" in the namespace default" want=cluster-01`},
		{"repositories: [{name: cluster-01}, {name: far}]", `repositories[1].name no="Repository named \"far\" in the namespace default; it is in the namespace other"`},
		{"repositories: [{name: cluster-01, packageNames: [a, b]}]\n  template: {downstream: {repo: x}}", `template.downstream.repo no="Repository named \"x\" in the namespace default" want=cluster-01`},
		{"repositories: [{name: cluster-01}]\n  template: {downstream: {repoExpr: \"'x' + target.repo\"}}", `template.downstream.repoExpr no="Repository named \"xcluster-01\" in the namespace default" want=cluster-01 near=cluster-01`},
		{"objectSelector: {apiVersion: v1, kind: Team}\n  template: {labelExprs: [{key: a, valueExpr: repository.labels.none}]}", `objectSelector no="Repository named \"team\" in the namespace default" want=cluster-01`},
	} {
		note(t, withTarget(tc.target))
		_, lines := expandWith(t, withTarget(tc.target), inventory)
		want := []string{"error variant-set/repository-not-found spec.targets[0]." + tc.want}
		if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.target, diff)
		}
	}
}

// One warning has all that could not be looked up.
func TestUnverified(t *testing.T) {
	var names []string
	for i := range 7 {
		names = append(names, fmt.Sprintf("{name: c%d}", i))
	}
	_, findings := expandFindings(t, withTarget("repositories: ["+strings.Join(names, ", ")+"]"), &Inventory{})
	if len(findings) != 1 || findings[0].Rule != rule.VariantSetUnverified || findings[0].Key != "spec" || !strings.Contains(findings[0].Found, "the upstream and 7 repositories such as c0 ") {
		t.Errorf("got %v", findings)
	}
	_, findings = expandFindings(t, withTarget("repositories: [{name: a}]"), repositories(nil, "a"))
	if len(findings) != 1 || !strings.HasPrefix(findings[0].Found, "the upstream could not be looked up: the package has no PackageRevision.") {
		t.Errorf("got %v", findings)
	}
	// An expression sees the name of an upstream that is there, and of another one the package's.
	for revision, isNamed := range map[string]bool{"1": false, "": true} {
		inventory := &Inventory{}
		if revision != "" {
			inventory.AddRevision(&PackageRevision{Object: Object{Name: "r"}, Repository: "example-repo", PackageName: "foo", Revision: variant.Revision(revision)})
		}
		_, findings = expandFindings(t, withTemplate("{labelExprs: [{key: x, valueExpr: upstream.name}]}"), inventory)
		if len(findings) != 1 || strings.Contains(findings[0].Found, "and in upstream.name the name of the package") != isNamed {
			t.Errorf("%q: got %v", revision, findings)
		}
	}
}

// An object without a namespace may be cluster-scoped: it matches in every namespace,
// which an info says where it makes a difference. A Repository is in one.
func TestClusterScopedObjects(t *testing.T) {
	inventory := repositories(nil, "a")
	inventory.Add(&Object{APIVersion: "v1", Kind: "Namespace", Name: "shop"})
	inventory.Add(&Object{APIVersion: "v1", Kind: "Namespace", Namespace: "far", Name: "other"})
	spec := upstream + "targets: [{objectSelector: {apiVersion: v1, kind: Namespace}}, {repositorySelector: {}}]"
	for namespace, want := range map[string][]string{
		"":        {"warning variant-set/unverified spec", `error variant-set/repository-not-found spec.targets[0].objectSelector no="Repository named \"shop\" in the namespace default" want=a`},
		"default": {"warning variant-set/unverified spec", `error variant-set/repository-not-found spec.targets[0].objectSelector no="Repository named \"shop\" in the namespace default" want=a`},
		"platform": {
			"warning variant-set/unverified spec", "info variant-set/unverified spec.targets[0].objectSelector",
			`error variant-set/repository-not-found spec.targets[0].objectSelector no="Repository named \"shop\" in the namespace platform"`,
			"warning variant-set/unmatched spec.targets[1].repositorySelector",
		},
	} {
		s := read(t, spec)
		s.Namespace = namespace
		e, _ := New(s, NewEnvironment())
		x, findings := e.Expand(inventory, 0)
		got := facts(findings)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || x.Matches[0].Count != 1 {
			t.Errorf("%s: %v -want +got:\n%s", namespace, x.Matches, diff)
		}
	}
}

func TestUnmatched(t *testing.T) {
	inventory := repositories(map[string]string{"env": "prod"}, "a")
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Namespace: "other", Name: "t"})
	_, lines := expandWith(t, upstream+`targets:
- repositorySelector: {matchLabels: {env: dev}}
- objectSelector: {apiVersion: v1, kind: Team, name: t}
- objectSelector: {apiVersion: v2, kind: Team}
- repositories: [{name: a}]
`, inventory)
	want := []string{
		"warning variant-set/unmatched spec.targets[0].repositorySelector",
		"warning variant-set/unmatched spec.targets[1].objectSelector",
		"warning variant-set/not-in-porch spec.targets[1].objectSelector.name",
		"warning variant-set/unmatched spec.targets[2].objectSelector",
	}
	if diff := cmp.Diff(want, lines[1:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestObjectsByNameAndExpressions(t *testing.T) {
	inventory := &Inventory{}
	for name, role := range map[string]string{"a": "dev", "b": "ops", "c": "dev", "d": ""} {
		o := &Object{APIVersion: "v1", Kind: "Team", Name: name, Labels: map[string]string{"role": role}}
		if role == "" {
			o.Labels = nil
		}
		inventory.Add(o)
	}
	for selector, want := range map[string]string{
		"":                         "a b c d",
		", name: b":                "b",
		", matchLabels: {}":        "a b c d",
		", matchLabels: {role: x}": "",
		", matchExpressions: [{key: role, operator: In, values: [dev, x]}]":                                                 "a c",
		", matchExpressions: [{key: role, operator: NotIn, values: [dev]}]":                                                 "b d",
		", matchExpressions: [{key: role, operator: Exists}]":                                                               "a b c",
		", matchExpressions: [{key: role, operator: DoesNotExist}]":                                                         "d",
		", name: c, matchLabels: {role: dev}, matchExpressions: [{key: role, operator: NotIn, values: [x]}]":                "c",
		", matchLabels: {role: dev}, matchExpressions: [{key: role, operator: Exists}, {key: x, operator: DoesNotExist}]":   "a c",
		", name: b, matchLabels: {role: dev}":                                                                               "",
		", matchLabels: {role: dev}, matchExpressions: [{key: role, operator: NotIn, values: [dev]}]":                       "",
		", matchExpressions: [{key: role, operator: Exists}, {key: role, operator: NotIn, values: [ops]}]":                  "a c",
		", matchExpressions: [{key: role, operator: In, values: [ops]}, {key: role, operator: In, values: [ops, dev, qa]}]": "b",
	} {
		x, _ := expandWith(t, withTarget("objectSelector: {apiVersion: v1, kind: Team"+selector+"}"), inventory)
		var got []string
		for _, v := range x.Variants {
			got = append(got, v.Spec.Downstream.Repo)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", selector, got, want)
		}
	}
}

func TestDuplicates(t *testing.T) {
	inventory := repositories(nil, "a", "b")
	_, lines := expandWith(t, upstream+`targets:
- repositories: [{name: a, packageNames: [foo, bar]}]
- repositorySelector: {}
- repositories: [{name: b}, {name: b, packageNames: [x, x]}]
`, inventory)
	want := []string{
		"error variant-set/duplicate spec.targets[1].repositorySelector package=foo repository=a",
		"error variant-set/duplicate spec.targets[2].repositories[0] package=foo repository=b",
		"error variant-set/duplicate spec.targets[2].repositories[1].packageNames[1] package=x repository=b",
	}
	if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Beside other faults, too; what could not be made is not a duplicate.
	_, lines = expandWith(t, upstream+`targets:
- repositories: [{name: a}, {name: a}, {name: b}]
  template: {labelExprs: [{key: x, valueExpr: repository.labels.none}]}
- repositories: [{name: a, packageNames: [x, y]}]
  template: {downstream: {packageExpr: upstream.labels.none}}
`, inventory)
	count := map[string]int{}
	for _, line := range errorsOf(lines) {
		count[strings.Fields(line)[1]]++
	}
	if diff := cmp.Diff(map[string]int{"variant-set/duplicate": 1, "variant-set/expression": 5}, count); diff != "" {
		t.Errorf("%v -want +got:\n%s", lines, diff)
	}
	// Which of two is reported does not depend on the order of the items.
	if _, other := expandWith(t, upstream+"targets: [{repositorySelector: {}, template: {downstream: {repo: a}}}]", repositories(nil, "b", "a")); errorsOf(other)[0] != "error variant-set/duplicate spec.targets[0].repositorySelector package=foo repository=b" {
		t.Errorf("got %v", other)
	}
	// By templates, too.
	_, findings := expandFindings(t, withTarget("repositorySelector: {}\n  template: {downstream: {repo: a}}"), inventory)
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Level() != diag.Error })
	if len(findings) != 1 || !strings.Contains(findings[0].Found, `made by spec.targets[0].repositorySelector (Repository "a", package "foo")`) || findings[0].Tags["repository"] != "b" {
		t.Errorf("got %v", findings)
	}
}

// Different pairs that would have one name both have the hash of the pair.
func TestOneNameOfDifferentPairs(t *testing.T) {
	x, lines := expandWith(t, withTarget("repositories: [{name: a-b, packageNames: [c]}, {name: a, packageNames: [b-c, d]}]"), repositories(nil, "a-b", "a"))
	var got []string
	for _, v := range x.Variants {
		got = append(got, v.Name)
	}
	want := []string{"example-a-b-c-" + sum8("a-b/c"), "example-a-b-c-" + sum8("a/b-c"), "example-a-d"}
	if want[0] > want[1] {
		want[0], want[1] = want[1], want[0]
	}
	if diff := cmp.Diff(want, got); diff != "" || len(errorsOf(lines)) > 0 {
		t.Errorf("%v -want +got:\n%s", lines, diff)
	}
}

func TestTooMany(t *testing.T) {
	names := make([]string, 1001)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
	}
	inventory := &Inventory{}
	for i := range 1000 {
		inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: fmt.Sprint("r", i)})
	}
	_, lines := expandWith(t, withTarget("objectSelector: {apiVersion: v1, kind: A}\n  packageNames: ["+strings.Join(names, ", ")+"]"), inventory)
	if diff := cmp.Diff([]string{`error variant-set/invalid spec.targets got="more than 50050 variants of all sets" want=fewer`, "warning variant-set/not-in-porch spec.targets[0].packageNames"}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Repositories that are written one by one have no limit of this kind, and all sets of a run
// have one together.
func TestLimitOfVariants(t *testing.T) {
	var written []string
	for i := range SomeVariants + 1 {
		written = append(written, fmt.Sprintf("{name: r%d}", i))
	}
	if _, lines := expandWith(t, withTarget("repositories: ["+strings.Join(written, ", ")+"]"), repositories(nil, "a")); slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "more than") }) {
		t.Errorf("got %s", lines[0])
	}
	var names []string
	for i := range 150 {
		names = append(names, fmt.Sprint("r", i))
	}
	budget := &Budget{}
	for run, want := range []bool{false, false, true} {
		e, _ := New(read(t, withTarget("repositorySelector: {}\n  packageNames: ["+strings.TrimSuffix(strings.Repeat("p, ", 30), ", ")+"]")), NewEnvironment())
		e.Budget = budget
		_, findings := e.Expand(repositories(nil, names...), 0)
		if got := slices.ContainsFunc(findings, func(f diag.Finding) bool { return strings.Contains(f.Found, "more than 10000 variants of all sets") }); got != want {
			t.Errorf("set %d: %v", run, facts(findings)[:1])
		}
	}
}
