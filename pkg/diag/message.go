package diag

import (
	"cmp"
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
// the place in the document, and what to do. It repeats neither the resource nor
// the path in it, which clients print, and it ends without a period. It leaves room
// for the rule, which a result has after it.
func (f *Finding) MessageFor(a Audience) string {
	var b strings.Builder
	located := !f.Bare && f.Origin != nil && f.Origin.Embedded
	if located && f.Key != "" {
		b.WriteString(Shown(f.Key) + ": ")
	}
	b.WriteString(f.sentence(a))
	var place []string
	if located {
		at := f.Position
		if f.Kind == KindDuplicate {
			at = Position{} // the sentence has both lines
		}
		place = append(place, f.Origin.Place(at))
	}
	if isWhole := f.Origin != nil && f.Origin.Field == "" && f.Key == ""; isWhole && f.Kind == KindUnreadable && f.Position.Line > 0 {
		place = append(place, f.Position.String())
	}
	if len(place) > 0 {
		b.WriteString(" (" + strings.Join(place, ", ") + ")")
	}
	if len(f.Hints) > 0 {
		quoted := make([]string, len(f.Hints))
		for i, hint := range f.Hints {
			quoted[i] = quote(hint)
		}
		b.WriteString(": " + shorten(strings.Join(quoted, ", "), maxHints))
	}
	available := f.available()
	if available != "" {
		b.WriteString(". " + available)
	}
	if advice := f.advice(); advice != "" {
		// A clause of a short message, a sentence of its own in a longer one.
		if f.Accepted == "" && available == "" && len(f.Hints) == 0 && !strings.Contains(f.Found, ". ") {
			b.WriteString("; " + advice)
		} else {
			b.WriteString(". " + capitalized(advice))
		}
	}
	return shorten(OneLine(b.String()), maxMessage-len(" []")-len(f.Rule.ID))
}

// advice is what to do, and where to look for what the function may not have got.
func (f *Finding) advice() string {
	if f.Unseen == "" {
		return f.Action
	}
	look := f.Unseen + ", " + cmp.Or(f.Look, CheckSelectors)
	if f.Action != "" {
		return f.Action + "; " + look
	}
	return look
}

// InFile returns the finding for a message next to the line of a file that it is on: without
// the line in the embedded text, or for a duplicate key with those of the file.
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

func capitalized(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
