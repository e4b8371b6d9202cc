package diag

import "strings"

// Class determines who may see a text.
type Class int

// The classes. An Owned text is for the terminal of its owner, and not for records such as files,
// logs and pages. A Secret text is never shown.
const (
	Open Class = iota
	Owned
	Secret
)

// Audience is who reads what a tool prints.
type Audience int

// The audiences: whoever reads a file, a log or a page, the owner at a terminal or in an editor,
// and whoever asks for all values.
const (
	Record Audience = iota
	Terminal
	All
)

// Sees reports whether an audience may see a text of a class.
func (a Audience) Sees(c Class) bool { return a == All || c == Open || a == Terminal && c == Owned }

// Value is a text of a user that a finding is about.
type Value struct {
	// Text is the text, and Class tells who may see it.
	Text  string
	Class Class
	// Instead is the start of [What.Found], which describes the text to readers who must not see it:
	// `text of 4 characters`. If it is "", the finding itself contains all that may be seen.
	Instead string
}

// GotValue makes a finding of a text that is not accepted. It is hidden until a caller that
// knows where it is sets its class, see [Finding.OfClass]. hidden describes it.
func GotValue(text, hidden, accepted string) Finding {
	f := Got(hidden, accepted)
	f.Value = Value{text, Secret, hidden}
	return f
}

// With sets the value that the finding is about. A secret is not kept.
func (f Finding) With(v Value) Finding {
	if f.Value = v; v.Class == Secret {
		f.Value = Value{}
	}
	return f
}

// OfClass sets who may see the value that the finding is about.
func (f Finding) OfClass(c Class) Finding { return f.With(Value{f.Value.Text, c, f.Value.Instead}) }

// maxValue is the length, in code points, up to which a value is shown.
const maxValue = 100

// found returns the description of the value that an audience may see.
func (f *Finding) found(a Audience) string {
	rest, ok := strings.CutPrefix(f.Found, f.Value.Instead)
	if !ok || f.Value.Instead == "" || !a.Sees(f.Value.Class) {
		return f.Found
	}
	return quote(shorten(f.Value.Text, maxValue)) + rest
}
