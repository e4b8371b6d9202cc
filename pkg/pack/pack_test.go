package pack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
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

// A line is the layers of a pack, where none is a pack without values, and a path.
func TestEffective(t *testing.T) {
	cases.Table(t, "effective", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text("values")) {
			layers := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
			e, faults := packOf(layers[0], layers[1:len(layers)-1]...).Effective()
			if len(faults) > 0 {
				t.Fatal(functiontest.Facts(faults))
			}
			path, err := values.ParsePath(layers[len(layers)-1])
			if err != nil {
				t.Fatal(err)
			}
			matches := e.Tree.Find(path)
			if len(matches) != 1 || matches[0].Layer >= max(len(e.Layers), 0) {
				t.Fatalf("%s: got %+v", line, matches)
			}
			found := matches[0].State.String()
			if matches[0].State == values.Present {
				found = fmt.Sprintf("%q of layer %d", values.Source(matches[0].Node), matches[0].Layer)
			} else if matches[0].Layer >= 0 {
				found += fmt.Sprintf(" of layer %d", matches[0].Layer)
			}
			fmt.Fprintf(&b, "%s: %s\n", strings.TrimSpace(line), found)
		}
		return b.String()
	})
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
	e, faults := packOf(`a: 1
---
b: 1`, "b: 1", "- c", "d: {{ .x }}").Effective()
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
	e, faults := packOf(`a: 1
a: 2
b:
  c: 3`, "b: {c: 1, c: 2}", "d: 1").Effective()
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
