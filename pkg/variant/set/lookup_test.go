package set

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"{repo: r, package: p, revision: v3, workspaceName: w}", ""},
		{"{repo: r, package: p, revision: 4}", ""}, // written v4 there
		{"{repo: r, package: p, revision: stable}", ""},
		{"{repo: r, package: p, revision: v3, workspaceName: x}", `no PackageRevision in the namespace default is the package "p" of the repository "r" in revision "v3" in workspace "x"; there is 3 (workspace w), stable, v4`},
		{"{repo: r, package: p, revision: v5}", `no PackageRevision in the namespace default is the package "p" of the repository "r" in revision "v5"; there is 3 (workspace w), stable, v4`},
		{"{repo: r, package: p, revision: vstable}", `no PackageRevision in the namespace default is the package "p" of the repository "r" in revision "vstable"; there is 3 (workspace w), stable, v4`},
		{"{repo: r, package: packege, revision: v1}", `no PackageRevision in the namespace default is the package "packege" of the repository "r" in revision "v1" (did you mean "package"?); if there is one, a selector of the function may hide it`},
		{"{repo: r, package: zebrb, revision: v1}", `no PackageRevision in the namespace default is the package "zebrb" of the repository "r" in revision "v1"; if there is one, a selector of the function may hide it`},
		{"{repo: r, package: draft, revision: v}", `no PackageRevision in the namespace default is the package "draft" of the repository "r" in revision "v"; there is (workspace d)`},
		{"{repo: s, package: p, revision: v3}", `no PackageRevision in the namespace default is the package "p" of the repository "s" in revision "v3"; if there is one, a selector of the function may hide it`},
		{"{repo: r, package: elsewhere, revision: v1}", `no PackageRevision in the namespace default is the package "elsewhere" of the repository "r" in revision "v1"; it is in the namespace other`},
	} {
		inventory := repositories(nil, "a")
		add := func(namespace, pkg, revision, workspace string) {
			inventory.AddRevision(&PackageRevision{Object: Object{Namespace: namespace, Name: "r." + pkg + revision}, Repository: "r", PackageName: pkg, Revision: revision, WorkspaceName: workspace})
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
		want := `variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr: repository "a", package `
		if tc.want != "" { // what expressions make of a missing upstream is not told
			want = "variant-set/upstream-not-found spec.upstream: " + tc.want
		}
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
		if got := x.Variants[0].Labels[0].Value; got != "a" {
			t.Errorf("got %s of %s", got, names)
		}
	}
}

// A Repository that is not there is told where it is named, once for each place.
func TestRepositories(t *testing.T) {
	inventory := repositories(nil, "cluster-01")
	inventory.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Namespace: "other", Name: "far"})
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Name: "team"})
	for _, tc := range []struct{ target, want string }{
		{"repositories: [{name: cluster-01}, {name: cluster-02, packageNames: [a, b]}]", `spec.targets[0].repositories[1].name: no Repository "cluster-02" in the namespace default (did you mean "cluster-01"?)`},
		{"repositories: [{name: cluster-01}, {name: far}]", `spec.targets[0].repositories[1].name: no Repository "far" in the namespace default; there is one in the namespace other`},
		{"repositories: [{name: cluster-01, packageNames: [a, b]}]\n  template: {downstream: {repo: x}}", `spec.targets[0].template.downstream.repo: no Repository "x" in the namespace default`},
		{"repositories: [{name: cluster-01}]\n  template: {downstream: {repoExpr: \"'x' + target.repo\"}}", `spec.targets[0].template.downstream.repoExpr: no Repository "xcluster-01" in the namespace default (did you mean "cluster-01"?)`},
		{"objectSelector: {apiVersion: v1, kind: Team}\n  template: {labelExprs: [{key: a, valueExpr: repository.labels.none}]}", `spec.targets[0].objectSelector: no Repository "team" in the namespace default`},
	} {
		_, lines := expandWith(t, withTarget(tc.target), inventory)
		want := []string{"variant-set/repository-not-found " + tc.want + "; if there is one, a selector of the function may hide it"}
		if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.target, diff)
		}
	}
}

// One warning says all that could not be looked up.
func TestUnverified(t *testing.T) {
	var names []string
	for i := range 7 {
		names = append(names, fmt.Sprintf("{name: c%d}", i))
	}
	_, lines := expandWith(t, withTarget("repositories: ["+strings.Join(names, ", ")+"]"), &Inventory{})
	want := "(warning) variant-set/unverified spec: the upstream and 7 repositories (c0, c1, c2, c3, c4, …) could not be looked up: the list holds no PackageRevision and no Repository (a selector of the function may hide it); expressions see no labels and annotations of them"
	if diff := cmp.Diff([]string{want}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, lines := expandWith(t, withTarget("repositories: [{name: a}]"), repositories(nil, "a")); len(lines) != 1 || !strings.Contains(lines[0], "the upstream could not be looked up: the list holds no PackageRevision (") {
		t.Errorf("got %v", lines)
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
		"(warning) variant-set/unmatched spec.targets[0].repositorySelector: matches no Repository in the namespace default; the list holds 1 of the kind in it, and a selector of the function may hide others",
		`(warning) variant-set/unmatched spec.targets[1].objectSelector: matches no Team "t" in the namespace default; the list holds 0 of the kind in it and 1 in other namespaces, and a selector of the function may hide others`,
		"(warning) variant-set/unmatched spec.targets[2].objectSelector: matches no Team in the namespace default; the list holds none of v2 Team, and a selector of the function may hide others",
	}
	if diff := cmp.Diff(want, lines[:3]); diff != "" {
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
			got = append(got, v.Repo)
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
		`variant-set/duplicate spec.targets[1].repositorySelector: Repository "a", package "foo": the package "foo" in the repository "a" is made by spec.targets[0].repositories[0].packageNames[0] too (repository "a", package "foo"); remove one of the targets, or give one another package in its template`,
		`variant-set/duplicate spec.targets[2].repositories[0]: repository "b", package "foo": the package "foo" in the repository "b" is made by spec.targets[1].repositorySelector too (Repository "b", package "foo"); remove one of the targets, or give one another package in its template`,
		`variant-set/duplicate spec.targets[2].repositories[1].packageNames[1]: repository "b", package "x": the package "x" in the repository "b" is made by spec.targets[2].repositories[1].packageNames[0] too (repository "b", package "x"); remove one of the targets, or give one another package in its template`,
	}
	if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Beside other faults, too; what could not be made is no duplicate.
	_, lines = expandWith(t, upstream+`targets:
- repositories: [{name: a}, {name: a}, {name: b}]
  template: {labelExprs: [{key: x, valueExpr: repository.labels.none}]}
- repositories: [{name: a, packageNames: [x, y]}]
  template: {downstream: {packageExpr: upstream.labels.none}}
`, inventory)
	count := map[string]int{}
	for _, line := range errorsOf(lines) {
		rule, _, _ := strings.Cut(line, " ")
		count[rule]++
	}
	if diff := cmp.Diff(map[string]int{"variant-set/duplicate": 1, "variant-set/expression": 5}, count); diff != "" {
		t.Errorf("%v -want +got:\n%s", lines, diff)
	}
	// Which of two is told does not depend on the order of the list.
	if _, other := expandWith(t, upstream+"targets: [{repositorySelector: {}, template: {downstream: {repo: a}}}]", repositories(nil, "b", "a")); !strings.HasPrefix(other[len(other)-1], `variant-set/duplicate spec.targets[0].repositorySelector: Repository "b", package "foo"`) {
		t.Errorf("got %v", other)
	}
	// By templates, too.
	_, lines = expandWith(t, withTarget("repositorySelector: {}\n  template: {downstream: {repo: a}}"), inventory)
	if len(errorsOf(lines)) != 1 || !strings.Contains(lines[len(lines)-1], `Repository "b", package "foo": the package "foo" in the repository "a" is made by spec.targets[0].repositorySelector too (Repository "a", package "foo")`) {
		t.Errorf("got %v", lines)
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
	if diff := cmp.Diff([]string{"variant-set/invalid spec.targets: there are more than 1000000 variants, which is more than a set can make"}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
