package function

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// key is the place of a finding: a field of a resource, or a key of a text in it.
type key struct {
	resource    diag.Resource
	field, path string
}

func keyOf(f *diag.Finding) key {
	if f.Origin != nil && f.Origin.Embedded {
		return key{f.Resource(), f.Path(), f.Key}
	}
	return key{f.Resource(), "", f.Path()}
}

// misspelt are the misspelt names among findings. They come first: what only follows from them
// is left out, and what is left without them comes with the next run.
type misspelt struct {
	// unknown are the first findings of the unknown names, by their places, and meant the places
	// of the right ones.
	unknown map[key]said
	meant   map[key]bool
	// in are the resources with a name that is certainly misspelt. isAnywhere says that one of
	// them is not a pack that was read, which no other resource can miss.
	in         map[diag.Resource]bool
	isAnywhere bool
	// mentioned is how often these resources have the names that are not found. In the
	// functionConfig any name may be, if isConfig is set.
	mentioned map[string]int
	isConfig  bool
	// isReference says that one of the names refers to something, which seems to be unused then.
	isReference bool
}

// said is what tells a finding of an unknown name from another one.
type said struct{ rule, accepted string }

// misspeltIn returns the misspelt names that are errors, whatever the user says of their rules.
func misspeltIn(l *list.List, found []diag.Finding) misspelt {
	m := misspelt{unknown: map[key]said{}, meant: map[key]bool{}, in: map[diag.Resource]bool{}, mentioned: map[string]int{}}
	for i := range found {
		f := &found[i]
		if isDangling(f) {
			m.mentioned[f.Mistakes[0].Text] = 0
		}
		if f.Severity != diag.Error || f.Origin == nil {
			continue
		}
		at := keyOf(f)
		if _, isKnown := m.unknown[at]; f.Kind == diag.KindUnknown && !isKnown && isFixed(f.Rule) {
			m.unknown[at] = said{f.Rule.ID, f.Accepted}
		}
		if f.Nearest == "" {
			continue
		}
		if f.Kind == diag.KindUnknown {
			at.path = beside(at.path, f.Nearest)
			m.meant[at] = true
		}
		switch isCertain := isCertainly(f); {
		case isCertain && f.Kind == diag.KindNotFound:
			m.isReference = true
		case isCertain:
			m.in[f.Resource()] = true
			m.isAnywhere = m.isAnywhere || f.Pack == ""
		}
	}
	if len(m.in) > 0 && len(m.mentioned) > 0 {
		m.readMentioned(l)
	}
	return m
}

// isCertainly reports whether a name is certainly misspelt. Nothing is missing because of the
// values of packs.
func isCertainly(f *diag.Finding) bool {
	isOfValues := strings.HasPrefix(f.Rule.ID, "values/") || strings.HasPrefix(f.Rule.ID, "macro/")
	return !isOfValues && slices.ContainsFunc(f.Mistakes, func(s diag.Mistake) bool { return f.Correction(s) != "" })
}

// isDangling reports whether a finding is about a reference to a name that nothing has.
func isDangling(f *diag.Finding) bool {
	return f.Kind == diag.KindNotFound && f.Nearest == "" && len(f.Mistakes) > 0 && !rule.Of(f.Rule.ID).Follows
}

// readMentioned counts the names that are not found in the resources with misspelt names.
func (m *misspelt) readMentioned(l *list.List) {
	m.isConfig = m.in[l.ConfigResource()] && l.Config() != nil
	for _, item := range l.Items {
		if !m.in[item.Resource()] {
			continue
		}
		for word := range strings.FieldsFuncSeq(string(item.Text()), func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'{}[],:", r) }) {
			if _, isWanted := m.mentioned[word]; isWanted {
				m.mentioned[word]++
			}
		}
	}
}

// explains reports whether a finding only follows from a misspelt name, or says the same of it.
func (m misspelt) explains(f diag.Finding) bool {
	first, isKnown := m.unknown[keyOf(&f)]
	isIn := m.in[f.Resource()]
	switch {
	case f.Kind == diag.KindUnknown:
		return isKnown && first != said{f.Rule.ID, f.Accepted}
	case f.Kind == diag.KindMissing && f.Found == "" && m.meant[keyOf(&f)]:
		return true
	case f.Nearest != "":
		return false
	case isDangling(&f):
		count := m.mentioned[f.Mistakes[0].Text]
		return m.isConfig || count > 1 || count == 1 && !isIn // the one is the reference itself
	}
	return (isIn || m.isAnywhere || m.isReference) && (f.Unseen != "" || rule.Of(f.Rule.ID).Follows)
}
