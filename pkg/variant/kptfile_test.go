package variant

import (
	"fmt"
	"strings"
	"testing"
)

// Thousands of points take no thousands of looks at the Kptfile.
func TestManyConditions(t *testing.T) {
	var all []Condition
	for i := range 2000 {
		all = append(all, Condition{fmt.Sprintf("config.injection.Foo.p%d", i), "True", ReasonInjected, "m"})
	}
	d, faults := applyConditions(parse(t, `status:
  conditions:
  - type: Other # o
`), all, nil)
	if faults != nil || strings.Count(d.Text(), "ConfigInjected") != 2000 || !strings.Contains(d.Text(), "type: Other # o\n") {
		t.Fatalf("%v %d", faults, strings.Count(d.Text(), "ConfigInjected"))
	}
	if d, faults = applyConditions(d, nil, nil); faults != nil || d.Text() != `status:
  conditions:
  - type: Other # o
` {
		t.Errorf("%v\n%s", faults, d.Text())
	}
}
