package transfer

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// trim removes trailing whitespace from lines where that does not change the content of a file,
// because kpt stores a text with trailing whitespace as a single quoted line. It returns the
// number of trimmed lines. A file that cannot be parsed is returned unchanged.
func trim(file packdir.File) (text string, lines int) {
	text = string(file.Text)
	if !hasTrimmedLine(text) {
		return text, 0
	}
	equal := equality(file.Name, text)
	if equal == nil {
		return text, 0
	}
	parts := strings.SplitAfter(text, "\n")
	inBlock := blockLines(text)
	var structure, content []int
	for i, line := range parts {
		switch {
		case trimmedLine(line) == line:
		case inBlock[i+1]:
			content = append(content, i)
		default:
			structure = append(structure, i)
		}
	}
	t := trimmer{lines: parts, equal: equal, tries: max(2, maxParsed/(len(text)+1))}
	t.trim(structure)
	t.trim(content)
	return strings.Join(t.lines, ""), t.trimmed
}

// hasTrimmedLine reports whether any line has trailing whitespace. Most texts have none, and need
// not be parsed.
func hasTrimmedLine(text string) bool {
	for line := range strings.Lines(text) {
		if trimmedLine(line) != line {
			return true
		}
	}
	return false
}

// maxParsed bounds the number of bytes that are parsed to find out which lines of a file can be
// trimmed. Lines beyond this limit stay unchanged.
const maxParsed = 64 << 20

// blockLines returns the lines of a text that are inside block scalars, where whitespace is
// content. The result may be wrong, because every change is verified afterwards.
func blockLines(text string) map[int]bool {
	lines := map[int]bool{}
	document, err := values.Parse(text)
	if err != nil {
		return lines
	}
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			for i := range strings.Count(n.Value, "\n") + 1 {
				lines[n.Line+1+i] = true
			}
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	if document.Root() != nil {
		visit(document.Root())
	}
	return lines
}

type trimmer struct {
	lines   []string
	equal   func(text string) bool
	trimmed int
	// tries is the remaining number of comparisons.
	tries int
}

// trim trims the lines at some indexes. If trimming all of them changes the content, it tries
// each half separately.
func (t *trimmer) trim(at []int) {
	if len(at) == 0 || t.tries == 0 {
		return
	}
	t.tries--
	before := make([]string, len(at))
	for n, i := range at {
		before[n] = t.lines[i]
		t.lines[i] = trimmedLine(t.lines[i])
	}
	if t.equal(strings.Join(t.lines, "")) {
		t.trimmed += len(at)
		return
	}
	for n, i := range at {
		t.lines[i] = before[n]
	}
	if len(at) > 1 {
		t.trim(at[:len(at)/2])
		t.trim(at[len(at)/2:])
	}
}

// trimmedLine returns a line without trailing whitespace, but with its line feed.
func trimmedLine(line string) string {
	rest, broken := strings.CutSuffix(line, "\n")
	trimmed := strings.TrimRight(rest, " \t\r")
	if len(trimmed) == len(rest) {
		return line
	}
	if broken {
		trimmed += "\n"
	}
	return trimmed
}

// equality returns a function that reports whether another text has the same content, or nil if
// the text cannot be parsed.
func equality(name, text string) func(other string) bool {
	document, err := values.Parse(text)
	if err != nil || !isYAML(name) {
		return nil
	}
	return func(other string) bool {
		again, err := values.Parse(other)
		if err != nil {
			return false
		}
		if name == "presets.yaml" {
			return equalPresets(document.Root(), again.Root())
		}
		return values.Equal(document.Root(), again.Root())
	}
}

// isYAML reports whether a file of a pack is read as YAML: pack.json is, because functions read it so.
func isYAML(name string) bool {
	return name == packdir.Metadata || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// equalPresets compares like values.Equal, but compares strings at the key add as YAML, because
// they are used as YAML.
func equalPresets(a, b *yaml.Node) bool {
	a, b = values.Resolve(a), values.Resolve(b)
	if a == nil || b == nil || a.Kind != b.Kind || a.Kind == yaml.ScalarNode || len(a.Content) != len(b.Content) {
		return values.Equal(a, b)
	}
	for i := range a.Content {
		one, other := a.Content[i], b.Content[i]
		if a.Kind == yaml.MappingNode && i%2 == 1 && a.Content[i-1].Value == "add" && one.Kind == yaml.ScalarNode && other.Kind == yaml.ScalarNode {
			first, err := values.Parse(one.Value)
			second, again := values.Parse(other.Value)
			if err == nil && again == nil && values.Equal(first.Root(), second.Root()) {
				continue
			}
		}
		if !equalPresets(one, other) {
			return false
		}
	}
	return true
}
