package set

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Labels and annotations that the API server rejects are warnings: the
// PackageVariant is one all the same.
func TestLabelSyntax(t *testing.T) {
	const template = `{labels: {a b: c, d: e f, ok: '', example.com/ok: A_b.c}, annotations: {a b: c d, Example.com/ok: any text}, ` +
		`labelExprs: [{key: -, value: '-'}, {keyExpr: "'x y'", valueExpr: "'x y'"}, {keyExpr: "'ok'", valueExpr: "''"}], annotationExprs: [{key: '/', value: b}, {keyExpr: "'x y'", value: x y}], ` +
		`packageContext: {data: {a-b: c d}}, pipeline: {mutators: [{image: a, configMap: {a b: c d}}]}}`
	x, lines := expandWith(t, withTemplate(template), repositories(nil, "a"))
	note(t, withTemplate(template))
	got := slices.DeleteFunc(lines, func(fact string) bool { return strings.Contains(fact, "unverified") })
	var want []string
	for _, fact := range []string{
		`annotationExprs[0].key got="\"/\"" want="the key of an annotation (@Q)"`,
		`annotationExprs[1].keyExpr got="\"x y\" for repository \"a\", package \"foo\"" want="the key of an annotation (@Q)" package=foo repository=a`,
		`annotations.a b got="\"a b\"" want="the key of an annotation (@Q)"`,
		`labelExprs[0].key got="\"-\"" want="the key of a label (@Q)"`,
		`labelExprs[0].value got="\"-\"" want="the value of a label (empty, or @V)"`,
		`labelExprs[1].keyExpr got="\"x y\" for repository \"a\", package \"foo\"" want="the key of a label (@Q)" package=foo repository=a`,
		`labelExprs[1].valueExpr got="\"x y\" for repository \"a\", package \"foo\"" want="the value of a label (empty, or @V)" package=foo repository=a`,
		`labels.a b got="\"a b\"" want="the key of a label (@Q)"`,
		`labels.d got="\"e f\"" want="the value of a label (empty, or @V)"`,
	} {
		want = append(want, "warning variant-set/invalid spec.targets[0].template."+strings.NewReplacer("@Q", qualified, "@V", labelName).Replace(fact))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(x.Variants) != 1 || len(x.Variants[0].Spec.Labels) != 6 {
		t.Errorf("got %v", x.Variants)
	}
}

// The name of an object that is not a Repository is a repository by default, and may
// be none of a path.
func TestObjectsThatAreNoRepositories(t *testing.T) {
	inventory := &Inventory{}
	inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: "system:ok"})
	inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: "a/.."})
	_, lines := expandWith(t, withTarget("objectSelector: {apiVersion: v1, kind: A}"), inventory)
	want := []string{`error variant-set/invalid spec.targets[0].objectSelector got="\"a/..\" for A \"a/..\", package \"foo\"" want="the name of a Repository without slashes, line breaks or surrounding whitespace" package=foo repository=a/..`}
	if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
