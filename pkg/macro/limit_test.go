package macro

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/rule"
)

// A call with the largest N works, and one more is refused.
func TestLargest(t *testing.T) {
	for _, tc := range []struct {
		code    string
		largest int
	}{
		{`repeat N "x"`, MaxResult}, {`list (repeat N "x") | print`, MaxResult - len("[]")},
		{`indent N "a\nb"`, 524286}, {`nindent N "a"`, 1048574},
		{`replace "a" "bcd" (repeat N "a")`, 349525},
		{`join (repeat N "x") (list 1 2 3)`, 349525}, {`join "," (list (repeat N "x") "y")`, 1048573}, {`join (repeat N "x") (list "abc" "de")`, 524285},
		{`wrapWith 100 "ab" (repeat N "x")`, 1028014}, {`wrapWith 100 "ab" (repeat N "x ")`, 259548}, {`wrapWith 10 "" (repeat N "x ")`, 327679}, {`wrapWith 0 "\n" (repeat N "x")`, 524287},
		{`until N`, MaxElements}, {`until -N`, MaxElements}, {`untilStep 0 N 2`, 2 * MaxElements}, {`untilStep N 0 -1`, MaxElements}, {`untilStep -N 0 1`, MaxElements},
		{`seq N`, 10001}, {`seq 5 N`, 10005}, {`seq 0 2 N`, 20001}, {`seq -N`, 9999},
		{`splitList "," (repeat N ",")`, MaxElements - 1}, {`split "," (repeat N ",")`, MaxElements - 1}, {`splitn "," 20000 (repeat N ",")`, MaxElements - 1}, {`chunk 1 (until N)`, MaxElements / 2},
		{`regexMatch (repeat N "a") "x"`, MaxPattern}, {`regexMatch (repeat N "a{900}") "x"`, 5}, {`regexMatch (repeat N "(a)") "x"`, 226}, {`regexMatch (repeat N "aaa(a)") "x"`, 159},
		{`regexFindAll "a" (repeat N "a") -1`, MaxElements - 1}, {`regexFindAll "a+b|c" (repeat N "c") -1`, 1289}, {`regexSplit "a" (repeat N "a") -1`, MaxElements - 1},
		{`regexReplaceAll "a" (repeat 1000 "a") (repeat N "b")`, 1047}, {`regexReplaceAll "a" (repeat 1000 "ab") (repeat N "b")`, 1046}, {`regexReplaceAll "aaa" (repeat 900 "a") (repeat N "$0")`, 698},
		{`regexReplaceAll "a" (repeat N "a") "$0$0"`, 149796}, {`regexReplaceAll "aa*" (repeat N "a") "x"`, 1048575}, {`regexReplaceAll "a*b|a" (repeat N "a") "x"`, 1291},
		{`fromJson (repeat N "[")`, MaxDepth}, {`fromJson (print (repeat N "{\"a\":") "1" (repeat N "}"))`, MaxDepth},
		{`fromJson (print "[" (repeat N "0,") "0]")`, MaxElements - 1}, {`fromJson (print "[" (repeat N "[],") "0]")`, MaxElements/2 - 1}, {`fromJson (print "[" (repeat N "{},") "0]")`, MaxElements/2 - 1},
		{`fromJson (print "[\"" (repeat 5000 ",[\\\"") "\"" (repeat N ",1")  "]")`, MaxElements - 1},
		{`printf "%s" (repeat N "x")`, 1048510}, {`printf "%q" (repeat N "x")`, 174751}, {`printf "%x" (repeat N "x")`, 174751}, {`printf "%X" (repeat N "x")`, 174751}, {`printf "%U" (repeat N "x")`, 174751}, {`printf "%#v" (repeat N "x")`, 174751},
		{`printf "%+v%- v" (repeat N "x") 1`, 1048441}, {`printf "%s%s" (repeat N "x") "y"`, 1048443}, {`printf "%[1]s%[1]s" (repeat N "x")`, 524219},
		{`printf "%s%Nd" (repeat 524288 "x") 1`, 524150}, {`printf "%s%-10.Nf" (repeat 524288 "x") 1.5`, 523496}, {`printf "%Nd" (list 1 2 3)`, 262096}, {`printf "%[2]d%N" 5 (list 1 2)`, 349425}, {`printf "%s%N" (repeat 524288 "x")`, 524191},
		{`printf "%*d" N (list 1 2)`, 349463}, {`printf "%*d" -N (list 1 2)`, 349463}, {`printf "%s%[2]*d" (repeat N "x") (list 1 2)`, 524220}, {`printf "%s%*d" (repeat N "x") (add 3 0)`, 48443},
		{`printf "%F" (until N)`, 2911}, {`printf "%f" (until N)`, 2911}, {`printf (print (repeat N "x") "%s") "a"`, 1048509}, {`printf (repeat N "%d") 1`, 40328},
	} {
		for n, want := range map[int]bool{tc.largest: true, tc.largest + 1: false} {
			code := strings.ReplaceAll(strings.ReplaceAll(tc.code, "(repeat N", "(repeat "+strconv.Itoa(n)), "N", strconv.Itoa(n))
			r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil)
			_, findings := r.Text("{{ print .spectro.var.X (empty (" + code + ")) }}")
			if got := len(findings) == 0; got != want || !got && findings[0].Rule != rule.MacroInvalid {
				t.Errorf("%s: got %v, want %v: %+v", code, got, want, findings)
			}
		}
	}
}

// A Resolver takes the same work for the same macro, wherever it runs.
func TestWork(t *testing.T) {
	for code, want := range map[string]int{
		`.spectro.var.X`:                                    2,
		`upper .spectro.var.X`:                              68,
		`list 1 .spectro.var.X`:                             100,
		`dict "a" .spectro.var.X`:                           86,
		`trimAll (repeat 64 "a") .spectro.var.X`:            261,
		`trimAll .spectro.var.X (repeat 64 "a")`:            328,
		`semver "1.2.3" | print .spectro.var.X`:             2456,
		`uniq (list 1 2 3 .spectro.var.X)`:                  342,
		`without (list 1 2 3 .spectro.var.X) 1 2`:           306,
		`subf 1 2 3 | print .spectro.var.X`:                 9134,
		`mulf 1 2 3 | print .spectro.var.X`:                 9133,
		`divf 1 2 3 | print .spectro.var.X`:                 9150,
		`add1f 1 | print .spectro.var.X`:                    1133,
		`trimall (repeat 64 "a") .spectro.var.X`:            261,
		`addf 1 2 3 | print .spectro.var.X`:                 9133,
		`regexMatch "(a|b)+c" .spectro.var.X`:               2898,
		`regexMatch "(a)(b)(c)(d)" .spectro.var.X`:          11249,
		`regexFindAll "a" .spectro.var.X -1`:                645,
		`regexFindAll "x" .spectro.var.X -1`:                727,
		`regexFindAll "x*" .spectro.var.X -1`:               1050,
		`regexReplaceAll "x" .spectro.var.X "abc"`:          716,
		`.spectro.pack.wide.none | default "x"`:             7,
		`print .spectro.var.X (list (list 1) (dict "a" 2))`: 471,
	} {
		r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, []Pack{{Name: "wide", Values: tree(t, "{a: 1, b: 2, c: 3}")}})
		r.Text("{{ " + code + " }}")
		if got := meter.MaxSteps - r.meter.Left(); got != want {
			t.Errorf("%s: got %d, want %d", code, got, want)
		}
	}
}

// The estimated size of a regular expression is at least the size of the compiled program.
func TestSizeOf(t *testing.T) {
	for regex, want := range map[string]pattern{
		``: {1, 0}, `\b`: {1, 0}, `abc`: {3, 12}, `.`: {1, 4}, `[a-z]`: {1, 4}, `\pL`: {83, 4}, `ab|c`: {6, 8}, `a+b`: {6, -1}, `ba+`: {6, -1}, `(bc|a*|d)e`: {15, -1},
		`a*`: {2, -1}, `a+`: {2, -1}, `a?`: {2, 4}, `(a)`: {3, 4}, `(abc)?`: {6, 12}, `(ab){3}`: {15, 24}, `a{2,5}`: {10, 20}, `(a*){2}`: {10, -1}, `a{3,}`: {6, -1}, `a{0}`: {2, 0}, `^a$`: {7, 4},
	} {
		tree, err := syntax.Parse(regex, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := sizeOf(tree); got != want {
			t.Errorf("%s: got %+v, want %+v", regex, got, want)
		}
		program, err := syntax.Compile(tree.Simplify())
		if err != nil || len(program.Inst) > want.instructions+2 { // and those for failure and success
			t.Errorf("%s: compiled to %d instructions: %v", regex, len(program.Inst), err)
		}
	}
}

// A macro calls a number of functions, and as many faults of one are reported.
func TestCallsAndFaults(t *testing.T) {
	for code, want := range map[string]int{
		strings.Repeat("|cat", MaxCalls): 0, strings.Repeat("|cat", MaxCalls+1): 1,
		strings.Repeat(" | nope", maxFaults): maxFaults, strings.Repeat(" | nope", maxFaults+1): maxFaults,
	} {
		_, findings := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil).Text("{{ .spectro.var.X" + code + " }}")
		if len(findings) != want {
			t.Errorf("%.20s: got %d findings, want %d: %+v", code, len(findings), want, findings)
		}
	}
}

// The values of packs have a largest size, as those that are supplied.
func TestLargestValue(t *testing.T) {
	for n, want := range map[int]int{MaxResult: 0, MaxResult + 1: 1} {
		r := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, "a: "+strings.Repeat("x", n))}})
		if out, findings := r.Text("{{ .spectro.pack.p.a }}"); len(findings) != want || want == 0 && len(out) != n {
			t.Errorf("%d bytes: got %d bytes and %v", n, len(out), findings)
		}
	}
}

// A supplied text may have 1 MiB.
func TestLargestText(t *testing.T) {
	for n, want := range map[int]int{MaxResult - len("[]"): 0, MaxResult - 1: 1} { // a list has the size of its printed text
		if _, findings := fixture(t, Empty).Text(fmt.Sprintf("{{ list (repeat %d `x`) .spectro.var.NONE | compact }}", n)); len(findings) != want {
			t.Errorf("a list of %d bytes: got %+v", n, findings)
		}
	}
	for size, want := range map[int]int{MaxResult: 0, MaxResult + 1: 1} {
		r := NewResolver(Context{Variables: map[string]string{"X": strings.Repeat("x", size)}}, nil)
		if out, findings := r.Text("{{ .spectro.var.X }}"); len(findings) != want || want == 0 && len(out) != size {
			t.Errorf("%d bytes: got %d, %v", size, len(out), findings)
		}
	}
}

// Comparing many keys costs time.
func TestMostSimilarKeys(t *testing.T) {
	var wide strings.Builder
	for i := range maxSimilarKeys + 1 {
		fmt.Fprintf(&wide, "key%d: 1\n", i)
	}
	_, findings := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, wide.String())}}).Text("{{ .spectro.pack.p.kei1 }}")
	if len(findings) != 1 || findings[0].Nearest != "" {
		t.Errorf("a wide map: got %v", findings)
	}
}
