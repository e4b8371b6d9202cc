package report

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// repeatable is a mistake that several functions report, at its place.
type repeatable struct {
	// file, resource and field are the place of the mistake in the package.
	file, resource, field string
	// line and column are the position in the file, 0 if they are unknown.
	line, column int
	// mistake is the result of mistakeOf.
	mistake string
}

// mistakeOf returns a string that is equal for findings of several functions about the same
// mistake at the same location, or "" if no other function reports the mistake. Such mistakes are
// a text that cannot be parsed, a misspelled kind or apiVersion, a duplicate key, a name that
// does not exist, and a value that is a placeholder or that an API server reads differently.
func mistakeOf(f *diag.Finding) string {
	path := f.Path()
	switch {
	case f.Origin == nil:
		return ""
	case f.Kind == diag.KindUnreadable, f.Rule == rule.InputInvalid && (path == "kind" || path == "apiVersion"):
		return "text"
	case f.Kind == diag.KindDuplicate:
		return "duplicate " + f.Key
	case f.Rule == rule.InputAmbiguousScalar, f.Rule == rule.InputPlaceholder:
		return f.Rule.ID + " " + path
	case f.Kind == diag.KindNotFound:
		return f.Found
	}
	return ""
}

func (f *Finding) repeatable() repeatable {
	return repeatable{f.File, f.Resource.String(), f.Field, f.Line, f.Column, f.Mistake}
}

// WithoutRepeated returns the findings of a package without those that repeat others: several functions
// report one mistake, see mistakeOf.
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
	best := map[repeatable]*Finding{}
	for _, f := range all {
		if at := f.repeatable(); f.Mistake != "" && (best[at] == nil || isBetter(f, best[at])) {
			best[at] = f
		}
	}
	out := make([]bool, len(all))
	for i, f := range all {
		if f.Mistake != "" {
			kept := best[f.repeatable()]
			out[i] = kept.Rule != f.Rule || kept.Function != f.Function
		}
	}
	return out
}

// isBetter reports whether a finding describes a mistake better than another one. A higher
// severity is better, and then a rule that is specific to the mistake.
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
