package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/variant"
)

// repositories makes an inventory with one Repository for each name, with labels.
func repositories(labels map[string]string, names ...string) *Inventory {
	i := &Inventory{}
	for _, name := range names {
		i.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Name: name, Labels: labels, Annotations: map[string]string{"note": "b"}})
	}
	return i
}

// expandFindings expands a spec with an inventory, and returns all findings.
func expandFindings(t testing.TB, spec string, inventory *Inventory) (*Expansion, []diag.Finding) {
	t.Helper()
	e, findings := New(read(t, spec), NewEnvironment())
	x, more := e.Expand(inventory, 0)
	findings = slices.DeleteFunc(append(findings, more...), isUnpinned)
	for _, f := range findings {
		if text := f.Message(); strings.Contains(text, "the list") || strings.Contains(text, "function's selectors") {
			t.Errorf("the plain API knows neither lists nor functions: %s", text)
		}
	}
	return x, findings
}

// expandWith is expandFindings with facts.
func expandWith(t testing.TB, spec string, inventory *Inventory) (*Expansion, []string) {
	t.Helper()
	x, findings := expandFindings(t, spec, inventory)
	return x, facts(findings)
}

// errorsOf are the facts of errors.
func errorsOf(facts []string) []string {
	return slices.DeleteFunc(slices.Clone(facts), func(fact string) bool { return !strings.HasPrefix(fact, "error") })
}

// What expressions see, of each kind of target.
func TestVariables(t *testing.T) {
	inventory := repositories(map[string]string{"env": "prod"}, "a", "b")
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Namespace: "default", Name: "b", Labels: map[string]string{"role": "dev"}})
	inventory.AddRevision(&PackageRevision{Object: Object{Name: "example-repo.foo.v1", Labels: map[string]string{"tier": "gold"}}, Repository: "example-repo", PackageName: "foo", Revision: "v1"})
	list, repository, object := "repositories: [{name: a, packageNames: [p]}]", "repositorySelector: {}", "objectSelector: {apiVersion: v1, kind: Team}"
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
		{list, "'env' in repository.labels ? 'yes' : 'no'", "yes"},
	} {
		x, lines := expandWith(t, withTarget(tc.target+"\n  template: {annotationExprs: [{key: x, valueExpr: \""+tc.expr+"\"}]}"), inventory)
		if len(lines) > 0 {
			t.Errorf("%s: %v", tc.expr, lines)
		}
		if got := x.Variants[0].Spec.Annotations["x"]; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.expr, got, tc.want)
		}
	}
}

// The strings extension, the libraries of Kubernetes and literals of mixed types work here.
// Porch rejects them, which a warning says.
func TestExpressionsThatPorchRefuses(t *testing.T) {
	for _, tc := range []struct{ expr, want string }{
		{"'%s-%d'.format([repoDefault.upperAscii(), 3])", "A-3"},
		{"string(ip('10.0.0.1').family()) + string(quantity('1Ki').asInteger()) + 'a1'.find('[0-9]')", "410241"},
		{"string(semver('1.2.3').major()) + [1, 2].map(x, string(x)).join('')", "112"},
		{"repository.labels[?'none'].orValue('else')", "else"},
		{"[repository.name, 1][0]", "a"},
		{"{'a': 1, 'b': 'x'}['b']", "x"},
	} {
		spec := withTemplate("{annotationExprs: [{key: x, valueExpr: \"" + tc.expr + "\"}]}")
		note(t, spec)
		x, lines := expandWith(t, spec, repositories(nil, "a"))
		want := []string{"warning variant-set/unverified spec", "warning variant-set/not-in-porch spec.targets[0].template.annotationExprs[0].valueExpr"}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.expr, diff)
		}
		if got := x.Variants[0].Spec.Annotations["x"]; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.expr, got, tc.want)
		}
	}
}

// The default that is proposed for a missing label or annotation reads the map that the
// expression reads, and works in Porch, too.
func TestProposedDefault(t *testing.T) {
	inventory := repositories(nil, "a")
	inventory.AddRevision(&PackageRevision{Object: Object{Name: "r"}, Repository: "example-repo", PackageName: "foo", Revision: "1"})
	for expr, want := range map[string]string{
		"repository.labels['x']":        "'x' in repository.labels ? repository.labels['x'] : '…'",
		"upstream.annotations.x":        "'x' in upstream.annotations ? upstream.annotations['x'] : '…'",
		"target.labels[ 'x' ] + 'a'":    "'x' in target.labels ? target.labels['x'] : '…'",
		"repository.annotations['n.x']": "'n.x' in repository.annotations ? repository.annotations['n.x'] : '…'",
	} {
		_, findings := expandFindings(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{key: a, valueExpr: \""+expr+"\"}]}"), inventory)
		if len(findings) != 1 || !strings.HasSuffix(findings[0].Action, ": "+want) {
			t.Errorf("%s: got %+v", expr, findings)
			continue
		}
		if _, lines := expandWith(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{key: a, valueExpr: \""+strings.Replace(want, "…", "b", 1)+"\"}]}"), inventory); len(lines) > 0 {
			t.Errorf("%s: the proposal: %v", expr, lines)
		}
	}
}

// What could not be looked up has its name, the namespace of the set, and no
// labels and annotations.
func TestStandIns(t *testing.T) {
	x, lines := expandWith(t, withTemplate(`{labelExprs: [{key: x, valueExpr: "upstream.name + upstream.namespace + repository.name + repository.namespace + string(size(repository.labels) + size(upstream.annotations))"}]}`), &Inventory{})
	if got := x.Variants[0].Spec.Labels["x"]; got != "foodefaultadefault0" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff([]string{"warning variant-set/unverified spec"}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// For plain text the action says how to write it.
func TestPlainTextAsExpression(t *testing.T) {
	_, findings := New(read(t, withTemplate(`{labelExprs: [{key: a, valueExpr: prod}]}`)), NewEnvironment())
	findings = slices.DeleteFunc(findings, isUnpinned)
	if len(findings) != 1 || !strings.Contains(findings[0].Action, `"'prod'"`) {
		t.Errorf("got %+v", findings)
	}
}

// The target of a list has no labels, and no others than its own fields.
func TestEvaluationErrorsOfLists(t *testing.T) {
	for expr, want := range map[string]string{
		"dyn(repository.labels)['x'] + target.labels.x": `no="label named \"x\" for repository \"a\", package \"foo\"" package=foo repository=a`,
		"target.labels['region']":                       `no="field named \"labels\" for repository \"a\", package \"foo\"" package=foo repository=a`,
		"target.annotations.note":                       `no="field named \"annotations\" for repository \"a\", package \"foo\"" package=foo repository=a`,
		"target.name":                                   `no="field named \"name\" for repository \"a\", package \"foo\"" package=foo repository=a`,
		"target['namespace']":                           `no="field named \"namespace\" for repository \"a\", package \"foo\"" package=foo repository=a`,
		"[target.repo]":                                 `got="a list" want=string`,
	} {
		_, lines := expandWith(t, withTarget("repositories: [{name: a}]\n  template: {labelExprs: [{key: x, valueExpr: \""+expr+"\"}]}"), repositories(nil, "a"))
		if got := strings.Join(errorsOf(lines), "\n"); got != "error variant-set/expression spec.targets[0].template.labelExprs[0].valueExpr "+want {
			t.Errorf("%s: got %s", expr, got)
		}
	}
}

// All targets are tried. Each error has the target, where it is, and the field.
func TestEvaluationErrors(t *testing.T) {
	inventory := repositories(map[string]string{"region": "us"}, "a", "b", "c")
	for _, tc := range []struct{ name, template, want string }{
		{"a missing label", `{labelExprs: [{key: x, valueExpr: "repository.labels['regoin']"}]}`, `expression labelExprs[0].valueExpr no="label named \"regoin\" for %s" want=region near=region`},
		{"a missing annotation", `{labelExprs: [{key: x, valueExpr: "target.annotations.nots"}]}`, `expression labelExprs[0].valueExpr no="annotation named \"nots\" for %s" want=note near=note`},
		{"a missing annotation of none", `{labelExprs: [{key: x, valueExpr: "upstream.annotations.nots"}]}`, `expression labelExprs[0].valueExpr no="annotation named \"nots\" for %s"`},
		{"not of an object", `{labelExprs: [{key: x, valueExpr: "target.spec"}]}`, `expression labelExprs[0].valueExpr no="field named \"spec\" for %s"`},
		{"a number", `{annotationExprs: [{key: x, valueExpr: "dyn(1)"}]}`, `expression annotationExprs[0].valueExpr got="int for %s" want=string`},
		{"null", `{annotationExprs: [{key: x, valueExpr: "dyn(null)"}]}`, `expression annotationExprs[0].valueExpr got="null for %s" want=string`},
		{"a map", `{annotationExprs: [{key: x, valueExpr: "target.labels"}]}`, `expression annotationExprs[0].valueExpr got="a map for %s" want=string`},
		{"an empty repository", `{downstream: {repoExpr: "''"}}`, `invalid downstream.repoExpr missing="empty for %s"`},
		{"an empty package", `{downstream: {packageExpr: "''"}}`, `invalid downstream.packageExpr missing="empty for %s"`},
		{"an empty key", `{labelExprs: [{keyExpr: "''", value: a}]}`, `invalid labelExprs[0].keyExpr missing="empty for %s"`},
		{"an empty key to remove", `{packageContext: {removeKeyExprs: ["''"]}}`, `invalid packageContext.removeKeyExprs[0] missing="empty for %s"`},
		{"an empty injector", `{injectors: [{nameExpr: "''"}]}`, `invalid injectors[0].nameExpr missing="empty for %s"`},
		{"a reserved key", `{packageContext: {dataExprs: [{keyExpr: "'na' + 'me'", value: a}]}}`, `invalid packageContext.dataExprs[0].keyExpr`},
		{"a key that a ConfigMap cannot have", `{packageContext: {dataExprs: [{keyExpr: "'my ' + 'key'", value: a}]}}`, `invalid packageContext.dataExprs[0].keyExpr got="\"my key\" for %s" want="a key of a ConfigMap (letters, digits, '-', '_' and '.')"`},
		{"a reserved key to remove", `{packageContext: {removeKeyExprs: ["'package-' + 'path'"]}}`, `invalid packageContext.removeKeyExprs[0]`},
		{"a repository that climbs", `{downstream: {repoExpr: "'../x'"}}`, `invalid downstream.repoExpr got="\"../x\" for %s" want="the name of a Repository without slashes, line breaks or surrounding whitespace"`},
		{"a package that climbs", `{downstream: {packageExpr: "'a/../../x'"}}`, `invalid downstream.packageExpr got="\"a/../../x\" for %s" want="a path in the repository without .."`},
		{"a key that is too long", `{labelExprs: [{keyExpr: "'` + strings.Repeat("a", 1001) + `'", value: a}]}`, `invalid labelExprs[0].keyExpr got="a key of 1001 bytes for %s" want="at most 1000"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := withTarget("repositorySelector: {}\n  template: " + tc.template)
			note(t, spec)
			_, lines := expandWith(t, spec, inventory)
			rule, rest, _ := strings.Cut(tc.want, " ")
			var want []string
			for _, name := range []string{"a", "b", "c"} {
				of := `Repository \"` + name + `\", package \"foo\"`
				want = append(want, "error variant-set/"+rule+" spec.targets[0].template."+strings.ReplaceAll(rest, "%s", of)+" package=foo repository="+name)
			}
			if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A label of something that could not be looked up is missing for that reason.
func TestMissingLabelOfStandIn(t *testing.T) {
	const spec = `{labelExprs: [{key: x, valueExpr: "repository.labels.region"}, {key: y, valueExpr: "upstream.labels.tier"}]}`
	functiontest.Run(t, Function(), "", one[:strings.Index(one, "labels:")]+strings.Trim(spec, "{}")+"\n")
	_, findings := expandFindings(t, withTemplate(spec), &Inventory{})
	for i, want := range []string{"add the Repository", "add the PackageRevision"} {
		if f := findings[i]; f.Kind != diag.KindNotFound || !strings.HasPrefix(f.Action, want) {
			t.Errorf("got %+v, want %q", f, want)
		}
	}
}

// Expressions that stay just below the limit of one evaluation are not tried for ever
// either, be they one or many, of one set or of many.
func TestLimitOfAllExpressions(t *testing.T) {
	const nine = "[1,2,3,4,5,6,7,8,9]"
	costly := nine + ".map(a, " + nine + ".map(b, " + nine + ".map(c, " + nine + ".map(d, [1,2,3].map(e, a + e)))))[0] == [] ? 'a' : 'b'"
	fails := strings.Replace(costly, "'b'", "repository.labels.absent", 1)
	var names []string
	for n := range 200 {
		names = append(names, fmt.Sprintf("r%03d", n))
	}
	isRefused := func(f diag.Finding) bool { return strings.Contains(f.Found, "cost more for all variants") }
	template := func(expressions ...string) *Expander {
		var all []string
		for i, e := range expressions {
			all = append(all, fmt.Sprintf("{key: k%d, valueExpr: \"%s\"}", i, e))
		}
		e, _ := New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: ["+strings.Join(all, ", ")+"]}")), NewEnvironment())
		e.Budget = &Budget{spent: celenv.RunLimit - 3*celenv.CostLimit} // as if others were evaluated before
		return e
	}
	if _, findings := template(costly).Expand(repositories(nil, names[:2]...), 0); variant.HasError(findings) {
		t.Errorf("few are rejected: %s", facts(findings))
	}
	_, findings := template("repoDefault", costly).Expand(repositories(nil, names...), 0)
	if got := errorsOf(facts(findings)); len(got) != 1 || !slices.ContainsFunc(findings, isRefused) || !strings.Contains(got[0], "labelExprs[1]") {
		t.Errorf("got %q", got)
	}
	// One that fails at its end.
	_, findings = template(fails).Expand(repositories(nil, names...), 0)
	if got := errorsOf(facts(findings)); len(got) == 0 || len(got) > 50 || !slices.ContainsFunc(findings, isRefused) {
		t.Errorf("got %d, the last one is %q", len(got), got[len(got)-1:])
	}
	// Many expressions, each of which is evaluated a few times.
	var many []string
	for n := range 50 {
		many = append(many, strings.Replace(costly, "'a'", fmt.Sprintf("'a%d'", n), 1))
	}
	if _, findings = template(many...).Expand(repositories(nil, names[:2]...), 0); !slices.ContainsFunc(findings, isRefused) {
		t.Errorf("many expressions are evaluated: %s", facts(findings))
	}
	// Many sets. The one without expensive expressions says why it is not expanded.
	budget := Budget{spent: celenv.RunLimit - 3*celenv.CostLimit}
	for range 20 {
		e := template(costly)
		e.Budget = &budget
		e.Expand(repositories(nil, names[:2]...), 0)
	}
	if spent, most := budget.spent, budget.limit()+celenv.CostLimit; spent > most {
		t.Errorf("many sets cost %d, want at most %d", spent, most)
	}
	e := template("repoDefault")
	e.Budget = &budget
	if _, findings = e.Expand(repositories(nil, "a"), 0); len(errorsOf(facts(findings))) != 1 || !slices.ContainsFunc(findings, isRefused) {
		t.Errorf("got %s", facts(findings))
	}
}

// Sets of usual size are far from the limit.
func TestLimitOfManyVariants(t *testing.T) {
	var names []string
	for n := range 10_000 {
		names = append(names, fmt.Sprintf("r%05d", n))
	}
	var all []string
	for n := range 40 {
		all = append(all, fmt.Sprintf("{key: k%d, valueExpr: \"'env' in repository.labels ? repository.labels['env'] + '-' + target.name + string(%d) : packageDefault + '-' + repoDefault\"}", n, n))
	}
	e, _ := New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: ["+strings.Join(all, ", ")+"]}")), NewEnvironment())
	e.Budget = &Budget{}
	if _, findings := e.Expand(repositories(nil, names...), 0); variant.HasError(findings) {
		t.Fatal(facts(findings)[:1])
	}
	if e.Budget.spent > e.Budget.limit()/2 {
		t.Errorf("the cost is %d, the limit %d", e.Budget.spent, e.Budget.limit())
	}
}

// An expression that costs too much is tried once, not for each of thousands of
// variants; others are reported for all.
func TestExpensiveExpressions(t *testing.T) {
	const bomb = "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, a + f))))))[0] == [] ? 'a' : 'b'"
	e, _ := New(read(t, withTarget("repositorySelector: {}\n  template: {labelExprs: [{keyExpr: \""+bomb+"\", value: a}, {key: b, valueExpr: \"repository.labels.absent\"}]}")), NewEnvironment())
	want := []string{
		"error variant-set/expression spec.targets[0].template.labelExprs[0].keyExpr package=foo repository=a",
		`error variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr no="label named \"absent\" for Repository \"a\", package \"foo\"" package=foo repository=a`,
		`error variant-set/expression spec.targets[0].template.labelExprs[1].valueExpr no="label named \"absent\" for Repository \"b\", package \"foo\"" package=foo repository=b`,
	}
	for range 2 { // each expansion reports it
		_, findings := e.Expand(repositories(nil, "a", "b"), 0)
		if diff := cmp.Diff(want, errorsOf(facts(findings))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
