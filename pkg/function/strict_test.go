package function

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// either decodes from text or a list of texts.
type either struct{ parts []string }

func (e *either) DecodeNode(n *yaml.Node, path string) []Problem {
	if n.Kind == yaml.ScalarNode {
		e.parts = []string{n.Value}
		return nil
	}
	return Decode(n, path, &e.parts)
}

type strictForm struct {
	Options
	Name    string            `json:"name" required:"true"`
	Names   []string          `json:"names"`
	Mode    string            `json:"mode,omitempty" enum:"strict,lenient,off"`
	Modes   []string          `json:"modes" enum:"a,b"`
	Count   int64             `json:"count"`
	Force   bool              `json:"force"`
	Labels  map[string]string `json:"labels"`
	Raw     *yaml.Node        `json:"raw"`
	Either  either            `json:"either"`
	Targets []struct {
		Kind  string `json:"kind" required:"true"`
		Inner *struct {
			Deep map[string]struct {
				Value int `json:"value"`
			} `json:"deep"`
		} `json:"inner"`
	} `json:"targets"`
	hidden string //nolint:unused // fields without a json tag are none of the document's
}

func TestDecodeProblems(t *testing.T) {
	known := "severity, name, names, mode, modes, count, force, labels, raw, either, targets"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"fine", "name: a\nmode: off\n", []string{`spec.mode: got "off", want strict, lenient or off`}[:0]},
		{"unknown field", "name: a\ntarget: []\n", []string{`spec.target: unknown field; known are ` + known + ` (did you mean "targets"?)`}},
		{"unknown field without a near one", "name: a\nzzzzzzzz: 1\n", []string{`spec.zzzzzzzz: unknown field; known are ` + known}},
		{"hidden field", "name: a\nhidden: b\n", []string{`spec.hidden: unknown field; known are ` + known}},
		{"merge key", "name: a\n<<: {mode: strict}\n", []string{`spec.<<: unknown field; known are ` + known}},
		{"key twice", "name: a\nname: b\n", []string{"spec.name: is given twice"}},
		{"map key twice", "name: a\nlabels: {a: b, a: c}\n", []string{"spec.labels.a: is given twice"}},
		{"required", "mode: strict\n", []string{"spec.name: is required"}},
		{"required and null", "name:\n", []string{"spec.name: is required"}},
		{"required and wrong", "name: [a]\n", []string{"spec.name: got a list, want text"}},
		{"required beside a wrong one that starts alike", "names: a\n", []string{"spec.names: got text, want a list", "spec.name: is required"}},
		{"required in a list", "name: a\ntargets:\n- kind: A\n- {}\n", []string{"spec.targets[1].kind: is required"}},
		{"number for text", "name: 1.30\n", []string{"spec.name: got a number, want text: put it in quotes"}},
		{"boolean for text", "name: yes\n", nil},
		{"true for text", "name: true\n", []string{"spec.name: got a boolean, want text: put it in quotes"}},
		{"date for text", "name: 2026-01-02\n", []string{"spec.name: got a date, want text: put it in quotes"}},
		{"text for a number", "name: a\ncount: '1'\n", []string{"spec.count: got text, want a whole number"}},
		{"fraction", "name: a\ncount: 1.5\n", []string{"spec.count: got a number, want a whole number"}},
		{"number too large", "name: a\ncount: 9223372036854775808\n", []string{`spec.count: got "9223372036854775808", want a whole number`}},
		{"text for a boolean", "name: a\nforce: 'true'\n", []string{"spec.force: got text, want true or false"}},
		{"other boolean", "name: a\nforce: True\n", []string{`spec.force: got "True", want true or false`}},
		{"enum", "name: a\nmode: strickt\n", []string{`spec.mode: got "strickt", want strict, lenient or off (did you mean "strict"?)`}},
		{"enum in a list", "name: a\nmodes: [a, c]\n", []string{`spec.modes[1]: got "c", want a or b`}},
		{"mapping for a list", "name: a\nnames: {a: b}\n", []string{"spec.names: got a mapping, want a list"}},
		{"list for a mapping", "name: a\nlabels: [a]\n", []string{"spec.labels: got a list, want a mapping"}},
		{"wrong entry of a mapping", "name: a\nlabels: {a: 1}\n", []string{"spec.labels.a: got a number, want text: put it in quotes"}},
		{"text for a struct", "name: a\ntargets: [x]\n", []string{"spec.targets[0]: got text, want a mapping"}},
		{"deep", "name: a\ntargets:\n- kind: A\n  inner:\n    deep:\n      x: {value: y}\n", []string{"spec.targets[0].inner.deep.x.value: got text, want a whole number"}},
		{"node decoder", "name: a\neither: {}\n", []string{"spec.either: got a mapping, want a list"}},
		{"embedded", "name: a\nseverity: {x: 1}\n", []string{"spec.severity.x: got a number, want text: put it in quotes"}},
		{"no mapping at all", "[]", []string{"spec: got a list, want a mapping"}},
		{"several", "mode: x\ncount: y\n", []string{`spec.mode: got "x", want strict, lenient or off`, "spec.count: got text, want a whole number", "spec.name: is required"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range Decode(node(t, test.text), "spec", &strictForm{}) {
				got = append(got, p.String())
			}
			want := test.want
			if len(want) == 0 {
				want = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeFills(t *testing.T) {
	var got strictForm
	problems := Decode(node(t, `
name: &n 'a'
names: [b, *n]
mode: lenient
count: -5
force: true
labels: {x: 'y', bad: 5, none: null}
raw: [1, {2: 3}]
either: z
severity: {r: off}
targets:
- kind: A
  unknown: B
  inner: {deep: {k: {value: 7}}}
`), "", &got)
	if len(problems) != 2 { // labels.bad and targets[0].unknown
		t.Errorf("problems: %v", problems)
	}
	if got.Raw == nil || got.Raw.Kind != yaml.SequenceNode {
		t.Errorf("raw: %+v", got.Raw)
	}
	got.Raw = nil
	want := strictForm{
		Name: "a", Names: []string{"b", "a"}, Mode: "lenient", Count: -5, Force: true,
		Labels: map[string]string{"x": "y", "none": ""}, Either: either{[]string{"z"}},
	}
	want.Severity = map[string]string{"r": "off"}
	want.Targets = got.Targets
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(strictForm{}, either{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got.Targets) != 1 || got.Targets[0].Kind != "A" || got.Targets[0].Inner.Deep["k"].Value != 7 {
		t.Errorf("targets: %+v", got.Targets)
	}
}

func TestOneOf(t *testing.T) {
	for want, names := range map[string][]string{"nothing": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := OneOf(names); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// node parses a value.
func node(t testing.TB, text string) *yaml.Node {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document.Root()
}

// A pointer that could not be filled is nil: zero would be taken for a number
// that the user gave.
func TestDecodeOptional(t *testing.T) {
	for text, want := range map[string]string{"size: 0": "0", "size: 3": "3", "size: '3'": "nil", "size: null": "nil", "{}": "nil"} {
		var out struct {
			Size *int64 `json:"size"`
		}
		d, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		Decode(d.Root(), "", &out)
		got := "nil"
		if out.Size != nil {
			got = fmt.Sprint(*out.Size)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
