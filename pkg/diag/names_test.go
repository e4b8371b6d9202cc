package diag

import (
	"fmt"
	"strings"
	"testing"
)

func TestOneOfAndAllOf(t *testing.T) {
	for _, tc := range []struct {
		names      []string
		one, every string
	}{
		{nil, "", ""},
		{[]string{"a"}, "a", "a"},
		{[]string{"a", "b"}, "a or b", "a and b"},
		{[]string{"a", "b", "c"}, "a, b or c", "a, b and c"},
	} {
		if got := OneOf(tc.names); got != tc.one {
			t.Errorf("OneOf(%q) is %q", tc.names, got)
		}
		if got := AllOf(tc.names); got != tc.every {
			t.Errorf("AllOf(%q) is %q", tc.names, got)
		}
	}
}

// Up to eight names are all shown. Of more, the five nearest are, and a count.
func TestNames(t *testing.T) {
	var known []string
	for n := range 8 {
		known = append(known, fmt.Sprintf("name-%d", n))
	}
	if got, want := Names("x", known), strings.Join(known[:7], ", ")+" or name-7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	known = append(known, "registry", "registries")
	if got, want := Names("registy", known), "registry, registries, name-0, name-1, name-2 and 5 more"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Names("x", nil); got != "" {
		t.Errorf("got %q of no names", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 pools", 1: "1 pool", 2: "2 pools"} {
		if got := Count(n, "pool"); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// Up to eight names are listed, of more the first five.
func TestSomeOf(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	for n, want := range map[int]string{1: "a", 2: "a and b", 8: "a, b, c, d, e, f, g and h", 9: "a, b, c, d, e and 4 more"} {
		if got := SomeOf(names[:n]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
