package manifest

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// Group is the API group of Capact's manifests and policies.
const Group = "ocf.capact.io"

// GroupVersion is the apiVersion of Capact's manifests and policies as
// resources.
const GroupVersion = Group + "/v1alpha1"

// The scopes of policies, the highest in the default order first.
const (
	ScopeAction   = "ACTION"
	ScopeGlobal   = "GLOBAL"
	ScopeWorkflow = "WORKFLOW"
)

// Policy is one policy.
type Policy struct {
	// Resource is the policy's resource. Its name is the name of the policy.
	Resource diag.Resource
	PolicySpec
}

// PolicySpec is the spec of the kind Policy: which Implementations are allowed
// for each Interface, what is injected into them, and where TypeInstances are
// stored.
type PolicySpec struct {
	// Scope says when the policy holds and, with the policyOrder, which policies
	// come first.
	Scope string `json:"scope" enum:"GLOBAL,ACTION,WORKFLOW" required:"true"`
	// Interface holds the rules for Interfaces.
	Interface InterfacePolicy `json:"interface"`
	// TypeInstance holds the rules for TypeInstances. It has no place in a policy
	// of scope WORKFLOW.
	TypeInstance TypeInstancePolicy `json:"typeInstance"`
}

// InterfacePolicy holds the rules for Interfaces.
type InterfacePolicy struct {
	// Rules list the allowed Implementations.
	Rules []Rule `json:"rules"`
	// Default holds for all rules.
	Default Default `json:"default"`
}

// Default is what all rules for Interfaces have in common.
type Default struct {
	// Inject is injected unless the rule injects a TypeInstance of that Type.
	Inject DefaultInject `json:"inject"`
}

// DefaultInject is what is injected by default.
type DefaultInject struct {
	// RequiredTypeInstances are injected where an Implementation requires their
	// Type under an alias.
	RequiredTypeInstances []InstanceRef `json:"requiredTypeInstances"`
}

// Rule determines which Implementations of an Interface are allowed.
type Rule struct {
	// Interface is the path of the Interface, or `cap.*` for every one; with a
	// revision, the rule is for that revision alone.
	Interface RefMatch `json:"interface" required:"true"`
	// OneOf are tried in turn, and the first that some Implementation satisfies is
	// used. If the list is empty or absent, every Implementation is denied.
	OneOf []Element `json:"oneOf"`
}

// Element is one entry of oneOf.
type Element struct {
	// ImplementationConstraints say which Implementations it allows: those that
	// satisfy all of them. Without constraints, that is every Implementation.
	ImplementationConstraints Constraints `json:"implementationConstraints"`
	// Inject is injected into the Implementation that is selected.
	Inject Inject `json:"inject"`
}

// Constraints choose Implementations.
type Constraints struct {
	// Path is the exact path of the Implementation, in any revision.
	Path string `json:"path"`
	// Attributes are those that the Implementation has.
	Attributes []RefMatch `json:"attributes"`
	// Requires are Types that the Implementation requires.
	Requires []RefMatch `json:"requires"`
}

// Inject is what an element injects.
type Inject struct {
	// RequiredTypeInstances are injected where the Implementation requires their
	// Type under an alias.
	RequiredTypeInstances []InstanceRef `json:"requiredTypeInstances"`
	// AdditionalParameters are values for spec.additionalInput.parameters.
	AdditionalParameters []Parameter `json:"additionalParameters"`
	// AdditionalTypeInstances are given for spec.additionalInput.typeInstances.
	AdditionalTypeInstances []NamedInstance `json:"additionalTypeInstances"`
}

// InstanceRef names a TypeInstance.
type InstanceRef struct {
	// ID is the id of the TypeInstance.
	ID string `json:"id" required:"true"`
	// Description describes the TypeInstance in messages.
	Description string `json:"description"`
}

// NamedInstance is a TypeInstance for a name.
type NamedInstance struct {
	// Name is a key of spec.additionalInput.typeInstances of the Implementation.
	Name string `json:"name" required:"true"`
	// ID is the id of the TypeInstance.
	ID string `json:"id" required:"true"`
	// Description describes the TypeInstance in messages.
	Description string `json:"description"`
}

// Parameter is a value for a name.
type Parameter struct {
	// Name is a key of spec.additionalInput.parameters of the Implementation.
	Name string `json:"name" required:"true"`
	// Value satisfies the JSON schema of the Type of that parameter.
	Value *yaml.Node `json:"value" required:"true"`
}

// TypeInstancePolicy holds the rules for TypeInstances.
type TypeInstancePolicy struct {
	// Rules say where TypeInstances are stored unless the Implementation says it.
	Rules []BackendRule `json:"rules"`
}

// BackendRule is the storage backend of TypeInstances of some Types.
type BackendRule struct {
	// TypeRef is the path of a Type, or of all below one, `cap.type.aws.*`; with a
	// revision, for that revision alone.
	TypeRef RefMatch `json:"typeRef" required:"true"`
	// Backend is the TypeInstance of the storage backend.
	Backend InstanceRef `json:"backend" required:"true"`
}
