package nearest

import "testing"

func TestName(t *testing.T) {
	known := []string{"number", "boolean", "string", "password"}
	for _, tc := range []struct{ got, want string }{
		{"nummber", "number"},
		{"Boolean", "boolean"},
		{"strng", "string"},
		{"input", ""},
		{"stirng", "string"},
		{"lits", ""},
		{"", ""},
		{"passwort", "password"},
	} {
		if got := Name(tc.got, known); got != tc.want {
			t.Errorf("Name(%q) = %q, want %q", tc.got, got, tc.want)
		}
	}
}

func TestNameSeesSwappedLetters(t *testing.T) {
	if got := Name("prot", []string{"replicas", "port"}); got != "port" {
		t.Errorf("got %q, want port", got)
	}
}

func TestNamePrefersTheFirstOfEquals(t *testing.T) {
	if got := Name("abcx", []string{"abcy", "abcz"}); got != "abcy" {
		t.Errorf("got %q, want the first of two equally near names", got)
	}
}

func TestHint(t *testing.T) {
	if got, want := Hint("nummber", []string{"number"}), ` (did you mean "number"?)`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, got := range []string{"zzz", "number"} {
		if hint := Hint(got, []string{"number"}); hint != "" {
			t.Errorf("Hint(%q) = %q, want none", got, hint)
		}
	}
}

func TestIsSlip(t *testing.T) {
	for _, tc := range []struct {
		got  string
		want bool
	}{
		{"constraints", false},
		{"Constraints", true},
		{"constraint", true},
		{"contraints", true},
		{"cosntraints", true},
		{"constants", false},
		{"annotations", false},
		{"", false},
	} {
		if got := IsSlip(tc.got, "constraints"); got != tc.want {
			t.Errorf("IsSlip(%q) = %v, want %v", tc.got, got, tc.want)
		}
	}
}
