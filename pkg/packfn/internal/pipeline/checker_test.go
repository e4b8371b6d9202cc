package pipeline

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "packfn/pipeline")) }

// A newer version may know a field, unless it is a misspelt one.
func TestJudgeUnknownFields(t *testing.T) {
	const text = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\nother: 1\npipelin: {}\n"
	kptfile, err := kptpackage.ParseKptfile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	items := list.FileItems([]byte(text), "Kptfile")
	resources := map[string]diag.Resource{".": items[0].Resource()}
	for _, severity := range []diag.Severity{diag.Warning, diag.Error} {
		checker := Checker{Kptfiles: map[string]*kptpackage.Kptfile{".": kptfile}, Resources: resources, Unknown: severity}
		outcome, _ := Run(checker.Function(), nil, items)
		if len(outcome.Findings) != 2 || outcome.Failed != (severity == diag.Error) {
			t.Fatalf("%s: %v, %v", severity, outcome.Findings, outcome.Failed)
		}
		for i, want := range []struct {
			path, nearest string
			isNewer       bool
		}{{"other", "", true}, {"pipelin", "pipeline", false}} {
			if f := outcome.Findings[i]; f.Path() != want.path || f.Nearest != want.nearest || f.Severity != severity || strings.Contains(f.Message(), "newer version of packfn") != want.isNewer {
				t.Errorf("%s %s: %s", f.Severity, f.Path(), f.Message())
			}
		}
	}
}

// The name of a function is not an argument of packfn.
func TestArguments(t *testing.T) {
	for exec, want := range map[string]string{
		"": "", "validate-pack-values": "", "validate-pack-values a 'b c'": "a|b c", "packfn": "", "packfn validate-pack-values": "", "bin/packfn validate-pack-values a": "a",
	} {
		s := Step{Entry: kptpackage.Function{Exec: exec}}
		if got := strings.Join(s.Arguments(), "|"); got != want {
			t.Errorf("%q: got %q, want %q", exec, got, want)
		}
	}
}

// There is something to say about Kptfiles with unknown fields, with acceptances of their
// rules, and where selectors hide something.
func TestHasWork(t *testing.T) {
	for _, tc := range []struct {
		kptfile string
		hidden  []Hidden
		want    bool
	}{
		{kptfile + "  mutators: []\n", nil, false},
		{kptfile + "  mutators: []\n", []Hidden{{}}, true},
		{kptfile + "  mutators: []\nnew: 1\n", nil, true},
		{"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x, annotations: {packs.kpt.dev/accept: \"pipeline/hidden: wanted\"}}\n", nil, true},
		{"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x, annotations: {packs.kpt.dev/accept: \"values/format: wanted\"}}\n", nil, false},
	} {
		checker := Checker{Kptfiles: read(t, map[string]string{"Kptfile": tc.kptfile}).Kptfiles, Hidden: tc.hidden}
		if got := checker.HasWork(); got != tc.want {
			t.Errorf("%s: got %v", tc.kptfile, got)
		}
	}
}

// A misspelt function of the suite is an error, with the name that was meant.
func TestJudgeMisspelt(t *testing.T) {
	p := read(t, map[string]string{"Kptfile": kptfile + "  mutators:\n  - image: example.com/fn/resolve-macro:v1\n  - exec: set-labels\n  validators:\n  - exec: bin/check-resorces\n  - exec: validate-values\n"})
	steps, faults := Steps(p, functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	items := p.Files[0].Items()
	checker := Checker{Kptfiles: p.Kptfiles, Resources: map[string]diag.Resource{".": items[0].Resource()}, Steps: steps, Functions: functions}
	outcome, _ := Run(checker.Function(), nil, items)
	var got []string
	for _, f := range outcome.Findings {
		functiontest.Note(f.Rule.ID, f.Message())
		edit := ""
		for _, e := range f.Edits {
			edit += fmt.Sprintf(" %d:%d %s", e.At.Line, e.At.Column, e.New)
		}
		got = append(got, fmt.Sprintf("%s %s %s%s", f.Rule.ID, f.Path(), f.Nearest, edit))
	}
	want := []string{
		"pipeline/function pipeline.mutators[0].image resolve-macros 6:12 example.com/fn/resolve-macros:v1",
		"pipeline/function pipeline.validators[0].exec check-resources 9:11 bin/check-resources",
		"pipeline/function pipeline.validators[1].exec validate-pack-values 10:11 validate-pack-values",
	}
	if diff := cmp.Diff(want, got); diff != "" || !outcome.Failed {
		t.Errorf("failed: %v, (-want +got):\n%s", outcome.Failed, diff)
	}
}
