package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
			`error values/format layer0 text key=r.a[1] at=2:17 got="a string of 1 character" want="an IPv4 address"`,
			"error values/required layer0 text key=r.a[3] at=2:30 missing=empty",
		}},
		{"the list is absent", each, layers{"r: {}"}, []string{"error values/required absent text key=r.a missing="}},
		{"the list is null", each, layers{"r: {a: null}"}, []string{"error values/required absent text key=r.a missing="}},
		{"the list is empty", each, layers{"r: {a: []}"}, []string{`error values/required layer0 text key=r.a at=1:8 missing="an empty list"`}},
		{"not a list", each, layers{"r: {a: {}}"}, []string{`error values/format layer0 text key=r.a at=1:8 got="a map" want="a list"`}},
		{"a single value", each, layers{"r: {a: 10.0.0.1}"}, []string{`error values/format layer0 text key=r.a at=1:8 got="a string" want="a list"`}},
		{"empty text in its place", each, layers{"r: {a: ''}"}, []string{"error values/required layer0 text key=r.a at=1:8 missing=empty"}},
		{"optional and absent", optional, layers{"r: {a: null}"}, nil},
		{"optional and empty", optional, layers{"r: {a: []}"}, nil},
		{"optional and empty text", optional, layers{"r: {a: ''}"}, nil},
		{"optional and not a list", optional, layers{"r: {a: x}"}, []string{`error values/format layer0 text key=r.a at=1:8 got="a string" want="a list"`}},
		{"not a list, and only required", "a.$[]: {schema: '{{ required }}'}", layers{"a: x"}, []string{`error values/format layer0 text key=a at=1:4 got="a string" want="a list"`}},
		{"not a list, and nothing is asked", "a.$[]: {schema: '{{ hints \"h\" }}'}", layers{"a: x"}, nil},
		{"in the middle", names, layers{"l: [{name: a}, {nam: b}, {name: ''}, x]"}, []string{
			"error values/required absent text key=l[1].name missing= near=nam",
			"error values/required layer0 text key=l[2].name at=1:33 missing=empty",
			"error values/required absent text key=l[3].name missing=",
		}},
		{"twice", twice, layers{"l: [{m: [1, x]}, {m: []}, {m: [2]}, {}, {m: 5}]"}, []string{
			`error values/format layer0 text key=l[0].m[1] at=1:13 got="a string of 1 character" want="a decimal number"`,
			`error values/required layer0 text key=l[1].m at=1:22 missing="an empty list"`,
			"error values/required absent text key=l[3].m missing=",
			`error values/format layer0 text key=l[4].m at=1:45 got="a number" want="a list"`,
		}},
		{"a list that an override replaces", each, layers{"r: {a: [x, y]}", "r: {a: [z]}"}, []string{
			`error values/format layer1 text key=r.a[0] at=1:9 got="a string of 1 character" want="an IPv4 address"`,
		}},
	} {
		tc.run(t)
	}
}

// Rule V16.
func TestDottedKeys(t *testing.T) {
	for _, tc := range []checkCase{
		{"a key with dots", "node.store.allow_mmap: {schema: '{{ required | format \"${boolean}\" }}'}", layers{"node.store.allow_mmap: x"}, []string{
			`error values/format layer0 text key=node.store.allow_mmap at=1:24 got="a string of 1 character" want="true or false in lower case"`,
		}},
		{"a key with dots below", "limits.nvidia.com/gpu: {schema: '{{ required }}'}", layers{"limits: {nvidia.com/gpu: 1}"}, nil},
		{"nested wins", "a.b: {schema: '{{ required }}'}", layers{"a: {b: ''}\na.b: 1"}, []string{
			"error values/required layer0 text key=a.b at=1:8 missing=empty",
		}},
		{"nested without the key does not", "a.b: {schema: '{{ required }}'}", layers{"a: {c: ''}\na.b: 1"}, nil},
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
		{"it is in no values", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x}"}, nil, []string{
			"warning values/key-not-in-values schema text key=registry.port at=1:1",
		}},
		{"the nearest", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x, ports: 1}"}, nil, []string{
			"warning values/key-not-in-values schema text key=registry.port at=1:1 near=ports",
		}},
		{"the nearest of an upper step", "registry.port: {schema: '{{ hints \"h\" }}'}", layers{"regsitry: {port: 1}"}, nil, []string{
			"warning values/key-not-in-values schema text key=registry.port at=1:1 near=regsitry",
		}},
		{"a near key that the schema has, with the rest of the path", "regsitry.port: {schema: '{{ hints \"h\" }}'}\nregistry.host: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x, port: 1}"}, nil, []string{
			"warning values/key-not-in-values schema text key=regsitry.port at=1:1 near=registry",
		}},
		{"a near key that the schema has, without the rest", "regsitry.port: {schema: '{{ hints \"h\" }}'}\nregistry.host: {schema: '{{ hints \"h\" }}'}", layers{"registry: {host: x}"}, nil, []string{
			"warning values/key-not-in-values schema text key=regsitry.port at=1:1",
		}},
		{"no values at all", anySchema, layers{none}, nil, []string{
			"warning values/key-not-in-values schema text key=a at=1:1",
		}},
		{"a format over nothing", numberSchema, layers{"b: 1"}, nil, []string{
			"warning values/key-not-in-values schema text key=a at=1:1",
		}},
		{"elements that lack it", "l.$[].name: {schema: '{{ hints \"h\" }}'}", layers{"l: [{a: 1}, {b: 1}]"}, nil, []string{
			"warning values/key-not-in-values schema text key=l.$[].name at=1:1",
		}},
		{"one element has it", "l.$[].name: {schema: '{{ hints \"h\" }}'}", layers{"l: [{a: 1}, {name: 1}]"}, nil, nil},
		{"an empty list", "l.$[]: {schema: '{{ hints \"h\" }}'}", layers{"l: []"}, nil, nil},
		{"null", anySchema, layers{"a:"}, nil, nil},
		{"required says so already", requiredSchema, layers{"b: 1"}, nil, []string{
			"error values/required absent text key=a missing=",
		}},
		{"a preset adds it", anySchema, layers{"b: 1"}, []string{"c: 1", "a: 1"}, nil},
		{"presets add something else", anySchema, layers{"b: 1"}, []string{"c: 1"}, []string{
			"warning values/key-not-in-values schema text key=a at=1:1",
		}},
		{"an override has it", anySchema, layers{"b: 1", "a: 1"}, nil, nil},
		{"a layer has it that is covered", "m.a: {schema: '{{ hints \"h\" }}'}", layers{"m: {a: 1}", "m: null"}, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := functiontest.Facts(parseSchema(t, tc.schema).Check(layered(t, tc.values, tc.presets...)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
