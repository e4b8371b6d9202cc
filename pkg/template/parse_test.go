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
		{"no blanks around the bar", ".a|upper", &Pipeline{0, []*Command{command(path(0, "a")), command(&Function{3, "upper"})}}},
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
	for _, tc := range []struct {
		code   string
		offset int
		reason string // a part of it
	}{
		{"", 0, "found the end of the action, want a value or a function"},
		{"   ", 3, "found the end of the action"},
		{"if .a", 0, "found if: only expressions are macros"},
		{"range .a", 0, "found range"}, {"with .a", 0, "found with"}, {"define \"x\"", 0, "found define"},
		{"template \"x\" .a", 0, "found template"}, {"block \"x\" .a", 0, "found block"}, {"else if .a", 0, "found else"},
		{"$x := .a", 0, "found a variable"}, {"$", 0, "found a variable"}, {"x = .a", 2, "found an assignment"},
		{". | upper", 1, "behind a dot, want a name"}, {".a..b", 3, "found . behind a dot"}, {".a.", 3, "found the end of the action behind a dot"},
		{"f(.a)", 1, "found (, want a blank before it"}, {`f "a""b"`, 5, "found a string, want a blank before it"},
		{"f .a, .b", 4, "found ,, want a blank"}, {"f , .b", 2, "found a comma"},
		{".a | ", 5, "found the end of the action, want a value"}, {"| f", 0, "found |"}, {".a || f", 4, "found |"},
		{".a | .b", 5, "found the path .b behind |, want a function"}, {`.a | "b"`, 5, "found a string behind |"}, {".a | 5", 5, "found a number behind |"},
		{".a .b", 3, "found the path .b behind the path .a, want | or the end"}, {`.a "s3cret"`, 3, "found a string behind the path .a"},
		{"nil", 0, "found nil alone"},
		{"(.a", 3, "want ) to close"}, {".a)", 2, "found ) without ("}, {"()", 1, "found ), want a value"},
		{"foo.bar", 3, "found a dot behind foo"},
		{"5i", 0, "an imaginary number"}, {"08", 0, "found 08, which is no number"}, {"1x", 0, "no number"}, {"0b12", 0, "no number"},
		{"99999999999999999999", 0, "at most 64 bits"}, {"1e999", 0, "at most 64 bits"},
		{"-.spectro.x", 0, "a trim marker needs a blank"}, {"- .a", 0, "without a number"},
		{`"abc`, 0, "a string without an end"}, {"`abc", 0, "a string without an end"}, {"\"a\nb\"", 0, "goes on in the next line"},
		{`"\q"`, 0, "an escape that Go does not know"}, {"'ab'", 0, "without one character"}, {"''", 0, "without one character"},
		{"/* c */ .a", 0, "found a comment"}, {".a ! b", 3, "found !, want a path"}, {"\x01", 0, `the character '\x01'`}, {"a\xffb", 1, "not UTF-8"},
		{strings.Repeat("(", 101) + ".a" + strings.Repeat(")", 101), 100, "more than 100 parentheses"},
		{strings.Repeat("x", MaxCode+1), 0, "above the limit of 65536"},
	} {
		_, err := ParseAction(tc.code)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.40q: got %v, want a SyntaxError", tc.code, err)
			continue
		}
		if syntax.Offset != tc.offset || !strings.Contains(syntax.Reason, tc.reason) {
			t.Errorf("%.40q: got %d %q, want %d %q", tc.code, syntax.Offset, syntax.Reason, tc.offset, tc.reason)
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
