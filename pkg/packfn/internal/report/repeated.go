package report

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// textPlace is the place of a text that cannot be read, of a key that is given twice, of a name that nothing has,
// or of a kind or apiVersion that is misspelt.
type textPlace struct {
	file, resource, field string
	line, column          int
}

// unreadAt returns such a place, nil for a finding about something else.
func unreadAt(f *Finding) *textPlace {
	of := f.Reported
	if of == nil || of.Origin == nil {
		return nil
	}
	path := of.Path()
	isText := of.Kind == diag.KindUnreadable || of.Kind == diag.KindDuplicate || of.Kind == diag.KindNotFound
	if !isText && !(of.Rule == rule.InputInvalid && (path == "kind" || path == "apiVersion")) {
		return nil
	}
	return &textPlace{f.File, f.Resource.String(), f.Field, f.Line, f.Column}
}

// WithoutRepeated returns the findings of a package without those that repeat others: several functions
// report a text that none of them can read, a key that is given
// twice, or a name that nothing has.
func WithoutRepeated(all []Finding) []Finding {
	pointers := make([]*Finding, len(all))
	for i := range all {
		pointers[i] = &all[i]
	}
	kept := Repeated(pointers)
	return slices.DeleteFunc(all, func(f Finding) bool {
		isRepeated := kept[0]
		kept = kept[1:]
		return isRepeated
	})
}

// Repeated reports which findings of a package repeat others, see [WithoutRepeated].
func Repeated(all []*Finding) []bool {
	best := map[textPlace]*Finding{}
	for _, f := range all {
		at := unreadAt(f)
		if at == nil {
			continue
		}
		if other := best[*at]; other == nil || isBetter(f, other) {
			best[*at] = f
		}
	}
	out := make([]bool, len(all))
	for i, f := range all {
		if at := unreadAt(f); at != nil {
			kept := best[*at]
			out[i] = kept.Rule != f.Rule || kept.Function != f.Function
		}
	}
	return out
}

// isBetter reports whether a finding says a mistake better than another one: that of the more
// severe rule, then that of the rule which is about it.
func isBetter(f, other *Finding) bool {
	weight := func(f *Finding) int {
		switch f.Rule {
		case rule.InputInvalid.ID:
			return 1
		case rule.ConfigInvalid.ID, rule.MacroInvalid.ID:
			return 2
		}
		return 0
	}
	return cmp.Or(slices.Index(severities, f.Severity)-slices.Index(severities, other.Severity), weight(f)-weight(other)) < 0
}
