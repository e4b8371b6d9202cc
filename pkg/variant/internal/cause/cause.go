// Package cause leaves out findings that only follow from others.
//
// For example, if spec.downstream is a text, this is reported, and a missing spec.downstream.package
// is not.
package cause

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Join returns the findings of reading a resource, followed by the findings of checking the result.
// It leaves out findings that only follow from a field that could not be read: findings about that
// field, about fields in it, and about the mapping that contains it. A missing field hides nothing
// of its mapping, because other findings about the mapping are other faults.
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

// isField reports whether a path is the path of a field of the mapping at another path.
func isField(path, mapping string) bool {
	name, ok := strings.CutPrefix(path, mapping+".")
	return ok && !strings.ContainsAny(name, ".[")
}
