package capacity

import (
	"testing"

	"gopkg.in/inf.v0"
	"pgregory.net/rapid"
)

func quantity(t testing.TB, text string) Amount {
	t.Helper()
	a, fault := parseQuantity(text)
	if fault != nil {
		t.Fatalf("%s: got %s", text, fault.found)
	}
	return a
}

// Shares never look like enough when they are not, nor full when they are not.
func TestShare(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{"1", "1", "100%"}, {"999999999n", "1", "99%"}, {"1000000001n", "1", "101%"}, {"1m", "1", "<1%"}, {"0", "1", "0%"}, {"3", "2", "150%"},
	} {
		if got := quantity(t, tc.a).percent(quantity(t, tc.b)); got != tc.want {
			t.Errorf("%s of %s is %s, want %s", tc.a, tc.b, got, tc.want)
		}
	}
}

// Small amounts are divided as large ones are.
func TestExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dec := func(name string) Amount {
			digits := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-100, 100)).Draw(t, name)
			return Amount{inf.NewDec(digits, inf.Scale(rapid.IntRange(-20, 20).Draw(t, name+" scale")))}
		}
		a, b := dec("a"), dec("b")
		if b.sign() == 0 {
			b = unit("")
		}
		if rapid.Bool().Draw(t, "multiple") {
			a = b.times(rapid.Int64Range(-5, 5).Draw(t, "n"))
		}
		got, want := a.exactly(b), a.per(b, inf.RoundExact)
		if (got == nil) != (want == nil) || got != nil && got.Cmp(want) != 0 {
			t.Errorf("%v ÷ %v: got %v, want %v", a.value(), b.value(), got, want)
		}
	})
}
