package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// unknown returns the unknown keys of v.
func unknown(s *Schema, v Values) (findings []diag.Finding) {
	c := newChecker(s, v, func(f diag.Finding) { findings = append(findings, f) })
	c.unknown = true
	c.overrides()
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Rule != rule.ValuesUnknownKey })
}

func TestUnknown(t *testing.T) {
	const (
		port = "registry.port: {schema: '{{ required }}'}"
	)
	for _, tc := range []struct {
		name, schema string
		values       layers
		presets      []string
		want         []string
	}{
		{"the pack's own keys are known", port, layers{"registry: {port: 1, host: x}\nother: {a: 1}"}, nil, nil},
		{"an override's key that the pack has", port, layers{"registry: {port: 1, host: x}", "registry: {host: y}"}, nil, nil},
		{"an unknown key", port, layers{"registry: {port: 1, host: x}", "\nregistry: {quotas: y}"}, nil, []string{
			`warning values/unknown-key layer1 text key=registry.quotas at=2:12 unknown="key \"quotas\"" want="host or port"`,
		}},
		{"the nearest of the values", port, layers{"registry: {hostname: x}", "registry: {hostnam: y}"}, nil, []string{
			`warning values/unknown-key layer1 text key=registry.hostnam at=1:12 unknown="key \"hostnam\"" want="hostname or port" near=hostname`,
		}},
		{"the nearest of the schema", "registry.port: {schema: '{{ required }}'}", layers{"registry: {host: x}", "registry: {port: 1, ports: 1}"}, nil, []string{
			`warning values/unknown-key layer1 text key=registry.ports at=1:21 unknown="key \"ports\"" want="host or port" near=port`,
		}},
		{"the topmost key alone", port, layers{"a: 1", "b: {c: {d: 1}, e: 1}"}, nil, []string{
			`warning values/unknown-key layer1 text key=b at=1:1 unknown="key \"b\"" want="a or registry"`,
		}},
		{"a key of the schema", port, layers{"a: 1", "registry: {port: 1}"}, nil, nil},
		{"a key beside one of the schema", port, layers{"a: 1", "registry: {port: 1, x: 1}"}, nil, []string{
			`warning values/unknown-key layer1 text key=registry.x at=1:21 unknown="key \"x\"" want=port`,
		}},
		{"below a key of the schema", "a: {schema: '{{ required }}'}", layers{"b: 1", "a: {b: {c: 1}}"}, nil, nil},
		{"a key that begins like one of the schema", "a: {schema: '{{ required }}'}", layers{"b: 1", "ab: {b: 1}"}, nil, []string{
			`warning values/unknown-key layer1 text key=ab at=1:1 unknown="key \"ab\"" want="a or b"`,
		}},
		{"a key that a preset adds", "", layers{"a: 1", "b: {c: 1}"}, []string{"b: {c: 2}"}, nil},
		{"a key beside one that a preset adds", "", layers{"a: 1", "b: {d: 1}"}, []string{"b: {c: 2}"}, []string{
			`warning values/unknown-key layer1 text key=b.d at=1:5 unknown="key \"d\"" want=c`,
		}},
		{"below a map that ships empty", "", layers{"labels: {}", "labels: {any: 1}"}, nil, nil},
		{"below null", "", layers{"labels:", "labels: {any: 1}"}, nil, nil},
		{"below a list", "", layers{"l: [{a: 1}]", "l: [{b: 1}]"}, nil, nil},
		{"of the second override", "", layers{"a: 1", "a: 2", "b: 1"}, nil, []string{
			`warning values/unknown-key layer2 text key=b at=1:1 unknown="key \"b\"" want=a`,
		}},
		{"a merge key", "", layers{"a: 1", "x: &x {b: 1}\n<<: *x"}, nil, []string{
			`warning values/unknown-key layer1 text key=x at=1:1 unknown="key \"x\"" want=a`,
			`warning values/unknown-key layer1 text key=b at=1:8 unknown="key \"b\"" want=a`,
		}},
		{"twice in one layer", "", layers{"a: 1", "b: 1\nb: 2"}, nil, []string{
			`warning values/unknown-key layer1 text key=b at=2:1 unknown="key \"b\"" want=a`,
		}},
		{"without a baseline the schema says", port, layers{none, "registry: {port: 1, x: 1}\ny: 1"}, nil, []string{
			`warning values/unknown-key layer0 text key=registry.x at=1:21 unknown="key \"x\"" want=port`,
			`warning values/unknown-key layer0 text key=y at=2:1 unknown="key \"y\"" want=registry`,
		}},
		{"nothing is known", "", layers{none, "a: 1"}, nil, []string{
			`warning values/unknown-key layer0 text key=a at=1:1 unknown="key \"a\""`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := functiontest.Facts(unknown(parseSchema(t, tc.schema), layered(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The pack's own keys are reported when they are near a key of the schema that is
// in no values: one of the two is misspelt.
func TestUnknownOwnKey(t *testing.T) {
	const port = "registry.port: {schema: '{{ required }}'}"
	for _, tc := range []struct {
		name, schema string
		values       layers
		presets      []string
		want         []string
	}{
		{"near a key that is in no values", port, layers{"registry: {host: x, ports: 1}"}, nil, []string{
			"warning values/unknown-key layer0 text key=registry.ports at=1:21 near=port",
		}},
		{"an upper step", "registry.port: {schema: '{{ required }}'}", layers{"registri: {port: 1}"}, nil, []string{
			"warning values/unknown-key layer0 text key=registri at=1:1 near=registry",
		}},
		{"a step of the same name above", "host.host: {schema: '{{ required }}'}", layers{"host: {hosts: x}"}, nil, []string{
			"warning values/unknown-key layer0 text key=host.hosts at=1:8 near=host",
		}},
		{"like nothing", port, layers{"registry: {host: x}"}, nil, nil},
		{"the values have it", port, layers{"registry: {port: 1, ports: 1}"}, nil, nil},
		{"an override has it", port, layers{"registry: {ports: 1}", "registry: {port: 1}"}, nil, nil},
		{"a preset adds it", port, layers{"registry: {ports: 1}"}, []string{"registry: {port: 1}"}, nil},
		{"the schema knows both", port + "\nregistry.ports: {schema: '{{ required }}'}", layers{"registry: {ports: 1}"}, nil, nil},
		// The override's key is reported in the override, not in the pack.
		{"an override's key that reads like it", port, layers{"registry: {host: x}", "registry: {ports: 1}"}, nil, []string{
			`warning values/unknown-key layer1 text key=registry.ports at=1:12 unknown="key \"ports\"" want="host or port" near=port`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := functiontest.Facts(unknown(parseSchema(t, tc.schema), layered(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Names of many unknown keys are compared up to a limit, and then none has a near one.
func TestManyUnknownKeys(t *testing.T) {
	const count = 2000
	many := func(prefix string) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, "some%skey%d: 1\n", prefix, i)
		}
		return b.String()
	}
	v := layered(t, layers{many("value"), many("vlaue")})
	findings := unknown(&Schema{}, v)
	if len(findings) != count || findings[0].Nearest == "" || findings[count-1].Nearest != "" {
		t.Errorf("got %d findings, the first with the nearest %q, the last with %q", len(findings), findings[0].Nearest, findings[count-1].Nearest)
	}
}
