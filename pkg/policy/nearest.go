package policy

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// maxHints bounds the names that are compared to find the nearest ones: thousands of
// unknown names among thousands of known ones are not misspelt.
const maxHints = 1_000_000

// hintBudget is the number of names that may still be compared.
type hintBudget int

// take reports whether enough is left for some names, or nothing was taken yet.
func (b *hintBudget) take(n int) bool {
	if int(*b) < n && *b != maxHints {
		return false
	}
	*b -= hintBudget(n)
	return true
}

// nearestPath returns the known path that was most probably meant, or "" if there is none. Paths
// begin alike, so they are compared node by node: aws is not near gcp.
func nearestPath(path string, known []string) string {
	if near := nearest.Path(path, known, nil); near != "" {
		return near
	}
	for _, candidate := range known { // a dot may be the slip
		if candidate != path && sameLetters(path, candidate) {
			return candidate
		}
	}
	return ""
}

// sameLetters reports whether two paths differ in their separators and in case
// only.
func sameLetters(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && strings.IndexByte(".-_", a[i]) >= 0 {
			i++
		}
		for j < len(b) && strings.IndexByte(".-_", b[j]) >= 0 {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i]|0x20 != b[j]|0x20 {
			return false
		}
		i, j = i+1, j+1
	}
}

// noPath makes a finding of a path that nothing has.
func noPath(noun, path string, known []string) diag.Finding {
	f := diag.NotFound(noun, path, known)
	f.Found = noun + " has the path " + `"` + path + `"`
	f.Unseen = ""
	if f.Nearest = nearestPath(path, known); f.Nearest == "" {
		f = f.IfUnseen(diag.ItExists)
	}
	return f
}
