package pack

import (
	"slices"

	"github.com/krm-packs/functions/pkg/internal/injection"
)

// addWaiting adds a pack whose content is still to be injected.
func (l *loader) addWaiting(name string) {
	l.set.Waiting = append(l.set.Waiting, &Pack{Name: name, Resource: l.status.Resource, Points: []Point{{Status: l.status, Replace: true}}})
}

// addPoint notes the current item, an override, if it is an injection point into which
// nothing is injected.
func (l *loader) addPoint(packName string, isReplace bool) {
	if l.status.IsPending || l.status.Doubt != nil {
		l.points[packName] = append(l.points[packName], Point{l.status, isReplace})
	}
}

// assignPoints assigns each point among the overrides to all packs of the name that
// it has. A pending point that names none of the packs may become an override of
// any pack. Only the first such point is assigned to all packs, because one is
// enough to report them as pending.
func (l *loader) assignPoints() {
	all := slices.Concat(l.set.Packs, l.set.Waiting)
	known := map[string]bool{}
	for _, p := range all {
		known[p.Name] = true
		p.Points = append(p.Points, l.points[p.Name]...)
	}
	var open []Point
	for name, points := range l.points {
		if !known[name] {
			open = append(open, points...)
		}
	}
	open = slices.DeleteFunc(open, func(one Point) bool { return !one.IsPending })
	if len(open) == 0 {
		return
	}
	first := slices.MinFunc(open, func(a, b Point) int { return a.Resource.Compare(b.Resource) })
	first.Replace = slices.ContainsFunc(open, func(one Point) bool { return one.Replace })
	for _, p := range all {
		p.Points = append(p.Points, first)
	}
}

// IsPartial reports whether there may be more packs: one that cannot be read, or one whose
// content is still to be injected.
func (s *Set) IsPartial() bool { return s.Unread || len(s.Waiting) > 0 }

// Points returns the injection points among all packs and their overrides into which
// nothing is injected.
func (s *Set) Points() []injection.Status {
	var all []injection.Status
	for _, p := range slices.Concat(s.Waiting, s.Packs) {
		all = append(all, p.Statuses()...)
	}
	return all
}
