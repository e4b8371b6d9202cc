package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxMarkdown is the number of characters of a comment. GitHub takes 65,536.
const maxMarkdown = 60_000

// reserved is the number of characters reserved at the end of a comment, for closing open
// elements, and for the line that counts omitted findings.
const reserved = 300

// writeMarkdown prints a comment for a pull request, with a collapsible section for each file.
// Findings that do not fit are counted.
//
//	### packfn check :x: 10 errors, 1 warning, 0 notes
//
//	<details open><summary><code>registry.yaml</code>: 7 errors, 1 warning, 0 notes</summary>
//
//	| line | severity | finding | rule |
//	|---|---|---|---|
//	| 19 | **error** | `…` | `values/required` |
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
	if coverage := r.Coverage(); coverage != "" {
		add("\n" + MarkdownCode(coverage) + "\n")
	}
	shown := 0
	for _, group := range r.byFile() {
		open := ""
		if group.Failed() {
			open = " open"
		}
		if !add(fmt.Sprintf("\n<details%s><summary>%s: %s</summary>\n\n| line | severity | finding | rule |\n|---|---|---|---|\n",
			open, cmp.Or(HTMLCode(group.Findings[0].File), "without a file"), group.Summary())) {
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
	if lines, more := r.SkippedLines(); len(lines) > 0 {
		if more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", more))
		}
		text := "\n<details><summary>Not checked</summary>\n\n"
		for _, line := range lines {
			text += "* " + MarkdownCode(line) + "\n"
		}
		add(text + "\n</details>\n")
	}
	if rest := len(r.Findings) - shown; rest > 0 {
		fmt.Fprintf(&b, "\n%s not shown; run packfn check for all.\n", diag.Count(rest, "more finding"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownRow returns a finding as the row of a table:
//
//	| 12 | **error** | `spec.values: registry.port must be …` | `values/format` |
func markdownRow(f *Finding) string {
	line := ""
	if f.Line > 0 {
		line = fmt.Sprint(f.Line)
	}
	severity := string(f.Severity)
	if f.Severity == diag.Error {
		severity = "**error**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", line, severity, MarkdownCode(f.subject()+f.Message), MarkdownCode(f.Rule))
}

// MarkdownCode returns a code span for a text, which GitHub shows literally, without markup,
// mentions, references and links. It can be used in a table.
func MarkdownCode(text string) string {
	text = diag.OneLine(text)
	if text == "" {
		return ""
	}
	// A backslash before a bar can end the cell in spite of the escape.
	text = strings.ReplaceAll(strings.ReplaceAll(text, `\|`, `\\u{7c}`), "|", `\|`)
	fence, longest, run := "`", 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > 0 {
		fence = strings.Repeat("`", longest+1)
		text = " " + text + " "
	}
	return fence + text + fence
}

// HTMLCode is [MarkdownCode] for a place where GitHub reads HTML, such as a summary.
func HTMLCode(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + html.EscapeString(diag.OneLine(text)) + "</code>"
}

// MarkdownFolded returns a text that Markdown shows as it is when the reader opens it. summary is HTML:
//
//	<details><summary>1 change of 3 packages</summary>
//
//	<pre>
//	-  replicas: 2
//	</pre>
//	</details>
func MarkdownFolded(summary, text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "&", "&amp;"), "<", "&lt;")
	return fmt.Sprintf("<details><summary>%s</summary>\n\n<pre>\n%s</pre>\n</details>\n", summary, text)
}
