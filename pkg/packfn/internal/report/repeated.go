package report

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// role is what a finding is to the others of a package.
type role uint8

// The zero role is that of a finding which says nothing of others.
const (
	// unreadable is about a text that cannot be parsed, and unread about a resource that no
	// function reads: it cannot be parsed either, or has a wrong kind or the name of no pack.
	unreadable role = iota + 1
	unread
	// noPack is about a name that no pack has.
	noPack
	// absent only says that something is not there.
	absent
)

// Mistake is what findings of the same mistake have in common, see [WithoutRepeated].
type Mistake struct {
	Role role
	// Pack is the name that no pack has.
	Pack string
}

// mistakeOf returns the mistake that a finding is about.
func mistakeOf(f *diag.Finding) Mistake {
	path, name := f.Path(), f.Lacks("pack")
	switch {
	case f.Origin != nil && f.Kind == diag.KindUnreadable && path == "":
		return Mistake{Role: unread}
	case f.Origin != nil && f.Kind == diag.KindUnreadable:
		return Mistake{Role: unreadable}
	case f.Rule == rule.InputInvalid && (path == "kind" || path == "apiVersion"), name != "" && f.Nearest != "":
		return Mistake{Role: unread}
	case name != "":
		return Mistake{noPack, name}
	case f.Kind == diag.KindMissing && f.Rule == rule.ValuesRequired, f.Nearest == "" && rule.Of(f.Rule.ID).Follows:
		return Mistake{Role: absent}
	}
	return Mistake{}
}

// WithoutRepeated returns the findings of a package without those that repeat others: several functions
// report a text that they cannot read, and a pack that is missing. What only says that something
// is not there follows from a resource that cannot be read.
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
	type text struct {
		file, resource, field string
		line, column          int
	}
	out := make([]bool, len(all))
	best := map[any]int{}
	isUnread := false
	unreadPacks := map[string]bool{}
	for i, f := range all {
		var key any
		switch f.Mistake.Role {
		case unread, unreadable:
			isUnread = isUnread || f.Mistake.Role == unread && f.Severity == diag.Error
			key = text{f.File, f.Resource.String(), f.Field, f.Line, f.Column}
			if f.Mistake.Role == unreadable && f.Resource != nil {
				unreadPacks[f.Resource.Name] = true
			}
		case noPack:
			key = f.Mistake.Pack
		default:
			continue
		}
		other, isKnown := best[key]
		switch {
		case !isKnown:
			best[key] = i
		case f.Rule == all[other].Rule && f.Function == all[other].Function: // several places
		case isBetter(f, all[other]):
			best[key] = i
		}
	}
	for i, f := range all {
		switch f.Mistake.Role {
		case noPack:
			kept := all[best[f.Mistake.Pack]]
			out[i] = unreadPacks[f.Mistake.Pack] || kept.Rule != f.Rule
		case unread, unreadable:
			kept := all[best[text{f.File, f.Resource.String(), f.Field, f.Line, f.Column}]]
			out[i] = kept != f && (kept.Rule != f.Rule || kept.Function != f.Function)
		case absent:
			out[i] = isUnread
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
