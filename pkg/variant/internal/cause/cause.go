// Package cause leaves out findings that only follow from others.
package cause

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Join returns the findings of reading a resource, and after them those of checking what
// was read. It leaves out what only seems to be wrong because a field could not be read:
// findings about that field, fields in it, and the mapping that has it. A field that is
// missing hides nothing of its mapping: what else is wrong there is another fault.
func Join(read, checked []diag.Finding) []diag.Finding {
	follows := func(f diag.Finding) bool {
		return slices.ContainsFunc(read, func(cause diag.Finding) bool {
			return isError(cause) && (diag.Overlap(f.Key, cause.Key) && len(f.Key) >= len(cause.Key) || cause.Kind != diag.KindMissing && isField(cause.Key, f.Key))
		})
	}
	return slices.Concat(read, slices.DeleteFunc(slices.Clone(checked), follows))
}

// isError reports whether a finding of reading, whose rule is not set yet, is an error.
func isError(f diag.Finding) bool { return f.Severity == "" && f.Kind != diag.KindAlias }

// isField reports whether a path is that of a field of the mapping at another path.
func isField(path, mapping string) bool {
	name, ok := strings.CutPrefix(path, mapping+".")
	return ok && !strings.ContainsAny(name, ".[")
}
