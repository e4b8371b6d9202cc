package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// file is a resource with a spec.
type file[S any] struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       S          `json:"spec" required:"true"`

	_ struct{} `unknown:"slips"`
}

// reader reads one resource and collects its faults. They have no positions: clients
// print resources again, so their lines mislead.
type reader struct {
	// origin is the resource, and findings are its faults.
	origin   *diag.Origin
	findings []diag.Finding
}

func newReader(resource diag.Resource) *reader { return &reader{origin: diag.Whole(resource)} }

// add reports findings about one field, as mistakes.
func (r *reader) add(field string, findings ...diag.Finding) {
	for _, f := range findings {
		r.findings = append(r.findings, f.In(r.origin, field, diag.Position{}).Of(rule.PolicyInvalid))
	}
}

// decodeSpec fills the spec of a resource. moves are the fields that belong elsewhere.
func decodeSpec[S any](r *reader, n *yaml.Node, moves []move) S {
	var f file[S]
	findings := decode.Node(n, "", &f)
	meant := r.moved(n, moves) // also the fields whose names are misspelt
	for i := range findings {
		if findings[i].Nearest != "" {
			meant[Meant(&findings[i])] = true
		}
	}
	for _, f := range findings {
		if meant[f.Key] && (f.Kind == diag.KindMissing || f.Kind == diag.KindUnknown) {
			continue // it only follows from the other name or place
		}
		r.add(f.Key, f)
		if last := &r.findings[len(r.findings)-1]; f.Kind == diag.KindUnknown {
			*last = unknown(*last)
		}
	}
	for found := range decode.Ambiguous(n, "", &f) {
		r.findings = append(r.findings, found.In(r.origin, found.Key, diag.Position{}))
	}
	return f.Spec
}

// Meant returns the path of the field that has the fault of a finding: the intended field for a
// misspelt field, and the field of the resource for a field of Capact's own files.
func Meant(f *diag.Finding) string {
	path := f.Path()
	if to := targetOf(path); to != "" {
		return to
	}
	if f.Kind != diag.KindUnknown || f.Nearest == "" {
		return path
	}
	return diag.Join(path[:max(0, strings.LastIndexByte(path, '.'))], f.Nearest)
}

// undecided lists the fields that have no influence on selections.
var undecided = []string{"spec.output", "spec.additionalInput", "spec.additionalOutput", "spec.action", "spec.additionalRefs", "spec.jsonSchema", "metadata"}

// unknown returns the finding about an unknown field. A misspelt field that
// influences selections is a mistake; others have no effect.
func unknown(f diag.Finding) diag.Finding {
	meant := Meant(&f)
	f.Severity = ""
	if f.Nearest == "" || slices.ContainsFunc(undecided, func(path string) bool { return len(path) <= len(meant) && diag.Overlap(path, meant) }) {
		return f.Of(rule.PolicyIgnoredField)
	}
	return f
}

// ref checks both parts of a reference, whose fields are below field.
func (r *reader) ref(field string, path, revision string) {
	r.add(field+".path", CheckPath(path)...)
	r.add(field+".revision", CheckRevision(revision)...)
}

// named checks the Types of parameters or TypeInstances, in the order of their names.
func (r *reader) named(field string, all map[string]TypedName) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		ref := all[name].TypeRef
		r.ref(field+"."+name+".typeRef", ref.Path, ref.Revision)
	}
}

// ReadInterface reads an Interface, and returns its faults. It returns nil for one
// without path and revision.
//
//	kind: Interface
//	spec:
//	  path: cap.interface.database.postgresql.install
//	  revision: 0.1.0
//	  output: {typeInstances: {postgresql: {typeRef: {path: cap.type.database.postgresql.config, revision: 0.1.0}}}}
func ReadInterface(resource diag.Resource, n *yaml.Node) (*Interface, []diag.Finding) {
	r := newReader(resource)
	i := &Interface{Resource: resource, InterfaceSpec: decodeSpec[InterfaceSpec](r, n, manifestMoves)}
	r.ref("spec", i.Path, i.Revision)
	r.named("spec.output.typeInstances", i.Output.TypeInstances)
	return identified(i, i.Ref), r.findings
}

// identified returns nil for a manifest without path and revision.
func identified[M any](m *M, ref Ref) *M {
	if ref.Path == "" || ref.Revision == "" {
		return nil
	}
	return m
}

// ReadImplementation reads an Implementation, as ReadInterface does.
func ReadImplementation(resource diag.Resource, n *yaml.Node) (*Implementation, []diag.Finding) {
	r := newReader(resource)
	i := &Implementation{Resource: resource, ImplementationSpec: decodeSpec[ImplementationSpec](r, n, manifestMoves)}
	r.ref("spec", i.Path, i.Revision)
	for _, path := range slices.Sorted(maps.Keys(i.Attributes)) {
		r.add("spec.attributes."+path+".revision", CheckRevision(i.Attributes[path].Revision)...)
	}
	i.implements = map[Ref]bool{}
	for n, ref := range i.Implements {
		r.ref(fmt.Sprintf("spec.implements[%d]", n), ref.Path, ref.Revision)
		i.implements[ref] = true
	}
	i.resolveRequirements()
	r.requirements(i)
	r.named("spec.additionalInput.parameters", i.AdditionalInput.Parameters)
	r.named("spec.additionalInput.typeInstances", i.AdditionalInput.TypeInstances)
	r.named("spec.additionalOutput.typeInstances", i.AdditionalOutput.TypeInstances)
	r.backends(i)
	i.Action = nil // it is most of the manifest, and no longer needed
	return identified(i, i.Ref), r.findings
}

// requirements checks the requirements of an Implementation. Each alias belongs to one requirement.
func (r *reader) requirements(i *Implementation) {
	aliases := map[string]string{}
	for _, item := range i.Requirements {
		r.add(item.Field+".name", CheckPath(item.TypeRef.Path)...)
		r.add(item.Field+".revision", CheckRevision(item.TypeRef.Revision)...)
		switch first := aliases[item.Alias]; {
		case item.Alias == "":
		case first != "":
			f := diag.GotText(item.Alias, "a unique alias").Do("rename the alias here or in " + first)
			r.add(item.Field+".alias", f)
		default:
			aliases[item.Alias] = item.Field
		}
	}
}

// ReadType reads a Type, as ReadInterface does.
//
//	kind: Type
//	spec: {path: cap.type.database.postgresql.config, revision: 0.1.0}
func ReadType(resource diag.Resource, n *yaml.Node) (*Type, []diag.Finding) {
	r := newReader(resource)
	t := &Type{Resource: resource, TypeSpec: decodeSpec[TypeSpec](r, n, manifestMoves)}
	r.ref("spec", t.Path, t.Revision)
	for n, path := range t.AdditionalRefs {
		r.add(fmt.Sprintf("spec.additionalRefs[%d]", n), CheckPath(path)...)
	}
	return identified(t, t.Ref), r.findings
}

// ReadAttribute reads an Attribute, as ReadInterface does.
func ReadAttribute(resource diag.Resource, n *yaml.Node) (*Attribute, []diag.Finding) {
	r := newReader(resource)
	a := &Attribute{Resource: resource, AttributeSpec: decodeSpec[AttributeSpec](r, n, manifestMoves)}
	r.ref("spec", a.Path, a.Revision)
	return identified(a, a.Ref), r.findings
}

// ReadTypeInstance reads a TypeInstance, and returns its faults. Without an id it is
// known by the name of its resource. It returns nil for one without a Type.
//
//	kind: TypeInstance
//	spec: {id: 9ef2d44c, typeRef: {path: cap.type.gcp.auth, revision: 0.1.0}}
func ReadTypeInstance(resource diag.Resource, n *yaml.Node) (*TypeInstance, []diag.Finding) {
	r := newReader(resource)
	t := &TypeInstance{Resource: resource, TypeInstanceSpec: decodeSpec[TypeInstanceSpec](r, n, instanceMoves)}
	t.ID = cmp.Or(t.ID, resource.Name)
	r.ref("spec.typeRef", t.TypeRef.Path, t.TypeRef.Revision)
	return identified(t, t.TypeRef), r.findings
}
