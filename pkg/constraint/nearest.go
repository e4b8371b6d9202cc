package constraint

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

const (
	// maxComparisons is the largest number of pairs of names compared in one check. If very many
	// names are wrong, the later ones have no nearest name.
	maxComparisons = 500_000
	// maxAPIs is the largest number of APIs of one kind that are compared with a missing one.
	maxAPIs = 100
)

// nearestNames finds names that are near missing ones.
type nearestNames struct {
	packageNames, labelNames []string // in order
	// kinds are the known APIs by their kinds.
	kinds map[string][]GVK
	// found caches the answers, and compared counts the comparisons.
	found    map[nameKey]string
	compared int
	// typeNames are the known types of properties.
	typeNames []string
	// firstWith are the first candidates with a property of a type.
	firstWith map[string]int
}

// nameKey is a name of a package or a label.
type nameKey struct {
	kind Kind
	name string
}

// nearestPackage returns the name of a package that is provided and similar, or "".
func (j *evaluator) nearestPackage(name string) string {
	if j.packageNames == nil {
		j.packageNames = slices.Sorted(maps.Keys(j.byPackage))
	}
	return j.nearestNames.name(nameKey{KindPackage, name}, j.packageNames)
}

// nearestLabel returns a label that is provided and similar, or "".
func (j *evaluator) nearestLabel(name string) string {
	if j.labelNames == nil {
		j.labelNames = slices.Sorted(maps.Keys(j.byLabel))
	}
	return j.nearestNames.name(nameKey{KindLabel, name}, j.labelNames)
}

// name returns the known name that is most similar. It returns "" if none is, or after too many
// comparisons.
func (n *nearestNames) name(q nameKey, known []string) string {
	if name, ok := n.found[q]; ok {
		return name
	}
	if n.compared += len(known); n.compared > maxComparisons {
		return ""
	}
	if n.found == nil {
		n.found = map[nameKey]string{}
	}
	n.found[q] = nearest.Name(q.name, known)
	return n.found[q]
}

// nearestAPI returns an API that differs in letter case only, or else one of the
// same kind with the group or the version that is required, or one of the same group and version whose
// kind is almost the required one, such as Thing for things.
func (j *evaluator) nearestAPI(required GVK) (GVK, bool) {
	if j.kinds == nil {
		j.kinds = map[string][]GVK{}
		for _, c := range j.candidates {
			for _, g := range c.gvks {
				kind := strings.ToLower(g.Kind)
				if known := j.kinds[kind]; len(known) < maxAPIs && !slices.Contains(known, g) {
					j.kinds[kind] = append(known, g)
				}
			}
		}
	}
	known := j.kinds[strings.ToLower(required.Kind)]
	for _, g := range known {
		if strings.EqualFold(g.String(), required.String()) {
			return g, true
		}
	}
	for _, g := range known {
		if g.Kind == required.Kind && (g.Group == required.Group || g.Version == required.Version) {
			return g, true
		}
	}
	const leastLetters = 4 // shorter kinds are almost each other
	if j.compared += len(j.kinds); j.compared > maxComparisons || len(required.Kind) < leastLetters {
		return GVK{}, false
	}
	for _, kind := range slices.Sorted(maps.Keys(j.kinds)) {
		if !nearest.IsMisspelt(required.Kind, kind) {
			continue
		}
		for _, g := range j.kinds[kind] {
			if g.Group == required.Group && g.Version == required.Version {
				return g, true
			}
		}
	}
	return GVK{}, false
}
