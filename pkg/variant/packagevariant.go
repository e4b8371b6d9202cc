package variant

import (
	"cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// The kind that this package is about, of Porch's configuration group.
const (
	Group        = "config.porch.kpt.dev"
	GroupVersion = Group + "/v1alpha1"
	Kind         = "PackageVariant"
)

// DefaultNamespace is the namespace of resources without one.
const DefaultNamespace = "default"

// NamespaceOr returns a namespace, or [DefaultNamespace] if it is empty.
func NamespaceOr(name string) string { return cmp.Or(name, DefaultNamespace) }

// The policies for drafts that exist already, and for packages whose PackageVariant is
// deleted. The first of each is the default.
const (
	AdoptNone     = "adoptNone"
	AdoptExisting = "adoptExisting"
	DeleteDelete  = "delete"
	DeleteOrphan  = "orphan"
)

// The accepted policies.
var (
	AdoptionPolicies = []string{AdoptNone, AdoptExisting}
	DeletionPolicies = []string{DeleteDelete, DeleteOrphan}
)

// PackageVariant contains the fields that the document of the package variant controller defines.
// It is used only for reading. Documents are edited in their text, so fields that are not listed
// here survive.
type PackageVariant struct {
	// Name is metadata.name. It is part of the names of the functions that are
	// added to a Kptfile.
	Name string
	// Namespace is metadata.namespace. Only in-cluster objects of this namespace are
	// injected. An empty one is [DefaultNamespace].
	Namespace string
	// Spec is the spec.
	Spec Spec
}

// Spec is the spec of a PackageVariant.
type Spec struct {
	_ struct{} `unknown:"slips"`
	// Upstream is the package that the variant is a copy of.
	Upstream Upstream `json:"upstream" required:"true"`
	// Downstream is the package that the variant becomes.
	Downstream Downstream `json:"downstream" required:"true"`
	// AdoptionPolicy is adoptNone (the default) or adoptExisting.
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy is delete (the default) or orphan.
	DeletionPolicy string `json:"deletionPolicy,omitempty"`
	// Labels and Annotations are for Porch to set on PackageRevisions.
	Labels      Texts `json:"labels,omitempty"`
	Annotations Texts `json:"annotations,omitempty"`
	// PackageContext changes the ConfigMap kptfile.kpt.dev.
	PackageContext PackageContext `json:"packageContext,omitzero"`
	// Pipeline has the functions that come before those of the Kptfile.
	Pipeline Pipeline `json:"pipeline,omitzero"`
	// Injectors say which in-cluster objects go into the injection points, in
	// order of preference. A single map is read as a list with one element.
	Injectors []Injector `json:"injectors,omitempty" single:"true"`
}

// Upstream names a package revision.
type Upstream struct {
	_ struct{} `unknown:"slips"`
	// Repo is the name of a Repository in the PackageVariant's namespace.
	Repo string `json:"repo" required:"true"`
	// Package is the path of the package in the repository.
	Package string `json:"package" required:"true"`
	// Revision is `v3`, `3`, or a floating tag. WorkspaceName names a revision in
	// another way.
	Revision      Revision `json:"revision,omitempty"`
	WorkspaceName string   `json:"workspaceName,omitempty"`
	// RevisionIsNumber reports whether Revision is written as a number, not as a string.
	RevisionIsNumber bool `json:"-"`
}

// HasRevision reports whether the revision is given. The number 0 is not a revision in Porch.
func (u *Upstream) HasRevision() bool {
	return u.Revision != "" && !(u.RevisionIsNumber && u.Revision == "0")
}

// Downstream names the package that a variant becomes.
type Downstream struct {
	_ struct{} `unknown:"slips"`
	// Repo is the name of a Repository.
	Repo string `json:"repo" required:"true"`
	// Package is the path of the package in the repository.
	Package string `json:"package" required:"true"`
}

// PackageContext changes the data of the ConfigMap kptfile.kpt.dev: first the keys of
// Data are set, then RemoveKeys are removed. It has no other fields: keys that belong
// into data would be ignored.
type PackageContext struct {
	// Data are the entries to set.
	Data Texts `json:"data,omitempty"`
	// RemoveKeys are the keys to remove.
	RemoveKeys []string `json:"removeKeys,omitempty"`
}

// Pipeline has functions as a Kptfile's pipeline does.
type Pipeline struct {
	_ struct{} `unknown:"slips"`
	// Mutators are functions that change the package.
	Mutators []PipelineFunction `json:"mutators,omitempty"`
	// Validators are functions that check the package.
	Validators []PipelineFunction `json:"validators,omitempty"`
}

// PipelineFunction is a function of a Kptfile's pipeline. It has the fields that kpt
// reads, and no others: kpt rejects a Kptfile with an unknown field.
type PipelineFunction struct {
	// Exactly one of Image and Exec is given.
	Image string `json:"image,omitempty" yaml:"image,omitempty"`
	Exec  string `json:"exec,omitempty" yaml:"exec,omitempty"`
	// At most one of ConfigPath and ConfigMap is given.
	ConfigPath string `json:"configPath,omitempty" yaml:"configPath,omitempty"`
	ConfigMap  Texts  `json:"configMap,omitempty" yaml:"configMap,omitempty"`
	// Name has no dots. It may be empty.
	Name string `json:"name,omitempty" yaml:"name,omitempty"`
	// Tag replaces the tag of Image. It may be a range of versions.
	Tag string `json:"tag,omitempty" yaml:"tag,omitempty"`
	// Selectors and Exclude choose the resources that the function gets.
	Selectors []ResourceSelector `json:"selectors,omitempty" yaml:"selectors,omitempty"`
	Exclude   []ResourceSelector `json:"exclude,omitempty" yaml:"exclude,omitempty"`
}

// ResourceSelector chooses resources for a function of a Kptfile.
type ResourceSelector struct {
	// APIVersion is the group and version of the resources.
	APIVersion string `json:"apiVersion,omitempty" yaml:"apiVersion,omitempty"`
	// Kind is the kind of the resources.
	Kind string `json:"kind,omitempty" yaml:"kind,omitempty"`
	// Name is the name of the resource.
	Name string `json:"name,omitempty" yaml:"name,omitempty"`
	// Namespace is the namespace of the resources.
	Namespace string `json:"namespace,omitempty" yaml:"namespace,omitempty"`
	// Labels are labels that the resources have.
	Labels Texts `json:"labels,omitempty" yaml:"labels,omitempty"`
	// Annotations are annotations that the resources have.
	Annotations Texts `json:"annotations,omitempty" yaml:"annotations,omitempty"`
}

// Injector selects an in-cluster object for the injection points that it fits. It has no
// other fields: without one that is misspelt it would fit more points.
type Injector struct {
	// Group, Version and Kind restrict the injector to points of these. Nil leaves
	// them open. An empty group is the core group.
	Group   *string `json:"group,omitempty"`
	Version *string `json:"version,omitempty"`
	Kind    *string `json:"kind,omitempty"`
	// Name is the name of the in-cluster object.
	Name string `json:"name"`
	// Point restricts the injector to the injection point of this name, so that
	// two points of one kind can get different objects. It is an extension of
	// the document.
	Point *string `json:"point,omitempty"`
}

// applyStatus sets the conditions of the PackageVariant d that the document
// defines, for a run without errors. Other fields of them, lastTransitionTime
// above all, stay as they are, and are not made up.
//
// The findings explain why it cannot be edited. Then d is returned as it is.
func applyStatus(d *values.Document) (*values.Document, []diag.Finding) {
	return WriteReady(d, "NoErrors", "the package has what the PackageVariant asks for")
}

// WriteReady is applyStatus with another reason and message of the condition Ready. Sets
// of PackageVariants have the same conditions.
//
//	status:
//	  conditions:
//	  - {type: Stalled, status: "False", reason: Valid, message: all validation checks passed}
//	  - {type: Ready, status: "True", reason: NoErrors, message: …}
func WriteReady(d *values.Document, reason, message string) (*values.Document, []diag.Finding) {
	wanted := []listEntry{
		Condition{"Stalled", "False", "Valid", "all validation checks passed"}.entry(),
		Condition{"Ready", "True", reason, message}.entry(),
	}
	changes, findings := entryChanges(d, "status", "conditions", "type", wanted, isNever)
	return change(d, changes, findings)
}
