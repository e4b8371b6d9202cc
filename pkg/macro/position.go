package macro

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

func bracketed(i int) string { return "[" + strconv.Itoa(i) + "]" }

// source finds the macros of a scalar in the text of its document.
type source struct {
	// text is the text of the document, and lines its lines.
	text  string
	lines *values.Lines
	// start is the position of the scalar.
	start values.Position

	at   int // how far macros were searched
	read int // the same in the decoded text
}

// newSource returns the source of a scalar of a document.
func newSource(d *values.Document, n *yaml.Node) *source {
	s := &source{text: d.Text(), lines: d.Lines(), start: values.At(n)}
	s.at = s.lines.Offset(s.start)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		// The first line holds the indicator, and maybe a comment.
		s.at = s.lines.Start(n.Line + 1)
	}
	return s
}

// position returns where an offset of the decoded text is in the document. It finds the
// macro by counting the `{{` before it, which all styles write as they are, except for
// unusual escapes of braces. Offsets must come in order.
func (s *source) position(decoded string, offset int) values.Position {
	open := strings.LastIndex(decoded[:min(offset+len("{{"), len(decoded))], "{{")
	if open < 0 {
		return s.start
	}
	exact := s.at - len("{{")
	if open+len("{{") > s.read {
		for n := strings.Count(decoded[s.read:open+len("{{")], "{{"); n > 0; n-- {
			next := strings.Index(s.text[s.at:], "{{")
			if next < 0 {
				s.at = len(s.text)
				return s.start
			}
			exact = s.at + next
			s.at = exact + len("{{")
		}
		s.read = open + len("{{")
	}
	inner := decoded[open:max(open, offset)]
	if strings.HasPrefix(s.text[exact:], inner) {
		exact += len(inner)
	}
	return s.lines.Position(exact)
}

// finding is a diag.Finding whose place is known by an offset only, because one macro
// may be in many texts, and one text in many documents.
type finding struct {
	diag.Finding
	// offset is the start of the name at fault, in bytes of a macro's code or of a text.
	offset int
	// inherited reports whether the fault is in a value that the macro reads.
	inherited bool
	// silent reports whether the caller reports the cause: see [Pack.Reported].
	silent bool
	// absent reports whether a fact is not in this run, or occurs twice.
	absent bool
}

// at returns the finding with the name at fault, or "" if there is none, and its offset.
func (f finding) at(name string, offset int) finding {
	f.offset = offset
	if name != "" {
		f.Tags = map[string]string{"macro": name}
	}
	return f
}

func isError(f finding) bool { return f.Level() == diag.Error }

// sortFindings brings findings into the order of the text.
func sortFindings(findings []finding) {
	slices.SortStableFunc(findings, func(a, b finding) int { return a.offset - b.offset })
}
