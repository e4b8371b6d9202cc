package celenv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// lengths counts a function by the length of its argument.
type lengths struct{}

func (lengths) CallCost(function, _ string, arguments []ref.Val, _ ref.Val) *uint64 {
	s, ok := arguments[0].(types.String)
	if function != "measure" || !ok {
		return nil
	}
	cost := uint64(len(s)) / 10
	return &cost
}

func boundEnv() *Env {
	return New(
		Variable("list", cel.ListType(cel.MapType(cel.StringType, cel.DynType))),
		Strings(),
		Library(cel.Function("measure", cel.Overload("measure", []*cel.Type{cel.DynType}, cel.IntType, cel.UnaryBinding(func(v ref.Val) ref.Val {
			s, _ := v.(types.String)
			return types.Int(len(s))
		})))),
		Costs(lengths{}, func(function string, sizes []uint64) (uint64, bool) {
			if function != "measure" {
				return 0, false
			}
			return sizes[0] / 10, true
		}),
	)
}

func boundData(elements, length int) *Data {
	var list []any
	for i := range elements {
		text := strings.Repeat("x", length)
		list = append(list, map[string]any{"type": fmt.Sprint("t", i%7), "text": text, "n": int64(i), "value": map[string]any{"name": text, "list": []any{text, int64(i), "y"}}})
	}
	return NewData(map[string]any{"list": list})
}

// What is estimated is never much less than what is counted, so that what is
// affordable keeps within the limit: of expressions put
// together at random from all that bundles are asked.
func TestEstimatesAreNoLess(t *testing.T) {
	env := boundEnv()
	// What is made of the data may be longer than all of it.
	longer := `[string(list[0].text).replace("x", "` + strings.Repeat("y", 200) + `")].exists(x, x.contains("` + strings.Repeat("z", 5000) + `"))`
	for seed := range uint64(1500) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		expression := g.bool(3, nil)
		if seed == 0 {
			expression = longer
		}
		p, err := env.Compile(expression, Bool)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		d := boundData(1+g.IntN(12), 1+g.IntN(40))
		_, cost, err := evaluate(context.Background(), p.executable, d.variables)
		most := p.estimate(d.largest)
		switch {
		case errors.Is(err, ErrTooExpensive):
			if most <= affordableCost {
				t.Errorf("%s: is estimated to cost %d, and exceeds the limit", expression, most)
			}
		case err == nil && cost > 2*most:
			t.Errorf("%s: is estimated to cost %d, and costs %d", expression, most, cost)
		}
	}
}

// generator makes expressions; scope has the variables that stand for elements.
type generator struct{ *rand.Rand }

func (g generator) pick(all ...func() string) string { return all[g.IntN(len(all))]() }

func (g generator) element(scope []string) string {
	if len(scope) == 0 || g.IntN(4) == 0 {
		return "list[0]"
	}
	return scope[g.IntN(len(scope))]
}

func (g generator) text(depth int, scope []string) string {
	simple := func() string {
		return g.element(scope) + []string{".text", ".type", ".value.name", "['text']"}[g.IntN(4)]
	}
	if depth <= 0 {
		return g.pick(simple, func() string { return `"t3"` })
	}
	return g.pick(simple, simple,
		func() string {
			return `string(` + g.text(depth-1, scope) + `) + string(` + g.text(depth-1, scope) + `)`
		},
		func() string {
			return `(` + g.bool(depth-1, scope) + ` ? ` + g.text(depth-1, scope) + ` : ` + g.text(depth-1, scope) + `)`
		},
		func() string { return `string(` + g.text(depth-1, scope) + `).replace("x", "yyy")` },
		func() string { return `string(` + g.element(scope) + `.n)` },
		func() string { return g.list(depth-1, scope) + `.map(m, string(m.text)).join(",")` },
	)
}

func (g generator) list(depth int, scope []string) string {
	simple := func() string { return "list" }
	if depth <= 0 {
		return simple()
	}
	name := fmt.Sprint("l", len(scope))
	return g.pick(simple, simple,
		func() string {
			return g.list(depth-1, scope) + `.filter(` + name + `, ` + g.bool(depth-1, append(slices.Clone(scope), name)) + `)`
		},
		func() string { return `(` + g.list(depth-1, scope) + ` + ` + g.list(depth-1, scope) + `)` },
		func() string {
			return g.list(depth-1, scope) + `.map(` + name + `, {"text": ` + g.text(depth-1, append(slices.Clone(scope), name)) + `, "type": "t", "n": 1, "value": {"name": "a", "list": []}})`
		},
	)
}

func (g generator) bool(depth int, scope []string) string {
	simple := func() string { return g.text(depth-1, scope) + ` == ` + g.text(depth-1, scope) }
	if depth <= 0 {
		return g.pick(simple, func() string { return g.element(scope) + `.n >= 3` })
	}
	name := fmt.Sprint("b", len(scope))
	within := append(slices.Clone(scope), name)
	loop := func() string {
		return g.list(depth-1, scope) + `.` + []string{"exists", "all", "exists_one"}[g.IntN(3)] + `(` + name + `, ` + g.bool(depth-1, within) + `)`
	}
	return g.pick(simple, loop, loop, loop,
		func() string { return `(` + g.bool(depth-1, scope) + ` && ` + g.bool(depth-1, scope) + `)` },
		func() string { return `(` + g.bool(depth-1, scope) + ` || !(` + g.bool(depth-1, scope) + `))` },
		func() string { return `has(` + g.element(scope) + `.text)` },
		func() string { return g.text(depth-1, scope) + ` in ` + g.element(scope) + `.value.list` },
		func() string { return g.element(scope) + ` == ` + g.element(scope) },
		func() string { return g.list(depth-1, scope) + ` == ` + g.list(depth-1, scope) },
		func() string { return `measure(` + g.text(depth-1, scope) + `) > 3` },
		func() string {
			return `string(` + g.text(depth-1, scope) + `).` + []string{"startsWith", "contains", "matches", "endsWith"}[g.IntN(4)] + `("t")`
		},
		func() string { return `size(` + g.list(depth-1, scope) + `) > 2` },
	)
}

// What rules usually are is not counted, with hundreds of properties too; what may
// cost too much is.
func TestAffordable(t *testing.T) {
	env := boundEnv()
	for _, tc := range []struct {
		expression string
		elements   int
		want       bool
	}{
		{`list.exists(p, p.type == "t3")`, 2000, true},
		{`list.exists(p, p.type == "feature" && p.value.name == "rare" && p.n >= 3)`, 2000, true},
		{`list.exists(p, p.type == "t3" && measure(p.value.name) < 5) && !list.exists(p, p.type == "other")`, 500, true},
		{`list.exists(p, p.text.startsWith("x"))`, 500, true},
		{`list.all(a, list.all(b, a.type != "x" || b.text in ["y", "z"]))`, 50, true},
		{`list.all(a, list.all(b, a.type != "x" || b.text in ["y", "z"]))`, 1000, false},
		{`list.filter(a, a.type == "t3").map(a, a.value).exists_one(b, has(b.name))`, 20, true},
		{`list.exists(a, a.text.matches("^x.*y$"))`, 20, true},
		// What CEL does not estimate, or wrongly.
		{`list.exists(a, a.text.matches("^(x?){99}$"))`, 2, false},
		{`list.exists(a, a.text.matches(list[0].text))`, 2, false},
		{`list.exists(a, list[0].value == a.value)`, 2, false},
		{`list.exists(a, a.value in list)`, 2, false},
		{`{"list": [list[0].text + "x"]}.list.exists(a, a == "x")`, 2, false},
		{`(size(list) > 9 ? dyn({"a": 1}) : dyn([list])).exists(a, a == "x")`, 2, false},
		{`list.exists(a, a.value.b.c.d.e.f.g.h.i.j == "x")`, 2, false},
		{`{"list": [` + strings.Repeat("1, ", 500) + `1]}.list.all(a, {"list": [1]}.list.all(b, {"list": [1]}.list.all(c, a > 0)))`, 2, false},
		{`list.all(a, list.all(b, list.all(c, a.n + b.n + c.n >= 0)))`, 200, false},
	} {
		p, err := env.Compile(tc.expression, Bool)
		if err != nil {
			t.Fatal(err)
		}
		d := boundData(tc.elements, 10)
		if got := p.affordable(d.largest); got != tc.want {
			t.Errorf("%s on %d: got %v; at most %d", tc.expression, tc.elements, got, p.estimate(d.largest))
		}
		if tc.elements == 2 {
			continue // for their estimates only
		}
		held, holds, err := p.EvaluateTerms(context.Background(), d)
		counted, _, countedErr := evaluate(context.Background(), p.executable, d.variables)
		if (err == nil) != (countedErr == nil) || err == nil && types.Bool(holds) != counted {
			t.Errorf("%s: got %d, %v, %v, and with its cost counted %v, %v", tc.expression, held, holds, err, counted, countedErr)
		}
	}
	// What may be of any size is counted.
	d := NewData(map[string]any{"list": []int64{1}})
	if d.largest != math.MaxUint64 || mustCompile(t, env, `list.exists(p, p.type == "t3")`).affordable(d.largest) {
		t.Errorf("the size of what was not measured is taken as %d", d.largest)
	}
}

func mustCompile(t *testing.T, env *Env, expression string) *Program {
	t.Helper()
	p, err := env.Compile(expression, Bool)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
