package pack

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// packOf makes a pack of texts: its own values, and then its overrides.
func packOf(own string, overrides ...string) *Pack {
	p := &Pack{Name: "vault"}
	source := func(name, text string) *Source {
		return &Source{Origin: &diag.Origin{Resource: diag.Resource{Name: name}, Name: "values.yaml", Field: "data[values.yaml]", Embedded: true}, text: text}
	}
	if own != "none" {
		p.Values = source("own", own)
	}
	for _, text := range overrides {
		text, replace := strings.CutPrefix(text, "replace ")
		p.Overrides = append(p.Overrides, &Override{Replace: replace, Values: source("override", text)})
	}
	return p
}

func TestEffective(t *testing.T) {
	for _, tc := range []struct {
		name      string
		pack      *Pack
		path      string
		want      string // the value, with its state when it is not there
		wantLayer int
	}{
		{"its own", packOf("a: 1", "b: 2"), "a", "1", 0},
		{"an override's", packOf("a: 1", "b: 2"), "b", "2", 1},
		{"the last override's", packOf("a: 1", "a: 2", "a: 3"), "a", "3", 2},
		{"the last that has it", packOf("a: 1", "a: 2", "b: 3"), "a", "2", 1},
		{"maps merge", packOf("m: {a: 1, b: 1}", "m: {b: 2}"), "m.a", "1", 0},
		{"maps merge, and the override counts", packOf("m: {a: 1, b: 1}", "m: {b: 2}"), "m.b", "2", 1},
		{"null sets null", packOf("m: {a: 1}", "m: null"), "m", "null", 1},
		{"null leaves nothing below", packOf("m: {a: 1}", "m: null"), "m.a", "Absent", -1},
		{"{} changes nothing", packOf("m: {a: 1}", "m: {}"), "m.a", "1", 0},
		{"{} replaces a scalar", packOf("m: 1", "m: {}"), "m", "{}", 1},
		{"lists replace", packOf("l: [1, 2]", "l: [3]"), "l.$[]", "3", 1},
		{"an empty list replaces", packOf("l: [1, 2]", "l: []"), "l.$[]", "EmptyList", 1},
		{"a scalar replaces a map", packOf("m: {a: 1}", "m: 2"), "m", "2", 1},
		{"a map replaces a scalar", packOf("m: 2", "m: {a: 1}"), "m.a", "1", 1},
		{"an empty override changes nothing", packOf("a: 1", ""), "a", "1", 0},
		{"a comment changes nothing", packOf("a: 1", "# a: 2"), "a", "1", 0},
		{"without values of its own", packOf("none", "a: 1"), "a", "1", 0},
		{"replace discards what is below", packOf("a: 1", "b: 2", "replace c: 3"), "b", "Absent", -1},
		{"replace is alone", packOf("a: 1", "b: 2", "replace c: 3"), "c", "3", 2},
		{"replace by nothing", packOf("a: 1", "replace "), "a", "Absent", -1},
		{"above a replace", packOf("a: 1", "replace b: 2", "c: 3"), "b", "2", 1},
		{"nothing at all", packOf("none"), "a", "Absent", -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e, faults := tc.pack.Effective()
			if len(faults) > 0 {
				t.Fatal(functiontest.Facts(faults))
			}
			path, err := values.ParsePath(tc.path)
			if err != nil {
				t.Fatal(err)
			}
			matches := e.Tree.Find(path)
			if len(matches) != 1 {
				t.Fatalf("got %d matches", len(matches))
			}
			got := matches[0].State.String()
			if matches[0].State == values.Present {
				if got = values.Source(matches[0].Node); len(matches[0].Node.Content) == 0 && got == "" {
					got = "{}"
				}
			}
			if got != tc.want || matches[0].Layer != tc.wantLayer {
				t.Errorf("got %s of layer %d, want %s of %d", got, matches[0].Layer, tc.want, tc.wantLayer)
			}
			if layer := matches[0].Layer; layer >= 0 && layer >= len(e.Layers) {
				t.Errorf("there are %d layers", len(e.Layers))
			}
		})
	}
}

// The layers are beside their documents, and the baseline is the pack's own.
func TestEffectiveLayers(t *testing.T) {
	p := packOf("a: 1", "b: 2")
	e, _ := p.Effective()
	if diff := cmp.Diff([]string{"own", "override"}, []string{e.Layers[0].Resource.Name, e.Layers[1].Resource.Name}); diff != "" {
		t.Error(diff)
	}
	if e.Own == nil || e.Own != e.Documents[0] || e.Documents[1].Text() != "b: 2" {
		t.Error("the documents are not those of the layers")
	}
	if e, _ = packOf("none", "b: 2").Effective(); e.Own != nil {
		t.Error("a pack without values got a baseline")
	}
	if e, _ = packOf("").Effective(); e.Own == nil {
		t.Error("a pack with empty values got no baseline")
	}
}

// All layers that cannot be read are reported, and nothing is known then.
func TestEffectiveFaults(t *testing.T) {
	e, faults := packOf("a: 1\n---\nb: 1", "b: 1", "- c", "d: {{ .x }}").Effective()
	if e != nil {
		t.Error("got effective values")
	}
	want := []string{
		"own data[values.yaml] at=3:1 pack=vault",
		"override data[values.yaml] at=1:1 pack=vault",
		"override data[values.yaml] at=1:4 pack=vault",
	}
	if diff := cmp.Diff(want, factsOf(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, f := range faults {
		if f.Kind != diag.KindUnreadable || f.Rule != (diag.Rule{}) {
			t.Errorf("got a finding of kind %d, with the rule %q", f.Kind, f.Rule.ID)
		}
	}
}

// factsOf are the facts of findings without a rule.
func factsOf(findings []diag.Finding) []string {
	facts := functiontest.Facts(findings)
	for i := range facts {
		facts[i] = strings.TrimSpace(facts[i])
	}
	return facts
}

func TestEffectiveDuplicates(t *testing.T) {
	e, faults := packOf("a: 1\na: 2\nb:\n  c: 3", "b: {c: 1, c: 2}", "d: 1").Effective()
	if len(faults) > 0 {
		t.Fatal(functiontest.Facts(faults))
	}
	want := []string{"error values/duplicate-key own data[values.yaml] key=a at=2:1 duplicate-of=1:1", "error values/duplicate-key override data[values.yaml] key=b.c at=1:11 duplicate-of=1:5"}
	if diff := cmp.Diff(want, factsOf(slices.Collect(e.Duplicates()))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for range e.Duplicates() {
		break // no other one is made
	}
}

func TestLayers(t *testing.T) {
	for _, tc := range []struct {
		pack *Pack
		want string
	}{{packOf("a: 1", "b: 2"), "own override"}, {packOf("none", "b: 2"), "override"}, {packOf("none"), ""}} {
		var names []string
		for _, s := range tc.pack.Layers() {
			names = append(names, s.Resource.Name)
		}
		if got := strings.Join(names, " "); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

// Macros may be in values, presets and pack.json.
func TestTexts(t *testing.T) {
	p := load(t, "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata: {pack.json: '{\"name\": \"vault\"}', values.yaml: 'a: 1', presets.yaml: '[]', schema.yaml: 'a: {}'}\n---\n"+
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, values: 'b: 2'}\n---\n"+
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\ndata: {pack.json: '{\"name\": \"bare\"}'}\n")
	if diff := cmp.Diff([]string{"a: 1", "b: 2", "[]", `{"name": "vault"}`, `{"name": "bare"}`}, p.Set.Texts()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
