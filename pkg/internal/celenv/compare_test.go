package celenv

import (
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/go-cmp/cmp"
)

func TestExcluded(t *testing.T) {
	env := New(Variable("l", cel.ListType(cel.MapType(cel.StringType, cel.AnyType))))
	for _, tc := range []struct {
		expression string
		want       []string // also if the program is not negated
		negated    []string
	}{
		{`l.exists(p, p.type == "a")`, nil, []string{"a"}},
		{`!l.exists(p, p.type == "a")`, []string{"a"}, nil},
		{`!(l.exists(p, 'a' == p.type) || l.exists(p, p.type in ["b", "c"]))`, []string{"a", "b", "c"}, nil},
		{`l.all(p, p.type != "a")`, []string{"a"}, nil},
		{`!l.all(p, p.type != "a")`, nil, []string{"a"}},
		{`l.exists(p, p.type == "a") && !l.exists_one(p, p.type == "b" && !(p.type == "c"))`, []string{"b"}, []string{"a", "c"}},
		{`!(size(l.filter(p, p.type == "a")) > 0)`, []string{"a"}, nil},
		{`!l.exists(p, p.kind == "a" || p.value.type == "b" || p.type == p.kind)`, nil, nil},
		{`!l.exists(p, p.type == string(p.value))`, nil, nil},
	} {
		program, err := env.Compile(tc.expression, Bool)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{tc.want, tc.negated}, [][]string{program.Excluded("type", false), program.Excluded("type", true)}); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.expression, diff)
		}
	}
}
