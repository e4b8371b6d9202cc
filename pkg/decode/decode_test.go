package decode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// either decodes from text or a list of texts.
type either struct{ parts []string }

func (e *either) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind == yaml.ScalarNode {
		e.parts = []string{n.Value}
		return nil
	}
	return decode.Node(n, path, &e.parts)
}

type common struct {
	Severity map[string]string `json:"severity"`
}

type form struct {
	common
	Name    string            `json:"name" required:"true"`
	Names   []string          `json:"names"`
	Mode    string            `json:"mode,omitempty" enum:"strict,lenient,off"`
	Modes   []string          `json:"modes" enum:"a,b"`
	Count   int64             `json:"count"`
	Small   int               `json:"small"`
	Size    *int64            `json:"size"`
	Force   bool              `json:"force"`
	Labels  map[string]string `json:"labels"`
	Raw     *yaml.Node        `json:"raw"`
	Either  either            `json:"either"`
	Eithers []either          `json:"eithers"`
	Targets []target          `json:"targets"`
	Single  []target          `json:"single" single:"true"`
	Skipped string            `json:"-"`
	//lint:ignore U1000 a field without a name is not read
	hidden string
}

type target struct {
	Kind  string `json:"kind" required:"true"`
	Inner *struct {
		Deep map[string]struct {
			Value int `json:"value"`
		} `json:"deep"`
	} `json:"inner"`
}

// The names that messages list, nearest first.
const shortKnown = `"severity, name, names, mode, modes and 10 more"`
const known = `"size, severity, name, names, mode and 10 more"`

func TestNodeFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"none", `name: a
mode: off
raw: {a: b, a: c}
`, nil},
		{"none, with nulls", `name: a
names:
mode:
count: null
force: ~
labels:
raw:
either:
targets:
`, nil},

		{
			"unknown field",
			`name: a
target: []
`,
			[]string{`spec.target at=2:1 unknown="field \"target\"" want="targets, name, names, force, mode and 10 more" near=targets`},
		},
		{
			"unknown field that is near none",
			`name: a
zzzzzzzz: 1
`,
			[]string{`spec.zzzzzzzz at=2:1 unknown="field \"zzzzzzzz\"" want=` + known},
		},
		{
			"unknown field of the map around",
			`name: a
targets:
- inner: {deep: {}, kind: x}
`,
			[]string{`spec.targets[0].inner.kind at=3:21 unknown="field \"kind\""`, `spec.targets[0].kind at=3:3 missing=`},
		},
		{
			"unknown field that the map around has, too",
			`name: a
targets:
- {kind: y, inner: {deep: {}, kind: x}}
`,
			[]string{`spec.targets[0].inner.kind at=3:31 unknown="field \"kind\"" want=deep`},
		},
		{
			"unknown field in a list",
			`name: a
targets:
- kind: A
  knid: B
`,
			[]string{`spec.targets[0].knid at=4:3 unknown="field \"knid\"" want="kind or inner" near=kind`},
		},
		{
			"field without a name",
			`name: a
hidden: b
`,
			[]string{`spec.hidden at=2:1 unknown="field \"hidden\"" want="mode, modes, size, either, eithers and 10 more"`},
		},
		{
			"field that is left out",
			`name: a
'-': b
`,
			[]string{`spec.- at=2:1 unknown="field \"-\"" want=` + shortKnown},
		},
		{
			"null key",
			`name: a
~: b
`,
			[]string{`spec.~ at=2:1 unknown="field \"~\"" want=` + shortKnown},
		},
		{
			"mapping as a key",
			`name: a
{a: b}: c
`,
			[]string{`spec at=2:1 got="a map as a key" want="a string"`},
		},
		{
			"list as a key of a map",
			`name: a
labels:
  [a]: c
`,
			[]string{`spec.labels at=3:3 got="a list as a key" want="a string"`},
		},

		{"duplicate key", `name: a
name: b
`, []string{"spec.name at=2:1 duplicate-of=1:1"}},
		{
			"duplicate unknown key",
			`name: a
zzzzzzzz: b
zzzzzzzz: c
`,
			[]string{"spec.zzzzzzzz at=3:1 duplicate-of=2:1", `spec.zzzzzzzz at=2:1 unknown="field \"zzzzzzzz\"" want=` + known},
		},
		{
			"duplicate key of a map",
			`name: a
labels: {a: b, a: c}
`,
			[]string{"spec.labels.a at=2:16 duplicate-of=2:10"},
		},
		{
			"key three times",
			`name: a
name: b
name: c
`,
			[]string{"spec.name at=2:1 duplicate-of=1:1", "spec.name at=3:1 duplicate-of=1:1"},
		},

		{"required", "mode: strict\n", []string{"spec.name at=1:1 missing="}},
		{"required and null", `mode: strict
name:
`, []string{"spec.name at=2:6 missing=null"}},
		{
			"required and empty",
			`mode: strict
name: ''
`,
			[]string{"spec.name at=2:7 missing=empty"},
		},
		{"required and of a wrong type", "name: [a]\n", []string{`spec.name at=1:7 got="a list" want="a string"`}},
		{"required next to one that starts alike", "names: a\n", []string{`spec.names at=1:8 got="a string" want="a list"`, "spec.name at=1:1 missing="}},
		{
			"required in a list",
			`name: a
targets:
- kind: A
- {}
`,
			[]string{"spec.targets[1].kind at=4:3 missing="},
		},

		{"number for text", "name: 1.30\n", []string{`spec.name at=1:7 got="a number" want="a string"`}},
		{"word for text", "name: yes\n", nil},
		{"boolean for text", "name: true\n", []string{`spec.name at=1:7 got="a boolean" want="a string"`}},
		{"date for text", "name: 2026-01-02\n", []string{`spec.name at=1:7 got="a date" want="a string"`}},
		{
			"text for a number",
			`name: a
count: '1'
`,
			[]string{`spec.count at=2:8 got="a string" want="an integer"`},
		},
		{
			"fraction",
			`name: a
count: 1.5
`,
			[]string{`spec.count at=2:8 got="a number with a fraction" want="an integer"`},
		},
		{
			"number too large",
			`name: a
count: 9223372036854775808
`,
			[]string{`spec.count at=2:8 got="\"9223372036854775808\"" want="an integer"`},
		},
		{
			"hexadecimal number",
			`name: a
small: 0x1F
`,
			[]string{`spec.small at=2:8 got="\"0x1F\"" want="an integer"`},
		},
		{
			"text for a boolean",
			`name: a
force: 'true'
`,
			[]string{`spec.force at=2:8 got="a string" want="true or false"`},
		},
		{
			"boolean in capitals",
			`name: a
force: True
`,
			[]string{`spec.force at=2:8 got="\"True\"" want="true or false"`},
		},
		{
			"mapping for a list",
			`name: a
names: {a: b}
`,
			[]string{`spec.names at=2:8 got="a map" want="a list"`},
		},
		{
			"list for a map",
			`name: a
labels: [a]
`,
			[]string{`spec.labels at=2:9 got="a list" want="a map"`},
		},
		{
			"entry of a map",
			`name: a
labels: {a: 1}
`,
			[]string{`spec.labels.a at=2:13 got="a number" want="a string"`},
		},
		{
			"text for a struct",
			`name: a
targets: [x]
`,
			[]string{`spec.targets[0] at=2:11 got="a string" want="a map"`},
		},
		{
			"optional number",
			`name: a
size: '3'
`,
			[]string{`spec.size at=2:7 got="a string" want="an integer"`},
		},
		{
			"deep",
			`name: a
targets:
- kind: A
  inner:
    deep:
      x: {value: y}
`,
			[]string{`spec.targets[0].inner.deep.x.value at=6:18 got="a string" want="an integer"`},
		},
		{
			"embedded struct",
			`name: a
severity: {x: 1}
`,
			[]string{`spec.severity.x at=2:15 got="a number" want="a string"`},
		},
		{"not a map", "[]", []string{`spec at=1:1 got="a list" want="a map"`}},

		{
			"enum",
			`name: a
mode: strickt
`,
			[]string{`spec.mode at=2:7 got="\"strickt\"" want="strict, lenient or off" near=strict`},
		},
		{
			"enum, empty",
			`name: a
mode: ''
`,
			[]string{`spec.mode at=2:7 got="\"\"" want="strict, lenient or off"`},
		},
		{
			"enum in a list",
			`name: a
modes: [a, c]
`,
			[]string{`spec.modes[1] at=2:12 got="\"c\"" want="a or b"`},
		},

		{
			"null in a list",
			`name: a
names: [a, null]
`,
			[]string{`spec.names[1] at=2:12 got=null want="a string"`},
		},
		{
			"nothing in a list",
			`name: a
targets:
-
- kind: A
`,
			[]string{`spec.targets[0] at=3:2 got=null want="a map"`},
		},

		{"single", `name: a
single: {kind: A}
`, []string{"spec.single at=2:9"}},
		{
			"single with a fault",
			`name: a
single: {}
`,
			[]string{"spec.single at=2:9", "spec.single.kind at=2:9 missing="},
		},
		{
			"single text",
			`name: a
single: A
`,
			[]string{`spec.single at=2:9 got="a string" want="a list"`},
		},
		{"single list", `name: a
single: [{kind: A}]
`, nil},

		{
			"custom decoder",
			`name: a
either: {}
`,
			[]string{`spec.either at=2:9 got="a map" want="a list"`},
		},
		{
			"custom decoder in a list",
			`name: a
eithers: [x, [y, 5]]
`,
			[]string{`spec.eithers[1][1] at=2:18 got="a number" want="a string"`},
		},
		{"custom decoder of an alias", `name: &a a
either: *a
`, nil},

		{"merge key", `<<: {name: a, mode: strict}
mode: off
`, nil},
		{
			"merge key that brings a fault",
			`raw: &x
  mode: lax
  zzzzzzzz: 1
<<: *x
name: a
`,
			[]string{`spec.mode at=2:9 got="\"lax\"" want="strict, lenient or off"`, `spec.zzzzzzzz at=3:3 unknown="field \"zzzzzzzz\"" want=` + known},
		},
		{"merge key that brings an overridden fault", `<<: {mode: lax}
mode: off
name: a
`, nil},
		{"merge keys of a merge key", "<<: [{<<: {name: a}}, {name: 5}]\n", nil},
		{
			"merge key of a map",
			`name: a
labels: {<<: {a: 5, b: c}, b: 6}
`,
			[]string{`spec.labels.b at=2:31 got="a number" want="a string"`, `spec.labels.a at=2:18 got="a number" want="a string"`},
		},
		{
			"merge key without a map",
			`name: a
<<: 5
`,
			[]string{`spec.<< at=2:5 got="a number" want="a map to merge"`},
		},
		{
			"merge key of texts",
			`name: a
<<: [{}, b]
`,
			[]string{`spec.<< at=2:10 got="a string" want="a map to merge"`},
		},
		{"merge key twice", `name: a
<<: {}
<<: {}
`, []string{"spec.<< at=3:1 duplicate-of=2:1"}},
		{
			"merge key with a duplicate",
			`name: a
<<: {mode: off, mode: strict}
`,
			[]string{"spec.mode at=2:17 duplicate-of=2:6"},
		},
		{"merge key in quotes", `name: a
labels: {'<<': b}
`, nil},

		{
			"several",
			`mode: x
count: y
`,
			[]string{`spec.mode at=1:7 got="\"x\"" want="strict, lenient or off"`, `spec.count at=2:8 got="a string" want="an integer"`, "spec.name at=1:1 missing="},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := faults(decode.Node(root(t, test.text), "spec", &form{}))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// faults are the facts of findings in a document of its own, so that they have
// positions: key first, and severity only when it is not an error.
func faults(findings []diag.Finding) []string {
	origin := &diag.Origin{Field: "x", Name: "x", Embedded: true}
	var all []string
	for _, f := range findings {
		fact := functiontest.Facts([]diag.Finding{f.Of(rule.InputInvalid).From(origin)})[0]
		level, fact, _ := strings.Cut(fact, " input/invalid x key=")
		if level != "error" {
			fact = level + ": " + fact
		}
		all = append(all, fact)
	}
	return all
}

// Faults of the whole have its path alone.
func TestNodeWithoutPath(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n": "",
		`nam: a
name: b
`: "nam",
		"{}": "name",
	} {
		findings := decode.Node(root(t, text), "", &form{})
		if len(findings) != 1 || findings[0].Key != want {
			t.Errorf("%q: got %q", text, faults(findings))
		}
	}
	if findings := decode.Node(nil, "spec", &form{}); len(findings) > 0 {
		t.Errorf("nothing: got %q", faults(findings))
	}
}

// What is to be done goes with the finding.
func TestNodeActions(t *testing.T) {
	for text, want := range map[string]string{
		"name: 5":   "put it in quotes",
		"name: [5]": "",
		`name: a
names: [null]`: `write "" for an empty string, or remove the item`,
		`name: a
single: {kind: A}`: "put a dash before it",
		"{}": "set it",
		`name: a
targets: [...]`: "replace the placeholder ...",
		`name: a
names: ...`: "replace the placeholder ...",
		`name: a
labels: …`: "replace the placeholder …",
		`name: a
labels: x`: "",
	} {
		findings := decode.Node(root(t, text), "", &form{})
		if len(findings) != 1 || findings[0].Action != want {
			t.Errorf("%q: got %+v, want the action %q", text, findings, want)
		}
	}
	if f := decode.Node(root(t, `name: a
single: {kind: A}`), "", &form{})[0]; f.Kind != diag.KindAlias {
		t.Errorf("a single map is of kind %d", f.Kind)
	}
}

// Unknown fields are errors, warnings, or of interest only when they are misspelt.
func TestUnknownFields(t *testing.T) {
	type strict struct {
		Name   string `json:"name"`
		Labels string `json:"labels"`
	}
	type warns struct {
		_ struct{} `unknown:"warning"`
		strict
	}
	type slips struct {
		strict
		_ struct{} `unknown:"slips"`
	}
	tests := []struct {
		text                   string
		strict, warning, slips []string
	}{
		{"name: a", nil, nil, nil},
		{"nme: a", []string{`nme at=1:1 unknown="field \"nme\"" want="name or labels" near=name`},
			[]string{`nme at=1:1 unknown="field \"nme\"" want="name or labels" near=name`},
			[]string{`nme at=1:1 unknown="field \"nme\"" want="name or labels" near=name`}},
		{"newer: a", []string{`newer at=1:1 unknown="field \"newer\"" want="name or labels"`},
			[]string{`warning: newer at=1:1 unknown="field \"newer\"" want="name or labels"`}, nil},
		{
			`name: a
names: b`,
			[]string{`names at=2:1 unknown="field \"names\"" want="name or labels" near=name`},
			[]string{`warning: names at=2:1 unknown="field \"names\"" want="name or labels" near=name`}, nil,
		}, // name is given
		{
			`name:
names: b`,
			[]string{`names at=2:1 unknown="field \"names\"" want="name or labels" near=name`},
			[]string{`names at=2:1 unknown="field \"names\"" want="name or labels" near=name`},
			[]string{`names at=2:1 unknown="field \"names\"" want="name or labels" near=name`},
		},
		{
			`newer: a
newer: b`,
			[]string{"newer at=2:1 duplicate-of=1:1", `newer at=1:1 unknown="field \"newer\"" want="name or labels"`},
			[]string{"newer at=2:1 duplicate-of=1:1", `warning: newer at=1:1 unknown="field \"newer\"" want="name or labels"`},
			[]string{"newer at=2:1 duplicate-of=1:1"},
		},
	}
	for _, test := range tests {
		for _, form := range []struct {
			name string
			out  any
			want []string
		}{{"strict", &strict{}, test.strict}, {"warning", &warns{}, test.warning}, {"slips", &slips{}, test.slips}} {
			if diff := cmp.Diff(form.want, faults(decode.Node(root(t, test.text), "", form.out))); diff != "" {
				t.Errorf("%s of %q (-want +got):\n%s", form.name, test.text, diff)
			}
		}
	}
}

// In a mapping that may have any key, only a misspelt name of an absent field is a fault.
func TestSlips(t *testing.T) {
	for text, want := range map[string][]string{
		`nme: a
other: b
versions: c`: {`spec.nme at=1:1 unknown="field \"nme\"" near=name`, `spec.versions at=3:1 unknown="field \"versions\"" near=version`},
		`name: a
nmae: b
version: c`: nil,
		`names: b
name: a`: nil,
		"[nme]": nil,
		"":      nil,
	} {
		if diff := cmp.Diff(want, faults(decode.Misspelt(root(t, text), "spec", "name", "version"))); diff != "" {
			t.Errorf("%q: -want +got:\n%s", text, diff)
		}
	}
}

// What is right is filled, beside faults too.
func TestNodeFills(t *testing.T) {
	var got form
	findings := decode.Node(root(t, `
name: &n 'a'
names: [b, *n]
mode: lenient
modes: [a, c, b]
count: -5
small: 7
size: 0
force: true
labels: {x: 'y', bad: 5, none: null, <<: {merged: z}}
raw: [1, {2: 3}]
either: z
eithers: [[a, b], c]
severity: {r: off}
single: {kind: S}
targets:
- kind: A
  unknown: B
  inner: {deep: {k: {value: 7}, l: {value: x}}}
- 
- kind: C
`), "", &got)
	if diff := cmp.Diff([]string{
		`modes[1] at=5:12 got="\"c\"" want="a or b"`,
		`labels.bad at=10:23 got="a number" want="a string"`,
		"single at=15:9",
		`targets[0].inner.deep.l.value at=19:44 got="a string" want="an integer"`,
		`targets[0].unknown at=18:3 unknown="field \"unknown\"" want="kind or inner"`,
		`targets[1] at=20:2 got=null want="a map"`,
	}, faults(findings)); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if got.Raw == nil || got.Raw.Kind != yaml.SequenceNode {
		t.Errorf("raw: %+v", got.Raw)
	}
	deep := got.Targets[0].Inner.Deep
	if len(deep) != 2 || deep["k"].Value != 7 || deep["l"].Value != 0 {
		t.Errorf("deep: %+v", deep)
	}
	got.Raw, got.Targets[0].Inner = nil, nil
	zero := int64(0)
	want := form{
		common: common{map[string]string{"r": "off"}},
		Name:   "a", Names: []string{"b", "a"}, Mode: "lenient", Modes: []string{"a", "", "b"}, Count: -5, Small: 7, Size: &zero, Force: true,
		Labels: map[string]string{"x": "y", "none": "", "merged": "z"}, Either: either{[]string{"z"}}, Eithers: []either{{[]string{"a", "b"}}, {[]string{"c"}}},
		Single: []target{{Kind: "S"}}, Targets: []target{{Kind: "A"}, {}, {Kind: "C"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(form{}, either{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An optional number that could not be read is nil, and not zero, which would pass
// for one that the user gave.
func TestOptional(t *testing.T) {
	for text, want := range map[string]string{"size: 0": "0", "size: 3": "3", "size: '3'": "nil", "size: null": "nil", "{}": "nil"} {
		var out form
		decode.Node(root(t, text), "", &out)
		got := "nil"
		if out.Size != nil {
			got = fmt.Sprint(*out.Size)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Of duplicate keys the first counts, and of merged mappings too; a mapping's own keys
// count more than those it merges.
func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		`name: a
name: b`: "a",
		`<<: {name: b}
name: a`: "a",
		"<<: [{name: a}, {name: b}]":       "a",
		"<<: [{<<: {name: a}}, {name: b}]": "a",
		`raw: &x {name: a}
<<: {<<: *x, mode: off}`: "a",
	} {
		var out form
		decode.Node(root(t, text), "", &out)
		if out.Name != want {
			t.Errorf("%q: got %q", text, out.Name)
		}
	}
}

func root(t testing.TB, text string) *yaml.Node {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document.Root()
}

// Maps and structs with many entries are read as those with few: keys that are given twice, or that
// several merge keys bring, and fields that are not given.
func TestManyEntries(t *testing.T) {
	var text strings.Builder
	text.WriteString(`first: &first {k1: first, k20: first, k40: first}
second: &second {k40: second, k41: second}
labels:
  <<: [*first, *second]
`)
	want := map[string]string{"k40": "first", "k41": "second"}
	for i := range 30 {
		fmt.Fprintf(&text, "  k%d: v%d\n", i, i)
		want[fmt.Sprint("k", i)] = fmt.Sprint("v", i)
	}
	text.WriteString(`  k1: again
  k29: again
`)
	var of struct {
		First  *yaml.Node        `json:"first"`
		Second *yaml.Node        `json:"second"`
		Labels map[string]string `json:"labels"`
	}
	findings := decode.Node(root(t, text.String()), "", &of)
	if diff := cmp.Diff(want, of.Labels); diff != "" || len(findings) != 2 || findings[0].Key != "labels.k1" || findings[1].Key != "labels.k29" {
		t.Errorf("%v %s", findings, diff)
	}
	var many struct {
		A1 string `json:"a1"`
		A2 string `json:"a2"`
		A3 string `json:"a3"`
		A4 string `json:"a4"`
		A5 string `json:"a5"`
		A6 string `json:"a6"`
		A7 string `json:"a7"`
		A8 string `json:"a8"`
		A9 string `json:"a9"`
		B1 string `json:"b1"`
		B2 string `json:"b2"`
		B3 string `json:"b3"`
		B4 string `json:"b4"`
		B5 string `json:"b5"`
		B6 string `json:"b6"`
		B7 string `json:"b7"`
		B8 string `json:"b8" required:"true"`
		B9 string `json:"b9" required:"true"`
	}
	findings = decode.Node(root(t, `a1: x
b8: y
`), "", &many)
	if len(findings) != 1 || findings[0].Key != "b9" || many.A1 != "x" || many.B8 != "y" {
		t.Errorf("got %v", findings)
	}
}
