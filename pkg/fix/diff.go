package fix

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/report"
)

// Diff is the difference of a file whose lines change one by one.
type Diff struct {
	Path          string
	before, after []byte
	shown         []string
}

// context is the number of lines around a change.
const context = 3

// Text returns the difference in the unified format. Values that may be secrets are
// masked unless show is set; then the text is a patch that git applies.
func (d *Diff) Text(name string, show bool) string {
	before, after := lines(d.before), lines(d.after)
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", name, name)
	line := func(mark string, text string) {
		content := strings.TrimRight(text, "\r\n")
		ending := text[len(content):]
		if !show {
			content = report.Mask(content, d.shown...)
		}
		b.WriteString(mark + content + ending)
		if ending == "" {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
	for start := 0; start < len(before); start++ {
		if before[start] == after[start] {
			continue
		}
		from := max(0, start-context)
		to := start // after the last change of the hunk
		for i := start; i < len(before) && i < to+2*context+1; i++ {
			if before[i] != after[i] {
				to = i + 1
			}
		}
		end := min(len(before), to+context)
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", from+1, end-from, from+1, end-from)
		for i := from; i < end; {
			if before[i] == after[i] {
				line(" ", before[i])
				i++
				continue
			}
			last := i
			for last < end && before[last] != after[last] {
				last++
			}
			for _, text := range before[i:last] {
				line("-", text)
			}
			for _, text := range after[i:last] {
				line("+", text)
			}
			i = last
		}
		start = end - 1
	}
	return b.String()
}

func lines(text []byte) []string {
	all := strings.Split(string(bytes.Clone(text)), "\n")
	for i := range all[:len(all)-1] {
		all[i] += "\n"
	}
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}
