package set

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// The kinds that a set reads and makes, as the document names them.
const (
	Group                  = variant.Group
	APIVersion             = Group + "/v1alpha2"
	Kind                   = "PackageVariantSet"
	VariantAPIVersion      = variant.GroupVersion
	VariantKind            = variant.Kind
	RepositoryAPIVersion   = Group + "/v1alpha1"
	RepositoryKind         = "Repository"
	PackageRevisionVersion = "porch.kpt.dev/v1alpha1"
	PackageRevisionKind    = "PackageRevision"
)

// Set is a PackageVariantSet of config.porch.kpt.dev/v1alpha2: an upstream package, and
// for each of its targets a rule for making PackageVariants.
type Set struct {
	// Name, Namespace and UID are copied from the metadata. A set that never was in a cluster has
	// no UID.
	Name, Namespace, UID string
	// Upstream is the package that variants are copies of. A revision or a workspace is
	// required.
	Upstream Upstream
	// Targets say which variants there are.
	Targets []Target

	// unread are the findings of reading the set.
	unread []diag.Finding
}

// Upstream names a package revision.
type Upstream = variant.Upstream

// Target is one criterion for variants. Exactly one of Repositories, RepositorySelector
// and ObjectSelector is given.
type Target struct {
	_ struct{} `unknown:"warning"`
	// Repositories are downstream repositories by their names.
	Repositories []RepositoryTarget `json:"repositories"`
	// RepositorySelector selects Repositories in the namespace of the set.
	RepositorySelector *LabelSelector `json:"repositorySelector"`
	// ObjectSelector selects other objects in the namespace of the set.
	ObjectSelector *ObjectSelector `json:"objectSelector"`
	// PackageNames are the packages of each repository or object that a selector
	// finds, the name of the upstream package by default.
	PackageNames []string `json:"packageNames"`
	// Template contains the fields in which variants differ from the defaults.
	Template *Template `json:"template"`
}

// RepositoryTarget is a downstream repository with the packages in it.
type RepositoryTarget struct {
	_ struct{} `unknown:"warning"`
	// Name is the name of a Repository.
	Name string `json:"name"`
	// PackageNames are by default the name of the upstream package.
	PackageNames []string `json:"packageNames"`
}

// LabelSelector selects by labels, as the selectors of Kubernetes do. An empty one
// selects everything, so an unknown field is an error.
type LabelSelector struct {
	// MatchLabels are labels with the values that an object must have.
	MatchLabels variant.Texts `json:"matchLabels"`
	// MatchExpressions are requirements with an operator: In, NotIn, Exists or DoesNotExist.
	MatchExpressions []LabelRequirement `json:"matchExpressions"`
}

// LabelRequirement is a requirement on one label.
type LabelRequirement = metav1.LabelSelectorRequirement

// ObjectSelector selects objects of a kind, by labels and, if it is given, by name.
type ObjectSelector struct {
	// APIVersion is the group and version of the objects, such as `infra.example.com/v1`.
	APIVersion string `json:"apiVersion"`
	// Kind is the kind of the objects.
	Kind string `json:"kind"`
	// Name selects a single object. Porch ignores it.
	Name string `json:"name"`
	LabelSelector
}

// Template says how the PackageVariants of a target are made. Fields whose names end in
// Exprs are CEL expressions, which win over the plain fields. Of a list of expressions a
// single one is read, too.
type Template struct {
	_ struct{} `unknown:"warning"`
	// Downstream names the repository and the package of each variant.
	Downstream *DownstreamTemplate `json:"downstream"`
	// AdoptionPolicy decides whether an existing package is adopted: adoptExisting or adoptNone.
	AdoptionPolicy *string `json:"adoptionPolicy"`
	// DeletionPolicy decides what happens to the package of a deleted variant: delete or orphan.
	DeletionPolicy *string `json:"deletionPolicy"`
	// Labels are labels of the packages, and LabelExprs more of them with expressions.
	Labels     variant.Texts `json:"labels"`
	LabelExprs []MapExpr     `json:"labelExprs" single:"true"`
	// Annotations are annotations of the packages, and AnnotationExprs more of them with expressions.
	Annotations     variant.Texts `json:"annotations"`
	AnnotationExprs []MapExpr     `json:"annotationExprs" single:"true"`
	// PackageContext changes the ConfigMap kptfile.kpt.dev of the packages.
	PackageContext *PackageContextTemplate `json:"packageContext"`
	// Injectors name the in-cluster objects that are injected.
	Injectors []InjectorTemplate `json:"injectors" single:"true"`
	// InjectorExprs are more injectors: the name that the document's example has.
	InjectorExprs []InjectorTemplate `json:"injectorExprs" single:"true"`
	// Pipeline has functions for the Kptfile.
	Pipeline *PipelineTemplate `json:"pipeline"`
}

// DownstreamTemplate gives the downstream repository and package. At most one of Repo and
// RepoExpr is given, and one of Package and PackageExpr.
type DownstreamTemplate struct {
	_ struct{} `unknown:"warning"`
	// Repo is the name of the Repository, by default the name of the target's object.
	Repo *string `json:"repo"`
	// RepoExpr is a CEL expression for it, which cannot read the variable repository.
	RepoExpr *string `json:"repoExpr"`
	// Package is the name of the package, by default the upstream package's.
	Package *string `json:"package"`
	// PackageExpr is a CEL expression for it.
	PackageExpr *string `json:"packageExpr"`
}

// MapExpr makes an entry of a map. Exactly one of Key and KeyExpr is given, and one of
// Value and ValueExpr.
type MapExpr struct {
	_ struct{} `unknown:"warning"`
	// Key is the key of the entry.
	Key *string `json:"key"`
	// KeyExpr is a CEL expression for the key.
	KeyExpr *string `json:"keyExpr"`
	// Value is the value of the entry.
	Value *string `json:"value"`
	// ValueExpr is a CEL expression for the value, such as `repository.labels["region"]`.
	ValueExpr *string `json:"valueExpr"`
}

// PackageContextTemplate gives the package context of variants.
type PackageContextTemplate struct {
	// Data are entries of the package context.
	Data variant.Texts `json:"data"`
	// DataExprs are more entries, with expressions.
	DataExprs []MapExpr `json:"dataExprs" single:"true"`
	// RemoveKeys are keys that are removed from the package context.
	RemoveKeys []string `json:"removeKeys"`
	// RemoveKeyExprs are CEL expressions that yield a key each.
	RemoveKeyExprs []string `json:"removeKeyExprs"`
}

// InjectorTemplate gives an injector of variants. Exactly one of Name and NameExpr is
// given.
type InjectorTemplate struct {
	variant.Injector
	// NameExpr is a CEL expression for the name.
	NameExpr *string `json:"nameExpr"`
}

// PipelineTemplate gives the functions that variants put before the pipeline of the
// package.
type PipelineTemplate struct {
	_ struct{} `unknown:"warning"`
	// Validators are functions that check the package.
	Validators []FunctionTemplate `json:"validators"`
	// Mutators are functions that change the package.
	Mutators []FunctionTemplate `json:"mutators"`
}

// FunctionTemplate is a function of a Kptfile, with expressions for its configuration.
type FunctionTemplate struct {
	variant.PipelineFunction
	// ConfigMapExprs are more entries of configMap, with expressions.
	ConfigMapExprs []MapExpr `json:"configMapExprs" single:"true"`
}

// revisionNumber makes the spellings of one revision equal: v3 and 3. Anything
// else, such as a floating tag, is equal to itself only.
func revisionNumber(revision variant.Revision) variant.Revision {
	digits := variant.Revision(strings.TrimPrefix(string(revision), "v"))
	if digits == "" || strings.Trim(string(digits), "0123456789") != "" {
		return revision
	}
	return digits
}

// Variant is a PackageVariant that a set makes.
type Variant struct {
	// Name and Namespace are copied from the metadata.
	Name, Namespace string
	// Spec is the spec with the results of all expressions.
	Spec variant.Spec

	// from is the candidate that the variant is made from.
	from *candidate
}

// Entry is an annotation of a printed variant.
type Entry struct{ Key, Value string }

// writeStatus sets the conditions of an expanded set in its text. When they last changed is not
// known here: lastTransitionTime stays where it is, and is left out otherwise. The findings explain
// why the set cannot be edited.
func writeStatus(d *values.Document) (*values.Document, []diag.Finding) {
	return variant.WriteReady(d, "Reconciled", "all PackageVariants of the set are up to date")
}
