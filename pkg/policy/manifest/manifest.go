package manifest

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// Interface is an Interface manifest.
type Interface struct {
	// Resource is the resource that was read.
	Resource diag.Resource
	InterfaceSpec
}

// InterfaceSpec is the spec of the kind Interface: what can be implemented.
type InterfaceSpec struct {
	Ref
	// Output declares the TypeInstances that every Implementation creates.
	Output Outputs `json:"output"`

	_ struct{} `unknown:"slips"`
}

// Outputs are the TypeInstances that an action makes.
type Outputs struct {
	// TypeInstances are its TypeInstances, by their names.
	TypeInstances map[string]TypedName `json:"typeInstances"`

	_ struct{} `unknown:"slips"`
}

// TypedName is the Type of a parameter or a TypeInstance.
type TypedName struct {
	// TypeRef is its Type.
	TypeRef Ref `json:"typeRef" required:"true"`

	_ struct{} `unknown:"slips"`
}

// Implementation is an Implementation manifest.
type Implementation struct {
	// Resource is the resource that was read.
	Resource diag.Resource
	ImplementationSpec

	// Requirements are the resolved items of Requires, in the order in which injected TypeInstances
	// are matched with them: the order of the document, and oneOf, allOf, anyOf below a prefix.
	Requirements []Requirement
	// Groups are the lists that Requirements come from.
	Groups []RequirementGroup
	// Backends are the aliases of the storage backends that steps of the action name
	// for outputs, by the names of the outputs.
	Backends map[string]string

	// implements has the Interfaces of Implements.
	implements map[Ref]bool
	// byPath has the indexes of the requirements of a path.
	byPath map[string][]int
}

// IsOf reports whether it implements an Interface, in that revision.
func (i *Implementation) IsOf(ref Ref) bool { return i.implements[ref] }

// OfPath returns the indexes of the requirements whose Type has a path.
func (i *Implementation) OfPath(path string) []int { return i.byPath[path] }

// ImplementationSpec is the spec of the kind Implementation: how an Interface is
// implemented.
type ImplementationSpec struct {
	Ref
	// Attributes are the attributes that it has, by their paths.
	Attributes map[string]AttributeRevision `json:"attributes"`
	// Implements are the Interfaces that it implements.
	Implements []Ref `json:"implements"`
	// Requires is what it needs, by the prefix of Types: `cap.type.gcp.auth`.
	Requires Requirements `json:"requires"`
	// AdditionalInput is what it takes beyond the input of the Interface.
	AdditionalInput AdditionalInput `json:"additionalInput"`
	// AdditionalOutput is what it makes beyond the output of the Interface.
	AdditionalOutput Outputs `json:"additionalOutput"`
	// Action is what it runs. Only its capact-outputTypeInstances are read.
	Action *yaml.Node `json:"action"`

	_ struct{} `unknown:"slips"`
}

// AttributeRevision is the revision of an attribute.
type AttributeRevision struct {
	// Revision is a semantic version.
	Revision string `json:"revision" required:"true"`

	_ struct{} `unknown:"slips"`
}

// AdditionalInput is what an Implementation takes beyond the input of the
// Interface.
type AdditionalInput struct {
	// Parameters are its parameters, by their names.
	Parameters map[string]TypedName `json:"parameters"`
	// TypeInstances are its TypeInstances, by their names.
	TypeInstances map[string]TypedName `json:"typeInstances"`

	_ struct{} `unknown:"slips"`
}

// Type is a Type manifest.
type Type struct {
	// Resource is the resource that was read.
	Resource diag.Resource
	TypeSpec
}

// TypeSpec is the spec of the kind Type.
type TypeSpec struct {
	Ref
	// AdditionalRefs are further nodes under which it is found:
	// `cap.core.type.hub.storage` makes it a storage backend.
	AdditionalRefs []string `json:"additionalRefs"`
	// JSONSchema is what values must satisfy.
	JSONSchema SchemaText `json:"jsonSchema"`

	_ struct{} `unknown:"slips"`
}

// SchemaText is a JSON schema as text.
type SchemaText struct {
	// Value is the text of the JSON schema.
	Value string `json:"value"`

	_ struct{} `unknown:"slips"`
}

// Attribute is an Attribute manifest.
type Attribute struct {
	// Resource is the resource that was read.
	Resource diag.Resource
	AttributeSpec
}

// AttributeSpec is the spec of the kind Attribute.
type AttributeSpec struct {
	Ref

	_ struct{} `unknown:"slips"`
}

// TypeInstance is something that exists, of a Type.
type TypeInstance struct {
	// Resource is the resource that was read.
	Resource diag.Resource
	TypeInstanceSpec
}

// TypeInstanceSpec is the spec of the kind TypeInstance.
type TypeInstanceSpec struct {
	// ID is what policies name it by.
	ID string `json:"id" absent:"metadata.name"`
	// TypeRef is its Type.
	TypeRef Ref `json:"typeRef" required:"true"`

	_ struct{} `unknown:"slips"`
}
