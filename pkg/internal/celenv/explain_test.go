package celenv

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

// A fault is explained by the words of the expression.
func TestExplain(t *testing.T) {
	env := New(Variable("target", cel.DynType), Variable("count", cel.IntType))
	for _, tc := range []struct{ expression, found, nearest, action string }{
		{`targt.name == "a"`, "line 1, column 1: undeclared reference to 'targt'", "target", ""},
		{`"é" == targt`, "line 1, column 8: undeclared reference to 'targt'", "target", ""},
		{`[1].exist(x, x == 1)`, "line 1, column 10: undeclared reference to 'exist'", "exists", ""},
		{`target.a && xyz`, "line 1, column 13: undeclared reference to 'xyz'", "", ""},
		{`count + "a" == "b"`, "line 1, column 7: found no matching overload for '_+_' applied to '(int, string)'", "", ""},
		{`size(target.name`, "line 1, column 17: the expression ends too early", "", "add what is missing, such as a closing bracket"},
		{"target.a &&\n", "line 2, column 1: the expression ends too early", "", "add what is missing, such as a closing bracket"},
		{`target.a and target.b`, `line 1, column 10: "and" is not an operator`, "", "write &&"},
		{"target.a\n  = 1", `line 2, column 3: "=" is not an operator`, "", "write =="},
		{`not target.a`, `line 1, column 5: "not" is not an operator`, "", "write !"},
		{`target.a == "b`, `line 1, column 13: the text is not closed, or nothing joins it to what is before it`, "", "check the quotes and operators"},
		{`target.a 'b'`, `line 1, column 10: the text is not closed, or nothing joins it to what is before it`, "", "check the quotes and operators"},
		{`target.a ]`, `line 1, column 10: "]" is not expected`, "", "check the brackets and operators before it"},
		{`(target.a other)`, `line 1, column 11: "other" is not expected`, "", "check the brackets and operators before it"},
		{`has(target["a"])`, "line 1, column 11: has() accepts only a field, such as has(a.field)", "", `write "a" in target`},
		{`has(target.a) && has(target.b[ 'c-d' ] )`, "line 1, column 30: has() accepts only a field, such as has(a.field)", "", `write 'c-d' in target.b`},
		{`has(target)`, "line 1, column 5: has() accepts only a field, such as has(a.field)", "", `for a key that is no name, write "key" in a`},
		{`has(target["a"].size())`, "line 1, column 21: has() accepts only a field, such as has(a.field)", "", `for a key that is no name, write "key" in a`},
		{strings.Repeat(" ", MaxExpression) + "1", "the expression has 65537 bytes; at most 65536 are accepted", "", ""},
	} {
		_, err := env.Compile(tc.expression, Any)
		fault, ok := errors.AsType[*CompileError](err)
		if !ok {
			t.Fatalf("%s: got %v", tc.expression, err)
		}
		if f := fault.Issues[0].Explain(tc.expression, []string{"target", "count"}); f.Found != tc.found || f.Nearest != tc.nearest || f.Action != tc.action {
			t.Errorf("%.80s: got %q, near %q, %q", tc.expression, f.Found, f.Nearest, f.Action)
		}
	}
	for _, at := range []Issue{{Line: 3, Column: 1}, {Line: 1, Column: 99}, {Line: 2, Column: 1}} {
		at.Message = "Syntax error: x"
		if f := at.Explain("a +", nil); !strings.HasSuffix(f.Found, "ends too early") {
			t.Errorf("%+v: got %s", at, f.Found)
		}
	}
}
