package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
)

// difficult has names and texts that some format must escape, findings without a line or
// a file, and an accepted one that is not an info.
func difficult() *Report {
	x := &Resource{APIVersion: "v1", Kind: "ConfigMap", Namespace: "ns", Name: "x"}
	r := &Report{
		Version: "v1.2.3",
		Findings: []Finding{
			{Rule: "a/b", Severity: diag.Error, Message: "one\r\ntwo \x01\ufffe 5% & <b> #1 *s* `c` _u_ [l](m) ~d~ \\n !i", Function: "f2", Location: Location{File: "p/a:b,c_d.yaml", Line: 3, Column: 4}, Target: Target{Resource: x, Field: "data[a]", Key: "k"}},
			{Rule: "a/b", Severity: diag.Error, Message: "same key", Function: "f2", Location: Location{File: "p/a:b,c_d.yaml", Line: 4}, Target: Target{Resource: x, Field: "data[a]", Key: "k"}},
			{Rule: "_odd_,:", Severity: diag.Warning, Message: "no line", Function: "f2", Location: Location{File: "p/a:b,c_d.yaml"}},
			{Rule: "a/b", Severity: diag.Error, Message: "accepted", Function: "f2", Location: Location{File: "p/z.yaml", Line: 1}, Accepted: true},
			{Rule: "a/c", Severity: diag.Info, Message: "no file", Function: "f1"},
		},
		Extent: Extent{Cases: []Case{{"f2", "p/z\x01.yaml", *x}, {"f2", "p/b.yaml", *x}, {"f2", "p/b.yaml", Resource{Kind: "Pack", Name: "a\x01"}}, {"f1", "p/b.yaml", *x}}},
	}
	r.Finish()
	return r
}

func TestSARIFExactly(t *testing.T) {
	// The fingerprint is of rule, file, resource, field and key, and counts equal ones.
	const fingerprint = "FINGERPRINT"
	r := difficult()
	prints := map[string]bool{}
	for _, f := range r.Findings {
		prints[f.Fingerprint] = true
	}
	text := printed(t, r, SARIF)
	for _, f := range r.Findings {
		if f.Severity != diag.Info && !f.Accepted {
			if strings.Count(text, `"primaryLocationLineHash": "`+f.Fingerprint+`"`) != 1 {
				t.Errorf("%s is not there once", f.Fingerprint)
			}
			text = strings.Replace(text, f.Fingerprint, fingerprint, 1)
		}
	}
	if len(prints) != len(r.Findings) {
		t.Errorf("%d fingerprints of %d findings", len(prints), len(r.Findings))
	}
	result := func(rule, index, level, message, place string) string {
		return `{"ruleId": "` + rule + `", "ruleIndex": ` + index + `, "level": "` + level + `", "message": {"text": ` + message + `}, "partialFingerprints": {"primaryLocationLineHash": "` + fingerprint + `"}, "locations": [` + place + `]}`
	}
	const artifact = `"artifactLocation": {"uri": "p/a:b,c_d.yaml"}`
	const logical = `"logicalLocations": [{"name": "ConfigMap ns/x", "kind": "resource"}]`
	message, _ := json.Marshal("ConfigMap ns/x: data[a]: " + diag.OneLine(r.Findings[2].Message))
	want := `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
		"tool": {"driver": {"name": "packfn", "version": "v1.2.3", "informationUri": "https://github.com/krm-packs/functions", "rules": [
			{"id": "_odd_,:"},
			{"id": "a/b"}]}},
		"columnKind": "unicodeCodePoints", "results": [` +
		result("_odd_,:", "0", "warning", `"no line"`, `{"physicalLocation": {`+artifact+`, "region": {"startLine": 1}}}`) + "," +
		result("a/b", "1", "error", string(message), `{"physicalLocation": {`+artifact+`, "region": {"startLine": 3, "startColumn": 4}}, `+logical+`}`) + "," +
		result("a/b", "1", "error", `"ConfigMap ns/x: data[a]: same key"`, `{"physicalLocation": {`+artifact+`, "region": {"startLine": 4}}, `+logical+`}`) + `]}]}`
	var got, wanted any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// GitHub takes 5,000 results in a run.
	for n, want := range map[int]int{5000: 5000, 5001: 5000} {
		many := &Report{Findings: make([]Finding, n)}
		for i := range many.Findings {
			many.Findings[i] = Finding{Rule: "a/b", Severity: diag.Warning}
		}
		many.Findings[n-1].Severity = diag.Error
		text := printed(t, many, SARIF)
		if got := strings.Count(text, `"ruleId"`); got != want {
			t.Errorf("%d results of %d", got, n)
		}
		// Only where some are left out, the errors come first.
		if isFirst := strings.Index(text, `"error"`) < strings.Index(text, `"warning"`); isFirst != (want < n) {
			t.Errorf("of %d results the error comes first: %v", n, isFirst)
		}
	}
}

func TestGitHubExactly(t *testing.T) {
	want := "::error file=p/a%3Ab%2Cc_d.yaml,line=3,col=4,title=a/b::ConfigMap ns/x: data[a]: one two \\u{1}\ufffe 5%25 & <b> #1 *s* `c` _u_ [l](m) ~d~ \\n !i [a/b]\n" +
		"::error file=p/a%3Ab%2Cc_d.yaml,line=4,title=a/b::ConfigMap ns/x: data[a]: same key [a/b]\n" +
		"::warning file=p/a%3Ab%2Cc_d.yaml,title=_odd_%2C%3A::no line [_odd_,:]\n" +
		"::notice title=a/c::no file [a/c]\n"
	if diff := cmp.Diff(want, printed(t, difficult(), GitHub)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJUnitExactly(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="packfn" tests="7" failures="1" errors="0">
  <testsuite name="f1" tests="2" failures="0" errors="0" skipped="0">
    <testcase name="package" classname="f1">
      <system-out>-: info: no file [a/c]&#xA;</system-out>
    </testcase>
    <testcase name="ConfigMap ns/x" classname="p/b.yaml"></testcase>
  </testsuite>
  <testsuite name="f2" tests="5" failures="1" errors="0" skipped="0">
    <testcase name="ConfigMap ns/x" classname="p/a:b,c_d.yaml">
      <failure message="one two \u{1}� 5% &amp; &lt;b&gt; #1 *s* ` + "`c`" + ` _u_ [l](m) ~d~ \n !i (and 1 more error)" type="a/b">p/a:b,c_d.yaml:3:4: error: ConfigMap ns/x: data[a]: one two \u{1}� 5% &amp; &lt;b&gt; #1 *s* ` + "`c`" + ` _u_ [l](m) ~d~ \n !i [a/b]&#xA;p/a:b,c_d.yaml:4: error: ConfigMap ns/x: data[a]: same key [a/b]&#xA;</failure>
    </testcase>
    <testcase name="p/a:b,c_d.yaml" classname="p/a:b,c_d.yaml">
      <system-out>p/a:b,c_d.yaml: warning: no line [_odd_,:]&#xA;</system-out>
    </testcase>
    <testcase name="ConfigMap ns/x" classname="p/b.yaml"></testcase>
    <testcase name="Pack a\u{1}" classname="p/b.yaml"></testcase>
    <testcase name="ConfigMap ns/x" classname="p/z\u{1}.yaml"></testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, printed(t, difficult(), JUnit)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkdownExactly(t *testing.T) {
	want := strings.NewReplacer("'", "`", "FFFE", "\ufffe").Replace(`### packfn check :x: 3 errors, 1 warning, 1 note

<details><summary>without a file: 0 errors, 0 warnings, 1 note</summary>

| line | severity | finding | rule |
|---|---|---|---|
|  | info | 'no file' | 'a/c' |

</details>

<details open><summary><code>p/a:b,c_d.yaml</code>: 2 errors, 1 warning, 0 notes</summary>

| line | severity | finding | rule |
|---|---|---|---|
|  | warning | 'no line' | '_odd_,:' |
| 3 | **error** | '' ConfigMap ns/x: data[a]: one two \u{1}FFFE 5% & <b> #1 *s* 'c' _u_ [l](m) ~d~ \n !i '' | 'a/b' |
| 4 | **error** | 'ConfigMap ns/x: data[a]: same key' | 'a/b' |

</details>

<details open><summary><code>p/z.yaml</code>: 1 error, 0 warnings, 0 notes</summary>

| line | severity | finding | rule |
|---|---|---|---|
| 1 | **error** | 'accepted' | 'a/b' |

</details>
`)
	if diff := cmp.Diff(want, printed(t, difficult(), Markdown)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A finding is left out if it does not fit before the reserve, and not earlier.
	one := func(message int) string {
		return printed(t, &Report{Findings: []Finding{{Rule: "a/b", Severity: diag.Error, Location: Location{File: "f.yaml"}, Message: strings.Repeat("é", message)}}}, Markdown)
	}
	fits := 60_000 - 300 - (utf8.RuneCountInString(one(1)) - 1 - len("\n</details>\n"))
	for message, isShown := range map[int]bool{fits: true, fits + 1: false} {
		if text := one(message); strings.Contains(text, "éé") != isShown || strings.Contains(text, "1 more finding not shown") == isShown {
			t.Errorf("a message of %d characters: want %v", message, isShown)
		}
	}
	// The limit is 60,000 characters, also where a part ends there.
	for message := 0; message < 300; message += 7 {
		many := &Report{}
		for i := range 400 {
			many.Findings = append(many.Findings, Finding{Rule: "a/b", Severity: diag.Error, Location: Location{File: fmt.Sprintf("f%d.yaml", i/2)}, Message: strings.Repeat("é", 300+message)})
		}
		text := printed(t, many, Markdown)
		if n := utf8.RuneCountInString(text); n > 60_000 || n < 59_000-2*300 {
			t.Errorf("messages of %d: %d characters", 300+message, n)
		}
		if !strings.HasSuffix(text, " more findings not shown; run packfn check for all.\n") {
			t.Errorf("messages of %d: the rest is not counted", 300+message)
		}
	}
}

// A fingerprint is of rule, file, resource, field and key, and of nothing else.
func TestFingerprint(t *testing.T) {
	first := Finding{Rule: "a/b", Location: Location{File: "f"}, Target: Target{Resource: &Resource{Kind: "Pack", Name: "x"}, Field: "g", Key: "k"}}
	print := func(edit func(f *Finding)) string {
		f := first
		edit(&f)
		r := &Report{Findings: []Finding{f}}
		r.Finish()
		return r.Findings[0].Fingerprint
	}
	same := print(func(*Finding) {})
	for name, edit := range map[string]func(f *Finding){
		"rule": func(f *Finding) { f.Rule = "a/c" }, "file": func(f *Finding) { f.File = "h" }, "field": func(f *Finding) { f.Field = "h" },
		"key": func(f *Finding) { f.Key = "h" }, "resource": func(f *Finding) { f.Resource = &Resource{Kind: "Pack", Name: "y"} },
	} {
		if print(edit) == same {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	if print(func(f *Finding) { f.Line, f.Column, f.Message, f.Severity = 9, 9, "other", diag.Info }) != same {
		t.Error("the place or the message changes the fingerprint")
	}
}

// JSON for people has the characters of HTML as they are.
func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	if err := WriteJSON(&b, map[string]any{"a": "<b> & c"}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `{
  "a": "<b> & c"
}
`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
