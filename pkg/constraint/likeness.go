package constraint

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

const (
	// mostLikenesses is how many pairs of names are compared in one check: where
	// very many names are wrong, the later ones go without the nearest name.
	mostLikenesses = 500_000
	// mostAPIs is how many APIs of one kind are compared with one that is missing.
	mostAPIs = 100
)

// likeness finds what is like something that is missing.
type likeness struct {
	packageNames, labelNames []string // in order
	kinds                    map[string][]GVK
	near                     map[nearQuestion]string
	compared                 int
}

type nearQuestion struct {
	kind Kind
	name string
}

func (j *judge) likePackage(name string) string {
	if j.packageNames == nil {
		j.packageNames = slices.Sorted(maps.Keys(j.byPackage))
	}
	return j.like(nearQuestion{KindPackage, name}, j.packageNames)
}

func (j *judge) likeLabel(name string) string {
	if j.labelNames == nil {
		j.labelNames = slices.Sorted(maps.Keys(j.byLabel))
	}
	return j.like(nearQuestion{KindLabel, name}, j.labelNames)
}

func (l *likeness) like(q nearQuestion, known []string) string {
	if name, ok := l.near[q]; ok {
		return name
	}
	if l.compared += len(known); l.compared > mostLikenesses {
		return ""
	}
	if l.near == nil {
		l.near = map[nearQuestion]string{}
	}
	l.near[q] = nearest.Name(q.name, known)
	return l.near[q]
}

// likeAPI returns an API that differs in letter case only, or else one of the
// same kind with the group or the version that is wanted.
func (j *judge) likeAPI(wanted GVK) (GVK, bool) {
	if j.kinds == nil {
		j.kinds = map[string][]GVK{}
		for _, c := range j.candidates {
			for _, g := range c.gvks {
				kind := strings.ToLower(g.Kind)
				if known := j.kinds[kind]; len(known) < mostAPIs && !slices.Contains(known, g) {
					j.kinds[kind] = append(known, g)
				}
			}
		}
	}
	known := j.kinds[strings.ToLower(wanted.Kind)]
	for _, g := range known {
		if strings.EqualFold(g.String(), wanted.String()) {
			return g, true
		}
	}
	for _, g := range known {
		if g.Kind == wanted.Kind && (g.Group == wanted.Group || g.Version == wanted.Version) {
			return g, true
		}
	}
	return GVK{}, false
}
