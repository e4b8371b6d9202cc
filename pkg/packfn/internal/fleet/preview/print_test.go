package preview

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
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/packfn/reporttest"
)

// made returns a preview of clusters with the outcomes, named c-000 and so on.
func made(all ...Outcome) *Preview {
	p := &Preview{Sets: &report.Report{}, Given: report.Place{File: "clusters/set.yaml", Line: 3}}
	for i, o := range all {
		row := Row{Variant: fmt.Sprintf("v-%03d", i), Repo: fmt.Sprintf("c-%03d", i), Package: "p", Outcome: o, Functions: []string{"inject-config", "check-resources"}}
		row.Files = []workspace.File{{Path: "Kptfile", Text: []byte("kind: Kptfile\n")}}
		if o.IsRefused() {
			row.Found = []*Found{of(diag.Error, "resources/insufficient", "check-resources")}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Group()
	return p
}

func of(severity diag.Severity, rule, function string) *Found {
	return &Found{finding(severity, rule, function), digestOf(rule)}
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
	if how.Format == report.SARIF {
		reporttest.SARIF(t, "a fleet", b.String())
	}
	return b.String()
}

// Summaries count every outcome. They name the outcomes of later steps only if there are any.
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
	p.Rows[0].Findings = nil
	p.Groups = nil
	p.Rows[0].Found = []*Found{of(diag.Warning, "w", "f"), of(diag.Error, "e", "f"), of(diag.Info, "i", "f")}
	p.Group()
	p.Sets.Findings = []report.Finding{finding(diag.Warning, "set/w", "s"), finding(diag.Error, "set/e", "s"), finding(diag.Info, "set/i", "s")}
	var got []string
	for _, one := range p.problems(diag.Error, diag.Warning) {
		got = append(got, one.Finding.Rule)
	}
	if diff := cmp.Diff([]string{"set/e", "e", "set/w", "w"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	page := printed(t, p, Print{Format: report.HTML})
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
	// A finding of all packages is folded with its link; a finding of a single package is not.
	if out := made(Refused, Refused).page(Print{}); len(out.Columns) != 0 || len(out.Folded[1].Links) != 1 {
		t.Errorf("a finding of all: %+v, %+v", out.Columns, out.Folded)
	}
	if out := made(Refused).page(Print{}); len(out.Columns) != 1 {
		t.Errorf("a finding of a single package is not in its row: %+v", out.Columns)
	}
}

// Every format prints every outcome.
func TestFormatsHaveAllOutcomes(t *testing.T) {
	p := made(Deployable, Refused, RefusedAtClone, RefusedAtUpgrade, NotRendered, Failed)
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

// The JSON is written piece by piece, and equals the JSON of the whole value.
func TestJSONIsWhole(t *testing.T) {
	changed := made(deployable(3)...)
	changed.Sets.Findings = []report.Finding{finding(diag.Warning, "a/b", "f"), finding(diag.Info, "a/c", "f")}
	changed.Rows[1].Found = []*Found{of(diag.Error, "x/y", "f"), of(diag.Info, "x/\u2028##[z", "f")}
	changed.Group()
	changed.Patches = &Patches{Same: 1, New: []string{"a"}, Groups: []Patch{{Packages: []string{"b"}, Patch: "+a: <1>\n"}}, Outcomes: &Verdicts{NewlyRefused: []string{"a"}}}
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
	// Behind what does not fit nothing is shown.
	p := made(Refused, Refused, Refused)
	p.Rows[1].Repo = strings.Repeat("x", maxMarkdown)
	for i, name := range []string{"a", strings.Repeat("b", maxMarkdown), "c"} {
		f := of(diag.Warning, "w/"+name, "f")
		f.Message = name
		p.Rows[i].Found = append(p.Rows[i].Found, f)
	}
	p.Group()
	text := printed(t, p, Print{Format: report.Markdown})
	if rows, findings := notShown(text, "cluster"), notShown(text, "finding"); rows != 2 || findings != 2 || strings.Contains(text, "c-002") {
		t.Errorf("%d clusters and %d findings are left out:\n%s", rows, findings, text)
	}
	for _, n := range []int{10, 38, 39, 40, 43} {
		p := made(Refused)
		p.Patches = &Patches{}
		for i := range n {
			f := of(diag.Warning, fmt.Sprintf("w/%03d", i), "f")
			f.Message = strings.Repeat("é", 950)
			p.Rows[0].Found = append(p.Rows[0].Found, f)
			p.Patches.Groups = append(p.Patches.Groups, Patch{Packages: []string{"c-000/p"}, Patch: "+" + strings.Repeat("x", 400) + "\n"})
		}
		p.Group()
		text := printed(t, p, Print{Format: report.Markdown})
		findings, changes := notShown(text, "finding"), notShown(text, "change")
		if got := []int{strings.Count(text, "\n| **warning**") + findings, strings.Count(text, "<details>") + changes}; got[0] != n || got[1] != n || utf8.RuneCountInString(text) > maxMarkdown {
			t.Errorf("%d findings: %d characters, %v, of which %d and %d are left out", n, utf8.RuneCountInString(text), got, findings, changes)
		}
		if wantFindings, wantChanges := max(0, n-39), max(0, n-38); findings != wantFindings || changes != wantChanges {
			t.Errorf("%d findings: %d and %d are left out, want %d and %d", n, findings, changes, wantFindings, wantChanges)
		}
	}
}

// Groups are ordered by their severity and size, and then by each of their fields, so that
// the order in which packages are done does not matter.
func TestGroupsAreInOrder(t *testing.T) {
	fields := []func(f *Found, v int){
		func(f *Found, v int) { f.Severity = []diag.Severity{diag.Error, diag.Warning, diag.Info}[v] },
		func(f *Found, v int) { f.File = fmt.Sprint(v) },
		func(f *Found, v int) { f.Line = v },
		func(f *Found, v int) { f.Column = v },
		func(f *Found, v int) { f.Rule = fmt.Sprint(v) },
		func(f *Found, v int) { f.Function = fmt.Sprint(v) },
		func(f *Found, v int) { f.Resource = &report.Resource{Kind: "K", Name: fmt.Sprint(v)} },
		func(f *Found, v int) { f.Field = fmt.Sprint(v) },
		func(f *Found, v int) { f.Key = fmt.Sprint(v) },
		func(f *Found, v int) { f.Message = fmt.Sprint(v) },
		func(f *Found, v int) { f.key[0] = byte(v) },
	}
	for i := range fields {
		for _, values := range [][2]int{{0, 1}, {1, 2}} {
			// The findings differ in one field, and in those after it the other way around.
			one, other := &Found{}, &Found{}
			for at, set := range fields {
				switch {
				case at < i:
					set(one, 0)
					set(other, 0)
				case at == i:
					set(one, values[0])
					set(other, values[1])
				default:
					set(one, 1)
					set(other, 0)
				}
			}
			one.key[1] = 1 // they are two
			for _, order := range [][]*Found{{one, other}, {other, one}} {
				p := made(Deployable)
				p.Rows[0].Found = order
				p.Group()
				if diff := cmp.Diff([]report.Finding{one.Finding, other.Finding}, []report.Finding{p.Groups[0].Finding, p.Groups[1].Finding}); diff != "" {
					t.Errorf("field %d: -want +got:\n%s", i, diff)
				}
			}
		}
	}
	// Findings of more packages come first, then findings of earlier packages, and only then the fields decide.
	a, b, c := of(diag.Error, "a", "f"), of(diag.Error, "b", "f"), of(diag.Error, "c", "f")
	p := made(Refused, Refused, Refused)
	p.Rows[0].Found, p.Rows[1].Found, p.Rows[2].Found = []*Found{c}, []*Found{b, b}, []*Found{a, b}
	p.Group()
	var got []string
	for _, g := range p.Groups {
		got = append(got, fmt.Sprint(g.Finding.Rule, g.Packages))
	}
	if diff := cmp.Diff([]string{"b[1 2]", "c[0]", "a[2]"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 2}, p.Rows[2].Findings); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A fault names each of its other places once, and not more than there is room for.
func TestRelated(t *testing.T) {
	known := &report.Finding{Location: report.Location{File: "a.yaml", Line: 1}}
	add := func(file string, line int) bool {
		place, ok := besides(known, &report.Finding{Location: report.Location{File: file, Line: line}, Target: report.Target{Resource: &report.Resource{Kind: "Pack", Name: "p"}}})
		if ok {
			known.Related = append(known.Related, place)
		}
		return ok
	}
	if add("a.yaml", 1) {
		t.Error("the place itself is another one")
	}
	if !add("a.yaml", 2) || !add("b.yaml", 1) || add("b.yaml", 1) {
		t.Errorf("got %v", known.Related)
	}
	if known.Related[1].Message != "the same in Pack p" {
		t.Errorf("got %q", known.Related[1].Message)
	}
	for line := range 2 * mostRelated {
		add("c.yaml", line+1)
	}
	if len(known.Related) != mostRelated {
		t.Errorf("got %d places", len(known.Related))
	}
}
