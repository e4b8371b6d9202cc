package report

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

func TestTable(t *testing.T) {
	got := printed(t, sample(), Table)
	want := `  -: info: a pool [resources/summary]

p/vault.yaml
  1: info: we know [accepted]
  14:9: error: ConfigMap vault: data[values.yaml]: registry.port: must be number, got 70000 [values/format]
  15: error: ConfigMap vault: data[values.yaml]: other [values/format]

p/a b#%.yaml
  2:3: warning: Pack x: ` + diag.OneLine(hostile) + ` [values/unknown-format]

2 errors, 1 warning, 2 notes
`
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r := sample()
	r.Color = true
	if colored := printed(t, r, Table); !strings.Contains(colored, "\x1b[31merror\x1b[0m") || strings.ReplaceAll(regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(colored, ""), "\x1b", "") != got {
		t.Errorf("got %q", colored)
	}
	r.Color = false
	for _, width := range []int{40, 80, 160} {
		r.Width = width
		for line := range strings.SplitSeq(printed(t, r, Table), "\n") {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
		if wrapped := regexp.MustCompile(`\n {6}([^ |])`).ReplaceAllString(printed(t, r, Table), " $1"); wrapped != got {
			t.Errorf("width %d: got:\n%s", width, wrapped)
		}
	}
	for took, want := range map[time.Duration]string{0: "", 1: " in 1ms", 123456 * time.Microsecond: " in 123ms", 12345 * time.Millisecond: " in 12.3s"} {
		if got := printed(t, &Report{Display: Display{Took: took}}, Table); got != "0 errors, 0 warnings, 0 notes"+want+"\n" {
			t.Errorf("%s: got %q", took, got)
		}
	}
	if got := printed(t, &Report{}, Table); got != "0 errors, 0 warnings, 0 notes\n" {
		t.Errorf("an empty report: %q", got)
	}
}

// At a terminal the line of the file is shown, with a caret, and without what may be a secret. Records have no
// lines.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "vault.yaml")
	cases.Write(t, dir, map[string]string{"vault.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  values:
    port: 70000
    token: tok
`})
	r := &Report{Findings: []Finding{
		{Rule: "a/b", Severity: diag.Error, Message: "m", Location: Location{File: "vault.yaml", Path: name, Line: 6, Column: 11}},
		{Rule: "a/b", Severity: diag.Error, Message: "m", Location: Location{File: "vault.yaml", Path: name, Line: 7}},
		{Rule: "a/b", Severity: diag.Error, Message: "m", Location: Location{File: "vault.yaml", Path: name, Line: 99, Column: 1}},
		{Rule: "a/b", Severity: diag.Error, Message: "m", Location: Location{File: "absent.yaml", Path: name + ".absent", Line: 1, Column: 1}},
	}}
	for audience, want := range map[diag.Audience]string{
		diag.Terminal: `vault.yaml
  6:11: error: m [a/b]
    6 |     port: 70000
      |           ^
  7: error: m [a/b]
    7 |     token: •••
  99:1: error: m [a/b]

absent.yaml
  1:1: error: m [a/b]

`,
		diag.Record: `vault.yaml
  6:11: error: m [a/b]
  7: error: m [a/b]
  99:1: error: m [a/b]

absent.yaml
  1:1: error: m [a/b]

`,
	} {
		r.Audience = audience
		if got, _, _ := strings.Cut(printed(t, r, Table), "4 errors"); got != want {
			t.Errorf("audience %d: got\n%s", audience, got)
		}
	}
}

// A value that a schema marks as a secret is masked: the schema of the pack directory, or of a pack in the same
// folder. No line of a cluster profile or of Terraform is shown.
func TestSourceOfSecrets(t *testing.T) {
	dir := t.TempDir()
	const schema = "door: {schema: '{{ format \"${password}\" }}'}"
	cases.Write(t, dir, map[string]string{
		"d/values.yaml": "door: opensesame\n", "d/schema.yaml": schema + "\n",
		"p/web.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: web}
spec:
  values: {}
  schema:
    ` + schema + "\n",
		"p/site.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: site}
spec: {packRef: {name: web}, values: {door: opensesame}}
`,
		"profile.json": `{"defaultValue": "opensesame"}`, "main.tf": "x = \"opensesame\"\n",
	})
	for name, line := range map[string]int{"d/values.yaml": 1, "p/site.yaml": 4, "profile.json": 1, "main.tf": 1} {
		r := &Report{Display: Display{Audience: diag.Terminal}, Findings: []Finding{{Rule: "a/b", Severity: diag.Error, Location: Location{File: name, Path: filepath.Join(dir, name), Line: line}}}}
		got := printed(t, r, Table)
		if isShown := strings.Contains(got, "| "); strings.Contains(got, "opensesame") || isShown != strings.HasSuffix(name, ".yaml") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

// A source line is not wider than the terminal, with its number and the bar.
func TestSourceWidth(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"f.yaml": strings.Repeat(strings.Repeat("x", 300)+"\n", 1234)})
	for _, tc := range []struct{ line, width, shown int }{{7, 50, 42}, {1234, 50, 39}, {7, 41, 33}, {7, 200, maxSource}, {7, 0, maxSource}, {7, 20, 20}} {
		r := &Report{Display: Display{Width: tc.width, Audience: diag.Terminal}, Findings: []Finding{{Rule: "a/b", Location: Location{File: "f", Path: filepath.Join(dir, "f.yaml"), Line: tc.line}}}}
		text := printed(t, r, Table)
		if want := fmt.Sprintf("    %d | %s…\n\n", tc.line, strings.Repeat("x", tc.shown-1)); !strings.Contains(text, want) {
			t.Errorf("line %d, width %d: got\n%s", tc.line, tc.width, text)
		}
	}
}

// The caret is below its column, also in a long line and after tabs.
func TestCut(t *testing.T) {
	long := strings.Repeat("x", 150) + "HERE" + strings.Repeat("y", 150)
	for _, tc := range []struct {
		source string
		column int
		at     string
	}{
		{"a: HERE", 4, "HERE"}, {"\tHERE", 2, "HERE"}, {long, 151, "HERE"}, {"HERE" + long, 1, "HERExxx"}, {long + "END", 305, "END"}, {"é: HERE", 4, "HERE"}, {"a", 2, ""},
	} {
		text, column := cut(tc.source, tc.column, maxSource)
		if runes := []rune(text); len(runes) > maxSource || column < 1 || !strings.HasPrefix(string(runes[column-1:]), tc.at) {
			t.Errorf("%q at %d: got %q at %d", tc.source, tc.column, text, column)
		}
	}
	for _, tc := range []struct {
		source string
		column int
		text   string
		at     int
	}{
		{"0123456789", 1, "0123456789", 1}, {"0123456789a", 1, "012345678…", 1}, {"0123456789a", 11, "…23456789a", 10}, {"0123456789a", 0, "012345678…", 0}, {"0123456789abcdef", 9, "…56789abc…", 5},
		{"0123456789a", 12, "…23456789a", 11}, {"éééééééééééé", 12, "…ééééééééé", 10}, {"\t\x01a", 3, ` \u{1}a`, 7},
	} {
		if text, at := cut(tc.source, tc.column, 10); text != tc.text || at != tc.at {
			t.Errorf("%q at %d: got %q at %d", tc.source, tc.column, text, at)
		}
	}
	if text, column := cut("a", 9, maxSource); column != 0 || text != "a" {
		t.Errorf("after the end: %q at %d", text, column)
	}
}

// The table shows what the reader asks for, and counts everything.
func TestTableShowsTheLeast(t *testing.T) {
	for least, want := range map[diag.Severity]string{diag.Info: "info info error error warning", diag.Warning: "error error warning", diag.Error: "error error"} {
		r := sample()
		r.Least = least
		got := printed(t, r, Table)
		var rows []string
		for _, row := range regexp.MustCompile(`(?m)^  [-0-9:]+: (\w+): `).FindAllStringSubmatch(got, -1) {
			rows = append(rows, row[1])
		}
		if strings.Join(rows, " ") != want || !strings.Contains(got, "\n2 errors, 1 warning, 2 notes") || strings.HasPrefix(got, "\n") || strings.Contains(got, "\n\n\n") {
			t.Errorf("%s: got\n%s", least, got)
		}
		if strings.Contains(got, "--notes") != (least == diag.Warning) {
			t.Errorf("%s: the flag for the notes is named, or not:\n%s", least, got)
		}
	}
	r := &Report{Display: Display{Least: diag.Warning}, Findings: []Finding{{Severity: diag.Info}}}
	if got, want := printed(t, r, Table), "0 errors, 0 warnings, 1 note (--notes shows them)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Files with errors come first, in the order of their names, and what to do next comes last.
func TestFilesWithErrorsFirst(t *testing.T) {
	r := &Report{Display: Display{Next: []string{"Next: a"}}, Findings: []Finding{
		{Rule: "a/a", Severity: diag.Warning, Message: "m", Location: Location{File: "a"}}, {Rule: "a/b", Severity: diag.Warning, Message: "m", Location: Location{File: "b"}},
		{Rule: "a/b", Severity: diag.Error, Message: "m", Location: Location{File: "b"}}, {Rule: "a/c", Severity: diag.Info, Message: "m", Location: Location{File: "c"}}, {Rule: "a/d", Severity: diag.Error, Message: "m", Location: Location{File: "d"}},
	}}
	for format, before := range map[Format]string{Table: "\n", HTML: "<summary>", Markdown: "<summary>"} {
		text := "\n" + printed(t, r, format)
		at := -1
		for _, name := range []string{"b", "d", "a", "c"} {
			next := strings.Index(text, before+name)
			if format == Markdown {
				next = strings.Index(text, "a/"+name)
			}
			if next <= at {
				t.Errorf("%s: %s is not at its place:\n%s", format, name, text)
			}
			at = next
		}
		if format == Table && !strings.HasSuffix(text, "\nNext: a\n") {
			t.Errorf("got %s", text)
		}
	}
	if text := printed(t, r, HTML); strings.Count(text, "<details open>") != 2 {
		t.Errorf("want the files with errors unfolded:\n%s", text)
	}
}
