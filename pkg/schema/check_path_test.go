package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rule V15.
func TestElements(t *testing.T) {
	const (
		each     = `r.a.$[]: {schema: '{{ required | format "${ipv4}" }}'}`
		optional = `r.a.$[]: {schema: '{{ format "${ipv4}" }}'}`
		names    = "l.$[].name: {schema: '{{ required }}'}"
		twice    = "l.$[].m.$[]: {schema: '{{ required | format \"${number}\" }}'}"
	)
	for _, tc := range []checkCase{
		{"each with its index", each, layers{"r:\n  a: [10.0.0.1, x, 10.0.0.2, '']"}, []string{
			"values/format r.a[1] (layer 0 2:17): got text of 1 character, want IPv4 address",
			"values/required r.a[3] (layer 0 2:30): is required, but empty: set it",
		}},
		{"the list is absent", each, layers{"r: {}"}, []string{"values/required r.a (absent): is required, but absent: set it"}},
		{"the list is null", each, layers{"r: {a: null}"}, []string{"values/required r.a (absent): is required, but absent: set it"}},
		{"the list is empty", each, layers{"r: {a: []}"}, []string{"values/required r.a (layer 0 1:8): is required, but an empty list: give it an element"}},
		{"not a list", each, layers{"r: {a: {}}"}, []string{"values/format r.a (layer 0 1:8): got a mapping, want a list"}},
		{"a single value", each, layers{"r: {a: 10.0.0.1}"}, []string{"values/format r.a (layer 0 1:8): got a single value, want a list"}},
		{"empty text in its place", each, layers{"r: {a: ''}"}, []string{"values/required r.a (layer 0 1:8): is required, but empty: set it"}},
		{"optional and absent", optional, layers{"r: {a: null}"}, nil},
		{"optional and empty", optional, layers{"r: {a: []}"}, nil},
		{"optional and empty text", optional, layers{"r: {a: ''}"}, nil},
		{"optional and not a list", optional, layers{"r: {a: x}"}, []string{"values/format r.a (layer 0 1:8): got a single value, want a list"}},
		{"not a list, and only required", "a.$[]: {schema: '{{ required }}'}", layers{"a: x"}, []string{"values/format a (layer 0 1:4): got a single value, want a list"}},
		{"not a list, and nothing is asked", "a.$[]: {schema: '{{ hints \"h\" }}'}", layers{"a: x"}, nil},
		{"in the middle", names, layers{"l: [{name: a}, {nam: b}, {name: ''}, x]"}, []string{
			"values/required l[1].name (absent): is required, but absent: set it",
			"values/required l[2].name (layer 0 1:33): is required, but empty: set it",
			"values/required l[3].name (absent): is required, but absent: set it",
		}},
		{"twice", twice, layers{"l: [{m: [1, x]}, {m: []}, {m: [2]}, {}, {m: 5}]"}, []string{
			"values/format l[0].m[1] (layer 0 1:13): got text of 1 character, want a decimal number",
			"values/required l[1].m (layer 0 1:22): is required, but an empty list: give it an element",
			"values/required l[3].m (absent): is required, but absent: set it",
			"values/format l[4].m (layer 0 1:45): got a single value, want a list",
		}},
		{"a list that an override replaces", each, layers{"r: {a: [x, y]}", "r: {a: [z]}"}, []string{
			"values/format r.a[0] (layer 1 1:9): got text of 1 character, want IPv4 address",
		}},
	} {
		tc.run(t)
	}
}

// Rule V16.
func TestDottedKeys(t *testing.T) {
	for _, tc := range []checkCase{
		{"a key with dots", "node.store.allow_mmap: {schema: '{{ required | format \"${boolean}\" }}'}", layers{"node.store.allow_mmap: x"}, []string{
			"values/format node.store.allow_mmap (layer 0 1:24): got text of 1 character, want true or false in lower case",
		}},
		{"a key with dots below", "limits.nvidia.com/gpu: {schema: '{{ required }}'}", layers{"limits: {nvidia.com/gpu: 1}"}, nil},
		{"nested wins", "a.b: {schema: '{{ required }}'}", layers{"a: {b: ''}\na.b: 1"}, []string{
			"values/required a.b (layer 0 1:8): is required, but empty: set it",
		}},
		{"nested that lacks it does not", "a.b: {schema: '{{ required }}'}", layers{"a: {c: ''}\na.b: 1"}, nil},
	} {
		tc.run(t)
	}
}

// Rule V18.
func TestKeyNotInValues(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		values       layers
		presets      []string
		want         []string
	}{
		{"nobody has it", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x}"}, nil, []string{
			"values/key-not-in-values registry.port (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"the nearest", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x, ports: 1}"}, nil, []string{
			"values/key-not-in-values registry.port (schema 1:1): stands in the schema, but no values have it, so it checks nothing (did you mean \"ports\"?)",
		}},
		{"the nearest of an upper step", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"regsitry: {port: 1}"}, nil, []string{
			"values/key-not-in-values registry.port (schema 1:1): stands in the schema, but no values have it, so it checks nothing (did you mean \"regsitry\"?)",
		}},
		{"no values at all", anySchema, layers{none}, nil, []string{
			"values/key-not-in-values a (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"a format over nothing", numberSchema, layers{"b: 1"}, nil, []string{
			"values/key-not-in-values a (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"elements that lack it", "l.$[].name: {schema: '{{ hints \"h\" }}'}", layers{"l: [{a: 1}, {b: 1}]"}, nil, []string{
			"values/key-not-in-values l.$[].name (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"one element has it", "l.$[].name: {schema: '{{ hints \"h\" }}'}", layers{"l: [{a: 1}, {name: 1}]"}, nil, nil},
		{"an empty list", "l.$[]: {schema: '{{ hints \"h\" }}'}", layers{"l: []"}, nil, nil},
		{"null", anySchema, layers{"a:"}, nil, nil},
		{"required says so already", requiredSchema, layers{"b: 1"}, nil, []string{
			"values/required a (absent): is required, but absent: set it",
		}},
		{"a preset adds it", anySchema, layers{"b: 1"}, []string{"c: 1", "a: 1"}, nil},
		{"presets add something else", anySchema, layers{"b: 1"}, []string{"c: 1"}, []string{
			"values/key-not-in-values a (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"an override has it", anySchema, layers{"b: 1", "a: 1"}, nil, nil},
		{"a layer has it that is covered", "m.a: {schema: '{{ hints \"h\" }}'}", layers{"m: {a: 1}", "m: null"}, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := lines(parseSchema(t, tc.schema).Check(judged(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
