package fleet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/render"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// made returns a preview of clusters with the outcomes, named c-000 and so on.
func made(all ...Outcome) *Preview {
	p := &Preview{Sets: &report.Report{}}
	for i, o := range all {
		row := Row{Variant: fmt.Sprintf("v-%03d", i), Repo: fmt.Sprintf("c-%03d", i), Package: "p", Outcome: o, Ran: []string{"inject-config", "check-resources"}}
		row.Files = []render.File{{Path: "Kptfile", Text: []byte("kind: Kptfile\n")}}
		if o.IsRefused() {
			row.findings = []*found{of(diag.Error, "resources/insufficient", "check-resources")}
		}
		p.Rows = append(p.Rows, row)
	}
	p.group()
	return p
}

func of(severity diag.Severity, rule, function string) *found {
	return &found{finding(severity, rule, function), digestOf(rule)}
}

func finding(severity diag.Severity, rule, function string) report.Finding {
	return report.Finding{Severity: severity, Rule: rule, Function: function, Message: "what " + rule + " says", Fingerprint: rule}
}

// deployable returns n outcomes of packages that can be deployed.
func deployable(n int) []Outcome {
	all := make([]Outcome, n)
	for i := range all {
		all[i] = Deployable
	}
	return all
}

func printed(t *testing.T, p *Preview, how Print) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b, how); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Summaries count every outcome that there is, and name those of later steps only then.
func TestSummary(t *testing.T) {
	for want, outcomes := range map[string][]Outcome{
		"2 clusters: 1 can be deployed, 1 refused, 0 failed":                                           {Deployable, Refused},
		"4 clusters: 1 can be deployed, 0 refused, 2 refused at clone, 1 refused at upgrade, 0 failed": {RefusedAtUpgrade, RefusedAtClone, Deployable, RefusedAtClone},
		"1 cluster: 0 can be deployed, 0 refused, 1 failed":                                            {Failed},
	} {
		p := made(outcomes...)
		if got := p.Summary(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		sum := 0
		for _, c := range p.Counts() {
			sum += c.Count
		}
		refused := 0
		for _, o := range outcomes {
			if o != Deployable && o != Failed {
				refused++
			}
		}
		if p.Refused() != refused {
			t.Errorf("%v: %d are refused", outcomes, p.Refused())
		}
		if sum != len(outcomes) {
			t.Errorf("%d of %d packages are counted", sum, len(outcomes))
		}
	}
}

// The table lists all packages up to fifty. Of more it lists those that cannot be deployed,
// unless all are asked for.
func TestTableLists(t *testing.T) {
	listed := func(p *Preview, all bool) int {
		return strings.Count("\n"+printed(t, p, Print{Format: report.Table, All: all}), "\nc-")
	}
	many := append(deployable(60), Refused, Failed, RefusedAtClone)
	for _, tc := range []struct {
		outcomes []Outcome
		all      bool
		want     int
	}{{deployable(fewRows), false, fewRows}, {deployable(fewRows + 1), false, 0}, {many, false, 3}, {many, true, 63}} {
		if got := listed(made(tc.outcomes...), tc.all); got != tc.want {
			t.Errorf("%d packages, all %v: %d are listed, want %d", len(tc.outcomes), tc.all, got, tc.want)
		}
	}
	if text := printed(t, made(many...), Print{Format: report.Table}); !strings.Contains(text, "60 clusters") || !strings.Contains(text, "--all") {
		t.Errorf("the packages that are not listed are not counted:\n%s", text)
	}
}

// Errors come before warnings, and of each those about the sets before those about
// packages.
func TestProblemsAreInOrder(t *testing.T) {
	p := made(Refused, Deployable)
	p.Rows[0].Groups = nil
	p.Groups = nil
	p.Rows[0].findings = []*found{of(diag.Warning, "w", "f"), of(diag.Error, "e", "f"), of(diag.Info, "i", "f")}
	p.group()
	p.Sets.Findings = []report.Finding{finding(diag.Warning, "set/w", "s"), finding(diag.Error, "set/e", "s"), finding(diag.Info, "set/i", "s")}
	var got []string
	for _, one := range p.problems() {
		got = append(got, one.rule)
	}
	if diff := cmp.Diff([]string{"set/e", "e", "set/w", "w"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	page := printed(t, p, Print{Format: HTML})
	at := func(id string) int { return strings.Index(page, `<section id="`+id+`"`) }
	if at("sets") < 0 || at("sets") > at("findings") || at("findings") > at("warnings") {
		t.Error("the page has another order")
	}
}

// The reason why packages cannot be computed is printed once for all that have it.
func TestReasonsAreGrouped(t *testing.T) {
	p := made(Failed, Deployable, Failed, Failed, Failed, Failed)
	for i, reason := range map[int]string{0: "no --upstream", 2: "line 3: a field", 3: "no --upstream", 4: "no --upstream", 5: "no --upstream"} {
		p.Rows[i].Reason = reason
	}
	p.Sets.Findings = []report.Finding{finding(diag.Error, "set/e", "s")}
	for _, format := range []report.Format{report.Table, report.Markdown} {
		text := printed(t, p, Print{Format: format})
		for _, part := range []string{"4 of 6 clusters (c-000, c-003, c-004 and 1 more)", "no --upstream", "1 of 6 clusters (c-002)", "line 3: a field"} {
			if strings.Count(text, part) != 1 {
				t.Errorf("%s: %q is not there once:\n%s", format, part, text)
			}
			if strings.Index(text, "set/e") > strings.Index(text, part) {
				t.Errorf("%s: %q comes before an error of the sets:\n%s", format, part, text)
			}
		}
	}
}

// The page has packages that cannot be deployed first, and folds what is the same in all.
func TestPageRows(t *testing.T) {
	p := made(Deployable, RefusedAtUpgrade, Deployable, Refused, Failed, RefusedAtClone)
	p.Rows[4].Reason = "no --upstream"
	out := p.page(Print{})
	var names []string
	for _, row := range out.Rows {
		names = append(names, p.name(row.Row))
	}
	if diff := cmp.Diff([]string{"c-003", "c-005", "c-001", "c-004", "c-000", "c-002"}, names); diff != "" {
		t.Errorf("the rows (-want +got):\n%s", diff)
	}
	if len(out.Columns) != 1 || out.Columns[0].Name != "check-resources" || out.Columns[0].At != 2 {
		t.Errorf("the columns: %+v", out.Columns)
	}
	if len(out.Folded) != 1 || out.Folded[0].Name != "inject-config" || !out.Folded[0].Ran || len(out.Folded[0].Links) > 0 {
		t.Errorf("what is folded: %+v", out.Folded)
	}
	for _, row := range out.Rows {
		if row.Reason == "" && (len(row.Cells) != 1 || row.Cells[0].Name != "check-resources") {
			t.Errorf("%s has the cells %+v", row.Name(), row.Cells)
		}
	}
	// A finding of all packages is folded with its link; that of a single one is not.
	if out := made(Refused, Refused).page(Print{}); len(out.Columns) != 0 || len(out.Folded[1].Links) != 1 {
		t.Errorf("a finding of all: %+v, %+v", out.Columns, out.Folded)
	}
	if out := made(Refused).page(Print{}); len(out.Columns) != 1 {
		t.Errorf("a finding of a single package is not in its row: %+v", out.Columns)
	}
}

// Every format prints every outcome.
func TestFormatsHaveAllOutcomes(t *testing.T) {
	p := made(Deployable, Refused, RefusedAtClone, RefusedAtUpgrade, Failed)
	for _, format := range Formats {
		text := printed(t, p, Print{Format: report.Format(format)})
		if text == "" {
			t.Errorf("%s prints nothing", format)
		}
		if slices.Contains([]string{"junit", "sarif"}, format) {
			continue // they have findings
		}
		for _, o := range outcomes {
			if !strings.Contains(text, string(o.Outcome)) {
				t.Errorf("%s has no %q", format, o.Outcome)
			}
		}
	}
}

// The JSON is written piece by piece, and is that of the whole.
func TestJSONIsWhole(t *testing.T) {
	changed := made(deployable(3)...)
	changed.Sets.Findings = []report.Finding{finding(diag.Warning, "a/b", "f"), finding(diag.Info, "a/c", "f")}
	changed.Rows[1].findings = []*found{of(diag.Error, "x/y", "f"), of(diag.Info, "x/\u2028##[z", "f")}
	changed.group()
	changed.Patches = &Patches{Same: 1, New: []string{"a"}, Groups: []Patch{{Packages: []string{"b"}, Files: []FilePatch{{"f", "+a: <1>\n"}}}}}
	changed.Verdicts = &Verdicts{Newly: []string{"a"}}
	for name, p := range map[string]*Preview{"none": made(), "changed": changed} {
		got := printed(t, p, Print{Format: report.JSON, Version: "v1"})
		var file File
		if err := json.Unmarshal([]byte(got), &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var whole strings.Builder
		if err := report.WriteJSON(&whole, file); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole.String(), got); diff != "" {
			t.Errorf("%s (-whole +got):\n%s", name, diff)
		}
	}
}

// A comment for a pull request has less than 60,000 characters, and counts what it leaves
// out.
func TestMarkdownFits(t *testing.T) {
	// notShown returns the number of things that the comment says are left out.
	notShown := func(text, noun string) (left int) {
		for line := range strings.Lines(text) {
			if number, ok := strings.CutSuffix(line, " more "+noun+"s not shown"); ok {
				line = number
			}
			if before, _, ok := strings.Cut(line, " more "+noun); ok && strings.Contains(line, " not shown") {
				fmt.Sscan(strings.ReplaceAll(before, ",", ""), &left)
			}
		}
		return left
	}
	for _, n := range []int{300, 354, 355, 356, 357, 3000} {
		p := made(append(deployable(1), slices.Repeat([]Outcome{Refused}, n)...)...)
		for i := range p.Rows {
			p.Rows[i].Repo = fmt.Sprintf("c-%04d", i)
		}
		text := printed(t, p, Print{Format: report.Markdown})
		left := notShown(text, "cluster")
		if shown := strings.Count(text, "\n| `c-"); shown+left != n || len(text) > maxMarkdown || left != max(0, n-355) {
			t.Errorf("%d packages: %d characters, %d shown and %d left", n, len(text), shown, left)
		}
	}
	for _, n := range []int{10, 38, 39, 40, 43} {
		p := made(Refused)
		p.Patches = &Patches{}
		for i := range n {
			f := of(diag.Warning, fmt.Sprintf("w/%03d", i), "f")
			f.Message = strings.Repeat("é", 950)
			p.Rows[0].findings = append(p.Rows[0].findings, f)
			p.Patches.Groups = append(p.Patches.Groups, Patch{Packages: []string{"c-000/p"}, Files: []FilePatch{{"f", "+" + strings.Repeat("x", 400) + "\n"}}})
		}
		p.group()
		text := printed(t, p, Print{Format: report.Markdown, Values: true})
		findings, changes := notShown(text, "finding"), notShown(text, "change")
		if got := []int{strings.Count(text, "\n| **warning**") + findings, strings.Count(text, "<details>") + changes}; got[0] != n || got[1] != n || utf8.RuneCountInString(text) > maxMarkdown {
			t.Errorf("%d findings: %d characters, %v, of which %d and %d are left out", n, utf8.RuneCountInString(text), got, findings, changes)
		}
		if wantFindings, wantChanges := max(0, n-39), max(0, n-38); findings != wantFindings || changes != wantChanges {
			t.Errorf("%d findings: %d and %d are left out, want %d and %d", n, findings, changes, wantFindings, wantChanges)
		}
	}
}
