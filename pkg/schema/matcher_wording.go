package schema

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWant is the length beyond which String is shortened: a message is read.
const maxWant = 300

// String says for people what the format accepts, on one line.
func (f *Format) String() string {
	if p := f.single(); p != nil {
		return p.String()
	}
	return "text of the form " + oneLine(f.source)
}

// String says for people what the placeholder accepts.
func (p *part) String() string {
	var want string
	switch p.kind {
	case kindBoolean:
		if want = "true or false"; p.regex == nil {
			want += ", exactly so"
		}
	case kindNumber:
		if want = "number"; p.bounds == nil {
			want = "a decimal number"
		}
	case kindList:
		if p.options != nil {
			return "one of " + shortList(p.options)
		}
		want = "text"
	case kindIPv4:
		want = "IPv4 address"
	case kindVersion:
		want = "semantic version (such as 1.2.3)"
	case kindUnknown:
		return "any value"
	default:
		want = p.name
	}
	switch {
	case p.bounds != nil:
		want += " in " + oneLine(p.bounds.String())
	case p.regex != nil:
		want += " matching /" + oneLine(p.pattern) + "/"
	}
	return want
}

// shortList joins options, as many of them as a message can hold.
func shortList(options []string) string {
	var b strings.Builder
	for i, option := range options {
		if i > 0 && b.Len()+len(option) > maxWant {
			b.WriteString(" and " + plural(len(options)-i, "other"))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(oneLine(option))
	}
	return b.String()
}

// maxShown is the length up to which a value is shown.
const maxShown = 64

// shows says whether a value under the placeholder may stand in a message.
func (p *part) shows(text string) bool {
	switch p.kind {
	case kindNumber, kindIPv4, kindVersion:
		return len(text) <= maxShown && strings.Trim(text, "0123456789.+-eE") == ""
	}
	return false
}

// describe says what kind of value v is, without the value.
func (f *Format) describe(v Scalar) string {
	if !v.IsString {
		switch strings.ToLower(v.Text) {
		case "true", "false":
			return "a boolean"
		case "null", "~":
			return "null"
		}
		if isNumber(v.Text) {
			return "a number"
		}
		if isOtherNumber(v.Text) {
			return "a number that is not decimal"
		}
		return "a plain value that is no string"
	}
	if f.Secret() {
		return "text" // the length of a password is a secret too
	}
	got := "text of " + plural(utf8.RuneCountInString(v.Text), "character")
	switch {
	case strings.HasSuffix(v.Text, "\n"):
		got += " with a line break at its end"
	case strings.TrimSpace(v.Text) != v.Text:
		got += " with blanks around it"
	}
	return got
}

// mend says how to mend a value that the placeholder refuses, where that is
// certain, and what to write instead where that may be shown.
func (p *part) mend(v Scalar) (mend, proposed string) {
	if !p.typed(v) {
		return "put it in quotes", ""
	}
	try := func(text, how string) bool {
		if text == "" || text == v.Text || len(text) > maxNearest || !p.holds(Scalar{text, v.IsString}) {
			return false
		}
		mend = how
		if p.shows(text) || len(p.texts) > 0 {
			proposed = text
		}
		return true
	}
	if try(strings.TrimSpace(v.Text), "remove the blanks and line breaks around it") {
		return
	}
	switch p.kind {
	case kindNumber:
		if isOtherNumber(v.Text) {
			return "write it in decimal, with digits, a sign, a point and an exponent only", ""
		}
	case kindBoolean:
		switch strings.ToLower(v.Text) {
		case "true", "yes", "on":
			try("true", "write true")
		case "false", "no", "off":
			try("false", "write false")
		}
	case kindList:
		for _, option := range p.options {
			if strings.EqualFold(option, v.Text) && try(option, "letter case counts") {
				return
			}
		}
	case kindVersion:
		try(strings.TrimPrefix(v.Text, "v"), "leave out the leading v")
	case kindIPv4:
		address, _, _ := strings.Cut(v.Text, "/")
		try(address, "leave out the prefix length")
	}
	return
}

// isOtherNumber reports whether a text is a number elsewhere: hexadecimal,
// octal, binary, with underscores, .inf or .nan.
func isOtherNumber(text string) bool {
	if isNumber(text) || text == "" {
		return false
	}
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case ".inf", ".nan":
		return true
	}
	if text[0] == '_' || len(text) > maxShown {
		return false
	}
	digits := strings.ReplaceAll(text, "_", "")
	_, err := strconv.ParseInt(digits, 0, 64)
	return err == nil || isNumber(digits)
}

// oneLine is author's text for a message: control characters escaped, and cut
// where it gets long.
func oneLine(text string) string {
	text = shortened(text, maxWant)
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRune(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
