package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
)

// file is a resource with a spec.
type file[S any] struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       S          `json:"spec" required:"true"`
}

// reader reads one resource and collects what is wrong with it.
type reader struct {
	resource function.Resource
	findings []function.Finding
}

func (r *reader) invalid(field, format string, args ...any) {
	r.findings = append(r.findings, invalid(r.resource, field, format, args...))
}

// invalid is a finding about a field, which its message begins with.
func invalid(resource function.Resource, field, format string, args ...any) function.Finding {
	return function.Finding{Rule: RuleInvalid, Resource: resource, Field: field, Message: field + ": " + fmt.Sprintf(format, args...)}
}

// decodeSpec fills out. Fields that are not known are kept in silence, as those of
// any kind that belongs to others, or, where tell says so, with a warning: a
// policy whose oneOf is misspelt denies everything.
func decodeSpec[S any](r *reader, n *yaml.Node, tell bool) S {
	var f file[S]
	for _, p := range function.Decode(n, "", &f) {
		switch {
		case !p.UnknownField():
			r.findings = append(r.findings, function.Finding{Rule: RuleInvalid, Resource: r.resource, Field: p.Path, Message: p.String()})
		case tell && strings.HasPrefix(p.Path, "spec."):
			r.findings = append(r.findings, function.Finding{Rule: RuleIgnoredField, Resource: r.resource, Field: p.Path, Message: p.String()})
		}
	}
	return f.Spec
}

// path checks a path that has to be one of a manifest. What is empty was
// reported already.
func (r *reader) path(field, path string) {
	if message := checkPath(path); path != "" && message != "" {
		r.invalid(field, "%s", message)
	}
}

func (r *reader) revision(field, revision string) {
	if message := checkRevision(revision); revision != "" && message != "" {
		r.invalid(field, "%s", message)
	}
}

func (r *reader) ref(field string, ref Ref) {
	r.path(field+".path", ref.Path)
	r.revision(field+".revision", ref.Revision)
}

func (r *reader) match(field string, ref RefMatch) {
	r.path(field+".path", ref.Path)
	r.revision(field+".revision", ref.Revision)
}

func (r *reader) named(field string, all map[string]TypedName) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r.ref(field+"."+name+".typeRef", all[name].TypeRef)
	}
}

// ReadInterface reads an Interface, and returns what is wrong with it. What is
// right is there all the same; nil is returned when it has no identity.
func ReadInterface(resource function.Resource, n *yaml.Node) (*Interface, []function.Finding) {
	r := &reader{resource: resource}
	i := &Interface{Resource: resource, InterfaceSpec: decodeSpec[InterfaceSpec](r, n, false)}
	r.ref("spec", i.Ref)
	r.named("spec.output.typeInstances", i.Output.TypeInstances)
	i.faulty = len(r.findings) > 0
	if i.Path == "" || i.Revision == "" {
		return nil, r.findings
	}
	return i, r.findings
}

// ReadImplementation reads an Implementation, as ReadInterface does.
func ReadImplementation(resource function.Resource, n *yaml.Node) (*Implementation, []function.Finding) {
	r := &reader{resource: resource}
	i := &Implementation{Resource: resource, ImplementationSpec: decodeSpec[ImplementationSpec](r, n, false)}
	r.ref("spec", i.Ref)
	for _, path := range slices.Sorted(maps.Keys(i.Attributes)) {
		r.revision("spec.attributes."+path+".revision", i.Attributes[path].Revision)
	}
	i.text = i.Ref.String()
	i.implements = map[Ref]bool{}
	for n, ref := range i.Implements {
		r.ref(fmt.Sprintf("spec.implements[%d]", n), ref)
		i.implements[ref] = true
	}
	i.setRequirements()
	aliases := map[string]string{}
	for _, item := range i.items {
		r.path(item.field+".name", item.typeRef.Path)
		r.revision(item.field+".revision", item.typeRef.Revision)
		switch first := aliases[item.alias]; {
		case item.alias == "":
		case first != "":
			r.invalid(item.field+".alias", "got %q, which is the alias of %s already; give each requirement an alias of its own", item.alias, first)
		default:
			aliases[item.alias] = item.field
		}
	}
	r.named("spec.additionalInput.parameters", i.AdditionalInput.Parameters)
	r.named("spec.additionalInput.typeInstances", i.AdditionalInput.TypeInstances)
	r.named("spec.additionalOutput.typeInstances", i.AdditionalOutput.TypeInstances)
	r.enforced(i, aliases)
	i.Action = nil // it is most of the manifest, and not looked at any more
	i.faulty = len(r.findings) > 0
	if i.Path == "" || i.Revision == "" {
		return nil, r.findings
	}
	return i, r.findings
}

// ReadType reads a Type, as ReadInterface does.
func ReadType(resource function.Resource, n *yaml.Node) (*Type, []function.Finding) {
	r := &reader{resource: resource}
	t := &Type{Resource: resource, TypeSpec: decodeSpec[TypeSpec](r, n, false)}
	r.ref("spec", t.Ref)
	for n, path := range t.AdditionalRefs {
		r.path(fmt.Sprintf("spec.additionalRefs[%d]", n), path)
	}
	if t.Path == "" || t.Revision == "" {
		return nil, r.findings
	}
	return t, r.findings
}

// ReadAttribute reads an Attribute, as ReadInterface does.
func ReadAttribute(resource function.Resource, n *yaml.Node) (*Attribute, []function.Finding) {
	r := &reader{resource: resource}
	a := &Attribute{Resource: resource, AttributeSpec: decodeSpec[AttributeSpec](r, n, false)}
	r.ref("spec", a.Ref)
	if a.Path == "" || a.Revision == "" {
		return nil, r.findings
	}
	return a, r.findings
}

// ReadTypeInstance reads a TypeInstance, as ReadInterface does. Without an id it
// is known by the name of its resource.
func ReadTypeInstance(resource function.Resource, n *yaml.Node) (*TypeInstance, []function.Finding) {
	r := &reader{resource: resource}
	t := &TypeInstance{Resource: resource, TypeInstanceSpec: decodeSpec[TypeInstanceSpec](r, n, false)}
	t.ID = cmp.Or(t.ID, resource.Name)
	r.ref("spec.typeRef", t.TypeRef)
	if t.TypeRef.Path == "" || t.TypeRef.Revision == "" {
		return nil, r.findings
	}
	return t, r.findings
}
