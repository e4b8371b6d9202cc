package variant

import "go.yaml.in/yaml/v3"

// The kind that this package is about, of Porch's configuration group.
const (
	GroupVersion = "config.porch.kpt.dev/v1alpha1"
	Kind         = "PackageVariant"
)

// DefaultNamespace is the namespace of what names none.
const DefaultNamespace = "default"

// What becomes of drafts that exist already, and of packages whose
// PackageVariant is deleted. The first of each is the default.
const (
	AdoptNone     = "adoptNone"
	AdoptExisting = "adoptExisting"
	DeleteDelete  = "delete"
	DeleteOrphan  = "orphan"
)

// PackageVariant is what a PackageVariant says, as the package variant
// controller's document defines it. It is read only: documents are edited in
// their text, so that fields which are not listed here survive.
type PackageVariant struct {
	// Name is metadata.name. It is part of the names of the functions that are
	// added to a Kptfile.
	Name string
	// Namespace is metadata.namespace, [DefaultNamespace] when there is none. Only
	// in-cluster objects of this namespace are injected.
	Namespace string
	Spec      Spec
}

// Spec is the spec of a PackageVariant.
type Spec struct {
	// Upstream is the package that the variant is made of. Required.
	Upstream Upstream `json:"upstream"`
	// Downstream is the package that the variant becomes. Required.
	Downstream Downstream `json:"downstream"`
	// AdoptionPolicy is adoptNone (the default) or adoptExisting.
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy is delete (the default) or orphan.
	DeletionPolicy string `json:"deletionPolicy,omitempty"`
	// Labels and Annotations are for Porch to set on PackageRevisions.
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// PackageContext changes the ConfigMap kptfile.kpt.dev.
	PackageContext PackageContext `json:"packageContext,omitzero"`
	// Pipeline is put in front of the Kptfile's own.
	Pipeline Pipeline `json:"pipeline,omitzero"`
	// Injectors say which in-cluster objects go into the injection points, in
	// order of preference.
	Injectors []Injector `json:"injectors,omitempty"`
}

// Upstream names a package revision.
type Upstream struct {
	// Repo is the name of a Repository in the PackageVariant's namespace.
	Repo    string `json:"repo"`
	Package string `json:"package"`
	// Revision is `v3`, `3`, or a floating tag; WorkspaceName names a revision in
	// another way.
	Revision      string `json:"revision,omitempty"`
	WorkspaceName string `json:"workspaceName,omitempty"`
}

// Downstream names the package that a variant becomes.
type Downstream struct {
	Repo    string `json:"repo"`
	Package string `json:"package"`
}

// PackageContext changes the data of the ConfigMap kptfile.kpt.dev: first the
// keys of Data are set, then RemoveKeys are removed.
type PackageContext struct {
	Data       map[string]string `json:"data,omitempty"`
	RemoveKeys []string          `json:"removeKeys,omitempty"`

	// order are the keys of Data as they were written.
	order []string
}

// Pipeline holds functions as a Kptfile's pipeline does.
type Pipeline struct {
	Mutators   []PipelineFunction `json:"mutators,omitempty"`
	Validators []PipelineFunction `json:"validators,omitempty"`
}

// PipelineFunction is a function of a pipeline.
type PipelineFunction struct {
	// Name is the name that the PackageVariant gives it, without dots, or empty.
	Name string `json:"name,omitempty"`
	// Node is the whole function as it was written, with fields that only kpt
	// knows.
	Node *yaml.Node `json:"-"`
}

// Injector selects an in-cluster object for the injection points that it fits.
type Injector struct {
	// Group, Version and Kind restrict the injector to points of these; nil
	// leaves them open. An empty group is the core group.
	Group   *string `json:"group,omitempty"`
	Version *string `json:"version,omitempty"`
	Kind    *string `json:"kind,omitempty"`
	// Name is the name of the in-cluster object. Required.
	Name string `json:"name"`
	// Point restricts the injector to the injection point of this name, so that
	// two points of one kind can get different objects. It is an extension of
	// the document.
	Point *string `json:"point,omitempty"`
}
