package constraint

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// requirement is something that a bundle requires.
type requirement struct {
	// entry is the item of the list, and constraint what it means.
	entry Entry
	// declared is the type it was declared with.
	declared   string
	constraint *Constraint
}

// rule returns the rule of findings about it.
func (r requirement) rule() diag.Rule {
	if r.declared == typeConstraint {
		return rule.ConstraintUnsatisfied
	}
	return rule.RequirementUnsatisfied
}

// dependency reads an item of dependencies, where olm.package and its like require.
func (r *reader) dependency(e Entry) {
	defer r.finish(e)
	name, value, key, ok := r.open(e, false)
	if !ok {
		return
	}
	if !slices.Contains(dependencyTypes, name) {
		r.unknownType(e, name, key)
		return
	}
	r.dependencyProperty(name, value, key)
	field := "versionRange"
	if name == typePackage {
		field = "version"
	}
	r.required(e, name, value, key, field)
}

// required reads a requirement; field is the field of a package's range.
func (r *reader) required(e Entry, name string, value *yaml.Node, key, field string) {
	c := &Constraint{Key: key, At: values.At(value)}
	switch strings.TrimSuffix(name, ".required") {
	case typeConstraint:
		c = r.generic(e, value, key)
	case typePackage:
		c.Kind = KindPackage
		r.requiredPackage(c, value, key, field)
	case typeGVK:
		var fields gvkFields
		r.decode(value, key, "a map with group, version and kind", true, &fields)
		c.Kind, c.GVK = KindGVK, GVK(fields)
	case typeLabel:
		c.Kind, c.Label = KindLabel, r.label(value, key)
	}
	if len(r.findings) == 0 {
		c.identify()
		r.candidate.requirements = append(r.candidate.requirements, requirement{e, name, c})
	}
}

// requiredPackage reads the value of a required package.
func (r *reader) requiredPackage(c *Constraint, value *yaml.Node, key, field string) {
	var name, text string
	if field == "version" { // a dependency calls the range so
		var fields providedFields
		r.decode(value, key, "a map with packageName and version", true, &fields)
		name, text = fields.PackageName, fields.Version
	} else {
		var fields requiredFields
		r.decode(value, key, "a map with packageName and versionRange", true, &fields)
		name, text = fields.PackageName, fields.VersionRange
	}
	c.Package = name
	r.versionRange(c, text, values.Field(value, field), diag.Join(key, field))
}

// generic reads the value of an olm.constraint. It returns nil if the value has a fault.
//
//	type: olm.constraint
//	value:
//	  failureMessage: requires a red package
//	  package: {packageName: red, versionRange: '>=1.0.0'}
func (r *reader) generic(e Entry, value *yaml.Node, key string) *Constraint {
	size := e.ValueSize
	if size == 0 {
		size = compactSize(value, MaxSize)
	}
	if size > MaxSize {
		r.report(diag.Say("the value is larger than %d KiB, the limit of OLM", MaxSize>>10).Do("split it into several constraints"), key, value)
		return nil
	}
	return r.constraint(value, key, 1)
}
