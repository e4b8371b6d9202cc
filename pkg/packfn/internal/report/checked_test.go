package report

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// incomplete is a report without findings, about a check that left out n things.
func incomplete(n int) *Report {
	r := &Report{
		Extent: Extent{Counts: true, In: "platform", Units: []Unit{{"platform", Checked{Packs: 2, Clusters: 1}}, {"pack", Checked{Packs: 1, Policies: 2}}}}, Display: Display{Took: 3 * time.Millisecond},
	}
	for i := range n {
		r.Skip(Skipped{Reason: NoChart, File: "p/a.yaml", Line: n - i, Resource: &Resource{Kind: "Pack", Name: fmt.Sprintf("<b>%d", i)}, Message: "no charts"})
	}
	r.Finish()
	return r
}

// Each format has what was checked, and what was not.
func TestSkippedFormats(t *testing.T) {
	for format, wants := range map[Format][]string{
		Table:    {"0 errors, 0 warnings, 0 notes in 3ms. Checked 3 packs, 1 cluster and 2 policies in platform. Not checked: 2 (see below)\n\nNot checked\n  p/a.yaml:1: Pack <b>1: no charts [skipped/chart]\n  p/a.yaml:2: Pack <b>0: no charts [skipped/chart]\n"},
		JSON:     {"  \"checked\": {\n    \"packs\": 3,\n    \"clusters\": 1,\n    \"policies\": 2\n  },\n  \"units\": [\n    {\n      \"path\": \"platform\",\n", "\"skipped\": [\n    {\n      \"reason\": \"chart\",\n      \"file\": \"p/a.yaml\",\n      \"line\": 1,\n"},
		JUnit:    {`<testsuite name="not checked" tests="2" failures="0" errors="0" skipped="2">`, `<skipped message="no charts"></skipped>`},
		SARIF:    {`"checked": {`, `"id": "skipped/chart"`, `"level": "note"`, `"uri": "p/a.yaml"`},
		GitHub:   {"::notice title=not checked::Not checked: 2%0Ap/a.yaml:1: Pack <b>1: no charts [skipped/chart]%0Ap/a.yaml:2: Pack <b>0: no charts [skipped/chart]\n"},
		Markdown: {"\n`Checked 3 packs, 1 cluster and 2 policies in platform. Not checked: 2`\n", "<details><summary>Not checked</summary>\n\n* `p/a.yaml:1: Pack <b>1: no charts [skipped/chart]`\n"},
		HTML:     {"<p>Checked 3 packs, 1 cluster and 2 policies in platform. Not checked: 2</p>", "<h2>Not checked</h2>\n<ul><li>p/a.yaml:1: Pack &lt;b&gt;1: no charts [skipped/chart]</li>"},
	} {
		got := printed(t, incomplete(2), format)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, got)
			}
		}
		if whole := printed(t, incomplete(0), format); strings.Contains(whole, "ot checked") {
			t.Errorf("%s: nothing is left out:\n%s", format, whole)
		}
	}
}

// Many things of one reason are one line for people, and what is beyond the lines is counted.
func TestManySkipped(t *testing.T) {
	if lines, more := incomplete(100_000).SkippedLines(); len(lines) != 1 || more != 0 || !strings.Contains(lines[0], "and 99") {
		t.Errorf("got %d lines, %d more: %.200s", len(lines), more, lines)
	}
	r := &Report{}
	for i := range 30 {
		r.Skip(Skipped{Reason: Outside, File: "f", Line: i + 1, Message: fmt.Sprint("file ", i)})
		r.Skip(Skipped{Reason: Outside, File: "f", Line: i + 1, Message: fmt.Sprint("file ", i)}) // once
	}
	if lines, more := r.SkippedLines(); len(lines) != maxSkipped || more != 30-maxSkipped {
		t.Errorf("got %d lines, %d more", len(lines), more)
	}
}

// What several functions wait for is one thing.
func TestWaitingOnce(t *testing.T) {
	r := &Report{}
	for _, message := range []string{"so macros stay", "so requests are not compared"} {
		r.Skip(Skipped{Reason: Waiting, File: "c.yaml", Line: 3, Resource: &Resource{Kind: "ClusterContext", Name: "c"}, Message: message})
	}
	if len(r.Skipped) != 1 || !r.HasSkipped("") || !r.HasSkipped(Waiting) || r.HasSkipped(NoFacts) {
		t.Errorf("got %+v", r.Skipped)
	}
}

// A report that checked nothing contains the reason, if it is known. Other reports contain no reason.
func TestCoverage(t *testing.T) {
	for want, r := range map[string]*Report{
		"":                                {},
		"Checked nothing":                 {Extent: Extent{Counts: true}},
		"Checked nothing: no pack":        {Extent: Extent{Counts: true, Nothing: "no pack"}},
		"Checked 1 pack":                  {Extent: Extent{Counts: true, Nothing: "no pack", Units: []Unit{{"p", Checked{Packs: 1}}}}},
		"Checked nothing. Not checked: 1": {Extent: Extent{Counts: true, Skipped: []Skipped{{}}}},
	} {
		if r.Coverage() != want {
			t.Errorf("got %q, want %q", r.Coverage(), want)
		}
	}
	all := Checked{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if want := "1 pack, 2 overrides, 3 clusters, 4 bundles, 5 sets, 6 variants, 7 policies, 8 charts, 9 releases and 10 resources"; all.String() != want {
		t.Errorf("got %s", all)
	}
	var sum Checked
	sum.Add(all)
	if sum.Add(all); sum != (Checked{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}) {
		t.Errorf("got %+v", sum)
	}
}
