package celenv

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"
)

// Expressions that take hours or all memory, in which CEL itself counts next to
// nothing, end at the limit.
func TestCountsWhatCELDoesNot(t *testing.T) {
	env := New(Variable("list", cel.ListType(cel.MapType(cel.StringType, cel.AnyType))), Library(ext.Strings()))
	hundred := "[" + strings.TrimSuffix(strings.Repeat("1,", 100), ",") + "]"
	loops := func(body string) string { return hundred + `.all(x, ` + hundred + `.all(y, ` + body + `))` }
	// doubled makes a value twice as long, times over.
	doubled := func(start, twice string, times int) string {
		expression := fmt.Sprintf("size(v%d) > 0", times)
		for i := times; i > 0; i-- {
			last := fmt.Sprintf("v%d", i-1)
			expression = fmt.Sprintf("%s.exists(v%d, %s)", strings.ReplaceAll(twice, "V", last), i, expression)
		}
		return start + ".exists(v0, " + expression + ")"
	}
	var many, same []any
	for range 5000 {
		many = append(many, map[string]any{"a": "b"})
		same = append(same, map[string]any{"a": "b"})
	}
	text := strings.Repeat("xy", 20000)
	d := map[string]any{"list": Value([]any{
		map[string]any{"type": "x", "text": text, "nested": []any{[]any{many}}, "many": many, "short": "x"},
		map[string]any{"type": "x", "text": text + "z", "nested": []any{[]any{same}}, "many": same, "short": "x"},
	})}
	for _, expression := range []string{
		doubled(`["xxxxxxxx"]`, `[V + V]`, 60),
		doubled(`["xxxxxxxx"]`, `[dyn(V) + dyn(V)]`, 60),
		doubled(`["xxxxxxxx"]`, `{"list": [V + V]}.list`, 60),
		doubled(`["xxxxxxxx"]`, `(size(list) == 0 ? dyn({"a": 1}) : dyn([V + V]))`, 60),
		doubled(`["xxxxxxxx"]`, `["%s%s".format([V, V])]`, 60),
		doubled(`[[1]]`, `[V + V]`, 60),
		loops(`list[0].nested == list[1].nested`),
		loops(`!(list[0].nested != list[1].nested)`),
		loops(`list[0].nested in [list[1].nested]`),
		loops(`!("x" in list[0].many)`),
		loops(`list[0].text < list[1].text`),
		`list.all(a, ` + loops(`!list[0].text.matches("^(x?y?){500}w$")`) + `)`,
		`{"list": ` + hundred + `}.list.all(a, {"list": ` + hundred + `}.list.all(b, {"list": ` + hundred + `}.list.all(c, a > 0)))`,
		loops(`list[0].short` + strings.Repeat(` == "x" && list[0].short`, 60) + ` == "x"`),
	} {
		p, err := env.Compile(expression, Bool)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if _, _, err := p.EvaluateTerms(context.Background(), d); !errors.Is(err, ErrTooExpensive) {
			t.Errorf("%.200s: got %v", expression, err)
		}
	}
	// What is compared counts, and no more.
	for expression, want := range map[string]uint64{
		`dyn(list[0].text) + list[0].text == ""`: 8000, `list[0].text < list[1].text`: 4000, `"%s".format([string(list[0].text)]) == "x"`: 4000,
		`list[0].text in ["x"]`: 1, `[list[0].text] in [["x"], [list[1].text], [1]]`: 4000, `[list[0].text] == [list[1].text]`: 4000, `{"a": list[0].text} == {"a": list[1].text}`: 4000,
		`{"a": list[0].text} == {"b": list[1].text}`: 1, `[list[0].text] == [list[1].text, ""]`: 1, `list[0].nested == list[1].nested`: 10_000, `list[0].nested == [[[]]]`: 1, `"list" in {"a": list[0].many}`: 1,
		`list[0].many + list[1].many == []`: 5000, `list[0].many[0] in list[1].many`: 15_000, `[1] in list[1].many`: 10_000,
	} {
		p, err := env.Compile(expression, Bool)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if _, cost, err := evaluate(context.Background(), p.executable, d); err != nil || cost < want || cost > want+100 {
			t.Errorf("%s: costs %d, want about %d (%v)", expression, cost, want, err)
		}
	}
	// And what is plain costs little.
	for _, expression := range []string{
		`list[0].short == "x"`, `list.exists(p, p.short in ["x", "y"])`, `list[0].short + "y" == "xy"`, `[1, 2].map(x, x + 1) == [2, 3]`,
		`list[0].many == []`, `list.map(p, p.short) + ["z"] == ["x"]`, `list.all(p, !p.short.matches("y{2,3}"))`, `list[0].many[0] == {"a": "b"}`,
	} {
		p, err := env.Compile(expression, Bool)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		if _, cost, err := evaluate(context.Background(), p.executable, d); err != nil || cost > 100 {
			t.Errorf("%s: costs %d (%v)", expression, cost, err)
		}
	}
}

// A value of another size than the one it is compared with is not followed.
func TestComparesNoMoreThanCEL(t *testing.T) {
	large := unread{types.NewStringList(types.DefaultTypeAdapter, make([]string, 10)), t}
	for _, small := range []any{[]any{[]any{}}, []any{map[string]any{}}, []any{"x"}, []any{map[string]any{"a": 1}}} {
		if cost := equalityCost(types.NewRefValList(types.DefaultTypeAdapter, []ref.Val{large}), Value(small), CostLimit); cost != 2 {
			t.Errorf("%v: costs %d", small, cost)
		}
	}
}

// unread is a list that must not be read.
type unread struct {
	traits.Lister
	t *testing.T
}

func (u unread) Iterator() traits.Iterator {
	u.t.Error("the list is read")
	return u.Lister.Iterator()
}
