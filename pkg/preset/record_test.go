package preset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
)

// The hash is that of the content, in a form that others can compute.
func TestHash(t *testing.T) {
	for _, tc := range []struct{ remove, add, json string }{
		{"", "", `[[],null]`},
		{"b a.c", "", `[["b","a.c"],null]`},
		{"", "{}", `[[],{}]`},
		{"a", "# why\nb: 'x'\na: {z: 0x10, y: null, x: [1.30, true, \"<&>\"]}\n", `[["a"],{"a":{"x":[["!!float","1.30"],["!!bool","true"],["!!str","<&>"]],"y":["!!null","null"],"z":["!!int","0x10"]},"b":["!!str","x"]}]`},
		{"", "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}", `[[],{"a":{"b":["!!int","1"]},"c":{"b":["!!int","1"]},"d":{"b":["!!int","1"],"e":["!!int","2"]}}]`},
		{"", "? [k]\n: v", `[[],{"[[\"!!str\",\"k\"]]":["!!str","v"]}]`},
	} {
		sum := sha256.Sum256([]byte(tc.json))
		if got, want := Hash(change(t, tc.remove, tc.add)), hex.EncodeToString(sum[:])[:12]; got != want {
			t.Errorf("%s %s: got %s, want %s", tc.remove, tc.add, got, want)
		}
	}
	if Hash(pack.Preset{}) != Hash(change(t, "", "")) {
		t.Error("nothing to add differs from an empty text")
	}
	// Of two presets with one content the hash is the same, and the entry is not.
	a, b := named("g", "a", change(t, "x", "y: 1")), named("", "a", change(t, "x", "# y\ny:   1\n"))
	if Hash(a) != Hash(b) || NewEntry(a, "1") == NewEntry(b, "1") {
		t.Errorf("got %v and %v", NewEntry(a, "1"), NewEntry(b, "1"))
	}
}

func TestParseRecord(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Record // nil for a fault
	}{
		{`[]`, Record{}},
		{`["size:ha@0123@1.0.0", ":a b@45@"]`, Record{{"size:ha", "0123", "1.0.0"}, {":a b", "45", ""}}},
		{`["g:me@home@12@1"]`, Record{{"g:me@home", "12", "1"}}},
		{`["a:b:c@12@1"]`, Record{{"a:b:c", "12", "1"}}},
		{`size:ha`, nil},
		{`{"size": "ha"}`, nil},
		{`[1]`, nil},
		{`["size:ha@1"] x`, nil},
		{`["size:ha@12"]`, nil},
		{`["ha@12@1"]`, nil},
		{`["size:ha@@1"]`, nil},
	} {
		got, faults := ParseRecord(tc.text)
		if len(faults) > 0 != (tc.want == nil) || len(got) != len(tc.want) {
			t.Errorf("%s: got %v %v", tc.text, got, faults)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%s: got %v", tc.text, got)
			}
		}
		if again, faults := ParseRecord(got.String()); len(faults) > 0 || !cmp.Equal(append(Record{}, got...), append(Record{}, again...)) {
			t.Errorf("%s: written as %s, it reads as %v", tc.text, got, again)
		}
	}
	if got, faults := ParseRecord(""); got != nil || faults != nil {
		t.Errorf("nothing: got %v %v", got, faults)
	}
	// A version cannot end the entry early.
	if got, _ := ParseRecord(Record{NewEntry(pack.Preset{Name: "a"}, "1@2")}.String()); len(got) != 1 || got[0].Preset != ":a" {
		t.Errorf("a version with @: got %v", got)
	}
}

// once makes a selection of presets that are all of the pack's.
func once(record Record, presets ...pack.Preset) Selection {
	return Selection{Presets: presets, Known: presets, Version: "1", Record: record}
}

func TestApplyOnce(t *testing.T) {
	ha := named("size", "ha", change(t, "standalone", "replicas: 3\nbackup: true"))
	small := named("size", "small", change(t, "", "replicas: 1"))
	debug := named("", "debug", change(t, "", "log: debug"))
	many := named("", "many", change(t, "", "replicas: 9"))
	macros := named("", "macros", change(t, "", "host: '{{ .spectro.var.HOST }}'\nhosts: ['{{ .spectro.var.X }}']\nport: 80"))
	changed := func(p pack.Preset, version string) Record {
		e := NewEntry(p, version)
		e.Hash = "0123"
		return Record{e}
	}
	entries := func(presets ...pack.Preset) Record {
		var record Record
		for _, p := range presets {
			record = append(record, NewEntry(p, "1"))
		}
		return record
	}
	foreign := Entry{"mode:api", "45", "1"}
	for _, tc := range []struct {
		name, text, want string
		selection        Selection
		record           Record
		edited, outdated string
	}{
		{"not recorded", "replicas: 2\nstandalone: 1\n", "replicas: 3\nbackup: true\n", once(nil, ha), entries(ha), "", ""},
		{"recorded", "replicas: 3\nbackup: true\n", "", once(entries(ha), ha), entries(ha), "", ""},
		{"recorded and edited", "replicas: 5\nstandalone: 1\n", "", once(entries(ha), ha), entries(ha), "replicas standalone backup", ""},
		{"recorded, and its macros are resolved", "host: a.example.com\nhosts: [x]\nport: 81\n", "", once(entries(macros), macros), entries(macros), "port", ""},
		{"one is recorded and edited, one is not", "replicas: 5\nbackup: true\n", "replicas: 5\nbackup: true\nlog: debug\n", once(entries(ha), ha, debug), entries(ha, debug), "replicas", ""},
		{"two that set one path", "replicas: 2\nbackup: true\n", "replicas: 9\nbackup: true\n", once(nil, ha, many), entries(ha, many), "", ""},
		{"always", "replicas: 5\nbackup: true\n", "replicas: 3\nbackup: true\n", Selection{Presets: []pack.Preset{ha}, Known: []pack.Preset{ha}, Version: "1", Record: entries(ha), Always: true}, entries(ha), "", ""},
		{"always, outdated", "replicas: 5\nbackup: true\n", "replicas: 3\nbackup: true\n", Selection{Presets: []pack.Preset{ha}, Known: []pack.Preset{ha}, Version: "1", Record: changed(ha, "1"), Always: true}, entries(ha), "", ""},
		{"another one of the group", "replicas: 3\nbackup: true\n", "replicas: 1\nbackup: true\n", Selection{Presets: []pack.Preset{small}, Known: []pack.Preset{ha, small}, Version: "1", Record: append(entries(debug), entries(ha)...)}, entries(debug, small), "", ""},
		{"another one of the group, the old one no longer exists", "replicas: 3\n", "replicas: 1\n", once(entries(ha), small), entries(small), "", ""},
		{"not selected", "replicas: 5\n", "replicas: 5\nlog: debug\n", once(append(entries(ha), foreign), debug), append(append(entries(ha), foreign), NewEntry(debug, "1")), "", ""},
		{"another content, and the values are so already", "replicas: 3\nbackup: true\n", "", once(changed(ha, "1"), ha), entries(ha), "", ""},
		{"another version, and the values are so already", "replicas: 3\nbackup: true\n", "", once(Record{NewEntry(ha, "0.9")}, ha), entries(ha), "", ""},
		{"another content, with other values", "replicas: 2\nbackup: true\n", "", once(changed(ha, "1"), ha), changed(ha, "1"), "", "ha: replicas"},
		{"another version, with other values", "replicas: 3\nstandalone: 1\n", "", once(Record{NewEntry(ha, "0.9")}, ha), Record{NewEntry(ha, "0.9")}, "", "ha: standalone backup"},
		{"another version, and a later preset sets the path", "replicas: 9\nbackup: true\n", "", once(append(Record{NewEntry(ha, "0.9")}, entries(many)...), ha, many), entries(ha, many), "", ""},
		{"another version, and a later preset sets one of the paths", "replicas: 9\nbackup: false\n", "", once(append(Record{NewEntry(ha, "0.9")}, entries(many)...), ha, many), append(Record{NewEntry(ha, "0.9")}, entries(many)...), "", "ha: backup"},
		{"outdated beside one that is not recorded", "replicas: 2\nbackup: true\n", "", once(changed(ha, "1"), ha, debug), changed(ha, "1"), "", "ha: replicas"},
		{"outdated, the group's entry of another preset", "replicas: 2\n", "replicas: 1\n", Selection{Presets: []pack.Preset{small}, Known: []pack.Preset{ha, small}, Version: "1", Record: changed(ha, "0.9")}, entries(small), "", ""},
		{"one that changes nothing is listed", "# spectrocloud.com/enabled-presets: Mode:api\na: 1\n", "# spectrocloud.com/enabled-presets: Mode:api,size:none\na: 1\n", once(nil, named("size", "none", change(t, "b", ""))), entries(named("size", "none", change(t, "b", ""))), "", ""},
		{"no values", "", "replicas: 3\nbackup: true\n", once(nil, ha), entries(ha), "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.want == "" {
				tc.want = tc.text
			}
			target := Target{Document: mustParse(t, tc.text)}
			result, err := target.ApplyOnce(tc.selection)
			if err != nil {
				t.Fatal(err)
			}
			var outdated []string
			for _, o := range result.Outdated {
				outdated = append(outdated, o.Preset.Name+": "+strings.Join(o.Paths, " "))
			}
			got := []string{result.Document.Text(), result.Record.String(), strings.Join(result.Edited, " "), strings.Join(outdated, ", ")}
			if diff := cmp.Diff([]string{tc.want, tc.record.String(), tc.edited, tc.outdated}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			target.Document, tc.selection.Record = result.Document, result.Record
			again, err := target.ApplyOnce(tc.selection)
			if err != nil || again.Document.Text() != tc.want || again.Record.String() != tc.record.String() || !cmp.Equal(again.Edited, result.Edited) {
				t.Errorf("again: %v, %v, %s", err, again, again.Document.Text())
			}
		})
	}
}

// Groups may have colons: the longest one counts.
func TestRecordOfGroupsWithColons(t *testing.T) {
	a, b := named("A", "B:y", change(t, "", "k: 1")), named("A:B", "z", change(t, "", "k: 2"))
	record := Record{NewEntry(a, "1"), NewEntry(b, "1")}
	next := named("A:B", "x", change(t, "", "k: 3"))
	if got := record.with(NewEntry(next, "1"), next, []pack.Preset{a, b, next}); got[1].Preset != "A:B:x" || len(got) != 2 {
		t.Errorf("got %v", got)
	}
}
