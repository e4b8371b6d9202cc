package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths of a message with its rule in brackets, and of the hints in it, in code
// points.
const (
	maxMessage = 1000
	maxHints   = 200
)

// Message is [Finding.MessageFor] for a record.
func (f *Finding) Message() string { return f.MessageFor(Record) }

// MessageFor returns the finding as one line for an audience: key, what was found, what is accepted,
// the place in the document, and what to do, each advice a sentence of its own. It repeats neither
// the resource nor the path in it, which clients print, and it ends without a period. It leaves
// room for the rule, which a result has after it.
func (f *Finding) MessageFor(a Audience) string {
	text := f.sentence(a)
	located := f.Kind != KindPlaced && f.Origin != nil && f.Origin.Embedded
	if located && f.Key != "" && f.Kind != KindMissing {
		text = Shown(f.Key) + ": " + text
	}
	var place []string
	if len(f.Hints) > 0 {
		place = append(place, shorten(strings.Join(f.Hints, ", "), maxHints))
	}
	if located {
		at := f.Position
		if f.Kind == KindDuplicate {
			at = Position{} // the sentence has both lines
		}
		place = append(place, f.Origin.Place(at))
	}
	if isWhole := f.Origin != nil && f.Origin.Field == "" && f.Key == ""; isWhole && !located && f.Kind == KindUnreadable && f.Position.Line > 0 {
		place = append(place, f.Position.String())
	}
	if len(place) > 0 {
		text = inParentheses(text, strings.Join(place, "; "))
	}
	for _, advice := range f.advice() {
		if !strings.HasSuffix(text, "?") {
			text += "."
		}
		text += " " + capitalized(advice)
	}
	return shorten(OneLine(text), maxMessage-len(" []")-len(f.Rule.ID))
}

// inParentheses adds a remark in parentheses to a text, or to the parentheses at its end.
func inParentheses(text, remark string) string {
	if before, ok := strings.CutSuffix(text, ")"); ok {
		if at := strings.LastIndexAny(before, "()"); at > 0 && before[at] == '(' && before[at-1] == ' ' {
			return before + "; " + remark + ")"
		}
	}
	return text + " (" + remark + ")"
}

// InFile returns the finding for a message that is printed beside its line of the file: without the
// line in the embedded text, or with the lines of the file for a duplicate key.
func (f Finding) InFile(line int) Finding {
	if f.Kind != KindDuplicate {
		f.Position = Position{}
		return f
	}
	f.First.Line += line - f.Position.Line
	f.Position.Line = line
	return f
}

// shorten cuts a text after a number of code points.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// capitalized returns a text with a capital as its first letter, as the beginning of a sentence.
func capitalized(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
