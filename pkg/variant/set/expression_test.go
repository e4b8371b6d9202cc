package set

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ofPlace makes an inventory with one Repository for each name, with labels.
func repositories(labels map[string]string, names ...string) *Inventory {
	i := &Inventory{}
	for _, name := range names {
		i.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Name: name, Labels: labels, Annotations: map[string]string{"note": "b"}})
	}
	return i
}

// expandWith expands a spec with an inventory.
func expandWith(t testing.TB, spec string, inventory *Inventory) (*Expansion, []string) {
	t.Helper()
	e, faults := New(read(t, spec), NewEnvironment())
	if e == nil {
		t.Fatal(told(faults))
	}
	x, more := e.Expand(inventory, 0)
	return x, told(append(faults, more...))
}

// errors are the lines that are no warnings.
func errorsOf(lines []string) []string {
	var all []string
	for _, line := range lines {
		if !strings.HasPrefix(line, "(warning)") {
			all = append(all, line)
		}
	}
	return all
}

// What expressions see, of each kind of target.
func TestVariables(t *testing.T) {
	inventory := repositories(map[string]string{"env": "prod"}, "a", "b")
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Namespace: "default", Name: "b", Labels: map[string]string{"role": "dev"}})
	inventory.AddRevision(&PackageRevision{Object: Object{Name: "example-repo.foo.v1", Labels: map[string]string{"tier": "gold"}}, Repository: "example-repo", PackageName: "foo", Revision: "v1"})
	list, repository, object := "repositories: [{name: a, packageNames: [p]}]", "repositorySelector: {}\n  packageNames: [p]", "objectSelector: {apiVersion: v1, kind: Team}\n  packageNames: [p]"
	for _, tc := range []struct{ target, expr, want string }{
		{list, "repoDefault + ' ' + packageDefault", "a p"},
		{list, "target.repo + ' ' + target['package']", "a p"},
		{list, "repository.name + repository.labels.env + repository.annotations['note']", "aprodb"},
		{list, "upstream.name + ' ' + upstream.namespace + ' ' + upstream.labels.tier", "example-repo.foo.v1 default gold"},
		{list, "string(size(upstream.annotations))", "0"},
		{list, "string(size(target) + size(repository))", "6"}, // nothing else
		{repository, "target.name + target.namespace + target.labels.env", "adefaultprod"},
		{object, "repoDefault + target.name + target.labels['role'] + repository.labels['env']", "bbdevprod"},
		{object, "string(size(target))", "4"},
		{object, "string(size(target.annotations))", "0"},
		// The strings extension, and the libraries of Kubernetes.
		{list, "'%s-%d'.format([repoDefault.upperAscii(), 3])", "A-3"},
		{list, "string(ip('10.0.0.1').family()) + string(quantity('1Ki').asInteger()) + 'a1'.find('[0-9]')", "410241"},
		{list, "string(semver('1.2.3').major()) + [1, 2].map(x, string(x)).join('')", "112"},
		{list, "'env' in repository.labels ? 'yes' : 'no'", "yes"},
		{list, "repository.labels[?'none'].orValue('else')", "else"},
	} {
		x, lines := expandWith(t, withTarget(tc.target+"\n  template: {annotationExprs: [{key: x, valueExpr: \""+tc.expr+"\"}]}"), inventory)
		if len(lines) > 0 {
			t.Errorf("%s: %v", tc.expr, lines)
			continue
		}
		if got := x.Variants[0].Annotations[0].Value; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.expr, got, tc.want)
		}
	}
}

// What could not be looked up has its name, the namespace of the set, and no
// labels and annotations.
func TestStandIns(t *testing.T) {
	x, lines := expandWith(t, withTemplate(`{labelExprs: [{key: x, valueExpr: "upstream.name + upstream.namespace + repository.name + repository.namespace + string(size(repository.labels) + size(upstream.annotations))"}]}`), &Inventory{})
	if got := x.Variants[0].Labels[0].Value; got != "foodefaultadefault0" {
		t.Errorf("got %q", got)
	}
	want := []string{"(warning) variant-set/unverified spec: the upstream and the repository a could not be looked up: the list holds no PackageRevision and no Repository (a selector of the function may hide it); expressions see no labels and annotations of them, and the name of the package as upstream.name, where the cluster has that of the PackageRevision"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestExpressionsThatDoNotCompile(t *testing.T) {
	for _, tc := range []struct{ field, want string }{
		{`labelExprs: [{key: a, valueExpr: "target."}]`, "labelExprs[0].valueExpr: line 1, column 8: Syntax error: no viable alternative at input '.'"},
		{`labelExprs: [{key: a, valueExpr: ""}]`, "labelExprs[0].valueExpr: is empty: give a CEL expression"},
		{`labelExprs: [{keyExpr: "1", value: a}]`, "labelExprs[0].keyExpr: the expression yields int, want string: nothing is converted by itself, write string(…)"},
		{`annotationExprs: [{key: a, valueExpr: "target.labels"}, {key: a, valueExpr: "true"}]`, "annotationExprs[1].valueExpr: the expression yields bool, want string: nothing is converted by itself, write string(…)"},
		{`annotationExprs: [{key: a, valueExpr: "repositry.name"}]`, `annotationExprs[0].valueExpr: line 1, column 1: undeclared reference to 'repositry'; variables are repoDefault, packageDefault, upstream, target, repository (did you mean "repository"?)`},
		{`packageContext: {removeKeyExprs: ["a", " "]}`, "packageContext.removeKeyExprs[0]: line 1, column 1: undeclared reference to 'a'; variables are repoDefault, packageDefault, upstream, target, repository|packageContext.removeKeyExprs[1]: is empty: give a CEL expression"},
		{`packageContext: {dataExprs: [{keyExpr: "a", valueExpr: "b"}]}`, "packageContext.dataExprs[0].keyExpr: line 1, column 1: undeclared reference to 'a'; variables are repoDefault, packageDefault, upstream, target, repository|packageContext.dataExprs[0].valueExpr: line 1, column 1: undeclared reference to 'b'; variables are repoDefault, packageDefault, upstream, target, repository"},
		{`downstream: {repoExpr: "repository.name", packageExpr: "now()"}`, "downstream.repoExpr: line 1, column 1: undeclared reference to 'repository': the repository is not known before downstream.repoExpr; use target, repoDefault or upstream|downstream.packageExpr: line 1, column 4: undeclared reference to 'now'; functions are those of CEL, its strings extension and the libraries of Kubernetes"},
		{`injectors: [{nameExpr: "size('a')"}]`, "injectors[0].nameExpr: the expression yields int, want string: nothing is converted by itself, write string(…)"},
		{`pipeline: {mutators: [{image: a, configMapExprs: [{key: a, valueExpr: "{}"}]}]}`, "pipeline.mutators[0].configMapExprs[0].valueExpr: the expression yields map(dyn, dyn), want string: take one of its values"},
	} {
		e, faults := New(read(t, withTemplate("{"+tc.field+"}")), NewEnvironment())
		var want []string
		for line := range strings.SplitSeq(tc.want, "|") {
			want = append(want, "variant-set/expression spec.targets[0].template."+line)
		}
		if diff := cmp.Diff(want, told(faults)); diff != "" || e != nil {
			t.Errorf("%s: -want +got:\n%s", tc.field, diff)
		}
	}
}

// All targets are tried; each error names the target, where it is, and the field.
func TestEvaluationErrors(t *testing.T) {
	inventory := repositories(map[string]string{"region": "us"}, "a", "b", "c")
	for _, tc := range []struct{ name, template, want string }{
		{"a missing label", `{labelExprs: [{key: x, valueExpr: "repository.labels['regoin']"}]}`, `labelExprs[0].valueExpr: %s: no such key: regoin (did you mean "region"?); set it there, or give a default: labels[?'regoin'].orValue('…')`},
		{"not of an object", `{labelExprs: [{key: x, valueExpr: "target.spec"}]}`, `labelExprs[0].valueExpr: %s: no such key: spec; objects have name, namespace, labels and annotations, and the target of a list repo and package`},
		{"a number", `{annotationExprs: [{key: x, valueExpr: "dyn(1)"}]}`, "annotationExprs[0].valueExpr: %s: the expression yields int, want string: nothing is converted by itself, write string(…)"},
		{"null", `{annotationExprs: [{key: x, valueExpr: "dyn(null)"}]}`, "annotationExprs[0].valueExpr: %s: the expression yields null_type, want string: give a text instead"},
		{"a map", `{annotationExprs: [{key: x, valueExpr: "target.labels"}]}`, "annotationExprs[0].valueExpr: %s: the expression yields map, want string: take one of its values"},
		{"an empty repository", `{downstream: {repoExpr: "''"}}`, "downstream.repoExpr: %s: the downstream repository is empty"},
		{"an empty package", `{downstream: {packageExpr: "''"}}`, "downstream.packageExpr: %s: the downstream package is empty"},
		{"an empty key", `{labelExprs: [{keyExpr: "''", value: a}]}`, "labelExprs[0].keyExpr: %s: the key is empty"},
		{"an empty key to remove", `{packageContext: {removeKeyExprs: ["''"]}}`, "packageContext.removeKeyExprs[0]: %s: the key is empty"},
		{"an empty injector", `{injectors: [{nameExpr: "''"}]}`, "injectors[0].nameExpr: %s: the name of the injector is empty"},
		{"a reserved key", `{packageContext: {dataExprs: [{keyExpr: "'na' + 'me'", value: a}]}}`, `packageContext.dataExprs[0].keyExpr: %s: the key "name" of the package context is reserved: kpt and Porch set it`},
		{"a reserved key to remove", `{packageContext: {removeKeyExprs: ["'package-' + 'path'"]}}`, `packageContext.removeKeyExprs[0]: %s: the key "package-path" of the package context is reserved: kpt and Porch set it`},
		{"a repository that climbs", `{downstream: {repoExpr: "'../x'"}}`, `downstream.repoExpr: %s: got "../x", want the name of a Repository, without slashes, line breaks and blanks around it`},
		{"a package that climbs", `{downstream: {packageExpr: "'a/../../x'"}}`, `downstream.packageExpr: %s: got "a/../../x", which climbs; want a path within the repository, without ..`},
		{"a key that is too long", `{labelExprs: [{keyExpr: "'` + strings.Repeat("a", 1001) + `'", value: a}]}`, "labelExprs[0].keyExpr: %s: the key has 1001 bytes; it can have 1000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, lines := expandWith(t, withTarget("repositorySelector: {}\n  template: "+tc.template), inventory)
			var want []string
			for _, name := range []string{"a", "b", "c"} {
				want = append(want, fmt.Sprintf(" spec.targets[0].template."+tc.want, fmt.Sprintf("Repository %q, package \"foo\"", name)))
			}
			var got []string
			for _, line := range errorsOf(lines) {
				rule, rest, _ := strings.Cut(line, " ")
				if expected := map[bool]string{true: "variant-set/invalid", false: "variant-set/expression"}[strings.Contains(tc.want, "is empty") || strings.Contains(tc.want, "reserved") || strings.Contains(tc.want, "bytes") || strings.Contains(tc.want, ": got ")]; rule != expected {
					t.Errorf("rule %s, want %s", rule, expected)
				}
				got = append(got, " "+rest)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A label of something that could not be looked up is missing for that reason.
func TestMissingLabelOfStandIn(t *testing.T) {
	_, lines := expandWith(t, withTemplate(`{labelExprs: [{key: x, valueExpr: "repository.labels.region"}, {key: y, valueExpr: "upstream.labels.tier"}]}`), &Inventory{})
	want := []string{
		`variant-set/expression spec.targets[0].template.labelExprs[0].valueExpr: repository "a", package "foo": no such key: region; what labels and annotations the repository has is not known, as the list holds no Repository`,
		`variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr: repository "a", package "foo": no such key: tier; what labels and annotations the upstream has is not known, as the list holds no PackageRevision`,
	}
	if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An expression that stays just below the limit of one evaluation is not tried
// for ever either.
func TestExpressionsThatCostMuchForAll(t *testing.T) {
	const nine = "[1,2,3,4,5,6,7,8,9]"
	costly := nine + ".map(a, " + nine + ".map(b, " + nine + ".map(c, " + nine + ".map(d, [1,2,3].map(e, a + e)))))[0] == [] ? 'a' : 'b'"
	e, _ := New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{key: b, valueExpr: \""+costly+"\"}]}")), NewEnvironment())
	if e == nil {
		t.Fatal("does not compile")
	}
	var names []string
	for n := range 200 {
		names = append(names, fmt.Sprintf("r%03d", n))
	}
	if _, faults := e.Expand(repositories(nil, names[:9]...), 0); len(errorsOf(told(faults))) != 0 {
		t.Errorf("few are refused: %s", faults)
	}
	_, faults := e.Expand(repositories(nil, names...), 0)
	got := errorsOf(told(faults))
	want := `: the expression costs more for the variants up to this one than its limit for all allows (20000000); it is not tried for other variants; take less of the data, or several simple expressions`
	if len(got) != 1 || !strings.HasSuffix(got[0], want) {
		t.Errorf("got %q", got)
	}
	// Neither is one that fails at its end.
	e, _ = New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{key: b, valueExpr: \""+strings.Replace(costly, "'b'", "repository.labels.absent", 1)+"\"}]}")), NewEnvironment())
	_, faults = e.Expand(repositories(nil, names...), 0)
	got = errorsOf(told(faults))
	if len(got) == 0 || len(got) > 50 || !strings.HasSuffix(got[len(got)-1], want) {
		t.Errorf("got %d, the last one is %q", len(got), got[len(got)-1:])
	}
}

// An expression that costs too much is tried once, not for each of thousands of
// variants; others are told for all.
func TestExpensiveExpressions(t *testing.T) {
	const bomb = "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, a + f))))))[0] == [] ? 'a' : 'b'"
	e, _ := New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{keyExpr: \""+bomb+"\", value: a}, {key: b, valueExpr: \"repository.labels.absent\"}]}")), NewEnvironment())
	if e == nil {
		t.Fatal("does not compile")
	}
	missing := ` no such key: absent; set it there, or give a default: labels[?'absent'].orValue('…')`
	want := []string{
		`variant-set/expression spec.targets[0].template.labelExprs[0].keyExpr: Repository "a", package "foo": the expression costs more than its limit allows (1000000); it is not tried for other variants; take less of the data, or several simple expressions`,
		`variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr: Repository "a", package "foo":` + missing,
		`variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr: Repository "b", package "foo":` + missing,
	}
	for range 2 { // each expansion tells it
		_, faults := e.Expand(repositories(nil, "a", "b"), 0)
		if diff := cmp.Diff(want, errorsOf(told(faults))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
