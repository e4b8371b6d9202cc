package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnknown(t *testing.T) {
	const (
		port    = "registry.port: {schema: '{{ required }}'}"
		neither = "is known neither to the schema nor to the pack's own values"
	)
	for _, tc := range []struct {
		name, schema string
		values       layers
		presets      []string
		want         []string
	}{
		{"the pack's own keys are known", port, layers{"registry: {port: 1, host: x}\nother: {a: 1}"}, nil, nil},
		{"an override's key that the pack has", port, layers{"registry: {port: 1, host: x}", "registry: {host: y}"}, nil, nil},
		{"a key that nobody knows", port, layers{"registry: {port: 1, host: x}", "\nregistry: {quotas: y}"}, nil, []string{
			"values/unknown-key registry.quotas (layer 1 2:12): " + neither,
		}},
		{"the nearest of the values", port, layers{"registry: {hostname: x}", "registry: {hostnam: y}"}, nil, []string{
			"values/unknown-key registry.hostnam (layer 1 1:12): " + neither + ` (did you mean "hostname"?)`,
		}},
		{"the nearest of the schema", "registry.port: {schema: '{{ required }}'}", layers{"registry: {host: x}", "registry: {port: 1, ports: 1}"}, nil, []string{
			"values/unknown-key registry.ports (layer 1 1:21): " + neither + ` (did you mean "port"?)`,
		}},
		{"the topmost key alone", port, layers{"a: 1", "b: {c: {d: 1}, e: 1}"}, nil, []string{
			"values/unknown-key b (layer 1 1:1): " + neither,
		}},
		{"a key of the schema", port, layers{"a: 1", "registry: {port: 1}"}, nil, nil},
		{"a key beside one of the schema", port, layers{"a: 1", "registry: {port: 1, x: 1}"}, nil, []string{
			"values/unknown-key registry.x (layer 1 1:21): " + neither,
		}},
		{"below a key of the schema", "a: {schema: '{{ required }}'}", layers{"b: 1", "a: {b: {c: 1}}"}, nil, nil},
		{"a key that begins like one of the schema", "a: {schema: '{{ required }}'}", layers{"b: 1", "ab: {b: 1}"}, nil, []string{
			"values/unknown-key ab (layer 1 1:1): " + neither,
		}},
		{"a key that a preset adds", "", layers{"a: 1", "b: {c: 1}"}, []string{"b: {c: 2}"}, nil},
		{"a key beside one that a preset adds", "", layers{"a: 1", "b: {d: 1}"}, []string{"b: {c: 2}"}, []string{
			"values/unknown-key b.d (layer 1 1:5): " + neither,
		}},
		{"below a map that ships empty", "", layers{"labels: {}", "labels: {any: 1}"}, nil, nil},
		{"below null", "", layers{"labels:", "labels: {any: 1}"}, nil, nil},
		{"below a list", "", layers{"l: [{a: 1}]", "l: [{b: 1}]"}, nil, nil},
		{"of the second override", "", layers{"a: 1", "a: 2", "b: 1"}, nil, []string{
			"values/unknown-key b (layer 2 1:1): " + neither,
		}},
		{"a merge key", "", layers{"a: 1", "x: &x {b: 1}\n<<: *x"}, nil, []string{
			"values/unknown-key x (layer 1 1:1): " + neither,
			"values/unknown-key b (layer 1 1:8): " + neither,
		}},
		{"twice in one layer", "", layers{"a: 1", "b: 1\nb: 2"}, nil, []string{
			"values/unknown-key b (layer 1 1:1): " + neither,
		}},
		{"without a baseline the schema says", port, layers{none, "registry: {port: 1, x: 1}\ny: 1"}, nil, []string{
			"values/unknown-key registry.x (layer 0 1:21): " + neither,
			"values/unknown-key y (layer 0 2:1): " + neither,
		}},
		{"nothing is known", "", layers{none, "a: 1"}, nil, []string{
			"values/unknown-key a (layer 0 1:1): " + neither + "; nothing is known there",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := lines(parseSchema(t, tc.schema).Unknown(judged(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The pack's own keys are reported when they read like a key of the schema that
// no values have: one of the two is misspelt.
func TestUnknownOwnKey(t *testing.T) {
	const port = "registry.port: {schema: '{{ required }}'}"
	for _, tc := range []struct {
		name, schema string
		values       layers
		presets      []string
		want         []string
	}{
		{"like a key that nobody has", port, layers{"registry: {host: x, ports: 1}"}, nil, []string{
			`values/unknown-key registry.ports (layer 0 1:21): is unknown to the schema, which has registry.port, that no values have (did you mean "port"?)`,
		}},
		{"an upper step", "registry.port: {schema: '{{ required }}'}", layers{"registri: {port: 1}"}, nil, []string{
			`values/unknown-key registri (layer 0 1:1): is unknown to the schema, which has registry.port, that no values have (did you mean "registry"?)`,
		}},
		{"a step of the same name above", "host.host: {schema: '{{ required }}'}", layers{"host: {hosts: x}"}, nil, []string{
			`values/unknown-key host.hosts (layer 0 1:8): is unknown to the schema, which has host.host, that no values have (did you mean "host"?)`,
		}},
		{"like nothing", port, layers{"registry: {host: x}"}, nil, nil},
		{"the values have it", port, layers{"registry: {port: 1, ports: 1}"}, nil, nil},
		{"an override has it", port, layers{"registry: {ports: 1}", "registry: {port: 1}"}, nil, nil},
		{"a preset adds it", port, layers{"registry: {ports: 1}"}, []string{"registry: {port: 1}"}, nil},
		{"the schema knows both", port + "\nregistry.ports: {schema: '{{ required }}'}", layers{"registry: {ports: 1}"}, nil, nil},
		// The override's key is reported where it stands, not in the pack.
		{"an override's key that reads like it", port, layers{"registry: {host: x}", "registry: {ports: 1}"}, nil, []string{
			`values/unknown-key registry.ports (layer 1 1:12): is known neither to the schema nor to the pack's own values (did you mean "port"?)`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := lines(parseSchema(t, tc.schema).Unknown(judged(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
