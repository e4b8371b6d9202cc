package macro

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Arguments are converted where nothing is lost.
func TestConverted(t *testing.T) {
	for _, tc := range []struct{ value, want any }{
		{nil, ""}, {nil, []any(nil)}, {nil, map[string]any(nil)},
		{"a", "a"}, {int64(3), 3}, {3, int64(3)}, {int64(-3), int8(-3)}, {int64(200), uint8(200)}, {5, 5.0}, {5.0, 5}, {-5.0, int64(-5)},
		{float64(1 << 53), 1 << 53}, {-float64(1 << 53), -1 << 53},
		{0, uint(0)},
	} {
		got, ok := converted(tc.value, reflect.TypeOf(tc.want))
		if !ok || !reflect.DeepEqual(got.Interface(), tc.want) {
			t.Errorf("%v: got %v %v, want %v", tc.value, got, ok, tc.want)
		}
	}
	for _, tc := range []struct{ value, as any }{
		{nil, 0}, {nil, false}, {"3", 3}, {3, "3"}, {5.5, 5}, {int64(200), int8(0)}, {int64(256), uint8(0)}, {-1, uint(0)}, {math.Inf(1), 0}, {float64(1<<53) * 2, 0}, {-float64(1<<53) * 2, 0}, {true, 1}, {[]any{}, map[string]any{}},
	} {
		if got, ok := converted(tc.value, reflect.TypeOf(tc.as)); ok {
			t.Errorf("%v: got %v, want that it is no %T", tc.value, got, tc.as)
		}
	}
}

// The advice names the function that makes an argument of the right kind.
func TestConversion(t *testing.T) {
	for _, tc := range []struct {
		value, as any
		want      string
	}{
		{"5", 0, "convert it with int"}, {"5", uint64(0), "convert it with int"}, {"5", 0.5, "convert it with float64"}, {"5", float32(0), "convert it with float64"},
		{"true", false, `convert it with eq "true"`}, {5, "", "convert it with toString"}, {nil, "", "convert it with toString"},
		{5, false, ""}, {true, 0, ""}, {[]any{}, 0.5, ""}, {"a", []any{}, ""}, {"a", map[string]any{}, ""}, {5, []any{}, ""},
	} {
		if got := conversion(tc.value, reflect.TypeOf(tc.as)); got != tc.want {
			t.Errorf("%v as %T: got %q, want %q", tc.value, tc.as, got, tc.want)
		}
	}
	for _, tc := range []struct {
		value any
		want  string
	}{
		{nil, "null"}, {"a", "a string"}, {true, "a boolean"}, {1.5, "a number"}, {float32(1), "a number"}, {[]any{}, "a list"}, {[2]int{}, "a list"}, {map[string]any{}, "a map"}, {5, "an integer"}, {Version{}, "a version"},
	} {
		if got := kindOf(tc.value); got != tc.want {
			t.Errorf("%v: got %q, want %q", tc.value, got, tc.want)
		}
	}
	if got := kindName(reflect.TypeFor[any]()); got != "a value" {
		t.Errorf("got %q", got)
	}
}

// The functions with must before their names have the limits and words of the others.
func TestMust(t *testing.T) {
	names := FunctionNames()
	of, limits := wants(), checks()
	for _, name := range names {
		must := "must" + strings.ToUpper(name[:1]) + name[1:]
		if !slices.Contains(names, must) || name == "fromJson" { // which makes nothing of what it cannot read
			continue
		}
		if of[name] != of[must] {
			t.Errorf("%s wants %q, and %s %q", name, of[name], must, of[must])
		}
		if (limits[name] == nil) != (limits[must] == nil) {
			t.Errorf("%s has a limit: %v, and %s: %v", name, limits[name] != nil, must, limits[must] != nil)
		}
	}
}
