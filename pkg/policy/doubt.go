package policy

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// Place is a part of the input: a resource or, where only one part of it matters to a
// selection, that part.
type Place struct {
	// Resource is the resource.
	Resource diag.Resource
	// Part is "" for the whole resource, or the path of a rule.
	Part string
}

// everything is the place of an error that may matter to any selection.
var everything = Place{}

// Doubts are the places of errors. The content at these places is unknown, so a selection that rests
// on one of them could be wrong: see [Selection.Rests].
type Doubts map[Place]bool

// Note adds the places of errors. Findings that are not errors leave no doubt.
func (d Doubts) Note(findings ...diag.Finding) {
	for i := range findings {
		if findings[i].Level() == diag.Error {
			d[placeOf(&findings[i])] = true
		}
	}
}

// Touch reports whether one of the places has an error. Call it with Selection.Rests before
// you use a selection.
func (d Doubts) Touch(places []Place) bool {
	return d[everything] || slices.ContainsFunc(places, func(p Place) bool { return d[p] })
}

// placeOf returns what an error leaves unknown.
func placeOf(f *diag.Finding) Place {
	resource, path := f.Resource(), manifest.Meant(f)
	isAbove := func(field string) bool { return diag.Overlap(path, field) && len(path) <= len(field) }
	if isAbove("spec") || isAbove("apiVersion") || isAbove("kind") {
		return everything // the resource could not be read
	}
	switch resource.Kind {
	case "Policy":
		// Of a rule only its body is the concern of that rule alone.
		rule, body, _ := strings.Cut(path, "]")
		if strings.HasPrefix(rule, "spec.interface.rules[") && strings.HasPrefix(body, ".oneOf") ||
			strings.HasPrefix(rule, "spec.typeInstance.rules[") && strings.HasPrefix(body, ".backend") {
			return Place{resource, rule + "]"}
		}
		if path != "spec.scope" {
			return Place{Resource: resource}
		}
	case "Implementation":
		// It could implement any Interface.
		if !isAbove("spec.path") && !isAbove("spec.revision") && !diag.Overlap(path, "spec.implements") {
			return Place{Resource: resource}
		}
	case "Interface", "Type", "Attribute":
		return Place{Resource: resource}
	default:
		if reference, _, ok := strings.Cut(path, "]"); ok && strings.HasPrefix(reference, "spec.references[") {
			return Place{resource, reference + "]"}
		}
	}
	return everything
}
