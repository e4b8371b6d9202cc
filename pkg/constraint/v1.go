package constraint

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// refusedByV1 returns the property that the requirement is in a catalog if OLM v1 refuses bundles
// with it, else "". See internal/operator-controller/resolve/validation.go of operator-controller.
func (r requirement) refusedByV1() string {
	switch {
	case r.declared == typeConstraint:
		return typeConstraint
	case r.constraint.Kind == KindPackage:
		return typePackageRequired
	case r.constraint.Kind == KindGVK:
		return typeGVKRequired
	}
	return ""
}

// limitsOfV1 reports each package that has a bundle which OLM v1 does not install, because one of
// its requirements is supported only by OLM v0. A package is reported once.
func (c *Checker) limitsOfV1() {
	seen := map[string]bool{}
	for _, r := range c.set.readings {
		b := r.candidate.bundle
		if !c.isChecked(b) || len(r.candidate.packages) == 0 || seen[r.candidate.packages[0].name] {
			continue
		}
		at := slices.IndexFunc(r.candidate.requirements, func(required requirement) bool { return required.refusedByV1() != "" })
		if at < 0 {
			continue
		}
		name, required := r.candidate.packages[0].name, r.candidate.requirements[at]
		seen[name] = true
		f := diag.Say("OLM v1 does not install %s of package %q, because it has a property %s, which only OLM v0 accepts", b, name, required.refusedByV1())
		c.report(b.at(f.Of(rule.BundleOLMv1), required.entry, required.constraint))
	}
}
