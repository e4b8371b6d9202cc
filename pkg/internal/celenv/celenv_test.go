package celenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/celenv/kubernetes"
)

func newEnv() *celenv.Env {
	return celenv.New(celenv.Variable("target", cel.DynType), celenv.Variable("list", cel.ListType(cel.IntType)), celenv.Library(ext.Strings()))
}

func TestCompileReportsEveryIssue(t *testing.T) {
	for _, c := range []struct {
		name, expression string
		want             celenv.Want
		err              string // "" means that it compiles
	}{
		{"bool", `target.name == "a"`, celenv.Bool, ""},
		{"dyn as string", `target.name`, celenv.String, ""},
		{"dyn as bool", `target.name`, celenv.Bool, "the expression must yield bool, got dyn"},
		{"int as string", `1 + 2`, celenv.String, "the expression must yield string, got int"},
		{"anything", `1 + 2`, celenv.Any, ""},
		{"two unknown names", "a ==\n  bb", celenv.Bool, "line 1, column 1: undeclared reference to 'a' (in container ''); line 2, column 3: undeclared reference to 'bb' (in container '')"},
		{"syntax", `target.`, celenv.Any, "line 1, column 8: Syntax error: no viable alternative at input '.'"},
		{"as long as can be", strings.Repeat(" ", celenv.MaxExpression-1) + "1", celenv.Any, ""},
		{"too long", strings.Repeat(" ", celenv.MaxExpression) + "1", celenv.Any, "the expression has 65537 bytes; at most 65536 are accepted"},
		{"no clock", `now()`, celenv.Any, "line 1, column 4: undeclared reference to 'now' (in container '')"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := newEnv().Compile(c.expression, c.want)
			got := ""
			if err != nil {
				if e := (*celenv.CompileError)(nil); !errors.As(err, &e) {
					t.Errorf("%T is not a CompileError", err)
				}
				got = err.Error()
			}
			if diff := cmp.Diff(c.err, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestNestingIsBounded(t *testing.T) {
	for name, expression := range map[string]string{
		"brackets": strings.Repeat("(", 30000) + "1" + strings.Repeat(")", 30000),
		"lists":    strings.Repeat("[", 30000) + "1" + strings.Repeat("]", 30000),
		"open":     strings.Repeat("(", 60000),
		"calls":    strings.Repeat("size(", 10000),
		"macros":   strings.Repeat("[1].exists(a, ", 4000),
	} {
		if _, err := newEnv().Compile(expression, celenv.Any); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCompileOnce(t *testing.T) {
	env := newEnv()
	first, err := env.Compile("1 == 1", celenv.Bool)
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := env.Compile("1 == 1", celenv.Bool); first != second {
		t.Error("the same text was compiled again")
	}
	_, fault := env.Compile("1 ==", celenv.Bool)
	if _, again := env.Compile("1 ==", celenv.Bool); fault == nil || again != fault {
		t.Errorf("got %v, then %v", fault, again)
	}
	if other, _ := env.Compile("1 == 1", celenv.Any); first == other {
		t.Error("another wanted type got the same program")
	}
}

func TestEvaluate(t *testing.T) {
	env := newEnv()
	vars := map[string]any{"target": celenv.Value(map[string]any{"name": "a", "n": []any{1.0, nil, map[string]any{"x": true}}}), "list": []any{1, 2}}
	for expression, want := range map[string]any{
		`target.name.upperAscii()`: "A",
		`target.n[2].x`:            true,
		`target.n[0] > 0`:          true,
		`has(target.other)`:        false,
	} {
		p, err := env.Compile(expression, celenv.Any)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Evaluate(context.Background(), vars)
		if err != nil || got.Value() != want {
			t.Errorf("%s: got %v, %v, want %v", expression, got, err, want)
		}
	}
}

// The keys of a map are met in their order, so that what an expression yields is
// the same each time.
func TestMapsAreOrdered(t *testing.T) {
	labels, texts := map[string]any{}, map[string]string{}
	for _, key := range strings.Split("qwertzuiopasdfghjklyxcvbnm", "") {
		labels[key], texts[key] = key, key
	}
	vars := map[string]any{"target": celenv.Value(map[string]any{"labels": labels, "texts": texts, "few": map[string]string{"a": "a"}, "none": map[string]string{}}), "list": []any{}}
	for expression, want := range map[string]any{
		`target.labels.map(k, k).join('')`:                              "abcdefghijklmnopqrstuvwxyz",
		`target.texts.map(k, k).join('')`:                               "abcdefghijklmnopqrstuvwxyz",
		`target.labels.filter(k, k > 'm')[0]`:                           "n",
		`{'z': 1, 'b': 2, 'a': 3}.map(k, k).join('')`:                   "abz",
		`{1: 1, 'b': 2, -1: 3, true: 4}.map(k, string(k)).join(' ')`:    "true -1 1 b",
		`{'a': {'y': 1, 'x': 2}}.a.map(k, k).join('')`:                  "xy",
		`target.labels.size() == 26 && 'q' in target.labels`:            true,
		`{'b': 1, 'a': 2} == {'a': 2, 'b': 1} && {} == {}`:              true,
		`target.labels == target.labels && target.labels != {'a': 'a'}`: true,
		// What maps are used for besides, with few and with many entries.
		`{'a': 'a'} == target.few && target.few == {'a': 'a'}`:               true,
		`target.few.a + target.labels.q + target.texts['z']`:                 "aqz",
		`has(target.few.b) || has(target.labels.qq) || has(target.texts.zz)`: false,
		`'a' in target.few && !('b' in target.few) && 'z' in target.labels`:  true,
		`1 in dyn(target.few)`:                                false,
		`type(target.few) == map && size(target.few) == 1`:    true,
		`[target.few, target.none].map(m, size(m)) == [1, 0]`: true,
		`target.few in [target.few]`:                          true,
		`'%s'.format([target.few])`:                           "{a: a}",
	} {
		env := newEnv()
		p, err := env.Compile(expression, celenv.Any)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if got, err := p.Evaluate(context.Background(), vars); err != nil || got.Value() != want {
				t.Fatalf("%s: got %v, %v, want %v", expression, got, err, want)
			}
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	env := newEnv()
	big := make([]any, 2000)
	for i := range big {
		big[i] = int64(i)
	}
	vars := map[string]any{"target": map[string]any{"n": 1}, "list": big}
	for _, c := range []struct {
		expression string
		want       celenv.Want
		err        string
	}{
		{`target.name`, celenv.String, "no such key: name"},
		{`target.n`, celenv.String, "the expression must yield string, got int"},
		{`list.all(a, list.all(b, a + b >= 0))`, celenv.Bool, "the expression costs more than its limit allows (1000000)"},
	} {
		p, err := env.Compile(c.expression, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == celenv.Bool {
			_, _, err = p.EvaluateTerms(context.Background(), vars)
		} else {
			_, _, err = p.EvaluateString(context.Background(), vars)
		}
		if err == nil || err.Error() != c.err {
			t.Errorf("%s: got %v; want %s", c.expression, err, c.err)
		}
		if strings.Contains(c.err, "costs") != errors.Is(err, celenv.ErrTooExpensive) {
			t.Errorf("%s: errors.Is(err, ErrTooExpensive) is wrong", c.expression)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := env.Compile(`list.all(a, a >= 0)`, celenv.Bool)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Evaluate(ctx, vars); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestTerms(t *testing.T) {
	for expression, want := range map[string][]string{
		`1 == 1`: {`1 == 1`},
		`target.a && list.exists(x, x > 1 && x < 3) && ('a' == 'b' || true)`: {`target.a`, `list.exists(x, x > 1 && x < 3)`, `"a" == "b" || true`},
		`(target.a && target.b) && target.c`:                                 {`target.a`, `target.b`, `target.c`},
	} {
		p, err := newEnv().Compile(expression, celenv.Any)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.Terms()); diff != "" {
			t.Errorf("%s: -want +got\n%s", expression, diff)
		}
	}
}

func TestKubernetesLibraries(t *testing.T) {
	env := celenv.New(kubernetes.Libraries())
	for _, expression := range []string{
		`ip("10.0.0.1").family() == 4`, `cidr("10.0.0.0/8").containsIP("10.1.2.3")`, `quantity("1Gi").isGreaterThan(quantity("1M"))`,
		`semver("1.2.3").major() == 1`, `url("https://a.b/c").getHost() == "a.b"`, `"a1".find("[0-9]") == "1"`, `[1, 2].sum() == 3`,
		`!format.dns1123Label().validate("a").hasValue()`, `sets.contains([1, 2], [1])`,
	} {
		p, err := env.Compile(expression, celenv.Bool)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got, err := p.Evaluate(context.Background(), map[string]any{}); err != nil || got != types.True {
			t.Errorf("%s: got %v, %v", expression, got, err)
		}
	}
}
