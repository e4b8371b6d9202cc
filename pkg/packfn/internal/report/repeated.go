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

// isOfText reports whether a finding is about such a place, which several functions report.
func isOfText(f *diag.Finding) bool {
	path := f.Path()
	isText := f.Kind == diag.KindUnreadable || f.Kind == diag.KindDuplicate || f.Kind == diag.KindNotFound
	return f.Origin != nil && (isText || f.Rule == rule.InputInvalid && (path == "kind" || path == "apiVersion"))
}

// textPlace returns the place of a finding.
func (f *Finding) textPlace() textPlace {
	return textPlace{f.File, f.Resource.String(), f.Field, f.Line, f.Column}
}

// WithoutRepeated returns the findings of a package without those that repeat others: several functions
// report a text that none of them can read, a key that is given twice, or a name that nothing has.
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
		if at := f.textPlace(); f.IsOfText && (best[at] == nil || isBetter(f, best[at])) {
			best[at] = f
		}
	}
	out := make([]bool, len(all))
	for i, f := range all {
		if f.IsOfText {
			kept := best[f.textPlace()]
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
