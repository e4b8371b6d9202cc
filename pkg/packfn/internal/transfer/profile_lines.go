package transfer

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/values"
)

// lineEnds returns the trailing whitespace that was trimmed from a text. It maps each kind of
// whitespace to the lines that ended with it:
//
//	" ": 3,7-9
//	"\t": "12"
func lineEnds(before, after string) *yaml.Node {
	out := layout.Map()
	trimmed := strings.Split(after, "\n")
	first, last := map[string]int{}, map[string]int{} // the current range of each kind of whitespace
	flush := func(ws string) string {
		if first[ws] == last[ws] {
			return strconv.Itoa(first[ws])
		}
		return fmt.Sprintf("%d-%d", first[ws], last[ws])
	}
	for i, line := range strings.Split(before, "\n") {
		if line == trimmed[i] {
			continue
		}
		ws, n := line[len(trimmed[i]):], values.Field(out, line[len(trimmed[i]):])
		switch {
		case n == nil:
			out.Content = append(out.Content, layout.Text(ws), layout.Text(""))
			first[ws] = i + 1
		case last[ws] != i:
			n.Value += flush(ws) + ","
			first[ws] = i + 1
		}
		last[ws] = i + 1
	}
	for i := 0; i+1 < len(out.Content); i += 2 {
		*out.Content[i+1] = *layout.Text(out.Content[i+1].Value + flush(out.Content[i].Value))
	}
	return out
}

// restoreLineEnds is the reverse of [lineEnds]. Lines that do not exist are ignored, because the
// caller compares the result with the hash of the original text.
func restoreLineEnds(trimmed string, ends *yaml.Node) string {
	lines := strings.Split(trimmed, "\n")
	for i := 0; ends != nil && i+1 < len(ends.Content); i += 2 {
		for span := range strings.SplitSeq(ends.Content[i+1].Value, ",") {
			from, to, ok := strings.Cut(span, "-")
			if !ok {
				to = from
			}
			start, _ := strconv.Atoi(from)
			end, _ := strconv.Atoi(to)
			for n := max(1, start); n <= min(end, len(lines)); n++ {
				lines[n-1] += ends.Content[i].Value
			}
		}
	}
	return strings.Join(lines, "\n")
}
