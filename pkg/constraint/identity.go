package constraint

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// A bundle states its package and version several times. Only one of these statements counts, so a
// different one is probably wrong.

// compareIdentity warns if a property olm.package differs from the other statements of the bundle.
// The property was read last, and its value is at the path key.
func (r *reader) compareIdentity(value *yaml.Node, key string) {
	b := r.candidate.bundle
	if b == nil || len(r.findings) > 0 || len(r.candidate.packages) == 0 {
		return
	}
	p := r.candidate.packages[len(r.candidate.packages)-1]
	for _, one := range []struct{ field, got, other string }{{"packageName", p.name, b.Package}, {"version", p.text, b.Version}} {
		if one.other != "" && one.got != "" && !isSame(one.got, one.other) {
			f := diag.Say("olm.package has the %s %q, but %s itself declares %q, which is ignored", one.field, short(one.got), b, short(one.other)).Do("correct one")
			f.Severity = diag.Warning
			r.warnings = append(r.warnings, f.At(diag.Join(key, one.field), values.At(values.Field(value, one.field))))
		}
	}
}

// compareVersion warns if the version in the name of a bundle differs from that which it
// provides.
func (r *reader) compareVersion(number string) {
	b, stated, field := r.candidate.bundle, r.candidate.bundle.Version, "spec.version"
	for _, p := range r.candidate.packages {
		stated = p.text
		if b.Version == "" {
			field = "olm.package"
		}
	}
	if number == "" || stated == "" || isSame(number, stated) || isSame(number, strings.ReplaceAll(stated, "+", "-")) || isSame(number, strings.ReplaceAll(stated, "+", ".")) {
		return // a name cannot have the + of a version
	}
	f := diag.Say("%s has version %s in its name, but %s in %s, which is used", b, short(number), short(stated), field).Do("rename the bundle, or correct " + field).Of(rule.ConstraintInvalid)
	f.Severity = diag.Warning
	f = b.about(f)
	if b.Version != "" {
		f.Key = "spec.version"
	}
	r.reported = append(r.reported, f)
}

// isSame reports whether two texts are equal, or versions that are.
func isSame(a, b string) bool {
	v, err := version.Parse(a)
	w, other := version.Parse(b)
	return a == b || err == nil && other == nil && v.Compare(w) == 0
}
