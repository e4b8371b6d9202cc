package function

import "testing"

func TestOverlap(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"spec.a", "spec.a", true},
		{"spec.a", "spec.a[0].b", true},
		{"spec.a[0].b", "spec.a", true},
		{"spec.a.b", "spec.a", true},
		{"", "spec.a", true},
		{"spec.a", "spec.ab", false},
		{"spec.a[1]", "spec.a[0].b", false},
	} {
		if got := Overlap(tc.a, tc.b); got != tc.want {
			t.Errorf("Overlap(%q, %q) is %v", tc.a, tc.b, got)
		}
	}
}
