package preset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Equal values have one fingerprint, and others do not.
func TestFingerprint(t *testing.T) {
	d := mustParse(t, "a: 1.30\nb: 1.3\nc: '1.3'\nd: 0x10\ne: 16\nf: [1.30, {x: 1, y: 2}]\ng: [1.3, {y: 2, x: 1}]\nh: [1.3, {x: 1, y: 3}]\ni: null\nj: ~\nk: ''\nl: true\nm: True\nn: {x: 1}\no: {}\np: []\n")
	for name, node := range fields(d.Root()) {
		for other, another := range fields(d.Root()) {
			want := values.Equal(node, another) || isMap(node) && isMap(another)
			if got := fingerprint("p", node) == fingerprint("p", another); got != want {
				t.Errorf("%s and %s: same fingerprint %t, want %t", name, other, got, want)
			}
		}
		if fingerprint("p", node) == fingerprint("q", node) || !isFingerprint(fingerprint("p", node)) {
			t.Errorf("%s: got %s, also at another path", name, fingerprint("p", node))
		}
	}
	if fingerprint("p", nil) != absent {
		t.Error("an absent value has a fingerprint")
	}
	// Others can compute it.
	if got := fingerprint("server.replicas", mustParse(t, "3").Root()); got != "bbe577f5" {
		t.Errorf("got %s", got)
	}
}

// Paths are written without ambiguity, whatever the keys are.
func TestPathText(t *testing.T) {
	for _, tc := range []struct {
		steps []string
		want  string
	}{{[]string{"a", "b"}, "a.b"}, {[]string{"a.b", "c"}, `["a.b"].c`}, {[]string{"a", "", `"[`}, `a[""]["\"["]`}, {[]string{"]", "é\n"}, "].é\n"}} {
		if got := pathText(tc.steps); got != tc.want {
			t.Errorf("%q: got %s, want %s", tc.steps, got, tc.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune(`ab.["]\é `))), 1, 4).Draw(t, "steps")
		got, ok := parsePathText(pathText(steps))
		if !ok || !slices.Equal(got, steps) {
			t.Fatalf("%q is written %s and read %q", steps, pathText(steps), got)
		}
	})
	for _, text := range []string{"", ".a", "a.", "a..b", `["a"]`, `a["b"]`, `[""`, "[a]", strings.Repeat("a.", maxSteps) + "a"} {
		if steps, ok := parsePathText(text); ok {
			t.Errorf("%.20q is read as %d keys", text, len(steps))
		}
	}
}

// What is read is written as it was, and nothing panics.
func FuzzParseLeaves(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", "{", `{"size:ha@12@1":{"leaves":{}}}`,
		`{"size:ha@12@1":{"upstream":"c1","leaves":{"a.b":{"before":"-","after":"0123abcd","edit":"0123abcd","macro":true,"upgrade":"lost"},"[\"a.b\"].c":{"before":"-","after":"-"}}}}`,
		`{"a":{"leaves":{"b":{"before":"-","after":"x"}}}}`, `{"a":{"leaves":null},"b":null}`, `{"a":{"Leaves":{}}}`, `{"\ud800":{"leaves":{}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		leaves, faults := ParseLeaves(text)
		if len(faults) > 0 {
			if leaves != nil {
				t.Fatalf("%q: got %v and %v", text, leaves, faults)
			}
			return
		}
		again, faults := ParseLeaves(leaves.String())
		if len(faults) > 0 || again.String() != leaves.String() {
			t.Fatalf("%q is written %q, and that %q: %v", text, leaves, again, faults)
		}
		d, err := values.Parse("a: {b: 1, c: [1]}\nb: x\n")
		if err != nil {
			t.Fatal(err)
		}
		p := pack.Preset{Name: "ha", Group: "size", Add: d}
		for entry := range leaves {
			record, faults := ParseRecord(Record{{entry, "12", "1"}}.String())
			if len(faults) > 0 {
				continue
			}
			s := Selection{Presets: []pack.Preset{p}, Known: []pack.Preset{p}, Version: "1", Record: append(record, NewEntry(p, "1")), Upstream: "c2", Leaves: maps.Clone(leaves)}
			s.Leaves[NewEntry(p, "1").String()] = leaves[entry]
			if _, err := (Target{Document: d}).ApplyOnce(s); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The model says by rule P10 what happens to flat values: to each leaf of one preset, in
// a package whose commit is known.
type modelLeaf struct{ before, after, edit string }

// modelUpgrade returns the values after an upgrade, and what is said of each leaf.
func modelUpgrade(now map[string]string, recorded map[string]modelLeaf, old, next map[string]string, hasMoved bool) (map[string]string, map[string]Upgrade) {
	isReplaced, hasBefore, hasLeft, isChanged := false, false, false, !maps.Equal(old, next)
	for key, l := range recorded {
		if l.before == l.after || l.edit == l.before || l.edit != "" && valueAt(now, key) == l.edit {
			continue
		}
		hasBefore = hasBefore || valueAt(now, key) == l.before
		hasLeft = hasLeft || valueAt(now, key) == l.after
	}
	isReplaced = hasBefore && (hasMoved || isChanged && !hasLeft)
	isUpgraded := hasMoved || isChanged
	after, says := maps.Clone(now), map[string]Upgrade{}
	for key, want := range next {
		l, isKnown := recorded[key]
		switch {
		case valueAt(now, key) == want:
			if isReplaced && l.edit != "" && l.edit != valueAt(now, key) {
				says[key] = Lost
			}
		case isKnown && l.edit != "" && valueAt(now, key) == l.edit:
			if isUpgraded && l.after != want {
				says[key] = Kept
			}
		case isReplaced, !isKnown && isUpgraded:
			after[key], says[key] = want, Set
			if l.edit != "" {
				says[key] = Lost
			}
		case isKnown && valueAt(now, key) == l.after:
			after[key], says[key] = want, Set
		case l.after != want || isUpgraded && (hasBefore || !hasLeft):
			says[key] = Kept
		}
	}
	return after, says
}

// valueAt returns the value of a key, "-" if it is absent.
func valueAt(m map[string]string, key string) string {
	if value, ok := m[key]; ok {
		return value
	}
	return absent
}

// The implementation agrees with the model over histories of edits and upgrades, and a
// second run changes nothing.
func TestUpgradesAgreeWithModel(t *testing.T) {
	keys := []string{"a", "b", "c", "d"}
	draw := func(t *rapid.T, label string, low, high int) map[string]string {
		drawn := map[string]string{}
		for _, key := range keys {
			if n := rapid.IntRange(low-1, high).Draw(t, label+key); n >= low {
				drawn[key] = fmt.Sprint(n)
			}
		}
		return drawn
	}
	text := func(m map[string]string) string {
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(&b, "%s: %s\n", key, m[key])
		}
		return b.String()
	}
	rapid.Check(t, func(t *rapid.T) {
		base, old := draw(t, "base ", 1, 2), draw(t, "preset ", 2, 4)
		if len(old) == 0 {
			return
		}
		p := named("g", "p", change(t, "", text(old)))
		s := Selection{Presets: []pack.Preset{p}, Known: []pack.Preset{p}, Version: "1", Upstream: "c1"}
		run := func(document string) Result {
			r, err := Target{Document: mustParse(t, document)}.ApplyOnce(s)
			if err != nil {
				t.Fatal(err)
			}
			s.Record, s.Leaves = r.Record, r.Leaves
			again, err := Target{Document: r.Document}.ApplyOnce(s)
			if diff := cmp.Diff(summary(r), summary(again)); err != nil || diff != "" {
				t.Fatalf("%v, the second run differs:\n%s", err, diff)
			}
			return r
		}
		now := read(run(text(base)))
		recorded := map[string]modelLeaf{}
		for key, want := range old {
			recorded[key] = modelLeaf{valueAt(base, key), want, ""}
		}
		// The user edits, and renders.
		for _, key := range keys {
			if want, ok := old[key]; ok && rapid.IntRange(0, 3).Draw(t, "edits "+key) == 0 {
				now[key] = rapid.SampledFrom([]string{"7", "8", "1"}).Draw(t, "edit "+key)
				if l := recorded[key]; now[key] != want {
					l.edit = now[key]
					recorded[key] = l
				}
			}
		}
		now = read(run(text(now)))
		// The upgrade replaces the values, or not, and the user edits without a render.
		if rapid.Bool().Draw(t, "replaced") {
			now = draw(t, "new base ", 1, 2)
		}
		if rapid.IntRange(0, 3).Draw(t, "edited") == 0 {
			now[rapid.SampledFrom(keys).Draw(t, "edited key")] = "9"
		}
		next := old
		if rapid.Bool().Draw(t, "changed") {
			next = maps.Clone(old)
			for key, want := range draw(t, "new preset ", 3, 5) {
				next[key] = want
			}
		}
		hasMoved := rapid.Bool().Draw(t, "moved")
		if hasMoved {
			s.Upstream = "c2"
		}
		q := named("g", "p", change(t, "", text(next)))
		s.Presets, s.Known = []pack.Preset{q}, []pack.Preset{q}
		want, says := modelUpgrade(now, recorded, old, next, hasMoved)
		r := run(text(now))
		got := map[string]Upgrade{}
		for _, c := range r.Upgraded {
			got[c.Path] = c.Upgrade
		}
		if diff := cmp.Diff([]any{want, says}, []any{read(r), got}); diff != "" {
			t.Fatalf("recorded %v, now %v, wanted %v, moved %t\n-model +got:\n%s", recorded, now, next, hasMoved, diff)
		}
	})
}

// read returns flat values.
func read(r Result) map[string]string {
	all := map[string]string{}
	for key, n := range fields(r.Document.Root()) {
		all[key] = n.Value
	}
	return all
}
