package macro

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func forbiddenFunctions() []string { return slices.Sorted(maps.Keys(allFunctions().forbidden)) }

// testdata lists all functions that macros may call, and those that they may not: an
// upgrade of sprig cannot add a function without a review.
func TestFunctionsAreTheGoldenList(t *testing.T) {
	for file, got := range map[string][]string{
		"testdata/functions.txt": FunctionNames(),
		"testdata/forbidden.txt": forbiddenFunctions(),
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Fields(string(want)), got); diff != "" {
			t.Errorf("%s (-want +got): review a new function before you add it:\n%s", file, diff)
		}
	}
}

// M10: every pattern of the deny list matches a function, and no such function is
// allowed.
func TestForbiddenFunctions(t *testing.T) {
	denied := forbiddenFunctions()
	for _, pattern := range forbidden() {
		prefix, _ := strings.CutSuffix(pattern, "*")
		if !strings.Contains("\n"+strings.Join(denied, "\n"), "\n"+prefix) {
			t.Errorf("%s matches no function", pattern)
		}
	}
	r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil)
	for _, name := range denied {
		_, findings := r.Text("{{ .spectro.var.X | " + name + " }}")
		if diff := cmp.Diff([]string{"error macro/forbidden-function macro=" + name}, functiontest.Facts(findings)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// No arguments of an allowed function cause a panic, and each call has the same result.
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
				out, findings := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil).Text(text)
				for _, f := range findings {
					out += f.Message()
				}
				if len(findings) == 0 {
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
	// Go templates reject these, or have no certain order.
	ours := map[string]bool{
		`repeat (add 1 1) .spectro.var.N`:   true, // an int64 for an int
		`lt 1 2.5 | print .spectro.var.N`:   true,
		`eq nil nil | print .spectro.var.N`: true, `eq nil 1 | print .spectro.var.N`: true, `ne 1 nil | print .spectro.var.N`: true, `eq 1 1.0 | print .spectro.var.N`: true,
		`eq (semver .spectro.var.V) (semver "1.29.3")`: true, `eq (semver .spectro.var.V) (semver "1.29.4")`: true,
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
		{`eq true true false | print .spectro.var.N`, "5true"}, {`eq true false | print .spectro.var.N`, "5false"}, {`eq nil nil | print .spectro.var.N`, "5true"}, {`eq nil 1 | print .spectro.var.N`, "5false"}, {`ne 1 nil | print .spectro.var.N`, "5true"},
		{`eq 1 1.0 | print .spectro.var.N`, "5true"}, {`lt 1.5 1.5 | print .spectro.var.N`, "5false"}, {`eq (semver .spectro.var.V) (semver "1.29.3")`, "true"}, {`eq (semver .spectro.var.V) (semver "1.29.4")`, "false"},
		{`untilStep 0 5 0 | print .spectro.var.N`, "5[]"}, {`untilStep 5 0 -2 | print .spectro.var.N`, "5[5 3 1]"}, {`seq 0 2 5 | print .spectro.var.N`, "50 2 4"},
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
		{`addf` + strings.Repeat(" 1", 100) + ` | print .spectro.var.N`, "5100"}, {`chunk 1 (list 1 2) | print .spectro.var.N`, "5[[1] [2]]"},
		{`slice (list) 0 0 | empty | print .spectro.var.N`, "5true"}, {`print .spectro.var.N list`, "5[]"},
		// what differs from sprig
		{`.spectro.var.B | b64dec`, "x"}, {`osBase .spectro.var.S`, "a-b_c d"},
		// regular expressions
		{`regexReplaceAll "(\\d+)\\.(\\d+)" .spectro.var.V "${2}.$1"`, "29.1.3"}, {`regexReplaceAllLiteral "\\d" .spectro.var.V "$1"`, "$1.$1$1.$1"},
		{`regexFindAll "\\d+" .spectro.var.V 2 | join ","`, "1,29"}, {`regexSplit "[-_ ]" .spectro.var.S -1 | join ","`, "a,b,c,d"},
		{`regexMatch "^1" .spectro.var.V`, "true"}, {`regexFind "2." .spectro.var.V`, "29"},
	} {
		out, findings := NewResolver(Context{Variables: variables}, nil).Text("{{ " + tc.code + " }}")
		if len(findings) > 0 || out != tc.want {
			t.Errorf("%s: got %q %+v, want %q", tc.code, out, findings, tc.want)
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

// Findings say what functions cannot use, and never show a value.
func TestFunctionsThatFail(t *testing.T) {
	for _, tc := range []struct{ code, want string }{
		{`.spectro.var.X | repeat "2"`, `got="a string as argument 1 for \"repeat\"" want="an integer" macro=repeat`},
		{`.spectro.var.X | until`, `got="a string as argument 1 for \"until\"" want="an integer" macro=until`},
		{`len .spectro.var.X | upper`, `got="an integer as argument 1 for \"upper\"" want="a string" macro=upper`},
		{`eq (semver "1.2.3") .spectro.var.X`, `got="unusable arguments for \"eq\"" want="values of one kind" macro=eq`},
		{`upper .spectro.var.X "b"`, `got="2 arguments for \"upper\"" want=1 macro=upper`},
		{`replace .spectro.var.X`, `got="1 arguments for \"replace\"" want=3 macro=replace`},
		{`repeat -1 .spectro.var.X`, `got="unusable arguments for \"repeat\"" want="a count from 0, and a string" macro=repeat`},
		{`mustFromJson .spectro.var.X`, `got="unusable arguments for \"mustFromJson\"" want=JSON macro=mustFromJson`},
		{`b64dec .spectro.var.X`, `got="unusable arguments for \"b64dec\"" want=base64 macro=b64dec`},
		{`urlParse (print "%zz" .spectro.var.X)`, `got="unusable arguments for \"urlParse\"" want="a URL" macro=urlParse`},
		{`semver .spectro.var.X`, `got="unusable arguments for \"semver\"" want="a version such as 1.2.3" macro=semver`},
		{`first .spectro.var.X`, `got="unusable arguments for \"first\"" want="a list" macro=first`},
		{`div 1 0 | print .spectro.var.X`, `got="unusable arguments for \"div\"" want="numbers other than 0 after the first" macro=div`},
		{`eq .spectro.var.X 5`, `got="unusable arguments for \"eq\"" want="values of one kind" macro=eq`},
		{`eq .spectro.var.X`, `got="unusable arguments for \"eq\"" want="values of one kind" macro=eq`},
		{`and .spectro.var.X (upper 5)`, `got="an integer as argument 1 for \"upper\"" want="a string" macro=upper`},
		{`or "" (.spectro.var.X | until)`, `got="a string as argument 1 for \"until\"" want="an integer" macro=until`},
		{`.spectro.var.X | and (upper 5)`, `got="an integer as argument 1 for \"upper\"" want="a string" macro=upper`},
		{`lt .spectro.var.X 5`, `got="unusable arguments for \"lt\"" want="two numbers or two strings" macro=lt`},
		{`index (list .spectro.var.X) 7`, `got="unusable arguments for \"index\"" want="a list, a map or a string, and indexes within it" macro=index`},
		{`(.spectro.var.X).a`, ``},
		{`.spectro.var.X | replace "s" "ü" | trunc 1 | print`, `macro=trunc`},
		{`list (.spectro.var.X | replace "s" "ü" | trunc 1)`, `macro=trunc`},
		{`b64dec "/w==" | print .spectro.var.X`, `macro=b64dec`},
		{`regexFind "(" .spectro.var.X`, `got="an invalid regular expression for \"regexFind\"" want="the syntax of RE2" macro=regexFind`},
		{`printf "%p" (list .spectro.var.X)`, `got="the verb %p for \"printf\"" want="a verb that does not print an address" macro=printf`},
		{`and | print .spectro.var.X`, `got="no arguments for \"and\"" want="at least 1" macro=and`},
		{`default | print .spectro.var.X`, `got="no arguments for \"default\"" want="a default and a value" macro=default`},
		{`repeat 2000000 .spectro.var.X`, `macro=repeat`},
		{`until 20000 | print .spectro.var.X`, `macro=until`},
		{`chunk 0 (list .spectro.var.X)`, `got="a size below 1 for \"chunk\"" want="at least 1" macro=chunk`},
		{`slice .spectro.var.X 1 2 3`, `got="unusable arguments for \"slice\"" want="a list and indexes within it" macro=slice`},
		{`slice .spectro.var.X 4 1`, `got="unusable arguments for \"slice\"" want="a list and indexes within it" macro=slice`},
		{`slice .spectro.var.X 1 7`, `got="unusable arguments for \"slice\"" want="a list and indexes within it" macro=slice`},
		{`slice .spectro.var.X "a"`, `got="unusable arguments for \"slice\"" want="a list and indexes within it" macro=slice`},
		{`slice 5 1 | print .spectro.var.X`, `got="unusable arguments for \"slice\"" want="a list and indexes within it" macro=slice`},
		{`index (dict "a" .spectro.var.X) 5`, `got="unusable arguments for \"index\"" want="a list, a map or a string, and indexes within it" macro=index`},
		{`index .spectro.var.X 6`, `got="unusable arguments for \"index\"" want="a list, a map or a string, and indexes within it" macro=index`},
		{`index 5 1 | print .spectro.var.X`, `got="unusable arguments for \"index\"" want="a list, a map or a string, and indexes within it" macro=index`},
		{`until -1152921504606846977 | print .spectro.var.X`, `got="a number that is too large for \"until\"" want="at most 2^60" macro=until`},
		{`until 1152921504606846977 | print .spectro.var.X`, `got="a number that is too large for \"until\"" want="at most 2^60" macro=until`},
		{`until 1152921504606846976 | print .spectro.var.X`, `macro=until`},
		{`until -1152921504606846976 | print .spectro.var.X`, `macro=until`},
		{`addf` + strings.Repeat(" 1", 101) + ` | print .spectro.var.X`, `got="101 arguments for \"addf\"" want="at most 100" macro=addf`},
		{`chunk -1 (list .spectro.var.X)`, `got="a size below 1 for \"chunk\"" want="at least 1" macro=chunk`},
		{`semver (print .spectro.var.X (repeat 1018 "1"))`, `got="unusable arguments for \"semver\"" want="a version such as 1.2.3" macro=semver`},
		{`semver (print .spectro.var.X (repeat 1019 "1"))`, `got="a version or constraint of 1025 bytes for \"semver\"" want="at most 1024" macro=semver`},
		{`regexMatch (repeat 4097 "a") .spectro.var.X`, `got="a regular expression of 4097 bytes for \"regexMatch\"" want="at most 4096" macro=regexMatch`},
		{`regexMatch (repeat 12 "a{900}") .spectro.var.X`, `got="a regular expression that repeats too much for \"regexMatch\"" want="at most 10000 instructions" macro=regexMatch`},
		{`regexMatch (repeat 1000 "(a)") .spectro.var.X`, `got="a regular expression with too many groups for \"regexMatch\"" want=fewer macro=regexMatch`},
		{`semver (repeat 200 .spectro.var.X)`, `got="a version or constraint of 1200 bytes for \"semver\"" want="at most 1024" macro=semver`},
	} {
		out, findings := NewResolver(Context{Variables: map[string]string{"X": "s3cret"}}, nil).Text("{{ " + tc.code + " }}")
		want := []string{strings.TrimSuffix("error macro/invalid "+tc.want, " ")}
		if diff := cmp.Diff(want, functiontest.Facts(findings)); diff != "" {
			t.Errorf("%s: got %q, -want +got:\n%s", tc.code, out, diff)
			continue
		}
		if message := findings[0].Message(); strings.Contains(message, "s3cret") {
			t.Errorf("%s: the message shows the value: %s", tc.code, message)
		}
	}
}

// The findings of a text are in its order, whatever finds them.
func TestOrderOfFindings(t *testing.T) {
	_, findings := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil).Text("{{ spectro.var.X }} {{ .spectro.var.Y }} {{ spectro.var.X }}")
	var columns []int
	for _, f := range findings {
		columns = append(columns, f.Position.Column)
	}
	if want := []int{4, 24, 45}; !slices.Equal(columns, want) {
		t.Errorf("got findings in the columns %v, want %v", columns, want)
	}
}
