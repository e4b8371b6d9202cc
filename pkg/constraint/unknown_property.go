package constraint

import (
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/rule"
)

// unknownProperties reports the types of properties that the rules of a constraint exclude,
// if no candidate has them and they are nearly known ones: a rule that excludes a misspelt
// type always holds. at sets the place of a finding about a leaf.
func (c *Checker) unknownProperties(root *Constraint, at func(diag.Finding, *Constraint) diag.Finding) {
	if c.options.IsPending {
		return // any type may still be there
	}
	var visit func(part *Constraint, isNegated bool)
	visit = func(part *Constraint, isNegated bool) {
		if part.Kind == KindCEL {
			for _, kind := range part.program.Excluded("type", isNegated) {
				near := c.nearestType(kind)
				if near == "" {
					continue
				}
				f := diag.Say("the rule excludes properties of type %q, which no bundle has", short(kind)).Do("correct the type")
				f.Nearest = near
				c.report(at(f.Of(rule.ConstraintUnknownProperty), part))
			}
		}
		for _, child := range part.Children {
			visit(child, isNegated != (part.Kind == KindNot))
		}
	}
	visit(root, false)
}

// nearestType returns the known type of properties that an unknown type was probably meant to be,
// or "" if there is none.
func (c *Checker) nearestType(kind string) string {
	first := c.typesOfProperties()
	if _, isKnown := first[kind]; isKnown || slices.Contains(dependencyTypes, kind) {
		return ""
	}
	if c.typeNames == nil {
		c.typeNames = append(slices.Sorted(maps.Keys(first)), dependencyTypes...)
	}
	if near := nearest.Reference(kind, c.typeNames); nearest.IsMisspelt(kind, near) {
		return near
	}
	return ""
}
