package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// slips returns what is probably a mistake in the overrides of v.
func slips(s *Schema, v Values) (findings []diag.Finding) {
	c := newChecker(s, v, func(f diag.Finding) { findings = append(findings, f) })
	c.overrides()
	return findings
}

func TestTypeChanged(t *testing.T) {
	const text, number, boolean = "a string (as in the pack's own values)", "a number (as in the pack's own values)", "a boolean (as in the pack's own values)"
	const info, warning = "info", "warning"
	for _, tc := range []struct {
		own, override, severity, got, want string
	}{
		{"v: v2.19", "v: 2.20", warning, "a number", text},
		{"v: '2.19'", "v: 2.20", warning, "a number", text}, // it is printed as 2.2
		{"v: '2.19'", "v: 2.21", info, "a number", text},
		{"v: '1000000'", "v: 2000000", warning, "a number", text}, // it is printed as 2e+06
		{"v: '8080'", "v: 9090", info, "a number", text},
		{"v: x", "v: true", warning, "a boolean", text},
		{"v: 8080", "v: '9090'", info, "a string", number},
		{"v: 8080", "v: http", warning, "a string", number},
		{"v: 8080", "v: false", warning, "a boolean", number},
		{"v: true", "v: 'false'", warning, "a string", boolean},
		{"v: {a: 1}", "v: 1", warning, "a number that replaces the pack's map", "a map (as in the pack's own values)"},
		{"v: {a: 1}", "v: [1]", warning, "a list that replaces the pack's map", "a map (as in the pack's own values)"},
		{"v: [1]", "v: a", warning, "a string", "a list (as in the pack's own values)"},
		{"v: x", "v: [x]", warning, "a list", text},
		{"v: {}", "v: true", warning, "a boolean", "a map (as in the pack's own values)"},
		{"v: [{a: 1}]", "v: [{a: x}, 1]", "", "", ""},
		{"v: {}", "v: [1]", "", "", ""},
		{"v: []", "v: {a: 1}", "", "", ""},
		{"v: {}", "v: text", "", "", ""},
		{"v: x", "v: {}", "", "", ""},
		{"v: {a: 1}", "v: null", "", "", ""},
		{"v: null", "v: 1", "", "", ""},
		{"v: ''", "v: 30080", "", "", ""},
		{"v: 1", "v: ''", "", "", ""},
		{"v: 1", "v: '{{ .spectro.var.X }}'", "", "", ""},
		{"v: '{{ .Values.x }}'", "v: 1", "", "", ""},
		{"v: On", "v: true", "", "", ""},
		{"v: true", "v: no", "", "", ""},
		{"v: true", "v: y", "", "", ""},
		{"v: true", "v: Yes", "", "", ""},
		{"v: true", "v: n", "", "", ""},
		{"v: true", "v: OFF", "", "", ""},
		{"v: N", "v: true", "", "", ""},
		{"v: true", "v: 'y'", warning, "a string", boolean},
		{"v: 2024-01-02", "v: x", "", "", ""},
		{"v: 1", "v: 1.5", "", "", ""},
		{"w: 1", "v: x", "", "", ""},
	} {
		var want []string
		if tc.severity != "" {
			want = []string{fmt.Sprintf("%s values/type-changed layer1 text key=v at=1:4 got=%q want=%q", tc.severity, tc.got, tc.want)}
			if !strings.Contains(tc.got, " ") {
				want[0] = strings.Replace(want[0], `"`+tc.got+`"`, tc.got, 1)
			}
		}
		got := functiontest.Facts(slips(&Schema{}, layered(t, layers{tc.own, tc.override})))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, %s: -want +got:\n%s", tc.own, tc.override, diff)
		}
	}
	const checked = "v: {schema: '{{ format \"${number}\" }}'}\nw: {schema: '{{ readonly }}'}"
	if got := slips(parseSchema(t, checked), layered(t, layers{"v: 1\nw: 1", "v: '2'\nw: x"})); len(got) > 0 {
		t.Errorf("the schema checks the values, but got %v", functiontest.Facts(got))
	}
	if got := slips(&Schema{}, layered(t, layers{"v: 1", "v: {a: 1}"}, "v: {b: 1}")); len(got) > 0 {
		t.Errorf("a preset has the type, but got %v", functiontest.Facts(got))
	}
}

func TestMisplaced(t *testing.T) {
	const own = "charts:\n  vault: {host: a, port: 1, tls: {on: true}}\n  proxy: {port: 2}\nmanifests: {rules: {mode: x}}\npack: {a: 1}\n"
	for _, tc := range []struct {
		name, override string
		want           []string
	}{
		{"below its chart", "host: b", []string{"warning values/misplaced layer1 text key=host at=1:1"}},
		{"below its manifest", "mode: b", []string{"warning values/misplaced layer1 text key=mode at=1:1"}},
		{"one step too high", "charts: {host: b}", []string{"warning values/misplaced layer1 text key=charts.host at=1:10"}},
		{"the name of a chart", "vault: {host: b}", []string{"warning values/misplaced layer1 text key=vault at=1:1"}},
		{"a misspelt chart", "charts: {valt: {host: b}}", []string{`warning values/misplaced layer1 text key=charts.valt at=1:10 unknown="key \"valt\"" near=vault`}},
		{"a path in one key", "charts.vault.host: b", []string{"warning values/misplaced layer1 text key=charts.vault.host at=1:1"}},
		{"a path in one key that is new", "charts.vault.name: b", []string{"warning values/misplaced layer1 text key=charts.vault.name at=1:1"}},
		{"a path in one key below the root", "charts: {vault: {tls.on: false}}", []string{"warning values/misplaced layer1 text key=charts.vault.tls.on at=1:18"}},
		{"a label", "charts: {vault: {labels: {tls.on: a}}}", nil},
		{"another key with a dot", "charts: {vault: {tls.off: false}}", nil},
		{"of several charts", "port: 3", nil},
		{"a new key", "mine: 1", nil},
		{"a new chart", "charts: {other: {host: b}}", nil},
		{"keys of packs", "pack: {b: 1}\nmanifests: {x: 1}", nil},
		{"a chart's own key", "charts: {proxy: {host: b}}", nil},
	} {
		got := functiontest.Facts(slips(&Schema{}, layered(t, layers{own, tc.override})))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	if got := slips(parseSchema(t, "host: {schema: '{{ required }}'}"), layered(t, layers{own, "host: b\nmode: x"}, "mode: y")); len(got) > 0 {
		t.Errorf("the schema and a preset have the keys, but got %v", functiontest.Facts(got))
	}
	if got := slips(&Schema{}, layered(t, layers{none, "host: b"})); len(got) > 0 {
		t.Errorf("nothing is known of the pack, but got %v", functiontest.Facts(got))
	}
}

func TestNearKey(t *testing.T) {
	for _, tc := range []struct {
		name, own, override string
		want                []string
	}{
		{"one letter", "a: {replicas: 1}", "a: {replica: 2}", []string{`warning values/near-key layer1 text key=a.replica at=1:5 unknown="key \"replica\"" near=replicas`}},
		{"swapped letters", "port: 1", "prot: 2", []string{`warning values/near-key layer1 text key=prot at=1:1 unknown="key \"prot\"" near=port`}},
		{"the override has both", "port: 1", "port: 2\nports: [2]", nil},
		{"two candidates", "node: 1\nmode: 1", "nodes: 2\nlode: 2", []string{`warning values/near-key layer1 text key=nodes at=1:1 unknown="key \"nodes\"" near=node`}},
		{"two candidates alike", "ports: 1\nport1: 1", "port: 2", []string{`warning values/near-key layer1 text key=port at=1:1 unknown="key \"port\"" near=ports`}},
		{"really two candidates", "hosta: 1\nhostb: 1", "hostc: 2", nil},
		{"another number", "node1: 1", "node2: 1", nil},
		{"another level", "a: {port: 1}", "prot: 2", nil},
		{"another word", "port: 1", "host: 2", nil},
		{"below an empty map", "labels: {}", "labels: {a: 1}", nil},
	} {
		got := functiontest.Facts(slips(&Schema{}, layered(t, layers{tc.own, tc.override})))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
