package fix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// A word is replaced if one name alone can be meant.
func TestFixWord(t *testing.T) {
	plain := func(text string) word { return word{text: text} }
	key := word{text: "scpoe", isKey: true}
	for _, tc := range []struct {
		name string
		f    diag.Finding
		w    word
		want string // "" for none
	}{
		{"one slip", diag.Finding{Nearest: "worker", Accepted: "control-plane or worker"}, plain("wrker"), "worker"},
		{"two that are equally near", diag.Finding{Nearest: "Cat", Accepted: "Cat or Car"}, plain("Caa"), ""},
		{"two that are near, among more", diag.Finding{Nearest: "Cat", Accepted: "Dog, Cat, Car or Cow"}, plain("Caa"), ""},
		{"another letter case, next to a near name", diag.Finding{Nearest: "Cat", Accepted: "Car or Cat"}, plain("cat"), "Cat"},
		{"two slips", diag.Finding{Nearest: "worker", Accepted: "worker"}, plain("wrkr"), ""},
		{"the name itself", diag.Finding{Nearest: "worker", Accepted: "worker"}, plain("worker"), ""},
		{"spaces around it", diag.Finding{Nearest: "worker", Accepted: "worker"}, plain(" worker "), "worker"},
		{"nothing is near", diag.Finding{Accepted: "worker"}, plain("wrker"), ""},
		{"a proposal goes before what is near", diag.Finding{Nearest: "b", Proposed: "true"}, plain("True"), "true"},
		{"a proposal that is no text", diag.Finding{Proposed: 3}, plain("2"), ""},
		{"an unknown key", diag.Finding{Kind: diag.KindUnknown, Found: `field "scpoe"`, Nearest: "scope", Accepted: "scopes"}, word{text: "scoppe", isKey: true}, ""},
		{"a key of another name", diag.Finding{Kind: diag.KindUnknown, Found: `field "other"`, Nearest: "scope"}, key, ""},
		{"a value in the place of a key", diag.Finding{Kind: diag.KindUnknown, Found: `field "scop"`, Nearest: "scope"}, plain("scop"), ""},
		{"a key that is misspelt", diag.Finding{Kind: diag.KindUnknown, Found: `field "scop"`, Nearest: "scope"}, word{text: "scop", isKey: true}, "scope"},
		{"a key in the place of a value", diag.Finding{Nearest: "worker"}, word{text: "wrker", isKey: true}, ""},
		{"missing quotes", diag.Finding{Action: diag.QuoteAction}, plain("5"), `"5"`},
		{"quotes that are there", diag.Finding{Action: diag.QuoteAction}, word{text: "5", quoted: true}, ""},
		{"quotes around a list", diag.Finding{Action: diag.QuoteAction}, plain("[a]"), ""},
		{"quotes around a macro", diag.Finding{Action: diag.QuoteAction}, plain("{{ a }}"), ""},
		{"quotes around a key", diag.Finding{Action: diag.QuoteAction}, word{text: "5", isKey: true}, ""},
		{"a unit", diag.Finding{Rule: rule.ResourcesSuspiciousUnit, Current: "256m", Proposed: "256Mi"}, plain("256m"), "256Mi"},
		{"the unit of another value", diag.Finding{Rule: rule.ResourcesSuspiciousUnit, Current: "128m", Proposed: "128Mi"}, plain("256m"), ""},
	} {
		got, ok := fixWord(&tc.f, tc.w)
		if !ok {
			got = ""
		}
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("%s: got %q, %v, want %q", tc.name, got, ok, tc.want)
		}
	}
}

// Findings about one word ask for one edit, and edits of one line do not move each other.
func TestApply(t *testing.T) {
	at := func(line, from, to int, text string) edit {
		return edit{&report.Finding{Line: line}, from, to, text}
	}
	const text = "a: wrker\nb: Cat, dgo\r\nc: 1"
	for name, tc := range map[string]struct {
		edits []edit
		want  string
	}{
		"none":                       {nil, text},
		"two findings with one edit": {[]edit{at(1, 3, 8, "worker"), at(1, 3, 8, "worker")}, "a: worker\nb: Cat, dgo\r\nc: 1"},
		"two edits of a line":        {[]edit{at(2, 3, 6, "Catalogue"), at(2, 8, 11, "dog")}, "a: wrker\nb: Catalogue, dog\r\nc: 1"},
		"the same place of two lines": {[]edit{at(3, 3, 4, `"1"`), at(1, 3, 8, "worker")},
			"a: worker\nb: Cat, dgo\r\nc: \"1\""},
	} {
		before := text
		if got := string(apply([]byte(text), tc.edits)); got != tc.want || before != text {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// What the author of a pack wrote is not changed, nor what is a choice.
func TestIsContent(t *testing.T) {
	of := func(rule string, origin *diag.Origin, key string) diag.Finding {
		f := diag.Finding{Origin: origin, Key: key}
		f.Rule.ID = rule
		return f
	}
	values := &diag.Origin{Embedded: true, Name: "values.yaml"}
	typed := &diag.Origin{Resource: diag.Resource{Kind: "Pack"}}
	for _, tc := range []struct {
		f    diag.Finding
		want bool
	}{
		{of("values/format", values, "a"), false}, {of("values/format", &diag.Origin{Embedded: true, Name: "spec.values"}, "a"), false},
		{of("values/format", &diag.Origin{Embedded: true, Name: "schema.yaml"}, "a"), true}, {of("values/format", nil, "a"), true},
		{of("resources/insufficient", values, "a"), true}, {of("resources/suspicious-unit", values, "a"), false}, {of("resources/invalid", values, "a"), false},
		{of("dependency/missing", values, "a"), true}, {of("schema/invalid", values, "a"), true}, {of("constraint/invalid", values, "a"), true},
		{of("input/invalid", typed, "spec.constraints.dependencies[0].type"), true}, {of("input/invalid", typed, "spec.values.a"), false}, {of("input/invalid", typed, "spec.scope"), false},
	} {
		if got := isContent(&tc.f); got != tc.want {
			t.Errorf("%s at %q: got %v", tc.f.Rule.ID, tc.f.Key, got)
		}
	}
}

// A fix is left out if its finding stays, or an error or a warning follows from it. What the
// owner accepts is no fault.
func TestNew(t *testing.T) {
	const (
		head     = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n"
		override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: v}\nspec:\n  packref: {name: a}\n"
	)
	pack := head + "  values:\n    kind: a\n    name: 5\n    host: {port: 1}\n"
	accepted := strings.Replace(pack, "{name: a}\n", "{name: a, annotations: {packs.kpt.dev/accept: \"values/format kind: right\"}}\n", 1)
	schema := func(text string) string { return "  schema:\n    " + text + "\n" }
	list := schema(`kind: {schema: '{{ format "${list:[A,B]}" }}'}`)
	for _, tc := range []struct {
		name, text  string
		only        []string
		old, become string // "" for no change
		note        string
	}{
		{"a misspelt option", pack + list, nil, "kind: a", "kind: A", ""},
		{"of another rule", pack + list, []string{"values/required"}, "", "", ""},
		{"of this rule, which a finding of another one needs", pack + list + "---\n" + override + "  values: {host: x}\n", []string{"input/invalid"}, "", "", "is not fixed: there would be"},
		{"an option that is accepted", accepted + list, nil, "", "", ""},
		{"a text in quotes that has no letters", pack + schema(`name: {schema: '{{ format "${string:/^[a-z]+$/}" }}'}`), nil, "", "", "is not fixed: there would be"},
		{"an override that would bring a warning", pack + "---\n" + override + "  values: {host: x}\n", nil, "", "", "values/type-changed"},
		{"an override that brings an info", pack + "---\n" + override + "  values: {kind: b}\n---\n" + strings.NewReplacer("{name: v}", "{name: w}", "packref", "packRef").Replace(override) + "  values: {kind: c}\n", nil, "packref", "packRef", ""},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.yaml")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		plan, err := New([]string{dir}, check.Options{Functions: suite.All(), Root: dir, Only: tc.only})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, change := range plan.Changes {
			got = string(change.Text)
		}
		want := ""
		if tc.old != "" {
			want = strings.Replace(tc.text, tc.old, tc.become, 1)
		}
		isNoted := tc.note == "" && len(plan.Notes) == 0 || tc.note != "" && slices.ContainsFunc(plan.Notes, func(note string) bool { return strings.Contains(note, tc.note) })
		if got != want || !isNoted {
			t.Errorf("%s: notes %q, got\n%s\nwant\n%s", tc.name, plan.Notes, got, want)
		}
		for _, d := range plan.Diffs { // what a fix writes is no secret
			if masked := d.Text("a.yaml", false); !strings.Contains(masked, tc.become) {
				t.Errorf("%s: got\n%s", tc.name, masked)
			}
		}
	}
}

// A difference has three lines around its changes, and changes that are near each other are
// one hunk.
func TestDiff(t *testing.T) {
	text := func(changed ...int) []byte {
		var b strings.Builder
		for i := range 20 {
			if slices.Contains(changed, i) {
				b.WriteString("changed\n")
			} else {
				b.WriteString(strings.Repeat("x", i+1) + "\n")
			}
		}
		return []byte(b.String())
	}
	for _, tc := range []struct {
		changed []int
		hunks   []string
	}{
		{[]int{0}, []string{"@@ -1,4 +1,4 @@"}},
		{[]int{19}, []string{"@@ -17,4 +17,4 @@"}},
		{[]int{5, 12}, []string{"@@ -3,14 +3,14 @@"}},
		{[]int{5, 13}, []string{"@@ -3,7 +3,7 @@", "@@ -11,7 +11,7 @@"}},
	} {
		d := Diff{Path: "a", before: text(), after: text(tc.changed...)}
		var hunks []string
		for line := range strings.Lines(d.Text("a", true)) {
			if strings.HasPrefix(line, "@@") {
				hunks = append(hunks, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(hunks, tc.hunks) {
			t.Errorf("changes of %v: got %q, want %q", tc.changed, hunks, tc.hunks)
		}
	}
}

// Columns count characters, and a scalar that a word cannot replace is none.
func TestWords(t *testing.T) {
	for _, tc := range []struct {
		line   string
		column int
		want   []string
	}{
		{"é: wrker", 1, []string{"é", "wrker"}},
		{"{é: a, kind: wrker}", 14, []string{"wrker"}},
		{"\ufeffkind: wrker", 7, []string{"wrker"}},
		{`a: "wr\"ker"`, 4, nil},
		{`a: 'wr\ker'`, 4, nil},
		{`a: "wrker"`, 1, []string{"a", "wrker"}},
		{"a: b: c", 1, []string{"a"}},
		{"a: wrker # of", 1, []string{"a", "wrker"}},
		{"a: -1", 4, []string{"-1"}},
		{"- wrker", 1, nil},
		{"a: wrker", 20, nil},
	} {
		var got []string
		if start := byteOf(tc.line, tc.column); start >= 0 {
			for _, w := range words(tc.line, start) {
				got = append(got, w.text)
				if tc.line[w.from:w.to] != w.text {
					t.Errorf("%s: %q is not at %d to %d", tc.line, w.text, w.from, w.to)
				}
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s at %d: got %q, want %q", tc.line, tc.column, got, tc.want)
		}
	}
}
