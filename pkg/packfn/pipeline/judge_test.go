package pipeline

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
)

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
		outcome, _ := Run(Judge(map[string]*kptpackage.Kptfile{".": kptfile}, resources, severity, nil), nil, items)
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
		if got := HasWork(read(t, map[string]string{"Kptfile": tc.kptfile}).Kptfiles, tc.hidden); got != tc.want {
			t.Errorf("%s: got %v", tc.kptfile, got)
		}
	}
}
