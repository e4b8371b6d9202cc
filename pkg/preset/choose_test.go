package preset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// P5: names, groups, and what is wrong with them.
func TestChoose(t *testing.T) {
	presets := []pack.Preset{
		{Name: "small", Group: "Size"}, {Name: "ha", DisplayName: "High Availability", Group: "Size"},
		{Name: "none", Group: "Object Store"}, {Name: "none", Group: "Cache"},
		{Name: "debug"}, {Name: "Fleet agents", Group: "OOB Examples"}, {Name: "all"}, {Name: "all", Group: "Size"},
	}
	const all = `want="Size:small, Size:ha, Object Store:none, Cache:none, debug, OOB Examples:Fleet agents, all or Size:all"`
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
		{"ha|Size:ha", "Size:ha Size:ha", nil},
		{"ha|debug|small", "Size:ha :debug Size:small", []string{`2 error preset/group-conflict group=Size preset=small`}},
		{"none", "", []string{`0 error preset/invalid got="\"none\", the name of 2 presets" want="Object Store:none or Cache:none" preset=none`}},
		{"all", "", []string{`0 error preset/invalid got="\"all\", the name of 2 presets" want=Size:all preset=all`}},
		{"debgu", "", []string{`0 error preset/unknown unknown="preset \"debgu\"" ` + all + ` near=debug now=debgu propose=debug`}},
		{"sm", "", []string{`0 error preset/unknown unknown="preset \"sm\"" ` + all}},
		{"smal", "", []string{`0 error preset/unknown unknown="preset \"smal\"" ` + all + ` near=Size:small now=smal propose=Size:small`}},
		// Near names are those of the group.
		{"Size:hal|debug", ":debug", []string{`0 error preset/unknown unknown="preset \"Size:hal\"" ` + all + ` near=Size:ha now=Size:hal propose=Size:ha`}},
		{"Size:noen", "", []string{`0 error preset/unknown unknown="preset \"Size:noen\"" ` + all}},
		// A name in another group, unless there are several.
		{"Cache:ha", "", []string{`0 error preset/unknown unknown="preset \"Cache:ha\"" ` + all + ` near=Size:ha now=Cache:ha propose=Size:ha`}},
		{"Size:none", "", []string{`0 error preset/unknown unknown="preset \"Size:none\"" ` + all}},
		{"OOB Example:Fleet agents", "", []string{`0 error preset/unknown unknown="preset \"OOB Example:Fleet agents\"" ` + all + ` near="OOB Examples:Fleet agents" now="OOB Example:Fleet agents" propose="OOB Examples:Fleet agents"`}},
		// The name that user interfaces show.
		{"high availability", "", []string{`0 error preset/unknown unknown="preset \"high availability\"" ` + all + ` near=Size:ha now="high availability" propose=Size:ha`}},
	} {
		chosen, faults := Choose(presets, strings.Split(tc.names, "|")...)
		var got, facts []string
		for _, c := range chosen {
			got = append(got, c.Group+":"+c.Name)
		}
		for _, f := range faults {
			facts = append(facts, fmt.Sprint(f.Index, " ", functiontest.Facts([]diag.Finding{f.Finding})[0]))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: got %s, want %s", tc.names, strings.Join(got, " "), tc.want)
		}
		if diff := cmp.Diff(tc.faults, facts); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.names, diff)
		}
	}
	if chosen, faults := Choose([]pack.Preset{{Name: "b"}, {Name: "a"}}, "b", "a"); len(chosen) != 2 || len(faults) > 0 || chosen[1].Index != 1 {
		t.Errorf("presets without a group: got %v %v", chosen, faults)
	}
	if _, faults := Choose(nil, "ha"); len(faults) != 1 || faults[0].Rule != rule.PresetUnknown || faults[0].Accepted != "" {
		t.Errorf("no presets: got %v", faults)
	}
}

// P5: a name twice in one file, groups aside that tell the two apart.
func TestDuplicates(t *testing.T) {
	var presets []pack.Preset
	for i, p := range []pack.Preset{{Name: "a"}, {Name: "a", Group: "x"}, {Name: "a", Group: "y"}, {Name: "a", Group: "x"}, {Name: "a"}, {Name: "b"}} {
		p.Position.Line = i + 1
		presets = append(presets, p)
	}
	var got []string
	for _, f := range duplicates(presets) {
		got = append(got, fmt.Sprint(f.Tags["group"], ":", f.Tags["preset"], " ", f.First.Line, " ", f.Position.Line))
	}
	if diff := cmp.Diff([]string{"x:a 2 4", ":a 1 5"}, got); diff != "" {
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
		for _, f := range pathConflicts(presets) {
			first := f.Found[len(`presets "`):][:1]
			got = append(got, fmt.Sprintf("%s/%s %s", first, f.Tags["preset"], f.Key))
		}
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// Presets of one group cannot be applied together: that is an error of its own.
func TestPathConflictsOfGroup(t *testing.T) {
	presets := []pack.Preset{named("g", "a", change(t, "", "x: 1")), named("g", "b", change(t, "", "x: 2")), named("h", "c", change(t, "", "x: 2"))}
	if got := pathConflicts(presets); len(got) != 1 || got[0].Tags["preset"] != "c" {
		t.Errorf("got %v", got)
	}
}
