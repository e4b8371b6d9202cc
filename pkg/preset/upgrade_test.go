package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// state is the values with what is recorded of them.
type state struct {
	text   string
	record Record
	leaves Leaves
}

// history applies presets to values from a commit, as a package that was cloned from it.
func history(t *testing.T, text, upstream string, presets ...pack.Preset) state {
	t.Helper()
	result := run(t, state{text: text}, upstream, "1", presets...)
	return state{result.Document.Text(), result.Record, result.Leaves}
}

// run applies presets of a version of the pack once, and once more: nothing may change.
func run(t *testing.T, s state, upstream, version string, presets ...pack.Preset) Result {
	t.Helper()
	selection := Selection{Presets: presets, Known: presets, Version: version, Record: s.record, Leaves: s.leaves, Upstream: upstream}
	result, err := Target{Document: mustParse(t, s.text)}.ApplyOnce(selection)
	if err != nil {
		t.Fatal(err)
	}
	selection.Record, selection.Leaves = result.Record, result.Leaves
	again, err := Target{Document: result.Document}.ApplyOnce(selection)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(summary(result), summary(again)); diff != "" {
		t.Errorf("the second run differs:\n%s", diff)
	}
	return result
}

// summary is all of a result.
func summary(r Result) []string {
	return append(report(r), r.Document.Text(), r.Record.String(), r.Leaves.String())
}

// report is what a result says: `edited a`, `set b`.
func report(r Result) []string {
	var all []string
	for _, o := range r.Outdated {
		all = append(all, "outdated "+strings.Join(o.Paths, " "))
	}
	for _, path := range r.Edited {
		all = append(all, "edited "+path)
	}
	for _, c := range r.Upgraded {
		all = append(all, string(c.Upgrade)+" "+c.Path)
	}
	return all
}

// Each row of rule P10, for a preset that was applied to values of the commit c1.
func TestUpgradeRows(t *testing.T) {
	const base = "a: 1\nb: 1\ngone: 1\nother: 1\n"
	v1 := change(t, "gone", "a: 5\nb: 5")
	v2 := change(t, "gone", "a: 6\nb: 5\nc: 6")
	shorter := change(t, "", "a: 5")
	macro := change(t, "", "a: 'x{{ .spectro.var.X }}'\nb: 5")
	plain := change(t, "", "a: y\nb: 5")
	same := change(t, "", "a: 1\nb: 5")
	single := change(t, "", "a: 5")
	for _, tc := range []struct {
		name            string
		before          pack.Preset
		edits           []string // of the values that were rendered before the upgrade: old, new
		now             string   // the values after the upgrade; "" for those that were there
		after           pack.Preset
		commit, version string
		want            string // "" for what was there
		says            []string
	}{
		{"nothing changed", v1, nil, "", v1, "c1", "1", "", nil},
		{"another commit", v1, nil, "", v1, "c2", "1", "", nil},
		{"another version", v1, nil, "", v1, "c1", "2", "", nil},

		{"as the definition wants it", v1, nil, "a: 6\nb: 5\nother: 2\nc: 6\n", v2, "c2", "2", "", nil},
		{"as left, and the definition changed", v1, nil, "", v2, "c2", "2", "a: 6\nb: 5\nother: 1\nc: 6\n", []string{"set a", "set c"}},
		{"as left, and the definition changed without a commit", v1, nil, "", v2, "", "1", "a: 6\nb: 5\nother: 1\nc: 6\n", []string{"set a", "set c"}},

		{"an edit, kept", v1, []string{"a: 5", "a: 9"}, "", v1, "c2", "2", "", []string{"edited a"}},
		{"an edit, and the definition changed there", v1, []string{"a: 5", "a: 9"}, "", v2, "c2", "2", "a: 9\nb: 5\nother: 1\nc: 6\n", []string{"kept a", "set c"}},
		{"an edit, and the definition changed elsewhere", v1, []string{"b: 5", "b: 9"}, "", v2, "c2", "2", "a: 6\nb: 9\nother: 1\nc: 6\n", []string{"edited b", "set a", "set c"}},

		{"replaced", v1, nil, base + "new: 1\n", v1, "c2", "2", "a: 5\nb: 5\nother: 1\nnew: 1\n", []string{"set a", "set b", "set gone"}},
		{"replaced, only the commit changed", v1, nil, base, v1, "c2", "1", "a: 5\nb: 5\nother: 1\n", []string{"set a", "set b", "set gone"}},
		{"replaced, another definition", v1, nil, base, v2, "c2", "2", "a: 6\nb: 5\nother: 1\nc: 6\n", []string{"set a", "set b", "set c", "set gone"}},
		{"replaced, with another value at a leaf", v1, nil, "a: 2\nb: 1\nother: 1\n", v1, "c2", "2", "a: 5\nb: 5\nother: 1\n", []string{"set a", "set b"}},
		{"replaced, with the wanted value at a leaf", v1, nil, "a: 5\nb: 1\nother: 1\n", v1, "c2", "2", "a: 5\nb: 5\nother: 1\n", []string{"set b"}},
		{"replaced, and an edit is lost", v1, []string{"a: 5", "a: 9"}, base, v1, "c2", "2", "a: 5\nb: 5\nother: 1\n", []string{"lost a", "set b", "set gone"}},
		{"replaced, and an edit is lost at the wanted value", v1, []string{"a: 5", "a: 9"}, "a: 5\nb: 1\n", v1, "c2", "2", "a: 5\nb: 5\n", []string{"lost a", "set b"}},
		{"replaced, and what the user had set again is gone", v1, []string{"b: 5", "b: 5\ngone: 7"}, "a: 1\nb: 1\nother: 1\n", v1, "c2", "2", "a: 5\nb: 5\nother: 1\n", []string{"set a", "set b", "lost gone"}},
		{"replaced, with the value of the edit", v1, []string{"a: 5", "a: 9"}, "a: 9\nb: 1\n", v1, "c2", "2", "a: 9\nb: 5\n", []string{"edited a", "set b"}},
		{"replaced, and the edit was the value before", v1, []string{"a: 5", "a: 1"}, base, v1, "c2", "2", "a: 1\nb: 5\nother: 1\n", []string{"edited a", "set b", "set gone"}},

		{"replaced, and the edit is what is wanted now", v1, []string{"a: 5", "a: 6"}, "a: 6\nb: 1\n", v2, "c2", "2", "a: 6\nb: 5\nc: 6\n", []string{"set b", "set c"}},
		{"an edit with the same commit", v1, nil, "a: 9\nb: 5\nother: 1\n", v1, "c1", "1", "", []string{"edited a"}},
		{"back at before with the same commit", v1, nil, base, v1, "c1", "1", "", []string{"edited a", "edited b", "edited gone"}},
		{"another value in a text that is as it was, with another commit", v1, nil, "a: 2\nb: 5\nother: 1\n", v1, "c2", "2", "", []string{"edited a"}},
		{"another value in such a text, and the definition changed there", v1, nil, "a: 2\nb: 5\nother: 1\nc: 6\n", v2, "c2", "2", "", []string{"kept a"}},

		{"all at before, without a commit", v1, nil, base, v1, "", "1", "a: 5\nb: 5\nother: 1\n", []string{"set a", "set b", "set gone"}},
		{"some at before, without a commit", v1, nil, "a: 1\nb: 1\nother: 1\n", v1, "", "1", "", []string{"edited a", "edited b"}},
		{"two at before beside another value, without a commit", v1, nil, "a: 1\nb: 1\ngone: 9\nother: 1\n", v1, "", "1", "", []string{"edited a", "edited b", "edited gone"}},
		{"two at before beside an edit, without a commit", v1, []string{"a: 5", "a: 9"}, "a: 9\nb: 1\ngone: 1\nother: 1\n", v1, "", "1", "", []string{"edited a", "edited b", "edited gone"}},
		{"all at before, one of them by an edit, without a commit", v1, []string{"a: 5", "a: 1"}, base, v1, "", "1", "a: 1\nb: 5\nother: 1\n", []string{"edited a", "set b", "set gone"}},
		{"a leaf that the preset did not change shows nothing", same, nil, "a: 1\nb: 9\n", same, "c2", "1", "", []string{"kept b"}},
		{"a single leaf at before, without a commit", single, nil, "a: 1\n", single, "", "1", "", []string{"edited a"}},
		{"a single leaf at before, in another version, without a commit", single, nil, "a: 1\n", single, "", "2", "a: 5\n", []string{"set a"}},
		{"all at before, in another version, without a commit", v1, nil, base, v1, "", "2", "a: 5\nb: 5\nother: 1\n", []string{"set a", "set b", "set gone"}},
		{"one at before, in another version, without a commit", v1, nil, "a: 1\nb: 5\nother: 1\n", v1, "", "2", "", []string{"edited a"}},
		{"a single leaf", single, nil, "a: 1\nb: 1\n", single, "c2", "1", "a: 5\nb: 1\n", []string{"set a"}},
		{"a single leaf, whose base changed", single, nil, "a: 2\n", single, "c2", "2", "", []string{"kept a"}},

		{"no longer set", v1, nil, "", shorter, "c2", "2", "", []string{"left b"}},
		{"no longer set, and replaced", v1, nil, base, shorter, "c2", "2", "a: 5\nb: 1\ngone: 1\nother: 1\n", []string{"set a"}},
		{"no longer set, where it was edited", v1, []string{"b: 5", "b: 9"}, "", shorter, "c2", "2", "", []string{"left b"}},

		{"a macro, resolved", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: xyz"}, "", macro, "c2", "2", "", nil},
		{"a macro, resolved, and the definition changed", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: xyz"}, "", plain, "c2", "2", "a: y\nb: 5\ngone: 1\nother: 1\n", []string{"set a"}},
		{"a macro, replaced", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: xyz"}, base, macro, "c2", "2", "a: 'x{{ .spectro.var.X }}'\nb: 5\ngone: 1\nother: 1\n", []string{"set a", "set b"}},
		{"a macro, replaced, with another base", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: xyz"}, "a: 2\nb: 1\n", macro, "c2", "2", "a: 'x{{ .spectro.var.X }}'\nb: 5\n", []string{"set a", "set b"}},
		{"a macro, back at before", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: 1"}, "", macro, "c1", "1", "", nil},
		{"a macro, back at before, and the definition changed", macro, nil, "a: 1\nb: 5\ngone: 1\nother: 1\n", plain, "c1", "2", "", []string{"kept a"}},

		{"the definition sets a map where the value is that of before", v1, nil, "a: 1\nb: 5\nother: 1\n", change(t, "", "a: {x: 1}\nb: 5"), "", "2", "a: {x: 1}\nb: 5\nother: 1\n", []string{"set a.x"}},
		{"the definition sets a map where it set a value", v1, nil, "", change(t, "", "a: {x: 1}\nb: 5"), "c2", "2", "a: {x: 1}\nb: 5\nother: 1\n", []string{"set a.x"}},
		{"the definition sets a map where the user edited a value", v1, []string{"a: 5", "a: 9"}, "", change(t, "", "a: {x: 1}\nb: 5"), "c2", "2", "", []string{"kept a.x"}},
		{"the definition sets a map where a value was edited since the last run", v1, nil, "a: 9\nb: 5\nother: 1\n", change(t, "", "a: {x: 1}\nb: 5"), "c2", "2", "", []string{"kept a.x"}},
		{"the definition sets a map where a macro was resolved", macro, []string{"a: 'x{{ .spectro.var.X }}'", "a: xyz"}, "", change(t, "", "a: {x: 1}\nb: 5"), "c2", "2", "a: {x: 1}\nb: 5\ngone: 1\nother: 1\n", []string{"set a.x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := history(t, base, "c1", tc.before)
			for i := 0; i < len(tc.edits); i += 2 {
				if s.text = strings.Replace(s.text, tc.edits[i], tc.edits[i+1], 1); !strings.Contains(s.text, tc.edits[i+1]) {
					t.Fatalf("no %q in\n%s", tc.edits[i], s.text)
				}
				r := run(t, s, "c1", "1", tc.before)
				s = state{r.Document.Text(), r.Record, r.Leaves}
			}
			if tc.now != "" {
				s.text = tc.now
			}
			if tc.want == "" {
				tc.want = s.text
			}
			r := run(t, s, tc.commit, tc.version, tc.after)
			if diff := cmp.Diff(modelValue(mustParse(t, tc.want).Root()), modelValue(r.Document.Root())); diff != "" {
				t.Errorf("values -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.says, report(r)); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, r.Leaves)
			}
			if want := (Record{NewEntry(tc.after, tc.version)}); r.Record.String() != want.String() {
				t.Errorf("record %v, want %v", r.Record, want)
			}
		})
	}
}

// Once the user writes the value that the presets want, it is not reported as kept.
func TestWantedAfterKept(t *testing.T) {
	v1, v2 := change(t, "", "a: 5\nb: 5"), change(t, "", "a: 6\nb: 5")
	s := history(t, "a: 1\nb: 1\n", "c1", v1)
	kept := run(t, state{"a: 9\nb: 5\n", s.record, s.leaves}, "c2", "2", v2)
	if diff := cmp.Diff([]string{"kept a"}, report(kept)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	wanted := run(t, state{"a: 6\nb: 5\n", kept.Record, kept.Leaves}, "c2", "2", v2)
	if diff := cmp.Diff([]string(nil), report(wanted)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A key that is a list is not of the presets, and stays.
func TestKeysThatAreListsStay(t *testing.T) {
	s := history(t, "? [x]\n: 1\na: 1\nb: 1\n", "c1", change(t, "", "a: 5"))
	if want := "? [x]\n: 1\na: 5\nb: 1\n"; s.text != want {
		t.Errorf("got\n%s\nwant\n%s", s.text, want)
	}
	upgraded := run(t, s, "c2", "2", change(t, "", "a: 6"))
	if got, want := upgraded.Document.Text(), "? [x]\n: 1\na: 6\nb: 1\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A preset that takes a leaf of another step's preset over records the value before both. That
// shows that an upgrade replaced the values.
func TestUpgradeOfALeafOfAnotherStep(t *testing.T) {
	three, nine := named("", "three", change(t, "", "a: 3")), named("", "nine", change(t, "", "a: 9"))
	s := history(t, "a: 1\n", "c1", three)
	taken := run(t, s, "c1", "1", nine)
	upgraded := run(t, state{"a: 1\nb: 1\n", taken.Record, taken.Leaves}, "c2", "1", nine)
	if got := upgraded.Document.Text(); got != "a: 9\nb: 1\n" {
		t.Errorf("got\n%s", got)
	}
	if diff := cmp.Diff([]string{"set a"}, report(upgraded)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A preset that takes the place of another one of its group has the value before both.
func TestReplacementInAGroup(t *testing.T) {
	three, nine := named("size", "three", change(t, "", "a: 3")), named("size", "nine", change(t, "", "a: 9"))
	s := history(t, "a: 1\n", "c1", three)
	taken := run(t, s, "c1", "1", nine)
	before := s.leaves[NewEntry(three, "1").String()].Leaves["a"].Before
	if got := taken.Leaves[NewEntry(nine, "1").String()].Leaves["a"].Before; got != before || len(taken.Leaves) != 1 {
		t.Errorf("got %s, want %s; %s", got, before, taken.Leaves)
	}
}

// An empty map that is added to one that exists is nothing that the preset set.
func TestEmptyMapIsNoLeaf(t *testing.T) {
	empty := change(t, "", "m: {}")
	for text, want := range map[string]int{"m: {a: 1}\n": 0, "m: {}\n": 0, "a: 1\n": 1, "m: 1\n": 1} {
		s := history(t, text, "c1", empty)
		if got := len(s.leaves[NewEntry(empty, "1").String()].Leaves); got != want {
			t.Errorf("%q: got %s", text, s.leaves)
		}
	}
}

// An upgrade is reported until the next one, also when the macro that it set is resolved.
func TestUpgradeToAMacro(t *testing.T) {
	s := history(t, "a: 1\nb: 1\n", "c1", change(t, "", "a: 5\nb: 5"))
	macro := change(t, "", "a: 'x{{ .spectro.var.X }}'\nb: 5")
	for _, tc := range []struct {
		upstream, text string
		says           []string
	}{
		{"c2", s.text, []string{"set a"}},
		{"c2", "a: xyz\nb: 5\n", []string{"set a"}},
		{"c3", "a: xyz\nb: 5\n", nil},
	} {
		r := run(t, state{tc.text, s.record, s.leaves}, tc.upstream, "1", macro)
		if diff := cmp.Diff(tc.says, report(r)); diff != "" {
			t.Errorf("%s, %q: -want +got:\n%s", tc.upstream, tc.text, diff)
		}
		s.record, s.leaves = r.Record, r.Leaves
	}
}

// If an upgrade replaced the values, the value before is that of the new upstream: the next
// upgrade restores it, and the leaf is set again.
func TestUpgradeOfEarlierValue(t *testing.T) {
	other, b, both := named("", "other", change(t, "", "a: 3")), named("", "own", change(t, "", "b: 5")), named("", "own", change(t, "", "a: 9\nb: 5"))
	const base = "a: 1\nb: 1\n"
	for name, first := range map[string]Result{
		"a leaf of the preset":          run(t, state{text: base}, "c1", "1", both),
		"a leaf of another step":        run(t, history(t, base, "c1", other), "c1", "1", b),
		"a leaf that no preset had set": run(t, state{text: base}, "c1", "1", b),
	} {
		second := run(t, state{"a: 2\nb: 1\n", first.Record, first.Leaves}, "c2", "2", both)
		if got := second.Document.Text(); got != "a: 9\nb: 5\n" {
			t.Errorf("%s: got\n%s", name, got)
		}
		third := run(t, state{"a: 2\nb: 5\nc: 1\n", second.Record, second.Leaves}, "c3", "3", both)
		if got := third.Document.Text(); got != "a: 9\nb: 5\nc: 1\n" {
			t.Errorf("%s, after the next upgrade: got\n%s", name, got)
		}
	}
}

// Values that were recorded without a commit, and now have one, need not be an upgrade's.
func TestUpgradeFromAnUnknownCommit(t *testing.T) {
	v1 := change(t, "", "a: 5\nb: 5")
	s := history(t, "a: 1\nb: 1\n", "", v1)
	s.text = "a: 1\nb: 5\n"
	r := run(t, s, "c2", "1", v1)
	if diff := cmp.Diff([]string{"edited a"}, report(r)); diff != "" || r.Document.Text() != s.text {
		t.Errorf("-want +got:\n%s\n%s", diff, r.Document.Text())
	}
}

// A merge takes a text as a whole, and a mapping leaf by leaf: there another value may be
// the upstream's, although the other leaves are as the preset left them.
func TestUpgradeOfAMapping(t *testing.T) {
	v1 := change(t, "", "a: 5\nb: 5")
	at := values.Keys("v")
	selection := Selection{Presets: []pack.Preset{v1}, Known: []pack.Preset{v1}, Version: "1", Upstream: "c1"}
	first, err := Target{Document: mustParse(t, "v:\n  a: 1\n  b: 1\n"), At: at}.ApplyOnce(selection)
	if err != nil {
		t.Fatal(err)
	}
	selection.Record, selection.Leaves, selection.Upstream = first.Record, first.Leaves, "c2"
	r, err := Target{Document: mustParse(t, "v:\n  a: 2\n  b: 5\n"), At: at}.ApplyOnce(selection)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kept a"}, report(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What became of a leaf in the newer version of a pack, to which the preset was applied.
func TestCarried(t *testing.T) {
	const gone, preset, newer, edit = "before", "preset", "newer", "edit"
	was := Leaf{Before: gone, After: preset}
	for _, tc := range []struct {
		name        string
		was         Leaf
		after       string // what the preset makes of the newer version
		isMacro     bool
		before, now string
		edit        string
		upgrade     Upgrade
	}{
		{"as it was", was, preset, false, preset, preset, "", ""},
		{"another definition", was, newer, false, preset, newer, "", Set},
		{"an edit is lost", was, newer, false, edit, newer, "", Lost},
		{"an edit is lost, with the same definition", was, preset, false, edit, preset, "", Lost},
		{"an edit to what is set now", was, newer, false, newer, newer, "", Set},
		{"an edit stays", was, preset, false, edit, edit, edit, ""},
		{"an edit stays, and the definition changed", was, newer, false, edit, edit, edit, Kept},
		{"a new leaf", Leaf{}, newer, false, gone, newer, "", Set},
		{"a new leaf, edited", Leaf{}, newer, false, edit, edit, edit, ""},
		{"a macro, resolved", Leaf{Before: gone, After: preset, Macro: true}, preset, true, edit, edit, "", ""},
	} {
		got := Leaf{Before: gone, After: tc.after, Macro: tc.isMacro}.carried(tc.was, tc.before, tc.now)
		if got.Edit != tc.edit || got.Upgrade != tc.upgrade {
			t.Errorf("%s: got the edit %q and %q, want %q and %q", tc.name, got.Edit, got.Upgrade, tc.edit, tc.upgrade)
		}
	}
}
