package schema

import "testing"

// Rule V6.
func TestReadOnly(t *testing.T) {
	const (
		one     = "a: {schema: '{{ readonly }}'}"
		each    = "l.$[]: {schema: '{{ readonly }}'}"
		names   = "l.$[].name: {schema: '{{ readonly }}'}"
		changed = "is read-only, but differs from the pack's own value: remove it here"
		added   = "is read-only, but was added: the pack itself does not set it, so remove it here"
		removed = "is read-only, but was removed: take back the override"
	)
	for _, tc := range []checkCase{
		{"no override", one, layers{"a: 1"}, nil},
		{"another key", one, layers{"a: 1\nb: 1", "b: 2"}, nil},
		{"the same value", one, layers{"a: x", "a: x"}, nil},
		{"other quotes and a comment", one, layers{"a: x", "a: 'x' # as the pack has it"}, nil},
		{"the same number", one, layers{"a: 1.30", "a: 1.3"}, nil},
		{"the same map in another order", one, layers{"a: {b: 1, c: 2}", "a: {c: 2, b: 1}"}, nil},
		{"changed", one, layers{"a: 1", "a: 2"}, []string{"values/readonly a (layer 1 1:4): " + changed}},
		{"another type", one, layers{"a: 1", "a: '1'"}, []string{"values/readonly a (layer 1 1:4): " + changed}},
		{"set to null", one, layers{"a: 1", "a: null"}, []string{"values/readonly a (layer 1 1:4): " + changed}},
		{"changed below", one, layers{"a: {b: 1}", "a: {b: 2}"}, []string{"values/readonly a (layer 1 1:4): " + changed}},
		{"added", one, layers{"b: 1", "a: 2"}, []string{"values/readonly a (layer 1 1:4): " + added}},
		{"added to empty values", one, layers{"", "a: 2"}, []string{"values/readonly a (layer 1 1:4): " + added}},
		{"removed with what holds it", "m.a: {schema: '{{ readonly }}'}", layers{"m: {a: 1}", "m: null"}, []string{"values/readonly m.a (absent): " + removed}},
		{"absent in both", one, layers{"b: 1", "b: 2"}, []string{
			"values/key-not-in-values a (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"changed and changed back", one, layers{"a: 1", "a: 2", "a: 1"}, nil},

		{"an element changed", each, layers{"l: [x, y]", "l: [x, z]"}, []string{"values/readonly l[1] (layer 1 1:8): " + changed}},
		{"an element added", each, layers{"l: [x]", "l: [x, y]"}, []string{"values/readonly l[1] (layer 1 1:8): " + added}},
		{"an element removed", each, layers{"l: [x, y]", "l: [x]"}, []string{"values/readonly l[1] (absent): " + removed}},
		{"the same elements", each, layers{"l: [x, y]", "l: ['x', y]"}, nil},
		{"a list added", each, layers{"b: 1", "l: [x]"}, []string{"values/readonly l[0] (layer 1 1:5): " + added}},
		{"a list filled", each, layers{"l: []", "l: [x]"}, []string{"values/readonly l[0] (layer 1 1:5): " + added}},
		{"a list emptied", each, layers{"l: [x, y]", "l: []"}, []string{"values/readonly l (layer 1 1:4): " + changed}},
		{"a list removed", each, layers{"l: [x, y]", "l: null"}, []string{"values/readonly l (absent): " + removed}},
		{"a list turned into text", each, layers{"l: [x, y]", "l: x"}, []string{"values/readonly l (layer 1 1:4): " + changed}},
		{"text turned into a list", each, layers{"l: x", "l: [x]"}, []string{"values/readonly l[0] (layer 1 1:5): " + added}},
		{"an empty list added", each, layers{"b: 1", "l: []"}, []string{"values/readonly l (layer 1 1:4): " + added}},
		{"an empty list removed", each, layers{"l: []", "l: null"}, []string{"values/readonly l (absent): " + removed}},
		{"a key of an element", names, layers{"l: [{name: x, v: 1}]", "l: [{name: x, v: 2}]"}, nil},
		{"a key of an element changed", names, layers{"l: [{name: x}]", "l: [{name: y}]"}, []string{"values/readonly l[0].name (layer 1 1:12): " + changed}},
		{"a key of an element removed", names, layers{"l: [{name: x}]", "l: [{v: 1}]"}, []string{"values/readonly l[0].name (absent): " + removed}},

		{"an element added without the key", names, layers{"l: [{name: x}]", "l: [{name: x}, {v: 1}]"}, nil},
		{"a list added whose elements lack the key", names, layers{"b: 1", "l: [{v: 1}]"}, []string{
			"values/key-not-in-values l.$[].name (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"lists in lists", "l.$[].m.$[]: {schema: '{{ readonly }}'}", layers{"l: [{m: [1]}, {m: []}, {m: [2]}]", "l: [{m: [1]}]"}, []string{
			"values/readonly l[1].m (absent): " + removed,
			"values/readonly l[2].m[0] (absent): " + removed,
		}},

		{"no baseline, once", "a: {schema: '{{ readonly }}'}\nb: {schema: '{{ readonly }}'}", layers{none, "a: 1\nb: 1"}, []string{
			"values/no-baseline a (schema 1:1): is read-only, but there is no baseline: no values of the pack's own to compare with",
		}},
		{"empty values are a baseline", one, layers{"# nothing yet", "b: 1"}, []string{
			"values/key-not-in-values a (schema 1:1): stands in the schema, but no values have it, so it checks nothing",
		}},
		{"no baseline, and nothing read-only", anySchema, layers{none, "a: 1"}, nil},
	} {
		tc.run(t)
	}
}
