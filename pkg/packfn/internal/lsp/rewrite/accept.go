package rewrite

import (
	"cmp"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Accepted returns the text of a file with an annotation of the resource that accepts a finding, and the
// offset of the reason in it, or -1 if the annotation is not written on a line of its own. It returns ""
// for pack directories and for functionConfigs in a Kptfile, because these have no annotations. Each line
// of the annotation accepts one finding:
//
//	values/unknown-key charts.vault.server: the chart reads it since 0.28
func Accepted(f *report.Finding, text, reason string) (after string, at int) {
	t := subjectOf(f, text)
	if t == nil || t.inline || t.items == nil {
		return "", 0
	}
	line := strings.TrimSpace(f.Rule + " " + cmp.Or(f.Reported.Key, f.Reported.Path()))
	if strings.ContainsAny(line, "\r\n") || strings.Contains(line, ": ") {
		return "", 0 // it cannot be written as a line of the annotation
	}
	item := t.items[t.index]
	note := strings.TrimRight(item.Annotation(function.AcceptAnnotation), "\n") + "\n" + line + ": " + reason
	if _, err := item.Annotate(map[string]string{function.AcceptAnnotation: strings.TrimPrefix(note, "\n")}); err != nil {
		return "", 0
	}
	after = joined(t.text, t.items)
	if at = strings.Index(after, line+": "+reason); at >= 0 {
		at += len(line) + 2
	}
	return after, at
}
