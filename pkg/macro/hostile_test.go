package macro

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/rule"
)

// No action allocates much more than the work that it may do.
func TestHostileActions(t *testing.T) {
	var most uint64
	big := tree(t, "x: "+strings.Repeat("y", 1_000_000))
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	for _, code := range []string{
		`repeat 1000000000 .spectro.var.X`, `repeat 9223372036854775807 .spectro.var.X`, `.spectro.var.X | repeat 1000 | repeat 1000 | repeat 1000 | repeat 1000`,
		`until 1000000000`, `until -1000000000`, `until 9223372036854775807`, `until -9223372036854775808`, `seq 1000000000`, `seq -1000000000`, `seq 0 1 1000000000`, `seq 0 -1 -1000000000`, `seq 0 1000000000`, `seq 0 -1000000000`,
		`untilStep 0 1000000000 1`, `untilStep 0 9223372036854775807 9223372036854775806`, `untilStep 0 -9223372036854775808 -1`, `untilStep -9223372036854775808 9223372036854775807 1`,
		`indent 1000000000 .spectro.var.X`, `nindent 1000000000 .spectro.var.X`, `indent 1000 (repeat 10000 "\n")`,
		`printf "%1000000000d" 1`, `printf "%1000000d" (until 10000)`, `printf "%*d" 1000000 1`, `printf "%.1000000f" 1.5`, `printf "%[1]s%[1]s%[1]s" (repeat 1000000 "x")`,
		`printf "` + many(3000, `%[1]s`) + `" (repeat 100000 "x")`, `printf "` + many(6000, `%999999d`) + `" 1`, `printf (repeat 10000 "%999999d") 1`, `printf (repeat 100000 "%v") (until 9999)`, `printf "%.999999f" (until 9999)`, `printf "%200f" (list 1e308 1e308)`,
		`printf "%x" (repeat 1000000 "x")`, `printf "%q" (repeat 1000000 "\x00")`,
		`join (repeat 100000 "x") (until 10000)`, `replace "" (repeat 1000 "x") (repeat 1000 "y")`, `replace "y" (repeat 100000 "x") (repeat 100000 "y")`,
		`wrapWith 1 (repeat 10000 "x") (repeat 10000 "y")`, `wrap 1 (repeat 1000000 "y ")`, `wrap 9223372036854775807 (repeat 1000 "y ")`,
		`splitList "" (repeat 1000000 "x")`, `split "" (repeat 1000000 "x")`, `splitn "" 1000000 (repeat 1000000 "x")`, `splitList "x" (repeat 1000000 "x") | len`,
		`uniq (until 10000) | len`, `without (until 10000) ` + many(1000, "1 ") + ` | len`, `has 1 (until 10000)`, `trimAll (repeat 300000 "aé") (repeat 300000 "é")`,
		`chunk 0 (list 1)`, `chunk -1 (until 10)`, `chunk 9223372036854775807 (until 10) | len`, `chunk 1 (until 10000) | toPrettyJson | len`,
		`substr 0 1000000000 .spectro.var.X`, `substr -1 1000000000 .spectro.var.X`, `trunc -9223372036854775808 .spectro.var.X`, `abbrev 1000000000 .spectro.var.X`, `abbrevboth 1000000000 1000000000 .spectro.var.X`, `abbrevboth -5 1000 (repeat 2000 "x")`,
		`fromJson (repeat 500000 "[")`, `fromJson (print "[" (repeat 300000 "0,") "0]")`, `fromJson (print (repeat 5000 "[") (repeat 5000 "]")) | toPrettyJson`, `fromJson (print "[" (repeat 9000 "{},") "0]") | toPrettyJson | len`, `fromJson (print "\"" (repeat 300000 ",") "\"") | len`,
		`list` + many(9000, ` | list`) + ` | toPrettyJson`, `list` + many(5000, ` | append (list 1)`) + ` | len`, `dict "a" 1` + many(5000, ` | dict "a"`) + ` | toPrettyJson`,
		`.spectro.var.X` + many(8000, ` | upper`), `repeat 1000000 "x"` + many(8000, ` | upper`), `repeat 1000000 "x"` + many(100, ` | sha512sum`), `repeat 1000000 "x" | b64enc | b64enc`, `repeat 1000000 "<" | html`, `repeat 1000000 "<" | js`, `repeat 1000000 "<" | toJson`, `repeat 1000000 "aB" | snakecase`, `repeat 500000 "aB" | snakecase`, `repeat 500000 "aB" | kebabcase`, `repeat 500000 "a_" | camelcase`, `repeat 500000 "a " | title | initials`, `repeat 500000 "a " | nospace | swapcase | untitle`,
		`mulf ` + many(9000, "1e-300 "), `mulf ` + many(100, "1e300 "), `divf ` + many(100, "1e-300 "), `addf 1e308 1e-308` + many(3000, ` | addf 1e308 1e-308`), `round 1e308 1000000`, `mul ` + many(9000, "99999999999 "),
		`regexMatch (repeat 2000 "(a*)*") (repeat 1000 "a")`, `regexMatch "((a{100}){100}){100}" .spectro.var.X`, `regexMatch "(((((a{10}){10}){10}){10}){10}" .spectro.var.X`, `regexMatch "(a{1,100}){1,90}b" (repeat 1000000 "a")`, `regexMatch "(x+x+)+y" (repeat 1000000 "x")`,
		`regexFindAll "a.*b|a" (repeat 1000000 "a") -1 | len`, `regexReplaceAll "a.*b|a" (repeat 100000 "a") "c"`, `regexReplaceAll "a" (repeat 1000000 "a") (repeat 10000 "$0")`, `regexReplaceAll ".*" (repeat 100000 "a") (repeat 10000 "$0")`, `regexReplaceAllLiteral "" (repeat 1000000 "a") "xyz"`, `regexReplaceAll "(?i)` + many(1000, `(\\pL)`) + `" (repeat 100000 "a") "$1"`, `regexSplit "" (repeat 1000000 "a") -1 | len`, `regexReplaceAll "[a-z]?" (repeat 1000000 "a") ""`, `regexMatch "` + many(1300, `\\pL`) + `" (repeat 5000 "a")`,
		`regexQuoteMeta (repeat 1000000 ".")`, `semverCompare (repeat 300 "1||") "1.2.3"`, `semver (repeat 1000000 "1")`, `semverCompare "` + many(100, ">1 ") + `" "1.2.3"` + many(2000, ` | print "1.2.3" | semver`), `urlParse (repeat 1000000 "a") | urlJoin`, `toDecimal (repeat 1000000 "7")`, `atoi (repeat 1000000 "7")`, `int (repeat 1000000 "0")`,
		`print ` + many(3000, `.spectro.pack.big.x `), `print ` + many(3000, `(repeat 300000 "x") `), `len (list ` + many(3000, `.spectro.pack.big.x `) + `)`, `seq 10000 | splitList " " | sortAlpha | len`, `deepCopy (until 10000) | len`, `until 10000 | toStrings | join "," | splitList "," | uniq | len`, `merge ` + many(3000, `(dict "a" 1) `), `concat ` + many(3000, `(until 100) `) + ` | len`, `pluck "a" ` + many(3000, `(dict "a" 1) `) + ` | len`,
		`wrap 0 (repeat 1000000 " ")`, `cat ` + many(9000, `1 `), `quote ` + many(9000, `1 `), `and ` + many(9000, `1 `), `coalesce ` + many(9000, `"" `), many(100, "(") + ".spectro.var.X" + many(100, ")"), many(30000, "(") + ".spectro.var.X", many(2000, ".spectro.var.X | "),
	} {
		code += ` | print .spectro.var.X`
		name := code[:min(70, len(code))]
		got := allocated(func() {
			r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, []Pack{{Name: "big", Values: big}})
			out, _ := r.Text("{{ " + code + " }}")
			if len(out) > MaxResult+len(code)+10 {
				t.Errorf("%s: %d bytes", name, len(out))
			}
		})
		if most = max(most, got); got > mostAllocated {
			t.Errorf("%s: allocated %d MB", name, got>>20)
		}
	}
	t.Logf("at most %d MB", most>>20)
}

// mostAllocated is what one action may allocate in all, in bytes: some times its work.
const mostAllocated = 8 * MaxWork

// allocated returns the bytes that a call allocates in all.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Many small texts and values are bounded, too.
func TestHostileTexts(t *testing.T) {
	vars := map[string]string{"X": "x"}
	bomb := []Pack{{Name: "b0", Values: tree(t, "x: 0123456789")}}
	for i := 1; i < 12; i++ {
		bomb = append(bomb, Pack{Name: fmt.Sprint("b", i), Values: tree(t, fmt.Sprintf("x: '%s'", strings.Repeat(fmt.Sprintf("{{ .spectro.pack.b%d.x }}", i-1), 10)))})
	}
	var long strings.Builder
	const links = 2000
	for i := range links {
		fmt.Fprintf(&long, "k%d: '{{ .spectro.pack.long.k%d }}'\n", i, i+1)
	}
	fmt.Fprintf(&long, "k%d: end\n", links)
	fault := strings.Replace(long.String(), "end", "'{{ .spectro.var.X | uper }}'", 1)
	loop := strings.Replace(long.String(), "end", "'{{ .spectro.pack.long.k0 }}{{ .spectro.pack.long.k7 }}'", 1)
	var unknown strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&unknown, "{{ .spectro.var.X | uper%d }}", i)
	}
	for _, tc := range []struct {
		name, text string
		packs      []Pack
		want       string // the result; "" for a finding
	}{
		{"doubling", "{{ .spectro.pack.b11.x }}", bomb, ""},
		{"a long chain", "{{ .spectro.pack.long.k0 }}", []Pack{{Name: "long", Values: tree(t, long.String())}}, "end"},
		{"a long chain to a fault", "{{ .spectro.pack.long.k0 }}", []Pack{{Name: "long", Values: tree(t, fault)}}, ""},
		{"many cycles through one value", "{{ .spectro.pack.long.k0 }}", []Pack{{Name: "long", Values: tree(t, strings.ReplaceAll(loop, "'{{", "'{{ .spectro.pack.long.k0 }}{{"))}}, ""},
		{"a long cycle", "{{ .spectro.pack.long.k0 }}", []Pack{{Name: "long", Values: tree(t, loop)}}, ""},
		{"many large results", strings.Repeat(`{{ repeat 1000000 .spectro.var.X }}`, 5000), nil, ""},
		{"many costly actions", func() string {
			var b strings.Builder
			for i := range 2000 {
				fmt.Fprintf(&b, `{{ repeat 1000000 .spectro.var.X | upper | lower | upper | lower | len | add %d }}`, i)
			}
			return b.String()
		}(), nil, ""},
		{"many unknown names", unknown.String(), nil, ""},
		{"many macros", strings.Repeat("{{ .spectro.var.X }}\n", 100_000), nil, strings.Repeat("x\n", 100_000)},
		{"many braces", strings.Repeat("{{", 500_000) + ".spectro.", nil, ""},
	} {
		out, findings := NewResolver(Context{Variables: vars}, tc.packs).Text(tc.text)
		if tc.want == "" && len(findings) == 0 || tc.want != "" && (len(findings) > 0 || out != tc.want) {
			t.Errorf("%s: got %d bytes and %d findings", tc.name, len(out), len(findings))
		}
		for _, f := range findings {
			if len(f.Found) > 2000 {
				t.Errorf("%s: a sentence of %d bytes", tc.name, len(f.Found))
			}
		}
	}
}

// Searching for values that do not exist is work, too.
func TestMissingValuesAreBounded(t *testing.T) {
	r := fixture(t, Empty)
	r.meter.Spend(meter.MaxSteps - 100)
	text := ""
	for i := range 20 {
		text += fmt.Sprintf("{{ .spectro.pack.kubernetes.x%d }}", i)
	}
	if out, findings := r.Text(text); len(findings) == 0 || findings[0].Rule != rule.MacroInvalid {
		t.Errorf("got %q %+v", out, findings)
	}
}
