package variant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestConditions(t *testing.T) {
	foo := Condition{"config.injection.Foo.a", "True", ReasonInjected, "injected"}
	bar := Condition{"config.injection.Bar.b", "False", ReasonNoResource, "none: why"}
	for _, tc := range []struct {
		name         string
		conditions   []Condition
		gates        []string
		before, want string
	}{
		{"none, and none before", nil, nil, "kind: Kptfile\ninfo: {}\nstatus: {conditions: []}\n", "kind: Kptfile\ninfo: {}\nstatus: {conditions: []}\n"},
		{"the first", []Condition{bar, foo}, []string{foo.Type}, "kind: Kptfile # k\n", `kind: Kptfile # k
info:
  readinessGates:
    - conditionType: config.injection.Foo.a
status:
  conditions:
    - type: config.injection.Bar.b
      status: "False"
      reason: NoResourceSelected
      message: 'none: why'
    - type: config.injection.Foo.a
      status: "True"
      reason: ConfigInjected
      message: injected
`},
		{"those of others, in order, with all that is unknown", []Condition{bar, foo}, []string{foo.Type}, `info: # i
  future: [1, 2]
  readinessGates:
  # theirs
  - conditionType: other.gate   # g

  - conditionType: config.injection.Bar.b # a human wants it
  - conditionType: config.injection.Gone.x
status:
  observed: 7
  conditions:
  - type: config.injection.Foo.a # mine
    status: 'False'
    lastTransitionTime: "2020-01-01T00:00:00Z"
    reason: old
    extra: kept
  - type: config.injection.Gone.x
    status: "True"
  - status: "True"
    type: Ready
`, `info: # i
  future: [1, 2]
  readinessGates:
  # theirs
  - conditionType: other.gate   # g

  - conditionType: config.injection.Bar.b # a human wants it
  - conditionType: config.injection.Foo.a
status:
  observed: 7
  conditions:
  - type: config.injection.Foo.a # mine
    status: 'True'
    lastTransitionTime: "2020-01-01T00:00:00Z"
    reason: ConfigInjected
    extra: kept
    message: injected
  - status: "True"
    type: Ready
  - type: config.injection.Bar.b
    status: "False"
    reason: NoResourceSelected
    message: 'none: why'
`},
		{"a status that is a boolean becomes text", []Condition{foo}, nil, "status:\n  conditions:\n  - {type: config.injection.Foo.a, status: True, reason: ConfigInjected, message: injected}\n",
			"status:\n  conditions:\n  - {type: config.injection.Foo.a, status: \"True\", reason: ConfigInjected, message: injected}\n"},
		{"twice becomes once", []Condition{foo}, []string{foo.Type}, `info: {readinessGates: [{conditionType: config.injection.Foo.a}, {conditionType: config.injection.Foo.a}]}
status:
  conditions:
  - {type: config.injection.Foo.a, status: "True", reason: ConfigInjected, message: injected}
  - {type: config.injection.Foo.a, status: "False"}
`, `info: {readinessGates: [{conditionType: config.injection.Foo.a}]}
status:
  conditions:
  - {type: config.injection.Foo.a, status: "True", reason: ConfigInjected, message: injected}
`},
		{"all points are gone", nil, nil, `kind: Kptfile
info:
  description: d
  readinessGates:
  - conditionType: config.injection.Foo.a
status:
  conditions:
  - type: config.injection.Foo.a
    status: "True"
`, "kind: Kptfile\ninfo:\n  description: d\n"},
		{"others are replaced when only stale ones are there", []Condition{foo}, nil, "status:\n  conditions:\n  - type: config.injection.Gone.x\n    status: \"True\"\n",
			"status:\n  conditions:\n  - type: config.injection.Foo.a\n    status: \"True\"\n    reason: ConfigInjected\n    message: injected\n"},
		{"types that only look alike", nil, nil, "status:\n  conditions:\n  - type: config.injection.Foo\n  - type: config.injectionFoo.a\n  - type: config.injection..x\n", "status:\n  conditions:\n  - type: config.injection.Foo\n  - type: config.injectionFoo.a\n  - type: config.injection..x\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, faults := ApplyConditions(parse(t, tc.before), tc.conditions, tc.gates)
			if faults != nil || got.Text() != tc.want {
				t.Fatalf("%v, got:\n%s\nwant:\n%s", faults, got.Text(), tc.want)
			}
			if again, faults := ApplyConditions(got, tc.conditions, tc.gates); faults != nil || again.Text() != tc.want {
				t.Errorf("again: %v\n%s", faults, again.Text())
			}
		})
	}
}

func TestConditionsOfAnotherType(t *testing.T) {
	for text, path := range map[string]string{
		"info: text\n": "info", "info: {readinessGates: {}}\n": "info.readinessGates", "info: {readinessGates: [x]}\n": "info.readinessGates[0]",
		"status: []\n": "status", "status: {conditions: a}\n": "status.conditions", "status: {conditions: [{type: a}, []]}\n": "status.conditions[1]",
	} {
		_, faults := ApplyConditions(parse(t, text), nil, nil)
		if len(faults) != 1 || faults[0].Key != path || faults[0].Kind != diag.KindGot || faults[0].Rule != rule.InputInvalid {
			t.Errorf("%q: %v", text, faults)
		}
	}
}

// Thousands of points take no thousands of looks at the Kptfile.
func TestManyConditions(t *testing.T) {
	var all []Condition
	for i := range 2000 {
		all = append(all, Condition{fmt.Sprintf("config.injection.Foo.p%d", i), "True", ReasonInjected, "m"})
	}
	d, faults := ApplyConditions(parse(t, "status:\n  conditions:\n  - type: Other # o\n"), all, nil)
	if faults != nil || strings.Count(d.Text(), "ConfigInjected") != 2000 || !strings.Contains(d.Text(), "type: Other # o\n") {
		t.Fatalf("%v %d", faults, strings.Count(d.Text(), "ConfigInjected"))
	}
	if d, faults = ApplyConditions(d, nil, nil); faults != nil || d.Text() != "status:\n  conditions:\n  - type: Other # o\n" {
		t.Errorf("%v\n%s", faults, d.Text())
	}
}

func TestStatus(t *testing.T) {
	const before = `spec: {}
status:
  downstreamTargets: [x]
  conditions:
  - type: Ready
    status: "False"
    lastTransitionTime: "2020-01-01T00:00:00Z"
    reason: Error
    message: it failed # why
`
	const want = `spec: {}
status:
  downstreamTargets: [x]
  conditions:
  - type: Ready
    status: "True"
    lastTransitionTime: "2020-01-01T00:00:00Z"
    reason: NoErrors
    message: the package has what the PackageVariant asks for # why
  - type: Stalled
    status: "False"
    reason: Valid
    message: all validation checks passed
`
	got, faults := applyStatus(parse(t, before))
	if faults != nil || got.Text() != want {
		t.Errorf("%v\n%s", faults, got.Text())
	}
}
