package template

import "testing"

// The last part of a name is found behind the first ones, and nowhere else.
func TestNameIn(t *testing.T) {
	for _, tc := range []struct {
		text, name string
		before     int
		ok         bool
	}{
		{".spectro.var.X }}", "X", 13, true},
		{".spectro.system.cluster.nme}}-{{.spectro.var.X}}", "cluster.nme", 16, true},
		{".spectro.var.X | upper", "X", 13, true},
		{".spectro.var.X", "X", 13, true},
		{".spectro.var.XY }}", "X", 0, false},
		{".spectro.var.v }}", "v", 0, false},    // the v of var comes first
		{".spectro.vars.X }}", "vars", 9, true}, // the kind
		{".spectro.pack.a.b }}", "a", 0, false},
		{".spectro.var.Y }}{{ .spectro.var.X }}", "X", 0, false},
		{"other.X", "X", 0, false},
		{"", "X", 0, false},
	} {
		if before, ok := NameIn(tc.text, tc.name); before != tc.before || ok != tc.ok {
			t.Errorf("%s in %s: got %d, %t", tc.name, tc.text, before, ok)
		}
	}
}
