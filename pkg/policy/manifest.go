package policy

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
)

// Hub is the manifests and the TypeInstances that selections are made from.
type Hub struct {
	Interfaces      []*Interface
	Implementations []*Implementation
	Types           []*Type
	Attributes      []*Attribute
	TypeInstances   []*TypeInstance
}

// Interface is an Interface manifest.
type Interface struct {
	Resource function.Resource
	InterfaceSpec
	// faulty says that parts of it were not understood.
	faulty bool
}

// InterfaceSpec is the spec of the kind Interface: what can be implemented.
type InterfaceSpec struct {
	Ref
	// Output says what every Implementation makes.
	Output Outputs `json:"output"`

	_ struct{} `open:"true"`
}

// Outputs are the TypeInstances that an action makes.
type Outputs struct {
	// TypeInstances are known by their names.
	TypeInstances map[string]TypedName `json:"typeInstances"`

	_ struct{} `open:"true"`
}

// TypedName is what stands behind the name of a parameter or a TypeInstance.
type TypedName struct {
	// TypeRef is its Type.
	TypeRef Ref `json:"typeRef" required:"true"`

	_ struct{} `open:"true"`
}

// Implementation is an Implementation manifest.
type Implementation struct {
	Resource function.Resource
	ImplementationSpec

	// text is PATH:REVISION, by which rejections are sorted.
	text string
	// items are all requirements in the order in which injected TypeInstances
	// look for theirs: that of the document, and oneOf, allOf, anyOf within a
	// prefix. groups are the same by what has to hold of them.
	items  []requirement
	groups []requirementGroup
	// first is the index of the first item of a Type, byPath those of a path.
	first  map[Ref]int
	byPath map[string][]int
	// enforced are the aliases of the backends of outputs, by their names.
	enforced map[string]string
	// implements has the Interfaces of Implements.
	implements map[Ref]bool
	// faulty says that parts of it were not understood.
	faulty bool
}

// ImplementationSpec is the spec of the kind Implementation: how an Interface is
// implemented.
type ImplementationSpec struct {
	Ref
	// Attributes are those of the manifest's metadata, by their paths.
	Attributes map[string]AttributeRevision `json:"attributes"`
	// Implements are the Interfaces that it implements.
	Implements []Ref `json:"implements"`
	// Requires is what it needs, by the prefix of Types: `cap.type.gcp.auth`.
	Requires Requirements `json:"requires"`
	// AdditionalInput is what it takes beyond the input of the Interface.
	AdditionalInput AdditionalInput `json:"additionalInput"`
	// AdditionalOutput is what it makes beyond the output of the Interface.
	AdditionalOutput Outputs `json:"additionalOutput"`
	// Action is what it runs. Only its capact-outputTypeInstances are looked at.
	Action *yaml.Node `json:"action"`

	_ struct{} `open:"true"`
}

// AttributeRevision is the revision of an attribute.
type AttributeRevision struct {
	// Revision is a semantic version.
	Revision string `json:"revision" required:"true"`

	_ struct{} `open:"true"`
}

// AdditionalInput is what an Implementation takes beyond the input of the
// Interface.
type AdditionalInput struct {
	// Parameters are known by their names.
	Parameters map[string]TypedName `json:"parameters"`
	// TypeInstances are known by their names.
	TypeInstances map[string]TypedName `json:"typeInstances"`

	_ struct{} `open:"true"`
}

// Type is a Type manifest.
type Type struct {
	Resource function.Resource
	TypeSpec

	schema *parameterSchema
}

// TypeSpec is the spec of the kind Type.
type TypeSpec struct {
	Ref
	// AdditionalRefs are further nodes under which it is found:
	// `cap.core.type.hub.storage` makes it a storage backend.
	AdditionalRefs []string `json:"additionalRefs"`
	// JSONSchema is what values have to satisfy.
	JSONSchema SchemaText `json:"jsonSchema"`

	_ struct{} `open:"true"`
}

// SchemaText is a JSON schema as text.
type SchemaText struct {
	// Value is the text of the JSON schema.
	Value string `json:"value"`

	_ struct{} `open:"true"`
}

// Attribute is an Attribute manifest.
type Attribute struct {
	Resource function.Resource
	AttributeSpec
}

// AttributeSpec is the spec of the kind Attribute.
type AttributeSpec struct {
	Ref

	_ struct{} `open:"true"`
}

// TypeInstance is something that exists, of a Type.
type TypeInstance struct {
	Resource function.Resource
	TypeInstanceSpec
}

// TypeInstanceSpec is the spec of the kind TypeInstance.
type TypeInstanceSpec struct {
	// ID is what policies name it by; default metadata.name.
	ID string `json:"id"`
	// TypeRef is its Type.
	TypeRef Ref `json:"typeRef" required:"true"`

	_ struct{} `open:"true"`
}
