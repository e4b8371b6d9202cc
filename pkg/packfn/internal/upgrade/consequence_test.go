package upgrade

import (
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// What is found as often as before is not a consequence. The rest has the rules of upgrades.
func TestConsequenceRules(t *testing.T) {
	found := func(rule, key, message string) report.Finding {
		return report.Finding{Rule: rule, Severity: diag.Error, Location: report.Location{File: "a.yaml", Path: "/p/a.yaml"}, Target: report.Target{Key: key}, Message: message}
	}
	for _, tc := range []struct {
		name          string
		before, after []report.Finding
		want          []string
	}{
		{"nothing", nil, nil, nil},
		{"the same in other words", []report.Finding{found("values/format", "a", "x")}, []report.Finding{found("values/format", "a", "y")}, nil},
		{"one more at the place", []report.Finding{found("values/format", "a", "x")}, []report.Finding{found("values/format", "a", "x"), found("values/format", "a", "y")}, []string{"upgrade/format"}},
		{"another key", []report.Finding{found("values/format", "a", "x")}, []report.Finding{found("values/format", "b", "x")}, []string{"upgrade/format"}},
		{"gone", []report.Finding{found("values/format", "a", "x")}, nil, nil},
		{"rules", nil, []report.Finding{found("values/required", "a", ""), found("values/inert", "a", ""), found("schema/invalid", "a", ""), found("input/invalid", "a", ""), found("dependency/missing", "a", ""), found("resources/insufficient", "a", "")},
			[]string{"upgrade/newly-required", "upgrade/format", "upgrade/format", "upgrade/format", "upgrade/requirement", "upgrade/requirement"}},
	} {
		var got []string
		for _, f := range consequences(nil, tc.before, tc.after) {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A key in an entry of a list is known by the content of the entry, wherever that is.
func TestStable(t *testing.T) {
	for key, want := range map[string]string{"a.b[1].c": "a.b[1]", "a[0]": "a[0]", "a[0].b[2]": "a[0]", "a": "", "": ""} {
		if got := entry(key); got != want {
			t.Errorf("%s: the entry is %q", key, got)
		}
	}
	known := map[string]requirement{"a.b[1]": {content: "x"}}
	for key, want := range map[string]string{"a.b[1].c": "x.c", "a.b[1]": "x", "a.b[2].c": "a.b[2].c", "a": "a"} {
		if got := stable(key, known); got != want {
			t.Errorf("%s: got %q", key, got)
		}
	}
}

// A value is shown if no version's schema makes it a secret.
func TestShower(t *testing.T) {
	of := func(schema string) inventory.Entries {
		entries, err := inventory.EntriesOf(&pack.Pack{Schema: pack.File("schema.yaml", schema)})
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	const secret, public, above = "x.y: {schema: '{{ format \"${password}\" }}'}\n", "x.y: {schema: '{{ format \"${number}\" }}'}\n", "x: {schema: '{{ format \"${password}\" }}'}\n"
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "17"}
	for name, tc := range map[string]struct {
		before, after, want string
	}{
		"in none":         {"", "", "17"},
		"in both":         {public, public, "17"},
		"before":          {secret, public, shown.Hidden},
		"after":           {public, secret, shown.Hidden},
		"added":           {"", secret, shown.Hidden},
		"removed":         {secret, "", shown.Hidden},
		"public now":      {"", public, "17"},
		"above, before":   {above, public, shown.Hidden},
		"above, after":    {public, above, shown.Hidden},
		"above, in both":  {above, above, shown.Hidden},
		"above, is added": {"", above, shown.Hidden},
	} {
		if got := (shower{of(tc.before), of(tc.after)}).show("x.y", n); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
