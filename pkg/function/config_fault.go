package function

import "strings"

// HasConfigFault reports whether a fault of the functionConfig was reported at a
// field, `spec.machinePools[0].size`, above it or below it: then what the field
// says is not known.
func (r *Run) HasConfigFault(field string) bool {
	for _, f := range r.findings {
		if f.Rule == RuleConfigInvalid.ID && Overlap(f.Field, field) {
			return true
		}
	}
	return false
}

// Overlap reports whether one of two paths leads through the other: `spec.a` and
// `spec.a[0].b` do, `spec.a` and `spec.ab` do not.
func Overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(b, a)
	return ok && (a == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
