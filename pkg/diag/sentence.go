package diag

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

func of(k Kind, found string) Finding { return Finding{What: What{Kind: k, Found: found}} }

// Say makes a finding of a sentence: a clause without a period at its end.
func Say(format string, args ...any) Finding {
	return of(Statement, fmt.Sprintf(format, args...))
}

// Got makes a finding of something that is not accepted: a value that may be shown,
// or the kind of one.
func Got(found, accepted string) Finding {
	return of(KindGot, found).Want(accepted)
}

// GotText makes a finding of a text that is not accepted, and may be shown.
func GotText(text, accepted string) Finding {
	f := Got(strconv.Quote(text), accepted)
	f.Value.Text = text
	return f
}

// GotName makes a finding of a name that is not among the accepted ones.
func GotName(name string, accepted []string) Finding {
	names, near, shown := choose(name, accepted)
	f := Got(quote(name), names)
	f.Value.Text = name
	return f.Meant(name, near, shown)
}

// Missing makes a finding of something required that is not there, or is there but
// holds nothing: found is then `empty` or `null`, else "".
func Missing(found string) Finding {
	return of(KindMissing, found).Do("set it")
}

// TooMany makes a finding of fields of which one excludes the others.
func TooMany(fields ...string) Finding {
	all := "both"
	if len(fields) > 2 {
		all = "all"
	}
	return Say("%s cannot %s be set", AllOf(fields), all).Do("remove one")
}

// NoneOf makes a finding of fields of which one must be set.
func NoneOf(fields ...string) Finding { return Say("none of %s is set", OneOf(fields)).Do("set one") }

// Unknown makes a finding of an unknown name. noun says what is named: a field, a rule.
func Unknown(noun, name string, known []string) Finding {
	names, near, shown := choose(name, known)
	return of(KindUnknown, noun+" "+quote(name)).Want(names).Meant(name, near, shown)
}

// ItExists is the usual condition of [Finding.Unseen].
const ItExists = "if it exists"

// CheckSelectors is the advice for what kpt may not have passed on to the function.
const CheckSelectors = "check the function's selectors"

// IfUnseen sets the condition under which the function did not get what it misses.
func (f Finding) IfUnseen(condition string) Finding {
	f.Unseen = condition
	return f
}

// WithLook returns the finding with the place where its user can look for what the function
// did not get: "check pipeline.validators[0].selectors in the Kptfile". For "", which means
// that nothing is hidden, the finding does not say so.
func (f Finding) WithLook(look string) Finding {
	if f.Look = look; look == "" {
		f.Unseen = ""
	}
	return f
}

// NotFound makes a finding of a reference to something that does not exist: a pack,
// a preset. Where no name is near, it may exist unseen.
func NotFound(noun, name string, known []string) Finding {
	names, _, shown := choose(name, known)
	near := nearest.Reference(name, known)
	if near == name {
		near = ""
	}
	f := of(KindNotFound, noun+" named "+quote(name)).Want(names).Meant(name, near, shown)
	if f.Nearest == "" {
		f.Unseen = ItExists
	}
	return f
}

// Duplicate makes a finding of a key that is given twice, at the second place.
func Duplicate(first, second Position) Finding {
	return Finding{Where: Where{Position: second}, What: What{Kind: KindDuplicate, First: first}, Mend: Mend{Action: "remove one"}}
}

// located is an error that knows its place in a text.
type located interface {
	error
	// Where returns the reason without the place, and the place.
	Where() (reason string, at Position)
}

// Unreadable makes a finding of a text that cannot be parsed, at the place that the
// error names, if it names one.
func Unreadable(err error) Finding {
	f := of(KindUnreadable, err.Error())
	if l, ok := errors.AsType[located](err); ok {
		f.Found, f.Position = l.Where()
	}
	return f
}

// offers reports whether Accepted are the names that there are.
func (f *Finding) offers() bool {
	return f.Kind == KindUnknown || f.Kind == KindNotFound || f.Kind == Statement
}

// available lists the names that there are; "" if the one that was meant is known.
func (f *Finding) available() string {
	if !f.offers() || f.Accepted == "" || f.Nearest != "" {
		return ""
	}
	names := f.Accepted
	if at := strings.LastIndex(names, " or "); at >= 0 {
		names = names[:at] + ", " + names[at+len(" or "):]
	}
	return "Available: " + names
}

// clause matches a clause behind what is accepted. What was found stands before it.
var clause = regexp.MustCompile(`[:;] |, (?:which|because|the|as|and|with|it|separated|or)\b`)

// sentence is what the finding says to an audience, without place and action.
func (f *Finding) sentence(a Audience) string {
	var text string
	switch f.Kind {
	case KindGot:
		switch text = "got " + f.found(a); {
		case f.Accepted == "":
		case clause.MatchString(f.Accepted):
			text += ", but must be " + f.Accepted
		default:
			text = "must be " + f.Accepted + ", " + text
		}
	case KindMissing:
		if text = "required, but missing"; f.Found != "" {
			text = "required, but " + f.Found
		}
	case KindUnknown:
		text = "unknown " + f.Found
	case KindNotFound:
		text = "no " + f.Found
	case KindDuplicate:
		text = "duplicate key"
		switch embedded := f.Origin != nil && f.Origin.Embedded; {
		case !embedded || f.First.Line == 0:
		case f.First.Line == f.Position.Line:
			text += fmt.Sprintf(" on line %d", f.First.Line)
		default:
			text += fmt.Sprintf(" on lines %d and %d", f.First.Line, f.Position.Line)
		}
	case KindUnreadable:
		text = "cannot be read: " + f.Found
	default:
		text = f.Found
	}
	if f.Accepted != "" && f.Kind != KindGot && !f.offers() {
		text += "; must be " + f.Accepted
	}
	if f.Nearest != "" && (f.offers() || f.Accepted != f.Nearest && f.Accepted != quote(f.Nearest)) {
		text += " (did you mean " + quote(f.Nearest) + "?)"
	}
	return text
}
