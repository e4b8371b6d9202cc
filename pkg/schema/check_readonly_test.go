package schema

import "testing"

// Rule V6.
func TestReadOnly(t *testing.T) {
	const (
		one   = "a: {schema: '{{ readonly }}'}"
		each  = "l.$[]: {schema: '{{ readonly }}'}"
		names = "l.$[].name: {schema: '{{ readonly }}'}"
	)
	const (
		changed = `got="another value" want="the pack's own value (the key is read-only)"`
		added   = `got="a value" want="unset, as in the pack's own values (the key is read-only)"`
		removed = `got="no value" want="the pack's own value (the key is read-only)"`
	)
	for _, tc := range []checkCase{
		{"no override", one, layers{"a: 1"}, nil},
		{"another key", one, layers{"a: 1\nb: 1", "b: 2"}, nil},
		{"the same value", one, layers{"a: x", "a: x"}, nil},
		{"other quotes and a comment", one, layers{"a: x", "a: 'x' # as the pack has it"}, nil},
		{"the same number", one, layers{"a: 1.30", "a: 1.3"}, nil},
		{"the same map in another order", one, layers{"a: {b: 1, c: 2}", "a: {c: 2, b: 1}"}, nil},
		{"changed", one, layers{"a: 1", "a: 2"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + changed}},
		{"another type", one, layers{"a: 1", "a: '1'"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + changed}},
		{"set to null", one, layers{"a: 1", "a: null"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + changed}},
		{"changed below", one, layers{"a: {b: 1}", "a: {b: 2}"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + changed}},
		{"added", one, layers{"b: 1", "a: 2"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + added}},
		{"added to empty values", one, layers{"", "a: 2"}, []string{`error values/readonly layer1 text key=a at=1:4 ` + added}},
		{"removed with what holds it", "m.a: {schema: '{{ readonly }}'}", layers{"m: {a: 1}", "m: null"}, []string{`error values/readonly absent text key=m.a ` + removed}},
		{"absent in both", one, layers{"b: 1", "b: 2"}, []string{
			"warning values/key-not-in-values schema text key=a at=1:1",
		}},
		{"changed and changed back", one, layers{"a: 1", "a: 2", "a: 1"}, nil},

		{"an element changed", each, layers{"l: [x, y]", "l: [x, z]"}, []string{`error values/readonly layer1 text key=l[1] at=1:8 ` + changed}},
		{"an element added", each, layers{"l: [x]", "l: [x, y]"}, []string{`error values/readonly layer1 text key=l[1] at=1:8 ` + added}},
		{"an element removed", each, layers{"l: [x, y]", "l: [x]"}, []string{`error values/readonly absent text key=l[1] ` + removed}},
		{"the same elements", each, layers{"l: [x, y]", "l: ['x', y]"}, nil},
		{"a list added", each, layers{"b: 1", "l: [x]"}, []string{`error values/readonly layer1 text key=l[0] at=1:5 ` + added}},
		{"a list filled", each, layers{"l: []", "l: [x]"}, []string{`error values/readonly layer1 text key=l[0] at=1:5 ` + added}},
		{"a list emptied", each, layers{"l: [x, y]", "l: []"}, []string{`error values/readonly layer1 text key=l at=1:4 ` + changed}},
		{"a list removed", each, layers{"l: [x, y]", "l: null"}, []string{`error values/readonly absent text key=l ` + removed}},
		{"a list turned into text", each, layers{"l: [x, y]", "l: x"}, []string{`error values/readonly layer1 text key=l at=1:4 ` + changed}},
		{"text turned into a list", each, layers{"l: x", "l: [x]"}, []string{`error values/readonly layer1 text key=l[0] at=1:5 ` + added}},
		{"an empty list added", each, layers{"b: 1", "l: []"}, []string{`error values/readonly layer1 text key=l at=1:4 ` + added}},
		{"an empty list removed", each, layers{"l: []", "l: null"}, []string{`error values/readonly absent text key=l ` + removed}},
		{"a key of an element", names, layers{"l: [{name: x, v: 1}]", "l: [{name: x, v: 2}]"}, nil},
		{"a key of an element changed", names, layers{"l: [{name: x}]", "l: [{name: y}]"}, []string{`error values/readonly layer1 text key=l[0].name at=1:12 ` + changed}},
		{"a key of an element removed", names, layers{"l: [{name: x}]", "l: [{v: 1}]"}, []string{`error values/readonly absent text key=l[0].name ` + removed}},

		{"an element added without the key", names, layers{"l: [{name: x}]", "l: [{name: x}, {v: 1}]"}, nil},
		{"a list added whose elements lack the key", names, layers{"b: 1", "l: [{v: 1}]"}, []string{
			"warning values/key-not-in-values schema text key=l.$[].name at=1:1",
		}},
		{"lists in lists", "l.$[].m.$[]: {schema: '{{ readonly }}'}", layers{"l: [{m: [1]}, {m: []}, {m: [2]}]", "l: [{m: [1]}]"}, []string{
			`error values/readonly absent text key=l[1].m ` + removed,
			`error values/readonly absent text key=l[2].m[0] ` + removed,
		}},

		{"no baseline, once", "a: {schema: '{{ readonly }}'}\nb: {schema: '{{ readonly }}'}", layers{none, "a: 1\nb: 1"}, []string{
			"warning values/no-baseline schema text key=a at=1:1",
		}},
		{"empty values are a baseline", one, layers{"# nothing yet", "b: 1"}, []string{
			"warning values/key-not-in-values schema text key=a at=1:1",
		}},
		{"no baseline, and nothing read-only", anySchema, layers{none, "a: 1"}, nil},
	} {
		tc.run(t)
	}
}
