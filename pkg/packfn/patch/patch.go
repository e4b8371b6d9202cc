// Package patch makes the differences of files that tools show.
package patch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/krm-packs/functions/pkg/packfn/report"
)

// Of returns the difference of a file in the unified format, a patch that git applies. A nil
// text is that of a file that does not exist.
func Of(name string, old, new []byte) string {
	if !utf8.Valid(old) || !utf8.Valid(new) {
		return fmt.Sprintf("Binary files a/%s and b/%s differ\n", name, name)
	}
	from, to := "a/"+name, "b/"+name
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	text := string(diff.Diff(from, old, to, new))
	_, text, _ = strings.Cut(text, "\n") // the line that names the command
	return text
}

// Mask hides the values in a difference, as [report.Mask] does in each of its lines.
func Mask(text string, shown ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		mark := line[0]
		if mark != '+' && mark != '-' && mark != ' ' || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
			b.WriteString(line)
			continue
		}
		content := strings.TrimRight(line[1:], "\r\n")
		b.WriteString(line[:1] + report.Mask(content, shown...) + line[1+len(content):])
	}
	return b.String()
}
