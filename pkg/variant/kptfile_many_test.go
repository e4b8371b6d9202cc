package variant

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyConditionsThatLackFields covers entries beyond the number from which a
// list is written in one edit: what others added stays.
func TestManyConditionsThatLackFields(t *testing.T) {
	const many = 65
	var before, want strings.Builder
	var conditions []Condition
	for _, b := range []*strings.Builder{&before, &want} {
		b.WriteString(`kind: Kptfile # ours
status:
  conditions:
    - type: Other # theirs
      status: "True"
`)
	}
	for i := range many {
		c := Condition{fmt.Sprintf("config.injection.Route.r%02d", i), "False", "Why", "because"}
		conditions = append(conditions, c)
		fmt.Fprintf(&before, `    - type: %s
      extra: 1 # kept
      reason:
      status: "False"
`, c.Type)
		fmt.Fprintf(&want, `    - type: %s
      extra: 1 # kept
      reason: Why
      status: "False"
      message: because
`, c.Type)
	}
	d, faults := applyConditions(parse(t, before.String()), conditions, nil)
	if faults != nil {
		t.Fatal(faults)
	}
	if got := d.Text(); got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}
