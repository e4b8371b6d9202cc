package policy

import (
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

// nearestPath returns the known path that a path was most probably meant to be,
// "" when none is. Paths have long beginnings in common, so that they are
// compared node by node: aws is not near gcp.
func nearestPath(path string, known []string) string {
	nodes := strings.Split(path, ".")
	for _, candidate := range known {
		if candidate == path || len(candidate) > len(path)+8 || len(path) > len(candidate)+8 {
			continue
		}
		others := strings.Split(candidate, ".")
		slips := 0
		for i := 0; i < len(nodes) && i < len(others) && slips <= 1; i++ {
			if nodes[i] != others[i] {
				slips++
				if nearest.Name(nodes[i], others[i:i+1]) == "" {
					slips++
				}
			}
		}
		if len(nodes) == len(others) && slips <= 1 {
			return candidate
		}
	}
	// A dot may be one of the slips.
	joined := func(s string) string {
		return strings.NewReplacer(".", "", "-", "", "_", "").Replace(strings.ToLower(s))
	}
	for _, candidate := range known {
		if candidate != path && joined(candidate) == joined(path) {
			return candidate
		}
	}
	return ""
}

// pathHint is an ending for a message about an unknown path.
func pathHint(path string, known []string) string {
	if name := nearestPath(path, known); name != "" {
		return ` (did you mean "` + name + `"?)`
	}
	return ""
}
