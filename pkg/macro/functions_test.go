package macro

import (
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/google/go-cmp/cmp"
)

// What macros may call is exactly what testdata/functions.txt lists, and what
// they may not is the second list: an upgrade of sprig can not add a function
// that nobody looked at.
func TestFunctionsAreTheGoldenList(t *testing.T) {
	for file, got := range map[string][]string{
		"testdata/functions.txt": FunctionNames(),
		"testdata/forbidden.txt": ForbiddenFunctions(),
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Fields(string(want)), got); diff != "" {
			t.Errorf("%s (-want +got): look at what is new before it is added:\n%s", file, diff)
		}
	}
}

// M10: every pattern of the deny list denies something, and nothing of it is
// allowed.
func TestForbiddenFunctions(t *testing.T) {
	denied := ForbiddenFunctions()
	for _, pattern := range forbidden() {
		prefix, _ := strings.CutSuffix(pattern, "*")
		if !strings.Contains("\n"+strings.Join(denied, "\n"), "\n"+prefix) {
			t.Errorf("%s denies nothing", pattern)
		}
	}
	r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil)
	for _, name := range denied {
		_, _, problems := r.Text("{{ .spectro.var.X | " + name + " }}")
		if len(problems) != 1 || problems[0].Rule != RuleForbidden || problems[0].Name != name || !strings.Contains(problems[0].Message, name) {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

// Every function that is allowed can be called, with whatever arguments,
// without a panic; and says the same each time.
func TestEveryFunctionIsStable(t *testing.T) {
	arguments := []string{
		``, `"a"`, `3`, `1.5`, `(list 3 "b" 1)`, `(dict "z" 1 "a" 2 "m" 3)`, `nil`, `true`,
		`"a" "b"`, `2 "abc"`, `"a" 2`, `(list 1 2) 1`, `(dict "z" 1 "a" 2) "z"`, `1 0`, `3 (list 1 2 3 4)`, `"z" (dict "z" "y" "a" "b")`,
		`"a+" "caat" "x"`, `"a+" "caat" 2`, `1 3 "abcdef"`, `"z" 1 (dict "z" 1)`, `(dict "b" 1 "a" 2) (dict "c" 3 "d" 4)`, `">=1.2" "1.3.0"`, `"1.2"`, `"a" "b" true`,
		`(list (semver "1.2.3"))`, `"%d %v" (list (semver "1.2.3")) (dict "b" 1 "a" (list 1))`, `"-5" -5`, `-5 "abc"`, `9223372036854775807 "abc"`, `(dict "a" 1) "k" "v"`, `"," 2 "a,b,c"`, `0 6 2`, `2 "/" "abcdef"`, `-9223372036854775808 -9223372036854775808 -1`,
	}
	for _, name := range FunctionNames() {
		worked := 0
		for _, args := range arguments {
			text := "{{ " + name + " " + args + " | print .spectro.var.X }}"
			var first string
			for range 5 {
				out, _, problems := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil).Text(text)
				for _, p := range problems {
					out += p.Message
				}
				if len(problems) == 0 {
					worked++
				}
				if first == "" {
					first = out
				}
				if out != first || strings.Contains(out, "0xc000") {
					t.Fatalf("%s: %q, then %q", text, first, out)
				}
			}
		}
		if worked == 0 {
			t.Errorf("%s: no call of it works", name)
		}
	}
}

func TestFunctions(t *testing.T) {
	variables := map[string]string{"V": "1.29.3", "N": "5", "T": "true", "S": "a-b_c d", "B": "eA==", "J": `{"b":[1,2.5],"a":{"c":"x"}}`}
	// What Go templates refuse, or do in no certain order.
	ours := map[string]bool{
		`repeat (add 1 1) .spectro.var.N`:                        true, // an int64 for an int
		`lt 1 2.5 | print .spectro.var.N`:                        true,
		`slice .spectro.var.V 2 4`:                               true, // sprig's slice hides Go's
		`(split "." .spectro.var.V)._9`:                          true, // <no value>
		`keys (dict "z" 1 "b" 2 "a" .spectro.var.N) | join ""`:   true,
		`values (dict "z" 1 "b" 2 "a" .spectro.var.N) | join ""`: true,
	}
	for _, tc := range []struct{ code, want string }{
		// literals and arguments
		{`print .spectro.var.N 0x10 'a' 1.50 true nil "\t"`, "516 97 1.5 true <nil>\t"},
		{`.spectro.var.N | add 1 2`, "8"},
		{`repeat (add 1 1) .spectro.var.N`, "55"},
		{`.spectro.var.N | int | until | join ","`, "0,1,2,3,4"},
		{`.spectro.var.V | substr 0 4`, "1.29"},
		{`round (.spectro.var.N | float64) 2`, "5"},
		{`.spectro.var.S | replace "-" "+" | upper | quote`, `"A+B_C D"`},
		{`ternary "y" "n" (eq .spectro.var.T "true")`, "y"},
		{`.spectro.var.N | default "x"`, "5"},
		{`"" | default .spectro.var.N`, "5"},
		{`coalesce "" 0 .spectro.var.N "z"`, "5"},
		// Go's
		{`and .spectro.var.N "b"`, "b"}, {`and "" .spectro.var.N`, ""}, {`or "" .spectro.var.N`, "5"}, {`or .spectro.var.N (repeat -1 "x")`, "5"},
		{`.spectro.var.N | and ""`, ""}, {`.spectro.var.N | or ""`, "5"}, {`not .spectro.var.N`, "false"},
		{`eq .spectro.var.N "4" "5"`, "true"}, {`ne .spectro.var.N "5"`, "false"},
		{`lt 1 2.5 | print .spectro.var.N`, "5true"}, {`ge "b" "a" | print .spectro.var.N`, "5true"}, {`le 3 3 | print .spectro.var.N`, "5true"}, {`gt 1 2 | print .spectro.var.N`, "5false"},
		{`len .spectro.var.V`, "6"}, {`index (list "a" .spectro.var.N) 1`, "5"}, {`index (fromJson .spectro.var.J) "a" "c"`, "x"}, {`index .spectro.var.V 0`, "49"},
		{`slice .spectro.var.V 2 4`, "29"}, {`slice (list 1 2 3) 1 | print .spectro.var.N`, "5[2 3]"},
		{`printf "%s|%5d|%-5s|%q" .spectro.var.N 42 "ab" "c"`, `5|   42|ab   |"c"`},
		{`println .spectro.var.N`, "5\n"},
		{`html "<" | print .spectro.var.N`, "5&lt;"}, {`js "'" | print .spectro.var.N`, `5\'`}, {`urlquery .spectro.var.S`, "a-b_c+d"},
		// maps are sorted
		{`keys (dict "z" 1 "b" 2 "a" .spectro.var.N) | join ""`, "abz"}, {`values (dict "z" 1 "b" 2 "a" .spectro.var.N) | join ""`, "521"},
		{`dict "z" 1 "a" .spectro.var.N | toJson`, `{"a":"5","z":1}`},
		// fields
		{`(split "." .spectro.var.V)._1`, "29"}, {`(split "." .spectro.var.V)._9`, ""}, {`(fromJson .spectro.var.J).a.c`, "x"},
		{`(semver .spectro.var.V).Minor`, "29"}, {`semver .spectro.var.V`, "1.29.3"}, {`semverCompare ">=1.20" .spectro.var.V`, "true"}, {`semver .spectro.var.V | toJson`, `"1.29.3"`},
		// what differs from sprig
		{`.spectro.var.B | b64dec`, "x"}, {`osBase .spectro.var.S`, "a-b_c d"},
		// regular expressions
		{`regexReplaceAll "(\\d+)\\.(\\d+)" .spectro.var.V "${2}.$1"`, "29.1.3"}, {`regexReplaceAllLiteral "\\d" .spectro.var.V "$1"`, "$1.$1$1.$1"},
		{`regexFindAll "\\d+" .spectro.var.V 2 | join ","`, "1,29"}, {`regexSplit "[-_ ]" .spectro.var.S -1 | join ","`, "a,b,c,d"},
		{`regexMatch "^1" .spectro.var.V`, "true"}, {`regexFind "2." .spectro.var.V`, "29"},
	} {
		out, _, problems := NewResolver(Context{Variables: variables}, nil).Text("{{ " + tc.code + " }}")
		if len(problems) > 0 || out != tc.want {
			t.Errorf("%s: got %q %+v, want %q", tc.code, out, problems, tc.want)
		}
		if !ours[tc.code] {
			if got := goTemplate(t, "{{ "+tc.code+" }}", variables); got != tc.want {
				t.Errorf("%s: a Go template with sprig makes %q, want %q", tc.code, got, tc.want)
			}
		}
	}
}

// goTemplate executes a text as text/template does, with all of sprig.
func goTemplate(t *testing.T, text string, variables map[string]string) string {
	t.Helper()
	parsed, err := template.New("").Funcs(sprig.TxtFuncMap()).Parse(text)
	var b strings.Builder
	if err == nil {
		err = parsed.Execute(&b, map[string]any{"spectro": map[string]any{"var": variables}})
	}
	if err != nil {
		t.Error(err)
	}
	return b.String()
}

// What functions can not use is named, and what it was is not shown.
func TestFunctionsThatFail(t *testing.T) {
	for _, tc := range []struct{ code, want string }{
		{`.spectro.var.X | repeat "2"`, `the function repeat got a text as argument 1, want a whole number: int makes one of a text`},
		{`.spectro.var.X | until`, `the function until got a text as argument 1, want a whole number: int makes one of a text`},
		{`len .spectro.var.X | upper`, `the function upper got a whole number as argument 1, want a text: toString makes one`},
		{`upper .spectro.var.X "b"`, `the function upper takes 1 arguments, got 2`},
		{`repeat -1 .spectro.var.X`, `the function repeat can not use its arguments: want a count from 0 and a text`},
		{`mustFromJson .spectro.var.X`, `want JSON text`},
		{`b64dec .spectro.var.X`, `want base64 text`},
		{`urlParse (print "%zz" .spectro.var.X)`, `want a URL`},
		{`semver .spectro.var.X`, `want a version such as 1.2.3`},
		{`first .spectro.var.X`, `want a list`},
		{`div 1 0 | print .spectro.var.X`, `want numbers other than 0`},
		{`eq .spectro.var.X 5`, `want values of one kind`},
		{`lt .spectro.var.X 5`, `want two numbers or two texts`},
		{`index (list .spectro.var.X) 7`, `indexes within it`},
		{`(.spectro.var.X).a`, `there is no field .a in a text`},
		{`regexFind "(" .spectro.var.X`, `not valid, want RE2's syntax`},
		{`printf "%p" (list .spectro.var.X)`, `got the verb %p`},
		{`and | print .spectro.var.X`, `takes at least one argument`},
	} {
		out, _, problems := NewResolver(Context{Variables: map[string]string{"X": "s3cret"}}, nil).Text("{{ " + tc.code + " }}")
		if len(problems) != 1 || problems[0].Rule != RuleInvalid || !strings.Contains(problems[0].Message, tc.want) {
			t.Errorf("%s: got %q %+v, want %q", tc.code, out, problems, tc.want)
			continue
		}
		if strings.Contains(problems[0].Message, "s3cret") {
			t.Errorf("%s: the message shows the value: %s", tc.code, problems[0].Message)
		}
	}
}
