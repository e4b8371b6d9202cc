package macro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Each value has one fault: the golden list has the messages of all faults.
func TestMessages(t *testing.T) {
	cases := []struct{ value, rule string }{
		{`{{ .Values.x | default .spectro.var.X }}`, "invalid"},
		{`{{ .spectro.sistem.cluster.name }}`, "unknown"},
		{`{{ .spectro.system }}`, "unknown"},
		{`{{ .spectro.system.cluster.nmae }}`, "unknown"},
		{`{{ .spectro.system.cluster.uid }}`, "unset"},
		{`{{ .spectro.var.TOKN }}`, "unset"},
		{`{{ .spectro.var.EMPTY }}`, "unset"},
		{`{{ .spectro.macro.prox }}`, "unset"},
		{`{{ .spectro.var.EVIL }}`, "invalid"},
		{`{{ .spectro.pack.bb.x }}`, "unset"},
		{`{{ .spectro.pack.zzzzzz.x }}`, "unset"},
		{`{{ .spectro.pack.b.none }}`, "unset"},
		{`{{ .spectro.pack.b.map }}`, "invalid"},
		{`{{ .spectro.pack.b.list }}`, "invalid"},
		{`{{ .spectro.pack.b.blank }}`, "unset"},
		{`{{ .spectro.pack.b.bad }}`, "invalid"},
		{`{{ .spectro.pack.b.loop }}`, "cycle"},
		{`{{ .spectro.pack.twin.x }}`, "invalid"},
		{`{{ .spectro.pack.broken.x }}`, "invalid"},
		{`{{ .spectro.pack.b.` + strings.Repeat("x", 5000) + ` }}`, "invalid"},
		{`{{ .spectro.var.X | uper }}`, "invalid"},
		{`{{ env "HOME" | print .spectro.var.X }}`, "forbidden-function"},
		{`{{ .spectro.var.X`, "invalid"},
		{"{{ print `{{ .spec` `tro.var.X }}` | print .spectro.var.HALF }}", "invalid"},
		{`{{ (.spectro.var.X).a }}`, "invalid"},
		{strings.Repeat(`{{ repeat 600000 .spectro.var.X }}`, 2), "invalid"},
		{`{{ print ` + strings.Repeat(`(upper .spectro.var.X) `, 3000) + `}}`, "invalid"},
	}
	for _, code := range []string{
		``, `.spectro.var.X |`, `if .spectro.var.X`, `$x`, `x = .spectro.var.X`, `.`, `f(1)`, `f , 1`, `f | .spectro.var.X`, `f .a "x" | "y"`, `.spectro.var.X "x"`, `nil`, `(1`, `1)`, `print.x`,
		`12x`, `1e999`, `-x`, `"x`, `"\q"`, `'xy'`, `f /* x */`, `!`, strings.Repeat("(", 101) + "1", strings.Repeat("x", 70_000),
		`upper 1`, `upper "a" "b"`, `replace "a"`, `repeat "2" "a"`, `round 1 1 "2"`, `ternary 1 2 "a"`, `b64dec "x"`, `repeat -1 "a"`, `title 1`, `regexMatch "(" "a"`, `printf "%p" 1`, `and`, `default`,
		`repeat 2000000 "a"`, `until 20000`, `until 9223372036854775807`, `chunk 0 (list 1)`, `semver (repeat 2000 "1")`, `addf ` + strings.Repeat("1 ", 101), `fromJson (repeat 200 "[")`,
		`repeat 1000000 "a" | upper | upper | upper | upper | upper | upper | upper | upper | upper`,
		`regexMatch (repeat 5000 "a") "a"`, `regexMatch "((a{100}){100}){100}" "a"`, `regexMatch "(aaaaaaaaaaaaa){1000}" "a"`, `regexMatch "` + strings.Repeat("(aaaaaaaa)", 400) + `" "a"`, `regexFindAll ".*b|a" (repeat 100000 "a") -1`,
		`list ` + strings.Repeat("| list ", 120), `list ` + strings.Repeat("(list) ", 10_500),
	} {
		if code == "" || !strings.Contains(code, ".spectro.") {
			code += " | print .spectro.var.X" // or it is not a macro
		}
		cases = append(cases, struct{ value, rule string }{"{{ " + code + " }}", "invalid"})
	}
	var values strings.Builder
	var want []string
	for i, tc := range cases {
		fmt.Fprintf(&values, "k%03d: '%s'\n", i, strings.ReplaceAll(tc.value, "'", "''"))
		want = append(want, fmt.Sprintf("k%03d macro/%s", i, tc.rule))
	}
	config := typedConfig + "  packs: [a]\n  missing: error\n  system: {cluster.name: c}\n  variables: {X: x, TOKEN: t, EMPTY: '', HALF: '{', EVIL: '{{ .spectro.var.X }}'}\n  macros: {proxy: p}"
	findings := functiontest.Run(t, Function(), config, strings.Join([]string{
		packOf("a", values.String()),
		packOf("b", "map: {a: 1}\nlist: [1]\nblank: '{{ .spectro.var.EMPTY | default \"\" }}'\nbad: '{{ .spectro.var.X | uper }}'\nloop: '{{ .spectro.pack.b.pool }}'\npool: '{{ .spectro.pack.b.loop }}'"),
		packOf("broken", "x: {{ .spectro.var.X }}"), packOf("twin", "x: 1"), strings.Replace(packOf("twin", "x: 2"), "name: twin", "name: twin-2", 1),
	}, "\n---\n")).Findings
	var got []string
	for _, f := range findings {
		got = append(got, f.Key+" "+f.Rule.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
