package report

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// The page shows each finding once, as text, and has nothing to request.
func TestHTML(t *testing.T) {
	got := printed(t, sample(), HTML)
	for _, want := range []string{
		"<h1>2 errors, 1 warning, 2 notes</h1>",
		"<details open><summary>p/vault.yaml (2 errors, 0 warnings, 1 note)</summary>",
		"<details><summary>without a file (0 errors, 0 warnings, 1 note)</summary>",
		`<p>14:9: <span class="error">error</span>: ConfigMap vault: data[values.yaml]: registry.port: must be number, got 70000 <a href="#values%2fformat"><code>values/format</code></a></p></div>`,
		`<dt id="values/format">values/format</dt><dd>a value does not match its format, or is not a list where the path has $[]</dd>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	if n := strings.Count(got, `<div class="finding"`); n != 5 {
		t.Errorf("%d findings", n)
	}
	if strings.Contains(got, "<b>x</b>") || regexp.MustCompile(`(src|href)="[^#]|@import|url\(`).MatchString(got) {
		t.Errorf("not escaped, or a request:\n%s", got)
	}
	// What is between tags is the message again.
	decoder := xml.NewDecoder(strings.NewReader(got))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
	if !strings.Contains(text.String(), diag.OneLine(hostile)) {
		t.Errorf("lacks %s", diag.OneLine(hostile))
	}
}

// Each rule is explained once, in their order.
func TestHTMLRules(t *testing.T) {
	r := &Report{}
	for i, rule := range []string{"b/x", "a/x", "b/x", "a/x"} {
		r.Findings = append(r.Findings, Finding{Rule: rule, Severity: diag.Warning, Message: "m", Location: Location{File: "a.yaml", Line: i + 1}})
	}
	var rules []string
	for _, match := range regexp.MustCompile(`<dt id="([^"]*)"`).FindAllStringSubmatch(printed(t, r, HTML), -1) {
		rules = append(rules, match[1])
	}
	if got := strings.Join(rules, " "); got != "a/x b/x" {
		t.Errorf("got %s", got)
	}
}

// The page runs its own script and no other one.
func TestScriptPolicy(t *testing.T) {
	got := printed(t, sample(), HTML)
	script := regexp.MustCompile(`(?s)<script>(.+?)</script>`).FindStringSubmatch(got)
	if script == nil {
		t.Fatal("the page has no script")
	}
	sum := sha256.Sum256([]byte(script[1]))
	hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	if !strings.Contains(html.UnescapeString(got), "script-src '"+hash+"'; base-uri 'none'; form-action 'none'") {
		t.Errorf("the policy does not name the script, %s:\n%.600s", hash, got)
	}
}
