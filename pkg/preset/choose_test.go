package preset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
)

// P5: names, groups, and what is wrong with them.
func TestChoose(t *testing.T) {
	presets := []pack.Preset{
		{Name: "ha", Group: "Size"}, {Name: "small", Group: "Size"},
		{Name: "none", Group: "Object Store"}, {Name: "none", Group: "Cache"},
		{Name: "debug"}, {Name: "Fleet agents", Group: "OOB Examples"}, {Name: "all"}, {Name: "all", Group: "Size"},
	}
	for _, tc := range []struct {
		names  string // separated by |
		want   string
		faults []string
	}{
		{"ha|debug", "Size:ha :debug", nil},
		{"debug|Size:ha", ":debug Size:ha", nil},
		{"Fleet agents", "OOB Examples:Fleet agents", nil},
		{"OOB Examples:Fleet agents", "OOB Examples:Fleet agents", nil},
		{"Cache:none|Object Store:none", "Cache:none Object Store:none", nil},
		{"ha|Size:ha|ha", "Size:ha", nil},
		{"ha|debug|small", "Size:ha :debug Size:small", []string{
			`preset/group-conflict 2: the presets "ha" and "small" are both of the group "Size", of which one at most can be applied: remove one of them`,
		}},
		{"none", "", []string{`preset/invalid 0: 2 presets are named "none": write "Object Store:none" or "Cache:none"`}},
		{"all", "", []string{`preset/invalid 0: 2 presets are named "all": write "Size:all", or give the one without a group another name in presets.yaml`}},
		{"debgu", "", []string{`preset/unknown 0: no preset is named "debgu" (did you mean "debug"?): want "ha", "small", "Object Store:none", "Cache:none", "debug", "Fleet agents", "all" or "Size:all"`}},
		{"Size:hal|debug", ":debug", []string{`preset/unknown 0: no preset is named "Size:hal" (did you mean "Size:all"?): want "ha", "small", "Object Store:none", "Cache:none", "debug", "Fleet agents", "all" or "Size:all"`}},
		{"Cache:ha", "", []string{`preset/unknown 0: no preset is named "Cache:ha" (did you mean "Cache:none"?): want "ha", "small", "Object Store:none", "Cache:none", "debug", "Fleet agents", "all" or "Size:all"`}},
		{"OOB Example:Fleet agents", "", []string{`preset/unknown 0: no preset is named "OOB Example:Fleet agents" (did you mean "OOB Examples:Fleet agents"?): want "ha", "small", "Object Store:none", "Cache:none", "debug", "Fleet agents", "all" or "Size:all"`}},
	} {
		chosen, faults := Choose(presets, strings.Split(tc.names, "|")...)
		var got, told []string
		for _, p := range chosen {
			got = append(got, p.Group+":"+p.Name)
		}
		for _, f := range faults {
			told = append(told, fmt.Sprintf("%s %d: %s", f.Rule, f.Name, f.Message))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: got %s, want %s", tc.names, strings.Join(got, " "), tc.want)
		}
		if diff := cmp.Diff(tc.faults, told); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.names, diff)
		}
	}
	if chosen, faults := Choose([]pack.Preset{{Name: "b"}, {Name: "a"}}, "b", "a"); len(chosen) != 2 || len(faults) > 0 {
		t.Errorf("presets without a group: got %v %v", chosen, faults)
	}
	_, faults := Choose(nil, "ha")
	if want := `no preset is named "ha": the pack has no presets; remove the name`; len(faults) != 1 || faults[0].Message != want {
		t.Errorf("got %v", faults)
	}
	var many []pack.Preset
	for i := range 30 {
		many = append(many, pack.Preset{Name: fmt.Sprint("preset", i)})
	}
	if _, faults = Choose(many, "x"); !strings.HasSuffix(faults[0].Message, `"preset19" or 10 more`) {
		t.Errorf("got %s", faults[0].Message)
	}
}

// P5: a name twice in one file, groups aside that tell the two apart.
func TestTwice(t *testing.T) {
	presets := []pack.Preset{{Name: "a"}, {Name: "a", Group: "x"}, {Name: "a", Group: "y"}, {Name: "a", Group: "x"}, {Name: "a"}, {Name: "b"}}
	var got []string
	for _, pair := range Twice(presets) {
		got = append(got, pair[0].String()+" "+pair[1].String())
	}
	if diff := cmp.Diff([]string{`"a" (group "x") "a" (group "x")`, `"a" "a"`}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// P5: paths that two presets set to different values.
func TestPathConflicts(t *testing.T) {
	for _, tc := range []struct {
		name string
		adds []string
		want string
	}{
		{"different values", []string{"a: {b: 1, c: 1}", "a: {b: 2, c: 1}"}, "0/1 a.b"},
		{"equal values", []string{"a: 1.30", "a: 1.3"}, ""},
		{"different keys", []string{"a: {b: 1}", "a: {c: 1}"}, ""},
		{"a map and a scalar", []string{"a: {b: 1}", "a: 1"}, "0/1 a"},
		{"a scalar above", []string{"a: {b: {c: 1}}", "a: {b: x}"}, "0/1 a.b"},
		{"a list above", []string{"a: {b: {c: 1}}", "a: [1]"}, "0/1 a"},
		{"null above", []string{"a: {b: {c: 1}}", "a: null"}, "0/1 a"},
		{"a map below a scalar", []string{"a: {b: x}", "a: {b: {c: 1}}"}, "0/1 a.b"},
		{"a map below a list", []string{"a: [1]", "a: {b: {c: 1}}"}, "0/1 a"},
		{"a map below a scalar, and one beside", []string{"a: {b: 1}", "a: x", "a: {b: 2}"}, "0/1 a, 1/2 a, 0/2 a.b"},
		{"lists", []string{"a: [1]", "a: [1, 2]"}, "0/1 a"},
		{"a map and {}", []string{"a: {b: 1}", "a: {}"}, ""},
		{"null", []string{"a: 1", "a: null"}, "0/1 a"},
		{"with the one before", []string{"a: 1", "a: 2", "a: 3"}, "0/1 a, 1/2 a"},
		{"with the one before that sets it", []string{"a: 1", "b: 2", "a: 3"}, "0/2 a"},
		{"nothing added", []string{"", "a: 3"}, ""},
	} {
		var presets []pack.Preset
		for i, add := range tc.adds {
			presets = append(presets, named("", fmt.Sprint(i), change(t, "", add)))
		}
		presets = append(presets, pack.Preset{Name: "none"})
		var got []string
		for _, c := range PathConflicts(presets) {
			got = append(got, c.First.Name+"/"+c.Second.Name+" "+c.Path)
		}
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}
