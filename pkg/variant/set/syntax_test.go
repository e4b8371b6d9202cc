package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Labels and annotations that the API server refuses are told by warnings: the
// PackageVariant is one all the same.
func TestLabelSyntax(t *testing.T) {
	const template = `{labels: {a b: c, d: e f, ok: '', example.com/ok: A_b.c}, annotations: {a b: c d, Example.com/ok: any text}, ` +
		`labelExprs: [{key: -, value: '-'}, {keyExpr: "'x y'", valueExpr: "'x y'"}, {keyExpr: "'ok'", valueExpr: "''"}], annotationExprs: [{key: '/', value: b}, {keyExpr: "'x y'", value: x y}], ` +
		`packageContext: {data: {a b: c d}}, pipeline: {mutators: [{image: a, configMap: {a b: c d}}]}}`
	x, lines := expandWith(t, withTemplate(template), repositories(nil, "a"))
	const label, annotation, value = "as the key of a label; want " + qualified, "as the key of an annotation; want " + qualified, "as the value of a label; want nothing, or a text of " + labelName
	var want []string
	for _, line := range []string{
		`labels.a b: the API server refuses "a b" ` + label,
		`labels.d: the API server refuses "e f" ` + value,
		`labelExprs[0].key: the API server refuses "-" ` + label,
		`labelExprs[0].value: the API server refuses "-" ` + value,
		`annotations.a b: the API server refuses "a b" ` + annotation,
		`annotationExprs[0].key: the API server refuses "/" ` + annotation,
		`labelExprs[1].keyExpr: repository "a", package "foo": the API server refuses "x y" ` + label,
		`labelExprs[1].valueExpr: repository "a", package "foo": the API server refuses "x y" ` + value,
		`annotationExprs[1].keyExpr: repository "a", package "foo": the API server refuses "x y" ` + annotation,
	} {
		want = append(want, "(warning) variant-set/invalid spec.targets[0].template."+line)
	}
	var got []string
	for _, line := range lines {
		if !strings.Contains(line, "variant-set/unverified") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(x.Variants) != 1 || len(x.Variants[0].Labels) != 6 {
		t.Errorf("got %v", x.Variants)
	}
}

// The name of an object that is no Repository is a repository by default, and may
// be none of a path.
func TestObjectsThatAreNoRepositories(t *testing.T) {
	inventory := &Inventory{}
	inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: "system:ok"})
	inventory.Add(&Object{APIVersion: "v1", Kind: "A", Name: "a/.."})
	_, lines := expandWith(t, withTarget("objectSelector: {apiVersion: v1, kind: A}"), inventory)
	want := []string{`variant-set/invalid spec.targets[0].objectSelector: A "a/..", package "foo": got "a/..", want the name of a Repository, without slashes, line breaks and blanks around it`}
	if diff := cmp.Diff(want, errorsOf(lines)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
