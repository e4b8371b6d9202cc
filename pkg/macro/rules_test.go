package macro

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// fixture is what the tables below read.
func fixture(t rapid.TB, mode Mode) *Resolver {
	return NewResolver(Context{
		System:    map[string]string{"cluster.name": "edge-7", "kubernetes.version": "1.29.3", "user.email": "{{ .spectro.var.X }}"},
		Variables: map[string]string{"X": "ex", "a.b-c_d": "dotted", "EVIL": "x{{ .spectro.var.X }}", "FOREIGN": "{{ .Values.x }}", "NONE": "", "HALF": "{"},
		Macros:    map[string]string{"proxy": "http://proxy:3128"},
		Missing:   mode,
	}, []Pack{
		{Name: "kubernetes", Values: tree(t, "version: 1.30\nid: 000123456789\nbig: 123456789012\nflag: true\nnothing: null\nempty: ''\nmap: {a: 1}\nlist: [a, {b: c}]\nquoted: \"q\\\"x\"\nnode.store.mmap: dots\n")},
		{Name: "kube", Values: tree(t, "rnetes: {version: wrong}\nself: '{{ .spectro.pack.kube.value }}!'\nvalue: v\n")},
		{Name: "a.b", Values: tree(t, "c: longest\n")},
		{Name: "a", Values: tree(t, "b: {c: shorter, d: hidden}\nd: '{{ .spectro.pack.wordpress-chart.charts.user | upper }}'\n")},
		{Name: "wordpress-chart", Values: tree(t, "charts: {user: '{{ .spectro.var.X }}-{{ .spectro.system.cluster.name }}'}\n")},
		{Name: "twin", Label: "ConfigMap/twin-1", Values: tree(t, "x: 1")},
		{Name: "twin", Label: "ConfigMap/twin-2", Values: tree(t, "x: 2")},
		{Name: "broken", Broken: true},
		{Name: "bare"},
		{Name: "undef", Values: tree(t, "x: '{{ .spectro.pack.none.y }}'\nvar: '{{ .spectro.var.Q }}'\ncovered: '{{ .spectro.var.Q | default \"c\" }}'\nbad: '{{ .spectro.var.X | uper }}'\nnil: '{{ .spectro.var.NONE | default \"\" }}'\n")},
		{Name: "c1", Values: tree(t, "x: '{{ .spectro.pack.c2.y }}'\nself: '{{ .spectro.pack.c1.self }}'\ninto: '{{ .spectro.pack.c1.x }}'")},
		{Name: "c2", Values: tree(t, "y: 'a{{ .spectro.pack.c3.z.0 }}'\n")},
		{Name: "c3", Values: tree(t, "z: ['{{ .spectro.pack.c1.x | default \"no\" }}']\n")},
		{Name: "c4", Values: tree(t, "x: '{{ .spectro.pack.c4.y }}'\ny: '{{ .spectro.var.X | uper }}{{ .spectro.pack.c4.z }}'\nz: '{{ .spectro.pack.c4.x }}'\n")},
		{Name: "evil", Values: tree(t, "x: '{{ .spectro.var.EVIL }}'\n")},
	})
}

func TestRules(t *testing.T) {
	const all = 3
	for _, tc := range []struct {
		name string
		mode Mode // all: the same in every mode
		text string
		want string // the result, or rules of the problems, or a part of a message behind "~"
	}{
		{"M1 others stay", all, "{{ .Values.spectro.x }} {{ include `a` . }} {% if x %} {{`{{ .spectro.var.X }}`}} {{/* .spectro.var.X */}} {{ x | default('y') }}", "{{ .Values.spectro.x }} {{ include `a` . }} {% if x %} {{`{{ .spectro.var.X }}`}} {{/* .spectro.var.X */}} {{ x | default('y') }}"},
		{"M1 both in one scalar", all, "{{ .Values.x }}{{ .spectro.var.X }}{{- .Values.y -}} ", "{{ .Values.x }}ex{{- .Values.y -}} "},
		{"M2 hyphens, dots, underscores", all, "{{.spectro.var.a.b-c_d}}", "dotted"},
		{"M1 fields of others stay", all, "{{ (index .Values `a`).spectro.x }} {{ .Values.v1.spectro.x }}", "{{ (index .Values `a`).spectro.x }} {{ .Values.v1.spectro.x }}"},
		{"M2 root", all, "{{ $.spectro.var.X }}", "ex"},
		{"M2 trim markers", all, "a \n\t{{- .spectro.var.X -}}\n b", "aexb"},
		{"M2 trim markers, line breaks of Windows", all, "a \r\n\t{{- .spectro.var.X -}}\r\n b", "aexb"},
		{"M2 trims only where it says so", all, "a {{ .spectro.var.X -}} b {{- .spectro.var.X }} c", "a exbex c"},
		{"M2 trims up to another action", all, "{{ x }} {{- .spectro.var.X -}} {{ y }} z", "{{ x }}ex{{ y }} z"},
		{"M2 braces in a string", all, `{{ .spectro.var.X | cat "}}" }}`, "}} ex"},
		{"M2 a control structure", all, "{{ if .spectro.var.X }}y{{ end }}", RuleInvalid},
		{"M3 data can not inject a template", all, "{{ print `{{ .spec` `tro.var.X }}` | print .spectro.var.HALF }}", RuleInvalid},
		{"M3 nor can two of them", all, "{{ .spectro.var.HALF }}{{ .spectro.var.HALF }} .spectro.var.X }}", RuleInvalid},
		{"M3 foreign templates in data are text", all, "{{ .spectro.var.FOREIGN }}", "{{ .Values.x }}"},
		{"M5 source text", all, "{{ .spectro.pack.kubernetes.version }} {{ .spectro.pack.kubernetes.id }} {{ .spectro.pack.kubernetes.big }} {{ .spectro.pack.kubernetes.flag }}", "1.30 000123456789 123456789012 true"},
		{"M5 a quoted value is decoded", all, "{{ .spectro.pack.kubernetes.quoted }}", `q"x`},
		{"M5 a map", all, "{{ .spectro.pack.kubernetes.map | default `x` }}", "~.spectro.pack.kubernetes.map is a map, want a single value"},
		{"M5 a list", all, "{{ .spectro.pack.kubernetes.list }}", "~as in .spectro.pack.kubernetes.list.0"},
		{"M6 unknown function", all, "{{ .spectro.var.X | uper }}", `~the function uper is not known (did you mean "upper"?)`},
		{"M6 does not parse", all, "{{ .spectro.var.X | }}", RuleInvalid},
		{"M6 unknown kind", all, "{{ .spectro.sistem.cluster.name }}", `~.spectro.sistem.cluster.name is not known (did you mean "system"?)`},
		{"M6 not a whole name", all, "{{ .spectro.system }} {{ .spectro.x | print .spectro.pack }}", strings.Join([]string{RuleUnknown, RuleUnknown, RuleUnknown}, " ")},
		{"M6 another root", all, "{{ .Values.x | default .spectro.var.X }}", "~.Values.x is no macro: names start with .spectro."},
		{"M6 macro", all, "{{ .spectro.macro.proxy }}", "http://proxy:3128"},
		{"M6 longest pack name", all, "{{ .spectro.pack.a.b.c }} {{ .spectro.pack.kubernetes.version }} {{ .spectro.pack.kube.value }}", "longest 1.30 v"},
		{"M6 V16", all, "{{ .spectro.pack.kubernetes.node.store.mmap }}", "dots"},
		{"M6 digits index a list", all, "{{ .spectro.pack.kubernetes.list.0 }}{{ .spectro.pack.kubernetes.list.1.b }}", "ac"},
		{"M6 a pack may refer to itself", all, "{{ .spectro.pack.kube.self }}", "v!"},
		{"M6 two packs of a name", all, "{{ .spectro.pack.twin.x }}", "~2 packs of the name twin: ConfigMap/twin-1, ConfigMap/twin-2"},
		{"M6 unreadable values", all, "{{ .spectro.pack.broken.x | default `d` }}", "~the values of pack broken can not be read"},
		{"M6 two problems", all, "{{ .spectro.var.X | uper | lowr }} {{ now | print .spectro.system.x }}", strings.Join([]string{RuleInvalid, RuleInvalid, RuleForbidden, RuleUnknown}, " ")},

		{"M7 no pack, no path, null, empty", Empty, "[{{ .spectro.pack.none.x }}{{ .spectro.pack.bare.x }}{{ .spectro.pack.kubernetes.x }}{{ .spectro.pack.kubernetes.nothing }}{{ .spectro.pack.kubernetes.empty }}{{ .spectro.pack.kubernetes.list.7 }}]", "[]"},
		{"M7 default", Empty, "{{ .spectro.pack.none.x | default `d` }}{{ .spectro.pack.kubernetes.nothing | default `e` }}{{ default `f` .spectro.pack.kubernetes.empty }}", "def"},
		{"M7 default does not cover what is defined", Empty, "{{ .spectro.pack.kubernetes.version | default `d` }}", "1.30"},
		{"M7 undefined in a function", Empty, "{{ .spectro.pack.none.x | upper | quote }}{{ coalesce .spectro.pack.none.x .spectro.pack.bare.x }}{{ printf `%s` .spectro.pack.none.x }}{{ list .spectro.pack.none.x | first | upper }}", `""`},
		{"M7 covered by evaluation", Error, "{{ .spectro.pack.none.x | upper | trim | default `d` }}{{ coalesce .spectro.var.Q (.spectro.pack.none.x | lower) `e` }}", "de"},
		{"M7 not covered: not empty any more", Error, "{{ .spectro.pack.none.x | printf `v%s` | default `d` }}", RuleUnset},
		{"M7 not covered: the same, under empty", Empty, "{{ .spectro.pack.none.x | printf `v%s` | default `d` }}", "v"},
		{"M7 error: each name", Error, "{{ .spectro.pack.none.x }}{{ .spectro.pack.kubernetes.nothing }}{{ .spectro.var.Q }}{{ .spectro.var.NONE }}", strings.Join([]string{RuleUnset, RuleUnset, RuleUnset, RuleUnset}, " ")},
		{"M7 error: an empty value", Error, "{{ .spectro.pack.kubernetes.empty }}", RuleUnset},
		{"M7 keep: an empty value", Keep, "{{ .spectro.pack.kubernetes.empty }}", "{{ .spectro.pack.kubernetes.empty }}"},
		{"M7 error: default", Error, "{{ .spectro.pack.none.x | default `d` }}{{ .spectro.var.Q | default `e` }}{{ .spectro.var.Q | default `` }}{{ coalesce .spectro.var.Q `` }}", "de"},
		{"M7 error: an undefined default", Error, "{{ .spectro.pack.none.x | default .spectro.var.Q }}", RuleUnset + " " + RuleUnset},
		{"M7 error: a default that covers the default", Error, "{{ .spectro.pack.none.x | default .spectro.var.Q | default `z` }}", "z"},
		{"M7 error: nothing else covers", Error, "{{ or .spectro.var.Q `x` }}{{ ternary `a` `b` (empty .spectro.var.Q) }}", RuleUnset + " " + RuleUnset},
		{"M7 error: what is not read is not missed", Error, "{{ or .spectro.var.X .spectro.var.Q }}", "ex"},
		{"M7 keep", Keep, "{{- .spectro.var.Q  | default  `d` -}} {{.spectro.pack.none.x}} {{ .spectro.var.X -}} {{ .spectro.pack.kubernetes.nothing }}", "{{- .spectro.var.Q  | default  `d` -}} {{.spectro.pack.none.x}} ex{{ .spectro.pack.kubernetes.nothing }}"},
		{"M7 keep: markers trim nothing", Keep, "a {{- .spectro.var.Q -}} b", "a {{- .spectro.var.Q -}} b"},
		{"M7 keep: faults stay faults", Keep, "{{ .spectro.var.Q }} {{ .spectro.system.nope }}", RuleUnknown},

		{"M8 system", all, "{{.spectro.system.cluster.name}}", "edge-7"},
		{"M8 unknown system name", all, "{{ .spectro.system.cluster.nam | default `x` }}", `~.spectro.system.cluster.nam is no system name (did you mean "cluster.name"?)`},
		{"M8 unknown system name, none is near", all, "{{ .spectro.system.zzzzzzzzzzzz }}", "~.spectro.system.zzzzzzzzzzzz is no system name: want one of user.name, user.uid, user.email, "},
		{"M8 an unknown name that is not read", all, "{{ or .spectro.var.X .spectro.system.nope }}", RuleUnknown},
		{"M8 not supplied", Empty, "{{ .spectro.system.cluster.uid }}{{ .spectro.var.Q }}{{ .spectro.macro.Q }}", strings.Join([]string{RuleUnset, RuleUnset, RuleUnset}, " ")},
		{"M8 not supplied, nearest", Empty, "{{ .spectro.macro.prox }}", `~.spectro.macro.prox is not supplied (did you mean "proxy"?): supply macros.prox in a ClusterContext or in the functionConfig, or append a default`},
		{"M8 where to supply it", Empty, "{{ .spectro.system.cloud.region }}", `~.spectro.system.cloud.region is not supplied: supply system.cloud.region in a ClusterContext or in the functionConfig, or append a default`},
		{"M8 where to supply what is empty", Error, "{{ .spectro.var.NONE }}", `~.spectro.var.NONE is empty: supply variables.NONE in a ClusterContext or in the functionConfig, or append a default`},
		{"M8 not supplied, default", Empty, "{{ .spectro.system.cluster.uid | default `u` }}{{ .spectro.var.Q | default `v` }}{{ coalesce .spectro.macro.Q `w` }}", "uvw"},
		{"M8 supplied as empty", Empty, "{{ .spectro.var.NONE }}{{ .spectro.var.NONE | default `n` }}", "n"},
		{"M8 kubevip", Empty, "[{{ .spectro.system.cluster.kubevip }}]", "[]"},
		{"M8 kubevip under error", Error, "[{{ .spectro.system.cluster.kubevip }}]", "[]"},
		{"M8 kubevip under keep", Keep, "[{{ .spectro.system.cluster.kubevip }}]", "[{{ .spectro.system.cluster.kubevip }}]"},
		{"M8 kubevip, default", Empty, "{{ .spectro.system.cluster.kubevip | default `10.0.0.1` }}", "10.0.0.1"},

		{"M9 a chain", all, "{{ .spectro.pack.a.d }}", "EX-EDGE-7"},
		{"M9 a chain through hyphens", all, "{{ .spectro.pack.wordpress-chart.charts.user }}", "ex-edge-7"},
		{"M9 a cycle", all, "{{ .spectro.pack.c1.x }}", "~values need each other: c1.x → c2.y → c3.z.0 → c1.x"},
		{"M9 a cycle entered elsewhere", all, "{{ .spectro.pack.c3.z.0 | default `x` }}", RuleCycle},
		{"M9 into a cycle", all, "{{ .spectro.pack.c1.into }}", RuleCycle},
		{"M9 a cycle through a fault", all, "{{ .spectro.pack.c4.x }}", "~values need each other: c4.x → c4.y → c4.z → c4.x"},
		{"M9 itself", all, "{{ .spectro.pack.c1.self }}", "~c1.self → c1.self"},
		{"M9 supplied text is data", all, "{{ .spectro.var.EVIL }}", "~what was supplied for .spectro.var.EVIL holds a macro itself"},
		{"M9 supplied text is data, system", all, "{{ .spectro.system.user.email | default `x` }}", RuleInvalid},
		{"M9 supplied text is data, in a chain", all, "{{ .spectro.pack.evil.x }}", "~the value of .spectro.pack.evil.x can not be resolved"},
		{"M9 undefined at the end of a chain", Empty, "[{{ .spectro.pack.undef.x }}{{ .spectro.pack.undef.x | default `d` }}]", "[d]"},
		{"M9 a chain of nothing is undefined", Error, "{{ .spectro.pack.undef.nil }}", RuleUnset},
		{"M9 a chain of nothing takes the default", Error, "{{ .spectro.pack.undef.nil | default `d` }}", "d"},
		{"M9 unset in a chain", Empty, "{{ .spectro.pack.undef.var | default `d` }}", RuleUnset},
		{"M9 unset in a chain, kept", Keep, "{{ .spectro.pack.undef.var }}{{ .spectro.pack.undef.covered }}", "{{ .spectro.pack.undef.var }}{{ .spectro.pack.undef.covered }}"},
		{"M9 covered in a chain", Empty, "{{ .spectro.pack.undef.covered }}", "c"},
		{"M9 a fault in a chain", all, "{{ .spectro.pack.undef.bad | default `d` }}", RuleInvalid},

		{"M10 forbidden", all, "{{ now | print .spectro.var.X }}", "~the function now is not allowed"},
		{"M10 no call", all, "{{ call .spectro.var.X }}", RuleForbidden},
		{"M10 substr", all, "{{ .spectro.system.kubernetes.version | substr 0 4 }}", "1.29"},
	} {
		modes := []Mode{tc.mode}
		if tc.mode == all {
			modes = []Mode{Empty, Error, Keep}
		}
		for _, mode := range modes {
			out, _, problems := fixture(t, mode).Text(tc.text)
			var rules []string
			for _, p := range problems {
				rules = append(rules, p.Rule)
			}
			part, isPart := strings.CutPrefix(tc.want, "~")
			switch {
			case isPart && (len(problems) != 1 || !strings.Contains(problems[0].Message, part)):
				t.Errorf("%s, mode %d: got %q %+v, want a message with %q", tc.name, mode, out, problems, part)
			case isPart:
			case strings.HasPrefix(tc.want, "macro/") && strings.Join(rules, " ") != tc.want:
				t.Errorf("%s, mode %d: got %q %+v, want %s", tc.name, mode, out, problems, tc.want)
			case strings.HasPrefix(tc.want, "macro/"):
			case len(problems) > 0 || out != tc.want:
				t.Errorf("%s, mode %d: got %q %+v, want %q", tc.name, mode, out, problems, tc.want)
			}
			if !slices.IsSortedFunc(problems, func(a, b Problem) int { return a.Offset - b.Offset }) {
				t.Errorf("%s: the problems are not in the order of the text: %+v", tc.name, problems)
			}
		}
	}
}

// M6, M8: the system names are those of the pack constraints document; each can
// be supplied.
func TestSystemNames(t *testing.T) {
	want := strings.Fields(`user.name user.uid user.email tenant.uid project.name project.uid clusterprofile.name clusterprofile.uid clusterprofile.version
		clusterprofile.infra.name clusterprofile.infra.uid clusterprofile.infra.version cluster.name cluster.uid cluster.kubevip cloudaccount.name cloudaccount.uid
		kubernetes.version reverseproxy.server reverseproxy.port reverseproxy.protocol reverseproxy.vhostport cloud.type cloud.region`)
	if diff := cmp.Diff(want, SystemNames()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, name := range want {
		out, _, problems := NewResolver(Context{System: map[string]string{name: "v"}}, nil).Text("{{ .spectro.system." + name + " }}")
		if out != "v" || len(problems) > 0 {
			t.Errorf("%s: got %q %+v", name, out, problems)
		}
	}
}

// In a map of many keys, which is indexed, the same value counts as in a small
// one.
func TestWideMap(t *testing.T) {
	const keys = "base: &base {merged: m, own: base}\nwide:\n  twice: first\n  own: o\n  twice: last\n"
	for _, tc := range []struct{ name, values string }{
		{"small", keys},
		{"wide", keys + strings.Repeat("  twice: last\n", 2*wideMap)},
		{"small, with a merge key", keys + "  <<: *base\n"},
		{"wide, with a merge key", keys + "  <<: *base\n" + strings.Repeat("  twice: last\n", 2*wideMap)},
	} {
		r := NewResolver(Context{}, []Pack{{Name: "p", Values: tree(t, tc.values)}})
		out, _, problems := r.Text("{{ .spectro.pack.p.wide.twice }} {{ .spectro.pack.p.wide.own }} {{ .spectro.pack.p.wide.merged | default `none` }}")
		want := "last o none"
		if strings.Contains(tc.values, "<<") {
			want = "last o m"
		}
		if out != want || len(problems) > 0 {
			t.Errorf("%s: got %q %+v, want %q", tc.name, out, problems, want)
		}
	}
}

func TestUses(t *testing.T) {
	text := "é {{ .spectro.var.X }}\n{{ .spectro.pack.none.x | default .spectro.macro.proxy }} {{ .spectro.pack.none.x }}{{ .spectro.system.cluster.kubevip | default `v` }}"
	_, uses, problems := fixture(t, Empty).Text(text)
	want := []Use{
		{Name: ".spectro.var.X", Offset: 6, Line: 1, Column: 6},
		{Name: ".spectro.pack.none.x", Offset: 27, Line: 2, Column: 4, Defaulted: true},
		{Name: ".spectro.macro.proxy", Offset: 58, Line: 2, Column: 35},
		{Name: ".spectro.pack.none.x", Offset: 85, Line: 2, Column: 62, Empty: true},
		{Name: ".spectro.system.cluster.kubevip", Offset: 111, Line: 2, Column: 88, Defaulted: true},
	}
	if diff := cmp.Diff(want, uses); diff != "" || len(problems) > 0 {
		t.Errorf("%+v, -want +got:\n%s", problems, diff)
	}
}

// A fault in another pack's value names that value, so that it can be told from
// one of this text.
func TestCause(t *testing.T) {
	_, _, problems := fixture(t, Empty).Text("{{ .spectro.pack.undef.bad }}")
	if len(problems) != 1 || problems[0].Cause != "undef.bad" || problems[0].Name != ".spectro.pack.undef.bad" || !strings.Contains(problems[0].Message, "uper is not known") {
		t.Errorf("got %+v", problems)
	}
}

// Messages name what is wrong and never show values or literals.
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
		_, _, problems := r.Text(text)
		if len(problems) == 0 {
			t.Errorf("%s: no problem", text)
		}
		for _, p := range problems {
			if strings.Contains(p.Message, secret) || strings.Contains(p.Message, "\n") || p.Message == "" {
				t.Errorf("%s: %q", text, p.Message)
			}
		}
	}
}
