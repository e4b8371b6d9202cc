package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// foreign is a name that a terminal, a page, or a CI runner would obey.
const foreign = "::error::a\n::stop-commands::t\r##[group]b\x1b[2J\u202ec\u2028d\u0085<script>@name www.example.com |`&#64;x"

// No format for people shows a character that is not seen but obeyed, nor a command.
func TestForeignNames(t *testing.T) {
	r := &Report{
		Findings: []Finding{{
			Rule: foreign, Severity: diag.Error, Message: foreign, Function: foreign, Location: Location{File: foreign, Line: 1, Column: 3}, Target: Target{Field: foreign, Key: foreign, Pack: foreign, Resource: &Resource{Kind: foreign, Namespace: foreign, Name: foreign}}, Tags: map[string]string{foreign: foreign},
			Related: []Place{{File: foreign, Line: 1, Message: foreign}},
		}},
		Extent: Extent{Cases: []Case{{foreign, foreign, Resource{Kind: foreign, Name: foreign}}}},
	}
	r.Finish()
	for _, format := range Formats {
		var out bytes.Buffer
		if err := r.Write(&out, Format(format)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			isCommand := format == string(GitHub) && strings.HasPrefix(line, "::error file=")
			if strings.ContainsFunc(line, func(r rune) bool { return diag.IsHidden(r) && r != '\t' }) || strings.Contains(line, "##[") || strings.HasPrefix(strings.TrimSpace(line), "::") && !isCommand {
				t.Errorf("%s: a line obeys a name: %q", format, line)
			}
		}
		if strings.Contains(out.String(), "\n::stop") || format == string(HTML) && strings.Contains(out.String(), "<script>@") {
			t.Errorf("%s: %s", format, out.String())
		}
		if format == string(JSON) {
			var file File
			if err := json.Unmarshal(out.Bytes(), &file); err != nil || file.Findings[0].File != foreign || file.Findings[0].Tags[foreign] != foreign {
				t.Errorf("JSON has changed the data: %v, %+v", err, file.Findings)
			}
		}
	}
}

func TestMarkdownCode(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"www.a.b @c &#64;d #1": "`www.a.b @c &#64;d #1`",
		"a|b":                  "`a\\|b`",
		`a\|b`:                 "`a\\\\u{7c}b`",
		"`a``":                 "``` `a`` ```",
		"a\nb":                 "`a b`",
	} {
		if got := MarkdownCode(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
