package hydration

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/values"
)

// maxPartial bounds the pairs of macros that are compared.
const maxPartial = 10_000

// isPartlyResolved reports whether a text is a source with some, but not all, of its macros
// resolved, as a step that keeps macros leaves it.
func isPartlyResolved(source, text string) bool {
	all, left := template.Macros(source), template.Macros(text)
	if len(left) == 0 || len(left) > len(all) || len(all)*len(left) > maxPartial {
		return false
	}
	fits := func(before, after int, text string) bool {
		_, ok := gaps(source, parts(source, all, before, after), text)
		return ok
	}
	// ends are the macros of the source that the last one of the text may be.
	ends := []int{-1}
	for at := range left {
		var next []int
		for i := range all {
			if macroText(source, all[i]) == macroText(text, left[at]) && slices.ContainsFunc(ends, func(before int) bool {
				return before < i && fits(before, i, between(text, left, at-1, at))
			}) {
				next = append(next, i)
			}
		}
		if ends = next; len(ends) == 0 {
			return false
		}
	}
	return slices.ContainsFunc(ends, func(before int) bool {
		return fits(before, len(all), between(text, left, len(left)-1, len(left)))
	})
}

// replacements returns the parts of one form of a source that another form replaces, with their new
// texts. A form is the source itself, or the source with its macros resolved. It returns nil if the
// texts are not such forms.
func replacements(source, from, to string) []values.Replacement {
	all := template.Macros(source)
	around := parts(source, all, -1, len(all))
	of := func(form string) ([]span, bool) {
		if form != source {
			return gaps(source, around, form)
		}
		var exact []span
		for i := range all {
			exact = append(exact, span{around[i].end, around[i+1].start})
		}
		return exact, true
	}
	old, isForm := of(from)
	now, isOther := of(to)
	if !isForm || !isOther {
		return nil
	}
	var replaced []values.Replacement
	for i, gap := range old {
		replaced = append(replaced, values.Replacement{Start: gap.start, End: gap.end, Text: to[now[i].start:now[i].end]})
	}
	return replaced
}

func macroText(text string, a template.Action) string { return text[a.Start:a.End] }

// between returns the text between two macros by their indexes, or to its ends.
func between(text string, all []template.Action, before, after int) string {
	start, end := 0, len(text)
	if before >= 0 {
		start = all[before].End
	}
	if after < len(all) {
		end = all[after].Start
	}
	return text[start:end]
}

// span is a part of a text, by its offsets.
// start and end are offsets in bytes.
type span struct{ start, end int }

// parts returns the spans of the text between the macros with the indexes before
// and after, one for each gap between two macros: this text stays when the macros
// are resolved. -1 stands for the start of the source, and len(all) for its end.
func parts(source string, all []template.Action, before, after int) []span {
	var around []span
	for i := before; i < after; i++ {
		one := span{0, len(source)}
		if i >= 0 {
			one.start = all[i].End
		}
		if i+1 < len(all) {
			one.end = all[i+1].Start
		}
		text := source[one.start:one.end]
		if i > before && all[i].TrimsAfter(source) {
			text = strings.TrimLeft(text, " \t\r\n")
			one.start = one.end - len(text)
		}
		if i+1 < after && all[i+1].TrimsBefore(source) {
			one.end = one.start + len(strings.TrimRight(text, " \t\r\n"))
		}
		around = append(around, one)
	}
	return around
}

// gaps finds parts of a source in a text, in their order, the first at its begin and the last at
// its end. It returns the spans between them, and false if the text does not contain all of them.
func gaps(source string, around []span, text string) ([]span, bool) {
	var found []span
	at := 0
	for i, one := range around {
		part, begin := source[one.start:one.end], at
		switch isFirst, isLast := i == 0, i == len(around)-1; {
		case isFirst && isLast:
			return nil, part == text
		case isFirst && !strings.HasPrefix(text, part):
			return nil, false
		case isLast:
			if begin = len(text) - len(part); begin < at || text[begin:] != part {
				return nil, false
			}
		case !isFirst:
			offset := strings.Index(text[at:], part)
			if offset < 0 {
				return nil, false
			}
			begin += offset
		}
		if i > 0 {
			found = append(found, span{at, begin})
		}
		at = begin + len(part)
	}
	return found, true
}
