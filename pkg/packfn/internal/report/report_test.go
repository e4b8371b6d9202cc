package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/reporttest"
)

// hostile is text that every format has to escape.
const hostile = "a|b <b>x</b> & `c` *d* [e](http://f) @user #12 %25 ::error:: \x1b[31m ]]> \"q\" 'r' é \u202e,:"

func sample() *Report {
	vault := &Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "vault"}
	r := &Report{
		Version: "v1.2.3",
		Findings: []Finding{
			{Rule: "values/format", Severity: diag.Error, Message: "registry.port: must be number, got 70000", Function: "validate-pack-values", Location: Location{File: "p/vault.yaml", Line: 14, Column: 9}, Target: Target{Resource: vault, Field: "data[values.yaml]", Key: "registry.port", Pack: "vault"}, Current: 70000},
			{Rule: "values/format", Severity: diag.Error, Message: "other", Function: "validate-pack-values", Location: Location{File: "p/vault.yaml", Line: 15}, Target: Target{Resource: vault, Field: "data[values.yaml]", Key: "registry.port"}},
			{Rule: "values/unknown-format", Severity: diag.Warning, Message: hostile, Function: "validate-pack-values", Location: Location{File: "p/a b#%.yaml", Line: 2, Column: 3}, Target: Target{Resource: &Resource{Kind: "Pack", Name: "x"}}, Tags: map[string]string{"a": "b"}, Unrecorded: Unrecorded{Edits: []diag.Edit{{At: diag.Position{Line: 2, Column: 3}, Length: 4, New: "worker", IsSure: true}}}},
			{Rule: "resources/summary", Severity: diag.Info, Message: "a pool", Function: "check-resources"},
			{Rule: "accepted", Severity: diag.Info, Message: "we know", Function: "check-resources", Location: Location{File: "p/vault.yaml", Line: 1}, Accepted: true},
		},
		Extent: Extent{Cases: []Case{{"validate-pack-values", "p/vault.yaml", *vault}, {"validate-pack-values", "p/fine.yaml", Resource{Kind: "Pack", Name: "fine"}}}},
	}
	r.Finish()
	return r
}

func printed(t *testing.T, r *Report, format Format) string {
	t.Helper()
	var b bytes.Buffer
	if format == SARIF && r.Given.File == "" {
		r.Given = Place{File: "given.yaml"}
	}
	if err := r.Write(&b, format); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	if format == SARIF {
		reporttest.SARIF(t, "a report", b.String())
	}
	return b.String()
}

func TestGitHub(t *testing.T) {
	got := printed(t, sample(), GitHub)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("got %d lines:\n%s", len(lines), got)
	}
	if want := "::error file=p/vault.yaml,line=14,col=9,title=values/format::ConfigMap vault: data[values.yaml]: registry.port: must be number, got 70000 [values/format]"; lines[0] != want {
		t.Errorf("got %s", lines[0])
	}
	if !strings.HasPrefix(lines[2], "::warning file=p/a b#%25.yaml,line=2,col=3,title=values/unknown-format::Pack x: a|b") || !strings.Contains(lines[2], "%2525 ::error::") {
		t.Errorf("got %s", lines[2])
	}
	if lines[3] != "::notice title=resources/summary::a pool [resources/summary]" {
		t.Errorf("got %s", lines[3])
	}
	many := &Report{}
	for i := range 25 {
		many.Findings = append(many.Findings, Finding{Rule: "a/b", Severity: []diag.Severity{diag.Warning, diag.Error}[i%2], Message: "x"})
	}
	lines = strings.Split(strings.TrimSuffix(printed(t, many, GitHub), "\n"), "\n")
	if len(lines) != 21 || !strings.HasPrefix(lines[9], "::error") || !strings.HasPrefix(lines[10], "::warning") || lines[20] != "packfn: 2 more errors and 3 more warnings; GitHub shows 10 of a kind" {
		t.Errorf("got %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

// The published schema of SARIF accepts the report.
func TestSARIF(t *testing.T) {
	for name, r := range map[string]*Report{"sample": sample(), "empty": {}} {
		reporttest.SARIF(t, name, printed(t, r, SARIF))
	}
	type region struct{ StartLine, StartColumn, EndColumn int }
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID                     string
						ShortDescription, Help struct{ Text string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
				PartialFingerprints map[string]string
				Fixes               []struct {
					ArtifactChanges []struct {
						ArtifactLocation struct{ URI string }
						Replacements     []struct {
							DeletedRegion   region
							InsertedContent struct{ Text string }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(printed(t, sample(), SARIF)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 3 || len(run.Tool.Driver.Rules) != 2 {
		t.Fatalf("want errors and warnings only, got %+v", run)
	}
	const meaning = "a value does not match its format, or is not a list where the path has $[]"
	if format := run.Tool.Driver.Rules[0]; format.ID != "values/format" || format.ShortDescription.Text != meaning || format.Help.Text != meaning+"\n\nSee packfn explain values/format." {
		t.Errorf("got %+v", format)
	}
	for _, result := range run.Results {
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID || result.PartialFingerprints["primaryLocationLineHash"] == "" {
			t.Errorf("got %+v", result)
		}
	}
	if fixes := run.Results[0].Fixes; len(fixes) != 1 || fixes[0].ArtifactChanges[0].ArtifactLocation.URI != "p/a%20b%23%25.yaml" || len(fixes[0].ArtifactChanges[0].Replacements) != 1 {
		t.Errorf("got %+v", fixes)
	} else if r := fixes[0].ArtifactChanges[0].Replacements[0]; r.DeletedRegion != (region{2, 3, 7}) || r.InsertedContent.Text != "worker" {
		t.Errorf("got %+v", r)
	}
	if place := run.Results[0].Locations[0].PhysicalLocation; place.ArtifactLocation.URI != "p/a%20b%23%25.yaml" || place.Region.StartLine != 2 || place.Region.StartColumn != 3 {
		t.Errorf("got %+v", place)
	}
	many := &Report{}
	for i := range maxResults + 100 {
		many.Findings = append(many.Findings, Finding{Rule: "a/b", Severity: diag.Warning, Message: fmt.Sprint(i)})
	}
	many.Findings[maxResults+50].Severity = diag.Error
	if err := json.Unmarshal([]byte(printed(t, many, SARIF)), &log); err != nil || len(log.Runs[0].Results) != maxResults || log.Runs[0].Results[0].Level != "error" {
		t.Errorf("%d results, %v", len(log.Runs[0].Results), err)
	}
}

// The elements and attributes are in the schema that Jenkins publishes for JUnit (xunit-plugin, junit-10.xsd).
// Other places of a finding are related ones.
func TestSARIFRelated(t *testing.T) {
	r := &Report{Findings: []Finding{{Rule: "a/b", Severity: diag.Error, Message: "x", Location: Location{File: "a.yaml", Line: 1}, Related: []Place{{File: "b c.yaml", Line: 2, Column: 3, Message: "there"}, {File: "c.yaml"}}}, {Rule: "a/b", Severity: diag.Error, Message: "y"}}}
	var got struct {
		Runs []struct {
			Results []struct {
				RelatedLocations []any
			}
		}
	}
	if err := json.Unmarshal([]byte(printed(t, r, SARIF)), &got); err != nil {
		t.Fatal(err)
	}
	want := []any{
		map[string]any{"id": 1.0, "message": map[string]any{"text": "there"}, "physicalLocation": map[string]any{"artifactLocation": map[string]any{"uri": "b%20c.yaml"}, "region": map[string]any{"startLine": 2.0, "startColumn": 3.0}}},
		map[string]any{"id": 2.0, "physicalLocation": map[string]any{"artifactLocation": map[string]any{"uri": "c.yaml"}}},
	}
	if diff := gocmp.Diff([][]any{want, nil}, [][]any{got.Runs[0].Results[0].RelatedLocations, got.Runs[0].Results[1].RelatedLocations}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJUnit(t *testing.T) {
	text := printed(t, sample(), JUnit)
	allowed := map[string]struct {
		attributes, children []string
	}{
		"testsuites": {[]string{"name", "tests", "failures", "errors", "time", "disabled"}, []string{"testsuite"}},
		"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time", "hostname", "id", "package", "timestamp"}, []string{"properties", "testcase", "system-out", "system-err"}},
		"testcase":   {[]string{"name", "classname", "assertions", "time", "status"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
		"failure":    {[]string{"type", "message"}, nil},
		"system-out": {nil, nil},
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	var path []string
	count := map[string]int{}
	for {
		token, err := decoder.Token()
		if token == nil {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			known, ok := allowed[name]
			if !ok || len(path) == 0 && name != "testsuites" || len(path) > 0 && !strings.Contains(" "+strings.Join(allowed[path[len(path)-1]].children, " ")+" ", " "+name+" ") {
				t.Errorf("<%s> in %v", name, path)
			}
			for _, a := range e.Attr {
				if !strings.Contains(" "+strings.Join(known.attributes, " ")+" ", " "+a.Name.Local+" ") {
					t.Errorf("<%s %s>", name, a.Name.Local)
				}
			}
			count[name]++
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	if diff := gocmp.Diff(map[string]int{"testsuites": 1, "testsuite": 2, "testcase": 4, "failure": 1, "system-out": 2}, count); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
	for _, want := range []string{`<testsuite name="validate-pack-values" tests="3" failures="1" errors="0" skipped="0">`, `<testcase name="Pack fine" classname="p/fine.yaml"></testcase>`, `(and 1 more error)`} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s:\n%s", want, text)
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := printed(t, sample(), Markdown)
	for _, want := range []string{"<details open><summary><code>p/vault.yaml</code>: 2 errors, 0 warnings, 1 note</summary>", "| 14 | **error** | `ConfigMap vault: data[values.yaml]: registry.port: must be number, got 70000` | `values/format` |"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "| 2 ") && !strings.HasPrefix(line, "| 2 | warning | `` Pack x: a\\|b <b>x</b> & `c` ") {
			t.Errorf("not escaped: %s", line)
		}
	}
	for _, files := range []int{1, 5000} {
		many := &Report{}
		for i := range 5000 {
			many.Findings = append(many.Findings, Finding{Rule: "a/b", Severity: diag.Error, Location: Location{File: fmt.Sprintf("f%d.yaml", i%files)}, Message: fmt.Sprint(i, strings.Repeat("é", 500))})
		}
		many.Finish()
		got := printed(t, many, Markdown)
		if n := utf8.RuneCountInString(got); n > maxMarkdown || n < maxMarkdown-2000 {
			t.Errorf("%d files: %d characters", files, n)
		}
		if strings.Count(got, "<details") != strings.Count(got, "</details>") || !regexp.MustCompile(`\n4[0-9]{3} more findings not shown`).MatchString(got) {
			t.Errorf("%d files: ends with %q", files, got[len(got)-100:])
		}
	}
}

func TestJSON(t *testing.T) {
	r := sample()
	file, err := ReadJSON([]byte(printed(t, r, JSON)))
	if err != nil {
		t.Fatal(err)
	}
	if file.Summary != (Summary{2, 1, 2}) || file.Version != "v1.2.3" || len(file.Findings) != 5 || file.Findings[0].Fingerprint == "" {
		t.Errorf("got %+v", file)
	}
	for text, want := range map[string]string{"": "not a report in the format json: ", "{}": `the report must have the format "packfn.report/v1", got ""`, `{"format":"packfn.report/v9"}`: `the report must have the format "packfn.report/v1", got "packfn.report/v9"`} {
		_, err := ReadJSON([]byte(text))
		if _, other := ReadFingerprints([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) || other == nil || other.Error() != err.Error() {
			t.Errorf("%q: got %v and %v", text, err, other)
		}
	}
	// What an earlier report has is not new, also when lines move.
	moved := sample()
	for i := range moved.Findings {
		moved.Findings[i].Line += 7
	}
	moved.Findings = append(moved.Findings, Finding{Rule: "values/format", Severity: diag.Error, Message: "new", Location: Location{File: "p/vault.yaml", Line: 99}, Target: Target{Resource: &Resource{Kind: "ConfigMap", Name: "vault"}, Field: "data[values.yaml]", Key: "registry.port"}})
	moved.Finish()
	known, err := ReadFingerprints([]byte(printed(t, r, JSON)))
	if err != nil {
		t.Fatal(err)
	}
	moved.Without(known)
	if len(moved.Findings) != 1 || moved.Findings[0].Message != "new" {
		t.Errorf("got %+v", moved.Findings)
	}
	if got := printed(t, &Report{}, JSON); !strings.Contains(got, `"findings": []`) {
		t.Errorf("got %s", got)
	}
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(text []byte) (int, error) {
	if f.left -= len(text); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(text), nil
}

// What cannot be printed is an error in each format.
func TestWriteFails(t *testing.T) {
	for _, format := range Formats {
		whole := len(printed(t, sample(), Format(format)))
		for _, left := range []int{0, 10, whole / 2, whole - 1} {
			if err := sample().Write(&failing{left}, Format(format)); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s after %d of %d bytes: got %v", format, left, whole, err)
			}
		}
	}
}

// Findings are in the order of their places, then of all else that tells them apart.
func TestOrder(t *testing.T) {
	all := []Finding{
		{}, {Target: Target{Pack: "a"}}, {Severity: "a"}, {Message: "a"}, {Rule: "a"}, {Target: Target{Key: "a[2]"}}, {Target: Target{Key: "a[10]"}}, {Target: Target{Field: "a[2]"}}, {Target: Target{Field: "a[10]"}}, {Target: Target{Resource: &Resource{Name: "a"}}},
		{Location: Location{Column: 2}}, {Location: Location{Column: 10}}, {Location: Location{Line: 2}}, {Location: Location{Line: 10}}, {Location: Location{File: "a"}}, {Location: Location{File: "b"}},
	}
	for i := range all {
		for j := range all {
			if got, want := compare(all[i], all[j]), cmp.Compare(i, j); got != want {
				t.Errorf("%+v and %+v: got %d", all[i], all[j], got)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := sample().Write(&bytes.Buffer{}, "sarf"); err == nil || !strings.Contains(err.Error(), `Did you mean "sarif"`) {
		t.Errorf("got %v", err)
	}
}
