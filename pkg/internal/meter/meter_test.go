package meter

import "testing"

// What is not enough is not taken, and what was done already is taken also if it is more. A budget that
// grows pays for that first.
func TestMeter(t *testing.T) {
	var m Meter
	for _, step := range []struct {
		name      string
		got, want bool
	}{
		{"some", m.Charge(8), true},
		{"too many", m.Charge(MaxSteps), false},
		{"less than none", m.Charge(-1), false},
		{"the rest", m.Charge(MaxSteps - 8), true},
		{"one more", m.Charge(1), false},
	} {
		if step.got != step.want {
			t.Errorf("%s: got %v", step.name, step.got)
		}
	}
	if m.Spend(5); m.Left() != 0 {
		t.Errorf("%d steps are left", m.Left())
	}
	if m.Grow(5); m.Left() != 0 || m.Limit() != MaxSteps+5 || m.Spent() != MaxSteps+5 {
		t.Errorf("%d steps of %d are left, %d are taken", m.Left(), m.Limit(), m.Spent())
	}
	if m.Grow(2); !m.Charge(2) || m.Charge(1) {
		t.Errorf("%d steps are left", m.Left())
	}
	var other Meter
	if other.Spend(-5); other.Left() != MaxSteps {
		t.Errorf("%d steps are left", other.Left())
	}
	if !m.Make(MaxMade) || m.Make(1) || m.Make(-1) || m.Room() != 0 {
		t.Errorf("%d bytes are left", m.Room())
	}
}
