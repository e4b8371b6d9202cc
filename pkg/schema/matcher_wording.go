package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxWant limits the text of a format in a message, in bytes.
const maxWant = 300

// String returns what the format accepts as one line of a message.
func (f *Format) String() string {
	if p := f.single(); p != nil {
		return p.String()
	}
	return "a string of the form " + oneLine(f.source)
}

// String returns what the placeholder accepts.
func (p *part) String() string {
	var want string
	switch p.kind {
	case kindBoolean:
		if want = "true or false"; p.regex == nil {
			want += " in lower case"
		}
	case kindNumber:
		if want = "a number"; p.bounds == nil {
			want = "a decimal number"
		}
	case kindList:
		if p.regex == nil {
			return listed(p.texts)
		}
		want = "a string"
	case kindIPv4:
		want = "an IPv4 address"
	case kindVersion:
		want = "a semantic version (such as 1.2.3)"
	case kindIPv4CIDR:
		want = "an IPv4 address with a prefix length (such as 10.0.0.0/16)"
	case kindIPv6:
		want = "an IPv6 address"
	case kindBase64:
		want = "a string in base64"
	case kindUnknown:
		return "any value"
	default:
		want = "a " + p.name
	}
	switch {
	case p.bounds != nil:
		want += " from " + oneLine(p.bounds.low.text) + " to " + oneLine(p.bounds.high.text)
	case p.regex != nil:
		want += " that matches /" + oneLine(p.regex.String()) + "/"
	}
	return want
}

// listed returns the options of a list, the first of many.
func listed(options []string) string {
	shown := make([]string, len(options))
	for i, option := range options {
		shown[i] = oneLine(option)
	}
	return diag.Names("", shown)
}

// maxShown is the length up to which a value is shown.
const maxShown = 64

// mayShow reports whether a message may hold a value under the placeholder.
func (p *part) mayShow(text string) bool {
	switch p.kind {
	case kindNumber, kindIPv4, kindVersion:
		return len(text) <= maxShown && strings.Trim(text, "0123456789.+-eE") == ""
	}
	return false
}

// shows reports whether a list or a message may show a value of the format: a number,
// an address, a version, a boolean, or an option that the schema names. All others may
// be secrets.
func (f *Format) shows(v Scalar) bool {
	p := f.single()
	switch {
	case p == nil:
		return false
	case p.kind == kindList, p.kind == kindBoolean:
		return f.Match(v) == nil
	}
	return p.mayShow(v.Text)
}

// describe returns what kind of value v is. It never returns the value.
func (f *Format) describe(v Scalar) string {
	if !v.IsString {
		switch tag := plainTag(v.Text); {
		case tag == "!!bool":
			return "a boolean"
		case tag == "!!null":
			return "null"
		case isNumber(v.Text):
			return "a number"
		case isOtherNumber(v.Text):
			return "a number that is not decimal"
		}
		return "an unquoted value that is not a string"
	}
	if f.Secret() {
		return "a string" // the length of a password is a secret too
	}
	got := "a string of " + diag.Count(utf8.RuneCountInString(v.Text), "character")
	switch {
	case strings.HasSuffix(v.Text, "\n"):
		got += " with a line break at the end"
	case strings.TrimSpace(v.Text) != v.Text:
		got += " with whitespace around it"
	}
	return got
}

// fix returns how to fix a value of its kind that the placeholder rejects if that is certain,
// and what to write instead if a message may show it.
func (p *part) fix(v Scalar) (action, proposed string) {
	try := func(text, how string) bool {
		if text == "" || text == v.Text || len(text) > maxNearest || !p.holds(Scalar{text, v.IsString}) {
			return false
		}
		action = how
		if p.mayShow(text) || len(p.texts) > 0 {
			proposed = text
		}
		return true
	}
	if try(strings.TrimSpace(v.Text), "remove the whitespace around the value") {
		return
	}
	switch p.kind {
	case kindNumber:
		if isOtherNumber(v.Text) {
			return "write the number in decimal, with digits, a sign, a point and an exponent only", ""
		}
	case kindBoolean:
		switch strings.ToLower(v.Text) {
		case "true", "yes", "on":
			try("true", "write true")
		case "false", "no", "off":
			try("false", "write false")
		}
	case kindList:
		for _, option := range p.texts {
			if strings.EqualFold(option, v.Text) && try(option, "use the same letter case") {
				return
			}
		}
	case kindVersion:
		try(strings.TrimPrefix(v.Text, "v"), "remove the leading v")
	case kindIPv4:
		address, _, _ := strings.Cut(v.Text, "/")
		try(address, "remove the prefix length")
	}
	return
}

// plainTag returns how YAML reads a text without quotes.
func plainTag(text string) string {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
}

// isOtherNumber reports whether YAML reads a text without quotes as a number that is not
// decimal: hexadecimal, octal, binary, with underscores, .inf or .nan.
func isOtherNumber(text string) bool {
	tag := plainTag(text)
	return (tag == "!!int" || tag == "!!float") && !isNumber(text)
}

// oneLine returns text of the schema's author for a message: shortened, with
// control characters escaped.
func oneLine(text string) string {
	quoted := strconv.Quote(shortened(text, maxWant))
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(quoted[1 : len(quoted)-1])
}
