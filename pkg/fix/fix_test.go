package fix

import (
	"testing"

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
