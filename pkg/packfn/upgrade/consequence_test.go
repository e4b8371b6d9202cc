package upgrade

import (
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// What is found as often as before is no consequence. The rest has the rules of upgrades.
func TestConsequenceRules(t *testing.T) {
	found := func(rule, key, message string) report.Finding {
		return report.Finding{Rule: rule, Severity: diag.Error, File: "a.yaml", Path: "/p/a.yaml", Key: key, Message: message}
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

// Up to eight names are listed, of more the first five.
func TestFew(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	for n, want := range map[int]string{1: "a", 2: "a and b", 8: "a, b, c, d, e, f, g and h", 9: "a, b, c, d, e and 4 more"} {
		if got := few(names[:n]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
