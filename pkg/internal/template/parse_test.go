package template

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseAction(t *testing.T) {
	path := func(offset int, steps ...string) *Path { return &Path{Offset: offset, Steps: steps} }
	command := func(operands ...Operand) *Command { return &Command{Operands: operands} }
	for _, tc := range []struct {
		name, code string
		want       *Pipeline
	}{
		{"path", ".spectro.var.X", &Pipeline{0, []*Command{command(path(0, "spectro", "var", "X"))}}},
		{"hyphens, digits, underscores", ".spectro.pack.a.b-c.d_e.0", &Pipeline{0, []*Command{command(path(0, "spectro", "pack", "a", "b-c", "d_e", "0"))}}},
		{"root", "$.a", &Pipeline{0, []*Command{command(&Path{0, true, []string{"a"}})}}},
		{"pipeline", ".a | default \"x\"", &Pipeline{0, []*Command{
			command(path(0, "a")), command(&Function{5, "default"}, &Literal{13, `"x"`, "x"}),
		}}},
		{"no spaces around the bar", ".a|upper", &Pipeline{0, []*Command{command(path(0, "a")), command(&Function{3, "upper"})}}},
		{"group", "f (g .a)", &Pipeline{0, []*Command{command(
			&Function{0, "f"}, &Group{Offset: 2, Pipeline: &Pipeline{3, []*Command{command(&Function{3, "g"}, path(5, "a"))}}},
		)}}},
		{"field of a group", "(f .a)._0.b", &Pipeline{0, []*Command{command(
			&Group{0, &Pipeline{1, []*Command{command(&Function{1, "f"}, path(3, "a"))}}, []string{"_0", "b"}},
		)}}},
		{"line breaks", "f\n\t.a", &Pipeline{0, []*Command{command(&Function{0, "f"}, path(3, "a"))}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParseAction(tc.code)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLiterals(t *testing.T) {
	for _, tc := range []struct {
		code string
		want any
	}{
		{`"a\"\\\n\t\x41\u00e9}}"`, "a\"\\\n\tA\u00e9}}"},
		{"`raw \\n \"x\"\nline`", "raw \\n \"x\"\nline"},
		{"`raw\\`", "raw\\"},
		{`'x'`, int64('x')}, {`'\''`, int64('\'')}, {`'é'`, int64('é')},
		{"0", int64(0)}, {"-12", int64(-12)}, {"+7", int64(7)},
		{"0x1F", int64(31)}, {"0o17", int64(15)}, {"017", int64(15)}, {"0b101", int64(5)}, {"1_000", int64(1000)},
		{"1.5", 1.5}, {".5", 0.5}, {"-1e3", -1000.0}, {"1E-2", 0.01}, {"0x1p-2", 0.25},
		{"true", true}, {"false", false}, {"nil", nil},
	} {
		p, err := ParseAction("f " + tc.code)
		if err != nil {
			t.Errorf("%s: %v", tc.code, err)
			continue
		}
		got := p.Commands[0].Operands[1].(*Literal)
		if got.Value != tc.want || got.Text != tc.code {
			t.Errorf("%s: got %#v written %s, want %#v", tc.code, got.Value, got.Text, tc.want)
		}
	}
}

func TestParseActionFails(t *testing.T) {
	const end, value, name = "the end of the macro", "a value or a function", "a name of letters, digits, _ and -"
	const expression = `an expression, as in {{ .spectro.var.NAME | default "x" }}`
	for _, tc := range []struct {
		code        string
		offset      int
		found, want string // want is a part of what is accepted
	}{
		{"", 0, end, value}, {"   ", 3, end, value},
		{"if .a", 0, "the keyword if", expression}, {"range .a", 0, "the keyword range", expression}, {"with .a", 0, "the keyword with", expression},
		{`define "x"`, 0, "the keyword define", expression}, {`template "x" .a`, 0, "the keyword template", expression},
		{`block "x" .a`, 0, "the keyword block", expression}, {"else if .a", 0, "the keyword else", expression},
		{"$x := .a", 0, "a variable", "the value itself"}, {"$", 0, "a variable", "the value itself"}, {"x = .a", 2, "an assignment", "the value itself"},
		{". | upper", 1, "whitespace after a dot", name}, {".a..b", 3, `"." after a dot`, name}, {".a.", 3, end, name},
		{"f(.a)", 1, `"("`, "a space before it"}, {`f "a""b"`, 5, "a string", "a space before it"},
		{"f .a, .b", 4, `","`, "a space before it"}, {"f , .b", 2, "a comma", "spaces between arguments"},
		{".a | ", 5, end, value}, {"| f", 0, `"|"`, value}, {".a || f", 4, `"|"`, value},
		{".a | .b", 5, `the path .b after "|"`, "a function"}, {`.a | "b"`, 5, `a string after "|"`, "a function"}, {".a | 5", 5, `a number after "|"`, "a function"},
		{".a .b", 3, "the path .b after the path .a", `"|" or the end`}, {`.a "s3cret"`, 3, "a string after the path .a", `"|" or the end`},
		{"nil", 0, "nil alone", value},
		{"(.a", 3, end, `")" to close the parenthesis`}, {".a)", 2, `")"`, `"(" before it`}, {"()", 1, `")"`, value},
		{"foo.bar", 3, "a dot after the function foo", "a space"},
		{"5i", 0, "a malformed number", "a whole or a decimal one"}, {"08", 0, "a malformed number", ""}, {"1s3cret", 0, "a malformed number", ""}, {"0b12", 0, "a malformed number", ""},
		{"99999999999999999999", 0, "a number out of range", "at most 64 bits"}, {"1e999", 0, "a number out of range", "at most 64 bits"},
		{"-.spectro.x", 0, `"-" without a number`, "a space"}, {"- .a", 0, `"-" without a number`, "a number"},
		{`"abc`, 0, "a string without an end", `another "`}, {"`abc", 0, "a string without an end", "another `"}, {"\"a\nb\"", 0, "a string with a line break", "a raw string"},
		{`"\q"`, 0, "a string with an unknown escape", "one of Go"}, {"'ab'", 0, "single quotes around text", "double quotes"}, {"''", 0, "single quotes around text", "double quotes"},
		{"/* c */ .a", 0, "a comment", "an action of its own"}, {".a ! b", 3, `"!"`, "a path"}, {"\x01", 0, `the character '\x01'`, "a path"}, {"a\xffb", 1, "an invalid byte", "UTF-8"},
		{strings.Repeat("(", 101) + ".a" + strings.Repeat(")", 101), 100, "101 nested parentheses", "at most 100"},
		{strings.Repeat("x", MaxCode+1), 0, "65537 bytes", "at most 65536"},
	} {
		_, err := ParseAction(tc.code)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.40q: got %v, want a SyntaxError", tc.code, err)
			continue
		}
		if tc.found != end {
			tc.found += " in the macro"
		}
		if syntax.Offset != tc.offset || syntax.Found != tc.found || !strings.Contains(syntax.Want, tc.want) {
			t.Errorf("%.40q: got %d %q %q, want %d %q %q", tc.code, syntax.Offset, syntax.Found, syntax.Want, tc.offset, tc.found, tc.want)
		}
		if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: the message shows a literal or has several lines: %q", tc.code, err)
		}
	}
	if _, err := ParseAction(strings.Repeat("(", 100) + ".a" + strings.Repeat(")", 100)); err != nil {
		t.Errorf("100 parentheses: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	for _, tc := range []struct {
		text          string
		start         int
		before, after bool
	}{
		{"{{.a}}", 2, false, false},
		{"x{{  .a }}", 5, false, false},
		{"{{- .a -}}", 4, true, true},
		{"{{-\n .a }}", 5, true, false},
		{"{{ .a -}}", 3, false, true},
		{"{{-.a-}}", 2, false, false},
		{"{{- -}}", 4, true, true},
		{"{{}}", 2, false, false},
	} {
		a := Actions(tc.text)[0]
		if got := a.CodeStart(tc.text); got != tc.start && a.Code != "" || a.TrimsBefore(tc.text) != tc.before || a.TrimsAfter(tc.text) != tc.after {
			t.Errorf("%q: got %d %v %v, want %d %v %v", tc.text, got, a.TrimsBefore(tc.text), a.TrimsAfter(tc.text), tc.start, tc.before, tc.after)
		}
	}
}

func TestWalk(t *testing.T) {
	p, err := ParseAction(`f .a (g "x" (h 1)) | k`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	p.Walk(func(o Operand) { got = append(got, o.String()) })
	if diff := cmp.Diff([]string{"f", ".a", `(g "x" (h 1))`, "g", `"x"`, "(h 1)", "h", "1", "k"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzParseAction(f *testing.F) {
	for _, seed := range []string{
		".spectro.var.X", `.spectro.pack.a-b.c.0 | default "x" | upper`, "$.spectro.var.X", "(split `.` .a)._0", "f 'x' 0x1F -1.5e3 true nil",
		"if .a", "$x := 1", `"\u00e9}}"`, "((((.a))))", "f (g (h .a) | i) .b.c-d", "5i", "\"", "é .é",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		p, err := ParseAction(code)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(code) || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("%q: %#v", code, err)
			}
			return
		}
		p.Walk(func(o Operand) {
			if _, group := o.(*Group); !group && !strings.HasPrefix(code[o.Position():], o.String()) {
				t.Fatalf("%q: %q is not at %d", code, o, o.Position())
			}
		})
		printed := p.String()
		again, err := ParseAction(printed)
		if err != nil {
			t.Fatalf("%q, printed %q: %v", code, printed, err)
		}
		ignore := cmp.Options{
			cmpopts.IgnoreFields(Pipeline{}, "Offset"), cmpopts.IgnoreFields(Path{}, "Offset"), cmpopts.IgnoreFields(Function{}, "Offset"),
			cmpopts.IgnoreFields(Literal{}, "Offset"), cmpopts.IgnoreFields(Group{}, "Offset"),
		}
		if diff := cmp.Diff(p, again, ignore); diff != "" {
			t.Fatalf("%q, printed %q:\n%s", code, printed, diff)
		}
	})
}
