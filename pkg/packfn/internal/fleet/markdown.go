package fleet

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// maxMarkdown is the number of characters of a comment. GitHub takes 65,536.
const maxMarkdown = 60_000

// writeMarkdown prints a comment for a pull request. What does not fit is counted.
func (p *Preview) writeMarkdown(w io.Writer, how Print) error {
	var b strings.Builder
	size := 0
	add := func(format string, args ...any) bool {
		text := fmt.Sprintf(format, args...)
		if size+utf8.RuneCountInString(text) > maxMarkdown-500 {
			return false
		}
		size += utf8.RuneCountInString(text)
		b.WriteString(text)
		return true
	}
	mark := ":white_check_mark:"
	if p.IsFailed() {
		mark = ":x:"
	}
	add("### packfn fleet %s %s\n", mark, p.Summary())
	escape := report.MarkdownCode
	left := 0
	if p.IsFailed() {
		add("\n| %s | outcome | findings |\n|---|---|---|\n", p.noun())
		for i := range p.Rows {
			if row := &p.Rows[i]; row.Outcome != Deployable && (left > 0 || size > maxMarkdown/3 || !add("| %s | %s | %s |\n", escape(p.name(row)), row.Outcome, escape(p.short(row, how.shown())))) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown.\n", plural(left, "more "+p.noun()))
		}
	}
	if problems := p.problems(how.shown()...); len(problems) > 0 {
		add("\n| finding | in | where | rule |\n|---|---|---|---|\n")
		left = 0
		for _, g := range problems {
			if left > 0 || size > 2*maxMarkdown/3 || !add("| **%s** %s | %s | %s | %s |\n", g.severity, escape(g.message), escape(g.packages), escape(g.where), escape(g.rule)) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown; run packfn fleet for all.\n", plural(left, "more finding"))
		}
	}
	if v := p.Verdicts; v != nil {
		for _, list := range v.Lists() {
			if len(list.Names) > 0 {
				add("\n%s: %s (%s)\n", list.Title, number(len(list.Names)), escape(some(list.Names, mostVerdicts)))
			}
		}
	}
	if c := p.Patches; c != nil {
		left = 0
		masked := false
		names := p.names()
		for i := range c.Groups {
			g := &c.Groups[i]
			what := "a change in "
			if len(g.Packages) > 1 {
				what = "the same change in "
			}
			changed := g.show(how.Audience)
			masked = masked || how.Audience != diag.All && strings.Contains(changed, shown.Hidden)
			patch := strings.ReplaceAll(strings.ReplaceAll(diag.ShownLines(changed), "&", "&amp;"), "<", "&lt;")
			if left > 0 || !add("\n<details><summary>%s: %s</summary>\n\n<pre>\n%s</pre>\n</details>\n", what+plural(len(g.Packages), p.noun()), report.HTMLCode(some(names(g.Packages), fewNames)), patch) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown.\n", plural(left, "more change"))
		}
		if masked {
			add("\n%s\n", masking)
		}
		for _, list := range []struct {
			what  string
			count int
		}{{"New", len(c.New)}, {"Gone", len(c.Gone)}, {"Not rendered", len(c.Unknown)}, {"No change", c.Same}} {
			if list.count > 0 {
				add("\n%s: %s.\n", list.what, plural(list.count, p.noun()))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
