package capacity

import (
	"strings"
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

// An amount in a unit that people do not use is followed by a rough one.
func TestWords(t *testing.T) {
	for _, tc := range []struct {
		of         Type
		text, want string
	}{
		{CPU, "0", "0"}, {CPU, "1500m", "1500m"}, {CPU, "200500u", "200500u (about 200.5m)"}, {CPU, "100u", "100u"},
		{Memory, "0", "0"}, {Memory, "1536Mi", "1536Mi"}, {Memory, "500M", "500M"}, {Memory, "1573741824", "1573741824 (about 1.47Gi)"},
		{Memory, "1048576000256m", "1048576000256m (about 1000Mi)"}, {Memory, "1000", "1000"},
		{DiskSize, "60Gi", "60Gi"}, {DiskSize, "1500000001", "1500000001 (about 1.5G)"},
	} {
		a := quantity(t, tc.text)
		if got := tc.of.words(a); got != tc.want {
			t.Errorf("%s of %s: got %s, want %s", tc.text, tc.of, got, tc.want)
		}
		if got, want := tc.of.words(Amount{}.sub(a)), strings.Replace(strings.Replace("-"+tc.want, "about ", "about -", 1), "-0", "0", 1); got != want {
			t.Errorf("-%s of %s: got %s, want %s", tc.text, tc.of, got, want)
		}
	}
}

// Amounts are written as quantities that are exactly the same.
func TestText(t *testing.T) {
	for _, tc := range []struct {
		of         Type
		text, want string
	}{
		{CPU, "1.5", "1500m"}, {CPU, "2", "2000m"}, {CPU, "1n", "1n"}, {CPU, "0", "0"}, {CPU, "100u", "100u"},
		{Memory, "1024Mi", "1Gi"}, {Memory, "1.5Gi", "1536Mi"}, {Memory, "1G", "1G"}, {Memory, "1000001", "1000001"}, {Memory, "256m", "256m"}, {Memory, "2Ti", "2048Gi"},
		{DiskSize, "60G", "60G"}, {DiskSize, "60Gi", "60Gi"}, {DiskSize, "1.5T", "1500G"},
	} {
		if got := tc.of.Text(quantity(t, tc.text)); got != tc.want {
			t.Errorf("%s of %s: got %s, want %s", tc.text, tc.of, got, tc.want)
		}
	}
}

// An amount that is whole in several units is written in that of its type: memory is
// bought in powers of two, disks in powers of ten.
func TestTextUnits(t *testing.T) {
	amount := quantity(t, "15625Mi") // which is 16384 M
	for of, want := range map[Type]string{Memory: "15625Mi", DiskSize: "16384M", CPU: "16384000000000m"} {
		if got := of.Text(amount); got != want {
			t.Errorf("%s: got %s, want %s", of, got, want)
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
