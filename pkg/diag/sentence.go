package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

func of(k Kind, found string) Finding { return Finding{What: What{Kind: k, Found: found}} }

// Say makes a finding of a sentence: a clause without a period at its end.
func Say(format string, args ...any) Finding {
	return of(KindStatement, fmt.Sprintf(format, args...))
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
	near, shown := choose(name, accepted)
	f := Got(quote(name), choice(quoted(shown), len(accepted)))
	f.Value.Text = name
	return f.Meant(name, near, shown)
}

// Missing makes a finding of something required that is not there, or is there but
// holds nothing: found is then `empty` or `null`, else "".
func Missing(found string) Finding {
	return of(KindMissing, found).Do(setIt)
}

const setIt = "set it"

// TooMany makes a finding of fields of which one excludes the others.
func TooMany(fields ...string) Finding {
	all := "both"
	if len(fields) > 2 {
		all = "all"
	}
	return Say("%s cannot %s be set", AllOf(fields), all).Do("remove one")
}

// NoneOf makes a finding of fields of which one must be set.
func NoneOf(fields ...string) Finding {
	if len(fields) == 2 {
		return Say("neither %s nor %s is set", fields[0], fields[1]).Do("set one")
	}
	return Say("none of %s is set", AllOf(fields)).Do("set one")
}

// Unknown returns a finding about an unknown name. noun describes the named thing: a field, a rule.
func Unknown(noun, name string, known []string) Finding {
	near, shown := choose(name, known)
	return of(KindUnknown, noun+" "+quote(name)).Want(choice(quoted(shown), len(known))).Meant(name, near, shown)
}

// ItExists is the usual condition of [Finding.Unseen].
const ItExists = "if it exists"

// CheckSelectors is the advice for what kpt may not have passed on to the function.
const CheckSelectors = "check the function's selectors"

// IfUnseen sets the condition, which has no comma, under which the function did not get what it
// misses, or "" if there is none.
func (f Finding) IfUnseen(condition string) Finding {
	if f.Unseen = ""; condition != "" {
		f.Unseen = condition + ", " + CheckSelectors
	}
	return f
}

// WithLook returns the finding with the place where its user can look for what the function
// did not get: "check pipeline.validators[0].selectors in the Kptfile". For "", which means
// that nothing is hidden, the finding does not say so.
func (f Finding) WithLook(look string) Finding {
	condition, _, isUnseen := strings.Cut(f.Unseen, ", ")
	if f.Unseen = ""; isUnseen && look != "" {
		f.Unseen = condition + ", " + look
	}
	return f
}

// NotFound makes a finding of a reference to something that does not exist: a pack,
// a preset. Where no name is near, it may exist unseen.
func NotFound(noun, name string, known []string) Finding {
	_, shown := choose(name, known)
	near := nearest.Reference(name, known)
	if near == name {
		near = ""
	}
	f := of(KindNotFound, named(noun, name)).Want(choice(quoted(shown), len(known))).Meant(name, near, shown)
	f.Value.Text = name
	if f.Nearest == "" {
		return f.IfUnseen(ItExists)
	}
	return f
}

func named(noun, name string) string { return noun + " named " + quote(name) }

// Lacks returns the name in a finding of [NotFound] about a noun, "" in others.
func (f *Finding) Lacks(noun string) string {
	if name := f.Value.Text; f.Kind == KindNotFound && strings.HasPrefix(f.Found, named(noun, name)) {
		return name
	}
	return ""
}

// Noun returns the noun in a finding of [NotFound] that only asks for a name. It returns "" for
// other findings.
func (f *Finding) Noun() string {
	if noun, ok := strings.CutSuffix(f.Found, named("", f.Value.Text)); ok && f.Kind == KindNotFound {
		return noun
	}
	return ""
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
	return f.Kind == KindUnknown || f.Kind == KindNotFound || f.Kind == KindStatement || f.Kind == KindPlaced
}

// available lists the names that there are, or "" if the one that was meant is known.
func (f *Finding) available() string {
	if !f.offers() || f.Accepted == "" || f.Nearest != "" {
		return ""
	}
	return "Available: " + inCommas(f.Accepted)
}

// sentence returns the sentence of the finding for an audience, without place and action.
func (f *Finding) sentence(a Audience) string {
	if f.Sentence != "" {
		return f.Sentence
	}
	switch f.Kind {
	case KindGot:
		if f.Accepted == "" {
			return "got " + f.found(a)
		}
		return "must be " + f.Accepted + ", got " + f.found(a)
	case KindMissing:
		text := "required, but " + cmp.Or(f.Found, "missing")
		if subject := f.subject(); subject != "" {
			text = Shown(subject) + " is " + text
		}
		return text
	case KindUnknown:
		return "unknown " + f.Found
	case KindNotFound:
		return "no " + f.Found
	case KindDuplicate:
		text := "duplicate key"
		switch embedded := f.Origin != nil && f.Origin.Embedded; {
		case !embedded || f.First.Line == 0:
		case f.First.Line == f.Position.Line:
			text += fmt.Sprintf(" on line %d", f.First.Line)
		default:
			text += fmt.Sprintf(" on lines %d and %d", f.First.Line, f.Position.Line)
		}
		return text
	case KindUnreadable:
		return "cannot be read: " + f.Found
	}
	return f.Found
}

// subject is the key that is missing: in a document its path, else its name, because
// clients print the path.
func (f *Finding) subject() string {
	if f.Origin != nil && f.Origin.Embedded {
		return f.Key
	}
	path, depth := f.Path(), 0
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case ']':
			depth++
		case '[':
			depth--
		case '.':
			if depth == 0 {
				return path[i+1:]
			}
		}
	}
	return path
}

// asks reports whether the finding asks about the name that was meant, and has no other advice. For
// a missing key, the name is the name of the key to correct.
func (f *Finding) asks() bool {
	return f.Nearest != "" && f.Kind != KindMissing && (f.offers() || f.Accepted != f.Nearest && f.Accepted != quote(f.Nearest))
}

// advice are the sentences on what to do: correct the name, if the one that was meant is
// known, else the action, and where to look for what the function may not have got.
func (f *Finding) advice() []string {
	var all []string
	switch {
	case f.asks():
		all = append(all, "did you mean "+quote(f.Nearest)+"?")
	default:
		all = append(all, f.available())
		switch {
		case f.Accepted == "" || f.Kind == KindGot || f.offers():
			all = append(all, f.Action)
		case f.Action == setIt:
			all = append(all, setIt+" to "+f.Accepted)
		default:
			all = append(all, "it must be "+f.Accepted, f.Action)
		}
		all = append(all, f.Unseen)
	}
	all = append(all, f.Note)
	return slices.DeleteFunc(all, func(one string) bool { return one == "" })
}
