package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxMarkdown is the number of characters of a comment. GitHub takes 65,536.
const maxMarkdown = 60_000

// reserved is the part of a comment that is kept for closing what is open, and for the
// line that counts the rest.
const reserved = 300

// writeMarkdown prints a comment for a pull request: a part that folds for each file.
// What does not fit is counted.
func (r *Report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	size := 0
	add := func(text string) bool {
		n := utf8.RuneCountInString(text)
		if size+n > maxMarkdown-reserved {
			return false
		}
		size += n
		b.WriteString(text)
		return true
	}
	mark := ":white_check_mark:"
	if r.Failed() {
		mark = ":x:"
	}
	add(fmt.Sprintf("### packfn check %s %s\n", mark, r.Summary()))
	shown := 0
	for _, group := range r.byFile() {
		open := ""
		if group.Failed() {
			open = " open"
		}
		if !add(fmt.Sprintf("\n<details%s><summary>%s: %s</summary>\n\n| line | severity | finding | rule |\n|---|---|---|---|\n",
			open, cmp.Or(EscapeMarkdown(group.Findings[0].File), "without a file"), group.Summary())) {
			break
		}
		full := false
		for i := range group.Findings {
			if full = !add(markdownRow(&group.Findings[i])); full {
				break
			}
			shown++
		}
		b.WriteString("\n</details>\n")
		size += len("\n</details>\n")
		if full {
			break
		}
	}
	if rest := len(r.Findings) - shown; rest > 0 {
		fmt.Fprintf(&b, "\n%s not shown; run packfn check for all.\n", diag.Count(rest, "more finding"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownRow(f *Finding) string {
	line := ""
	if f.Line > 0 {
		line = fmt.Sprint(f.Line)
	}
	severity := string(f.Severity)
	if f.Severity == diag.Error {
		severity = "**error**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", line, severity, EscapeMarkdown(f.subject()+f.Message), EscapeMarkdown(f.Rule))
}

// EscapeMarkdown makes a text that GitHub shows as it is: no markup, no mentions, no
// references, no links.
func EscapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range diag.OneLine(text) {
		switch {
		case strings.ContainsRune("&<>|*_`[]@#~\\!", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "://", ":&#47;&#47;")
}
