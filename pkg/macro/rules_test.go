package macro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func tree(t rapid.TB, text string) *values.Tree {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return values.Merge(values.Layer{Document: d})
}

// fixture returns the facts and packs of the tables below.
func fixture(t rapid.TB, mode Mode) *Resolver {
	return NewResolver(Context{
		System:    map[string]string{"cluster.name": "edge-7", "kubernetes.version": "1.29.3", "user.email": "{{ .spectro.var.X }}", "cloud.region": ""},
		Variables: map[string]string{"X": "ex", "a.b-c_d": "dotted", "EVIL": "x{{ .spectro.var.X }}", "FOREIGN": "{{ .Values.x }}", "NONE": "", "HALF": "{"},
		Macros:    map[string]string{"proxy": "http://proxy:3128"},
		Missing:   mode,
	}, []Pack{
		{Name: "kubernetes", Values: tree(t, "version: 1.30\nid: 000123456789\nbig: 123456789012\nflag: true\nnothing: null\nempty: ''\nmap: {a: 1}\nlist: [a, {b: c}]\nquoted: \"q\\\"x\"\nnode.store.mmap: dots\n")},
		{Name: "kube", Values: tree(t, "rnetes: {version: wrong}\nself: '{{ .spectro.pack.kube.value }}!'\nvalue: v\n")},
		{Name: "a.b", Values: tree(t, "c: longest\n")},
		{Name: "a", Values: tree(t, "b: {c: shorter, d: hidden}\nd: '{{ .spectro.pack.wordpress-chart.charts.user | upper }}'\n")},
		{Name: "wordpress-chart", Values: tree(t, "charts: {user: '{{ .spectro.var.X }}-{{ .spectro.system.cluster.name }}'}\n")},
		{Name: "twin", Resource: diag.Resource{Kind: "ConfigMap", Name: "twin-1"}, Values: tree(t, "x: 1")},
		{Name: "twin", Resource: diag.Resource{Kind: "ConfigMap", Name: "twin-2", File: "twin.yaml"}, Values: tree(t, "x: 2")},
		{Name: "broken", Unreadable: true},
		{Name: "bare"},
		{Name: "undef", Values: tree(t, "x: '{{ .spectro.pack.none.y }}'\nvar: '{{ .spectro.var.Q }}'\ncovered: '{{ .spectro.var.Q | default \"c\" }}'\nbad: '{{ .spectro.var.X | uper }}'\nnil: '{{ .spectro.var.NONE | default \"\" }}'\n")},
		{Name: "c1", Values: tree(t, "x: '{{ .spectro.pack.c2.y }}'\nself: '{{ .spectro.pack.c1.self }}'\ninto: '{{ .spectro.pack.c1.x }}'")},
		{Name: "c2", Values: tree(t, "y: 'a{{ .spectro.pack.c3.z.0 }}'\none: '{{ .spectro.pack.c2.two }}'\ntwo: '{{ .spectro.pack.c2.one }}{{ .spectro.pack.c2.three }}'\nthree: '{{ .spectro.pack.c2.one }}'\n")},
		{Name: "c3", Values: tree(t, "z: ['{{ .spectro.pack.c1.x | default \"no\" }}']\n")},
		{Name: "c4", Values: tree(t, "x: '{{ .spectro.pack.c4.y }}'\ny: '{{ .spectro.var.X | uper }}{{ .spectro.pack.c4.z }}'\nz: '{{ .spectro.pack.c4.x }}'\n")},
		{Name: "evil", Values: tree(t, "x: '{{ .spectro.var.EVIL }}'\n")},
	})
}

func TestRules(t *testing.T) {
	const all = allModes
	for _, tc := range []struct {
		name string
		mode Mode
		text string
		want string
	}{
		{"M1 others stay", all, "{{ .Values.spectro.x }} {{ include `a` . }} {% if x %} {{`{{ .spectro.var.X }}`}} {{/* .spectro.var.X */}} {{ x | default('y') }}", "{{ .Values.spectro.x }} {{ include `a` . }} {% if x %} {{`{{ .spectro.var.X }}`}} {{/* .spectro.var.X */}} {{ x | default('y') }}"},
		{"M1 both in one scalar", all, "{{ .Values.x }}{{ .spectro.var.X }}{{- .Values.y -}} ", "{{ .Values.x }}ex{{- .Values.y -}} "},
		{"M2 hyphens, dots, underscores", all, "{{.spectro.var.a.b-c_d}}", "dotted"},
		{"M1 fields of others stay", all, "{{ (index .Values `a`).spectro.x }} {{ .Values.v1.spectro.x }}", "{{ (index .Values `a`).spectro.x }} {{ .Values.v1.spectro.x }}"},
		{"M2 root", all, "{{ $.spectro.var.X }}", "ex"},
		{"M2 trim markers", all, "a \n\t{{- .spectro.var.X -}}\n b", "aexb"},
		{"M2 trim markers, line breaks of Windows", all, "a \r\n\t{{- .spectro.var.X -}}\r\n b", "aexb"},
		{"M2 trims only at markers", all, "a {{ .spectro.var.X -}} b {{- .spectro.var.X }} c", "a exbex c"},
		{"M2 trims up to another action", all, "{{ x }} {{- .spectro.var.X -}} {{ y }} z", "{{ x }}ex{{ y }} z"},
		{"M2 braces in a string", all, `{{ .spectro.var.X | cat "}}" }}`, "}} ex"},
		{"M3 foreign templates in data are text", all, "{{ .spectro.var.FOREIGN }}", "{{ .Values.x }}"},
		{"M5 source text", all, "{{ .spectro.pack.kubernetes.version }} {{ .spectro.pack.kubernetes.id }} {{ .spectro.pack.kubernetes.big }} {{ .spectro.pack.kubernetes.flag }}", "1.30 000123456789 123456789012 true"},
		{"M5 a quoted value is decoded", all, "{{ .spectro.pack.kubernetes.quoted }}", `q"x`},
		{"M6 macro", all, "{{ .spectro.macro.proxy }}", "http://proxy:3128"},
		{"M6 longest pack name", all, "{{ .spectro.pack.a.b.c }} {{ .spectro.pack.kubernetes.version }} {{ .spectro.pack.kube.value }}", "longest 1.30 v"},
		{"M6 V16", all, "{{ .spectro.pack.kubernetes.node.store.mmap }}", "dots"},
		{"M6 digits index a list", all, "{{ .spectro.pack.kubernetes.list.0 }}{{ .spectro.pack.kubernetes.list.1.b }}", "ac"},
		{"M6 a pack may refer to itself", all, "{{ .spectro.pack.kube.self }}", "v!"},

		{"M7 default", Empty, "{{ .spectro.pack.none.x | default `d` }}{{ .spectro.pack.kubernetes.nothing | default `e` }}{{ default `f` .spectro.pack.kubernetes.empty }}", "def"},
		{"M7 default does not cover what is defined", Empty, "{{ .spectro.pack.kubernetes.version | default `d` }}", "1.30"},
		{"M7 covered by evaluation", Error, "{{ .spectro.pack.none.x | upper | trim | default `d` }}{{ coalesce .spectro.var.Q (.spectro.pack.none.x | lower) `e` }}", "de"},
		{"M7 keep: an empty value", Keep, "{{ .spectro.pack.kubernetes.empty }}", "{{ .spectro.pack.kubernetes.empty }}"},
		{"M7 error: default", Error, "{{ .spectro.pack.none.x | default `d` }}{{ .spectro.var.Q | default `e` }}{{ .spectro.var.Q | default `` }}{{ coalesce .spectro.var.Q `` }}", "de"},
		{"M7 error: a default that covers the default", Error, "{{ .spectro.pack.none.x | default .spectro.var.Q | default `z` }}", "z"},
		{"M7 error: a name that is not read", Error, "{{ or .spectro.var.X .spectro.var.Q }}", "ex"},
		{"M7 keep", Keep, "{{- .spectro.var.Q  | default  `d` -}} {{.spectro.pack.none.x}} {{ .spectro.var.X -}} {{ .spectro.pack.kubernetes.nothing }}", "{{- .spectro.var.Q  | default  `d` -}} {{.spectro.pack.none.x}} ex{{ .spectro.pack.kubernetes.nothing }}"},
		{"M7 keep: markers trim nothing", Keep, "a {{- .spectro.var.Q -}} b", "a {{- .spectro.var.Q -}} b"},

		{"M8 system", all, "{{.spectro.system.cluster.name}}", "edge-7"},
		{"M8 not supplied, default", Empty, "{{ .spectro.system.cluster.uid | default `u` }}{{ .spectro.var.Q | default `v` }}{{ coalesce .spectro.macro.Q `w` }}", "uvw"},
		{"M8 system name supplied as empty", Empty, "{{ .spectro.system.cloud.region }}{{ .spectro.system.cloud.region | default `n` }}", "n"},
		{"M8 supplied as empty", Empty, "{{ .spectro.var.NONE }}{{ .spectro.var.NONE | default `n` }}", "n"},
		{"M8 kubevip", Empty, "[{{ .spectro.system.cluster.kubevip }}]", "[]"},
		{"M8 kubevip under error", Error, "[{{ .spectro.system.cluster.kubevip }}]", "[]"},
		{"M8 kubevip under keep", Keep, "[{{ .spectro.system.cluster.kubevip }}]", "[{{ .spectro.system.cluster.kubevip }}]"},
		{"M8 kubevip, default", Empty, "{{ .spectro.system.cluster.kubevip | default `10.0.0.1` }}", "10.0.0.1"},

		{"M9 a chain", all, "{{ .spectro.pack.a.d }}", "EX-EDGE-7"},
		{"M9 a chain through hyphens", all, "{{ .spectro.pack.wordpress-chart.charts.user }}", "ex-edge-7"},
		{"M9 undefined at the end of a chain", Empty, "[{{ .spectro.pack.undef.x }}{{ .spectro.pack.undef.x | default `d` }}]", "[d]"},
		{"M9 a chain of nothing takes the default", Error, "{{ .spectro.pack.undef.nil | default `d` }}", "d"},
		{"M9 unset in a chain, kept", Keep, "{{ .spectro.pack.undef.var }}{{ .spectro.pack.undef.covered }}", "{{ .spectro.pack.undef.var }}{{ .spectro.pack.undef.covered }}"},
		{"M9 covered in a chain", Empty, "{{ .spectro.pack.undef.covered }}", "c"},

		{"M10 substr", all, "{{ .spectro.system.kubernetes.version | substr 0 4 }}", "1.29"},
	} {
		for _, mode := range modesOf(tc.mode) {
			got, findings := fixture(t, mode).Text(tc.text)
			if got != tc.want || len(findings) > 0 {
				t.Errorf("%s, mode %s: got %q %v, want %q", tc.name, mode, got, findings, tc.want)
			}
		}
	}
}

// M7: an undefined reference that nothing covers is read as empty text, with a warning
// that has the nearest pack, or the nearest path to a single value.
func TestEmpty(t *testing.T) {
	for _, tc := range []struct{ name, text, out, near string }{ // near is MACRO or MACRO=NEAREST
		{"no pack, no path, null, empty", "[{{ .spectro.pack.none.x }}{{ .spectro.pack.bare.x }}{{ .spectro.pack.kubernetes.x }}{{ .spectro.pack.kubernetes.nothing }}{{ .spectro.pack.kubernetes.empty }}{{ .spectro.pack.kubernetes.list.7 }}]", "[]",
			"none.x bare.x kubernetes.x kubernetes.nothing kubernetes.empty kubernetes.list.7"},
		{"in a function", "{{ .spectro.pack.none.x | upper | quote }}{{ coalesce .spectro.pack.none.x .spectro.pack.bare.x }}{{ printf `%s` .spectro.pack.none.x }}{{ list .spectro.pack.none.x | first | upper }}", `""`,
			"none.x none.x bare.x none.x none.x"},
		{"covered too late", "{{ .spectro.pack.none.x | printf `v%s` | default `d` }}", "v", "none.x"},
		{"a default that is undefined, too", "{{ .spectro.pack.none.x | default .spectro.pack.bare.x }}", "", "none.x bare.x"},
		{"covered", "{{ .spectro.pack.kubernetes.verison | default `d` }}", "d", ""},
		{"a near pack", "{{ .spectro.pack.kubernets.version }}", "", "kubernets.version=kubernetes"},
		{"a near key", "{{ .spectro.pack.kubernetes.verison }}", "", "kubernetes.verison=version"},
		{"a near key with dots", "{{ .spectro.pack.kubernetes.node.store.nmap }}", "", "kubernetes.node.store.nmap"},
		{"a near key above", "{{ .spectro.pack.wordpress-chart.chart.user }}", "", "wordpress-chart.chart.user=charts.user"},
		{"a near key below", "{{ .spectro.pack.wordpress-chart.charts.users }}", "", "wordpress-chart.charts.users=charts.user"},
		{"near, but a map", "{{ .spectro.pack.kubernetes.maps }}", "", "kubernetes.maps"},
		{"near, but without the key below", "{{ .spectro.pack.wordpress-chart.chart.name }}", "", "wordpress-chart.chart.name"},
		{"the end of a chain, which has a warning of its own", "{{ .spectro.pack.undef.x }}", "", ""},
	} {
		out, findings := fixture(t, Empty).Text(tc.text)
		var got []string
		for _, f := range findings {
			macro := strings.TrimPrefix(f.Tags["macro"], ".spectro.pack.")
			if f.Nearest != "" {
				macro += "=" + f.Nearest
			}
			if got = append(got, macro); f.Rule != rule.MacroEmpty {
				t.Errorf("%s: got %v", tc.name, f.Rule)
			}
		}
		if out != tc.out || strings.Join(got, " ") != tc.near {
			t.Errorf("%s: got %q %q, want %q %q", tc.name, out, got, tc.out, tc.near)
		}
	}
	// Comparing many keys costs time.
	var wide strings.Builder
	for i := range maxSimilarKeys + 1 {
		fmt.Fprintf(&wide, "key%d: 1\n", i)
	}
	_, findings := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, wide.String())}}).Text("{{ .spectro.pack.p.kei1 }}")
	if len(findings) != 1 || findings[0].Nearest != "" {
		t.Errorf("a wide map: got %v", findings)
	}
}

// What reads like a macro and is none stays as it is, with a warning.
func TestSuspicious(t *testing.T) {
	for text, want := range map[string]string{ // line:column and the name of the macro
		"a {{ .Spectro.var.X }}": "1:6 .spectro.var.X",
		"{{ spectro.var.X }}\n{{ .spectro.var.X }}{{spectro.macro.proxy}}": "1:4 .spectro.var.X 2:23 .spectro.macro.proxy",
		"{{ .SPECTRO.system.cluster.uid | upper }}":                        "1:4 .spectro.system.cluster.uid",
		"{{ (Spectro.pack.kubernetes.none) }}":                             "1:5 .spectro.pack.kubernetes.none",
		"{{ print spectro.var.X .Spectro.var.a.b-c_d }}":                   "1:10 .spectro.var.X 1:24 .spectro.var.a.b-c_d",
		"{{ .Spectro.var.Y }}{{ spectro.pack.other.x }}":                   "",
		"{{ .Spectro.system.none }}{{ .Spectro.macro.other }}":             "",
		"{{ .Values.Spectro.var.X }}{{ $spectro.var.X }}":                  "",
		"{{ xspectro.var.X }}{{ x.y).spectro.var.X }}":                     "",
		"{{ `spectro.var.X` }}{{ \"\\\" spectro.var.X\" }}":                "",
		"{{/* spectro.var.X */}}":                                          "",
		"spectro.var.X { .Spectro.var.X }":                                 "",
		"{ .spectro.var.X }":                                               "1:3 ",
		"$(spectro.var.X) (spectro.var.X)":                                 "1:3 ",
	} {
		out, findings := fixture(t, Empty).Text(text)
		var got []string
		for _, f := range findings {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Position.Line, f.Position.Column, f.Nearest))
			if f.Rule != rule.MacroSuspicious {
				t.Errorf("%s: got %v", text, f.Rule)
			}
		}
		if strings.Join(got, " ") != want || strings.ReplaceAll(text, "{{ .spectro.var.X }}", "ex") != out {
			t.Errorf("%s: got %q %q, want %q", text, out, got, want)
		}
	}
}

// allModes means every mode in the tables below.
const allModes = Mode("all")

func modesOf(mode Mode) []Mode {
	if mode == allModes {
		return []Mode{Empty, Error, Keep}
	}
	return []Mode{mode}
}

func TestRuleFaults(t *testing.T) {
	const (
		all       = allModes
		functions = `want="upper, lower, tuple, unset, urlParse and 184 more" near=upper`
		variables = `want="EVIL, FOREIGN, HALF, NONE, X or a.b-c_d"`
		packs     = `want="broken, bare, kube, kubernetes, undef and 9 more"`
		systems   = `want="cloud.type, user.name, project.uid, project.name, cluster.name and 19 more"`
	)
	for _, tc := range []struct {
		name string
		mode Mode
		text string
		want []string // facts, without "error macro/"
	}{
		{"M2 a control structure", all, "{{ if .spectro.var.X }}y{{ end }}", []string{`invalid got="the keyword if in the macro" want="an expression, as in {{ .spectro.var.NAME | default \"x\" }}"`}},
		{"M3 data cannot inject a template", all, "{{ print `{{ .spec` `tro.var.X }}` | print .spectro.var.HALF }}", []string{`invalid got="a macro in the resolved text" want="plain text"`}},
		{"M3 nor can two of them", all, "{{ .spectro.var.HALF }}{{ .spectro.var.HALF }} .spectro.var.X }}", []string{`invalid got="a macro in the resolved text" want="plain text"`}},
		{"M9 data cannot make a macro that does not end", all, "{{ .spectro.var.HALF }}{ .spectro.x", []string{`invalid got="a macro in the resolved text" want="plain text"`}},
		{"M5 a map", all, "{{ .spectro.pack.kubernetes.map | default `x` }}", []string{`invalid got="a map at .spectro.pack.kubernetes.map" want="a single value" macro=.spectro.pack.kubernetes.map`}},
		{"M5 a list", all, "{{ .spectro.pack.kubernetes.list }}", []string{`invalid got="a list at .spectro.pack.kubernetes.list" want="a single value" macro=.spectro.pack.kubernetes.list`}},
		{"M6 unknown function", all, "{{ .spectro.var.X | uper }}", []string{`invalid unknown="function \"uper\"" ` + functions + ` macro=uper`}},
		{"M6 does not parse", all, "{{ .spectro.var.X | }}", []string{`invalid got="the end of the macro" want="a value or a function"`}},
		{"M6 unknown kind", all, "{{ .spectro.sistem.cluster.name }}", []string{
			`unknown unknown="kind of macro \"sistem\"" want="system, pack, var or macro" near=system macro=.spectro.sistem.cluster.name`,
		}},
		{"M6 an incomplete name", all, "{{ .spectro.system }} {{ .spectro.x | print .spectro.pack }}", []string{
			`unknown macro=.spectro.system`,
			`unknown unknown="kind of macro \"x\"" want="system, pack, var or macro" macro=.spectro.x`,
			`unknown macro=.spectro.pack`,
		}},
		{"M6 another root", all, "{{ .Values.x | default .spectro.var.X }}", []string{`invalid got=".Values.x in the macro" want="a name that starts with .spectro." macro=.Values.x`}},
		{"M6 two packs of a name", all, "{{ .spectro.pack.twin.x }}", []string{
			`invalid got="2 packs for .spectro.pack.twin.x (ConfigMap twin-1 and ConfigMap twin-2 in twin.yaml)" want=one macro=.spectro.pack.twin.x`,
		}},
		{"M6 unreadable values", all, "{{ .spectro.pack.broken.x | default `d` }}", []string{`invalid macro=.spectro.pack.broken.x`}},
		{"M6 two problems", all, "{{ .spectro.var.X | uper | lowr }} {{ now | print .spectro.system.x }}", []string{
			`invalid unknown="function \"uper\"" ` + functions + ` macro=uper`,
			`invalid unknown="function \"lowr\"" want="lower, floor, or, float64, urlJoin and 184 more" near=lower macro=lowr`,
			`forbidden-function macro=now`,
			`unknown unknown="system name \"x\"" want="reverseproxy.port, reverseproxy.server, reverseproxy.protocol, reverseproxy.vhostport, user.name and 19 more" macro=.spectro.system.x`,
		}},
		{"M7 not covered: not empty any more", Error, "{{ .spectro.pack.none.x | printf `v%s` | default `d` }}", []string{`unset no="pack named \"none\"" ` + packs + ` macro=.spectro.pack.none.x`}},
		{"M7 error: each name", Error, "{{ .spectro.pack.none.x }}{{ .spectro.pack.kubernetes.nothing }}{{ .spectro.var.Q }}{{ .spectro.var.NONE }}", []string{
			`unset no="pack named \"none\"" ` + packs + ` macro=.spectro.pack.none.x`,
			`unset macro=.spectro.pack.kubernetes.nothing`,
			`unset no="variable named \"Q\"" ` + variables + ` macro=.spectro.var.Q`,
			`unset macro=.spectro.var.NONE`,
		}},
		{"M7 error: an empty value", Error, "{{ .spectro.pack.kubernetes.empty }}", []string{`unset macro=.spectro.pack.kubernetes.empty`}},
		{"M7 error: an undefined default", Error, "{{ .spectro.pack.none.x | default .spectro.var.Q }}", []string{
			`unset no="pack named \"none\"" ` + packs + ` macro=.spectro.pack.none.x`,
			`unset no="variable named \"Q\"" ` + variables + ` macro=.spectro.var.Q`,
		}},
		{"M7 error: nothing else covers", Error, "{{ or .spectro.var.Q `x` }}{{ ternary `a` `b` (empty .spectro.var.Q) }}", []string{
			`unset no="variable named \"Q\"" ` + variables + ` macro=.spectro.var.Q`,
			`unset no="variable named \"Q\"" ` + variables + ` macro=.spectro.var.Q`,
		}},
		{"M7 keep: faults stay faults", Keep, "{{ .spectro.var.Q }} {{ .spectro.system.nope }}", []string{`unknown unknown="system name \"nope\"" ` + systems + ` macro=.spectro.system.nope`}},
		{"M8 unknown system name", all, "{{ .spectro.system.cluster.nam | default `x` }}", []string{
			`unknown unknown="system name \"cluster.nam\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name macro=.spectro.system.cluster.nam`,
		}},
		{"M8 unknown system name, none is near", all, "{{ .spectro.system.zzzzzzzzzzzz }}", []string{
			`unknown unknown="system name \"zzzzzzzzzzzz\"" want="user.name, user.uid, user.email, tenant.uid, project.name and 19 more" macro=.spectro.system.zzzzzzzzzzzz`,
		}},
		{"M8 an unknown name that is not read", all, "{{ or .spectro.var.X .spectro.system.nope }}", []string{`unknown unknown="system name \"nope\"" ` + systems + ` macro=.spectro.system.nope`}},
		{"M8 not supplied", Empty, "{{ .spectro.system.cluster.uid }}{{ .spectro.var.Q }}{{ .spectro.macro.Q }}", []string{
			`unset macro=.spectro.system.cluster.uid`,
			`unset no="variable named \"Q\"" ` + variables + ` macro=.spectro.var.Q`,
			`unset no="macro named \"Q\"" want=proxy macro=.spectro.macro.Q`,
		}},
		{"M8 not supplied, nearest", Empty, "{{ .spectro.macro.prox }}", []string{`unset no="macro named \"prox\"" want=proxy near=proxy macro=.spectro.macro.prox`}},
		{"M9 a cycle", all, "{{ .spectro.pack.c1.x }}", []string{`cycle macro=.spectro.pack.c1.x`}},
		{"M9 a cycle entered elsewhere", all, "{{ .spectro.pack.c3.z.0 | default `x` }}", []string{`cycle macro=.spectro.pack.c3.z.0`}},
		{"M9 into a cycle", all, "{{ .spectro.pack.c1.into }}", []string{`cycle macro=.spectro.pack.c1.into`}},
		{"M9 a cycle through a fault", all, "{{ .spectro.pack.c4.x }}", []string{`cycle macro=.spectro.pack.c4.x`}},
		{"M9 itself", all, "{{ .spectro.pack.c1.self }}", []string{`cycle macro=.spectro.pack.c1.self`}},
		{"M9 supplied text is data", all, "{{ .spectro.var.EVIL }}", []string{`invalid got="a string with a macro for .spectro.var.EVIL" want="plain text" macro=.spectro.var.EVIL`}},
		{"M9 supplied text is data, system", all, "{{ .spectro.system.user.email | default `x` }}", []string{
			`invalid got="a string with a macro for .spectro.system.user.email" want="plain text" macro=.spectro.system.user.email`,
		}},
		{"M9 supplied text is data, in a chain", all, "{{ .spectro.pack.evil.x }}", []string{
			`invalid got="a string with a macro for .spectro.var.EVIL (in the value evil.x)" want="plain text" macro=.spectro.pack.evil.x`,
		}},
		{"M9 a chain of nothing is undefined", Error, "{{ .spectro.pack.undef.nil }}", []string{`unset macro=.spectro.pack.undef.nil`}},
		{"M9 unset in a chain", Empty, "{{ .spectro.pack.undef.var | default `d` }}", []string{
			`unset no="variable named \"Q\" (in the value undef.var)" ` + variables + ` macro=.spectro.pack.undef.var`,
		}},
		{"M9 a fault in a chain", all, "{{ .spectro.pack.undef.bad | default `d` }}", []string{
			`invalid unknown="function \"uper\" (in the value undef.bad)" ` + functions + ` macro=.spectro.pack.undef.bad`,
		}},
		{"M10 forbidden", all, "{{ now | print .spectro.var.X }}", []string{`forbidden-function macro=now`}},
		{"M10 no call", all, "{{ call .spectro.var.X }}", []string{`forbidden-function macro=call`}},
	} {
		for _, mode := range modesOf(tc.mode) {
			out, findings := fixture(t, mode).Text(tc.text)
			var got []string
			for _, fact := range functiontest.Facts(findings) {
				got = append(got, strings.TrimPrefix(fact, "error macro/"))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || out != tc.text {
				t.Errorf("%s, mode %s: got %q, -want +got:\n%s", tc.name, mode, out, diff)
			}
		}
	}
}

// M8: a finding says which field to supply, and where.
func TestSupply(t *testing.T) {
	for text, field := range map[string]string{
		"{{ .spectro.system.cloud.region }}": "system.cloud.region",
		"{{ .spectro.var.NONE }}":            "variables.NONE",
		"{{ .spectro.var.Q }}":               "variables.Q",
		"{{ .spectro.macro.Q }}":             "macros.Q",
	} {
		r := fixture(t, Error)
		r.context.SuppliedIn = "in the test"
		_, findings := r.Text(text)
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Action, "supply "+field+" in the test, or append a default") {
			t.Errorf("%s: %+v", text, findings)
		}
	}
}

// A pack that is not there may have been hidden from the function, which the finding says.
func TestUnknownPack(t *testing.T) {
	_, findings := fixture(t, Error).Text("{{ .spectro.pack.absent.x }}")
	if len(findings) != 1 || findings[0].Unseen != diag.ItExists {
		t.Errorf("got %+v", findings)
	}
}

// M9: the message of a cycle is the same wherever the cycle is entered.
func TestCycles(t *testing.T) {
	for text, want := range map[string]string{
		"{{ .spectro.pack.c1.x }}":                       "c1.x → c2.y → c3.z.0 → c1.x",
		"{{ .spectro.pack.c3.z.0 | default `x` }}":       "c1.x → c2.y → c3.z.0 → c1.x",
		"{{ .spectro.pack.c1.into }}":                    "c1.x → c2.y → c3.z.0 → c1.x",
		"{{ .spectro.pack.c4.y }}":                       "c4.x → c4.y → c4.z → c4.x",
		"{{ .spectro.pack.c1.self }}":                    "c1.self → c1.self",
		"{{ .spectro.var.X }}{{ .spectro.pack.c2.two }}": "c2.one → c2.two → c2.one",
		"{{ .spectro.pack.c2.three }}":                   "c2.one → c2.two → c2.one",
	} {
		_, findings := fixture(t, Empty).Text(text)
		if len(findings) != 1 || findings[0].Rule != rule.MacroCycle || !strings.HasSuffix(findings[0].Found, ": "+want) {
			t.Errorf("%s: got %+v, want %s", text, findings, want)
		}
	}
}

// Of a long cycle the values from which it was entered are named.
func TestLongCycle(t *testing.T) {
	var text, want strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "x%d: '{{ .spectro.pack.long.x%d }}'\n", i+10, (i+1)%20+10)
	}
	for i := range maxCycle {
		fmt.Fprintf(&want, "long.x%d → ", i+15)
	}
	r := NewResolver(Context{}, []Pack{{Name: "long", Values: tree(t, text.String())}})
	_, findings := r.Text("{{ .spectro.pack.long.x15 }}")
	if len(findings) != 1 || !strings.HasSuffix(findings[0].Found, ": "+want.String()+"… → long.x15") {
		t.Errorf("got %+v, want %s", findings, want.String())
	}
}

// A fault that the caller reports elsewhere is not a finding, and its macro stays.
func TestReportedElsewhere(t *testing.T) {
	packs := []Pack{
		{Name: "broken", Unreadable: true, Reported: true},
		{Name: "a", Values: tree(t, "bad: '{{ .spectro.var.X | uper }}'\nloop: '{{ .spectro.pack.a.loop }}'"), Reported: true},
		{Name: "b", Values: tree(t, "bad: '{{ .spectro.pack.a.bad }}'")},
	}
	for text, want := range map[string][]string{
		"{{ .spectro.pack.broken.x }}":                          nil,
		"{{ .spectro.pack.a.bad }}":                             nil,
		"{{ .spectro.pack.b.bad }}":                             nil,
		"{{ .spectro.pack.a.bad }}{{ .spectro.pack.a.loop }}":   {"error macro/cycle macro=.spectro.pack.a.loop"},
		"{{ .spectro.var.X }}{{ .spectro.system.cluster.uid }}": nil,
		"{{ .spectro.var.EMPTY }}":                              {"error macro/unset macro=.spectro.var.EMPTY"},
		"{{ .spectro.pack.a.none }}":                            {"error macro/unset macro=.spectro.pack.a.none"},
	} {
		r := NewResolver(Context{Incomplete: true, Missing: Error, Variables: map[string]string{"EMPTY": ""}}, packs)
		out, findings := r.Text(text)
		if diff := cmp.Diff(want, functiontest.Facts(findings)); diff != "" || out != text {
			t.Errorf("%s: got %q, -want +got:\n%s", text, out, diff)
		}
	}
}

// M6, M8: the system names are those of the pack constraints document, and each can be
// supplied.
func TestSystemNames(t *testing.T) {
	want := strings.Fields(`user.name user.uid user.email tenant.uid project.name project.uid clusterprofile.name clusterprofile.uid clusterprofile.version
		clusterprofile.infra.name clusterprofile.infra.uid clusterprofile.infra.version cluster.name cluster.uid cluster.kubevip cloudaccount.name cloudaccount.uid
		kubernetes.version reverseproxy.server reverseproxy.port reverseproxy.protocol reverseproxy.vhostport cloud.type cloud.region`)
	if diff := cmp.Diff(want, pack.SystemNames()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, name := range want {
		out, findings := NewResolver(Context{System: map[string]string{name: "v"}}, nil).Text("{{ .spectro.system." + name + " }}")
		if out != "v" || len(findings) > 0 {
			t.Errorf("%s: got %q %+v", name, out, findings)
		}
	}
}

// A mapping of many keys, which is indexed, has the same values as a small one.
func TestWideMap(t *testing.T) {
	const keys = "base: &base {merged: m, own: base}\nwide:\n  twice: first\n  own: o\n  twice: last\n"
	for _, tc := range []struct{ name, values string }{
		{"small", keys},
		{"wide", keys + strings.Repeat("  twice: last\n", 2*wideMap)},
		{"small, with a merge key", keys + "  <<: *base\n"},
		{"wide, with a merge key", keys + "  <<: *base\n" + strings.Repeat("  twice: last\n", 2*wideMap)},
	} {
		r := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, tc.values)}})
		out, findings := r.Text("{{ .spectro.pack.p.wide.twice }} {{ .spectro.pack.p.wide.own }} {{ .spectro.pack.p.wide.merged | default `none` }}")
		want := "last o none"
		if strings.Contains(tc.values, "<<") {
			want = "last o m"
		}
		if out != want || len(findings) > 0 {
			t.Errorf("%s: got %q %+v, want %q", tc.name, out, findings, want)
		}
	}
}

// What is below nothing, or below a text, is not there.
func TestValuesBelowNothing(t *testing.T) {
	for _, text := range []string{"", "a: text", "5"} {
		r := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, text)}})
		if out, findings := r.Text("{{ .spectro.pack.p.a.b | default `none` }}"); out != "none" || len(findings) > 0 {
			t.Errorf("%q: got %q %+v", text, out, findings)
		}
	}
}

// A supplied text may have 1 MiB.
func TestLargestText(t *testing.T) {
	for n, want := range map[int]int{MaxResult - len("[]"): 0, MaxResult - 1: 1} { // that of a list is printed
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

func TestExplain(t *testing.T) {
	r := fixture(t, Empty)
	r.context.Explain = true
	_, findings := r.Text("é {{ .spectro.var.X }}\n{{ .spectro.pack.none.x | default .spectro.macro.proxy }} {{ .spectro.pack.none.x }}{{ .spectro.system.cluster.kubevip | default `v` }}\n{{ coalesce .spectro.pack.none.x `c` .spectro.pack.bare.x }}")
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s %s %s", f.Position, functiontest.Facts([]diag.Finding{f})[0], f.Found))
	}
	want := []string{
		"line 2, column 4 info macro/defaulted macro=.spectro.pack.none.x .spectro.pack.none.x is undefined and takes its default",
		`line 2, column 62 warning macro/empty no="pack named \"none\"" want="broken, bare, kube, kubernetes, undef and 9 more" macro=.spectro.pack.none.x pack named "none"`,
		"line 2, column 88 info macro/defaulted macro=.spectro.system.cluster.kubevip .spectro.system.cluster.kubevip is undefined and takes its default",
		"line 3, column 13 info macro/defaulted macro=.spectro.pack.none.x .spectro.pack.none.x is undefined and takes its default",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Messages never show values or literals.
func TestMessagesShowNoValues(t *testing.T) {
	const secret = "hunter2"
	for _, text := range []string{
		"{{ .spectro.var.S | semver }}", "{{ .spectro.var.S | mustFromJson }}", "{{ .spectro.var.S | repeat 10000000 }}", "{{ .spectro.var.S | first }}",
		"{{ .spectro.var.S | regexMatch `hunter2(` }}", "{{ `hunter2` .spectro.var.S }}", "{{ .spectro.var.S | default \"hunter2 }}", "{{ .spectro.var.E }}",
		"{{ .spectro.var.S | urlParse | dig `hunter2` `x` }}", "{{ print `{{ .spectro.` `var.S }}` .spectro.var.S }}", "{{ 'hunter2' | print .spectro.var.S }}", "{{ .spectro.pack.p.x }}", "{{ index (list) .spectro.var.S }}",
		"{{ (dict .spectro.var.S 1).x.y }}", "{{ .spectro.var.S | atoi | div 1 }}", "{{ set .spectro.var.S `hunter2` 1 }}",
	} {
		r := NewResolver(Context{Variables: map[string]string{"S": "%zz://" + secret, "E": secret + "{{ .spectro.var.S }}"}},
			[]Pack{{Name: "p", Values: tree(t, "x: \"{{ .spectro.var.S | list `hunter2` | upper }}\"")}})
		_, findings := r.Text(text)
		if len(findings) == 0 {
			t.Errorf("%s: no finding", text)
		}
		for _, f := range findings {
			if all := fmt.Sprintf("%+v", f); strings.Contains(all, secret) {
				t.Errorf("%s: %s", text, all)
			}
		}
	}
}
