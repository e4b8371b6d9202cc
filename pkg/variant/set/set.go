package set

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/variant"
)

// The kinds that a set reads and makes, as the document names them.
const (
	Group                  = "config.porch.kpt.dev"
	APIVersion             = Group + "/v1alpha2"
	Kind                   = "PackageVariantSet"
	VariantAPIVersion      = variant.GroupVersion
	VariantKind            = variant.Kind
	RepositoryAPIVersion   = Group + "/v1alpha1"
	RepositoryKind         = "Repository"
	PackageRevisionVersion = "porch.kpt.dev/v1alpha1"
	PackageRevisionKind    = "PackageRevision"
)

// Set is a PackageVariantSet of config.porch.kpt.dev/v1alpha2: an upstream
// package, and for each of its targets a rule for making PackageVariants.
type Set struct {
	// Name, Namespace and UID are those of the metadata; a set that never was in
	// a cluster has no UID.
	Name, Namespace, UID string
	// Upstream is the package that variants are made of.
	Upstream *Upstream
	// Targets say which variants there are.
	Targets []Target

	// unread are the faults of what could not be read.
	unread faults
}

// Upstream refers to a revision of a package.
type Upstream struct {
	// Repo is the name of the Repository that holds the package, and Package
	// the name of the package in it.
	Repo, Package string
	// Revision and WorkspaceName say which revision; one of them has to be given.
	Revision, WorkspaceName string
	// revisionIsNumber says that the revision was written as a number, and is
	// written so again.
	revisionIsNumber bool
}

// Target is one criterion for variants. Exactly one of Repositories,
// RepositorySelector and ObjectSelector is given.
type Target struct {
	// Repositories are downstream repositories by their names.
	Repositories []RepositoryTarget
	// RepositorySelector selects Repositories in the namespace of the set.
	RepositorySelector *LabelSelector
	// ObjectSelector selects other objects in the namespace of the set.
	ObjectSelector *ObjectSelector
	// PackageNames are the packages of each repository or object that a selector
	// finds, the name of the upstream package by default.
	PackageNames []string
	// Template says how variants differ from the defaults; nil for not at all.
	Template *Template
}

// RepositoryTarget is a downstream repository with the packages in it.
type RepositoryTarget struct {
	Name string
	// PackageNames are by default the name of the upstream package.
	PackageNames []string
}

// LabelSelector selects by labels as selectors of Kubernetes do; an empty one
// selects everything.
type LabelSelector struct {
	MatchLabels      map[string]string
	MatchExpressions []LabelRequirement
}

// LabelRequirement is a requirement on one label. Operator is In, NotIn, Exists
// or DoesNotExist.
type LabelRequirement struct {
	Key, Operator string
	Values        []string
}

// ObjectSelector selects objects of a kind, by labels and, when it is given, by
// name.
type ObjectSelector struct {
	LabelSelector
	APIVersion, Kind, Name string
}

// Template says how the PackageVariants of a target are made. Fields whose names
// end in Exprs are CEL expressions, which win over the plain fields.
type Template struct {
	Downstream                     *DownstreamTemplate
	AdoptionPolicy, DeletionPolicy *string
	Labels                         map[string]string
	LabelExprs                     []MapExpr
	Annotations                    map[string]string
	AnnotationExprs                []MapExpr
	PackageContext                 *PackageContextTemplate
	Injectors                      []InjectorTemplate
	Pipeline                       *PipelineTemplate
}

// DownstreamTemplate gives the downstream repository and package. At most one of
// Repo and RepoExpr is given, and one of Package and PackageExpr.
type DownstreamTemplate struct {
	Repo, RepoExpr, Package, PackageExpr *string
}

// MapExpr makes an entry of a map. Exactly one of Key and KeyExpr is given, and
// one of Value and ValueExpr.
type MapExpr struct {
	Key, KeyExpr, Value, ValueExpr *string
}

// PackageContextTemplate gives the package context of variants.
type PackageContextTemplate struct {
	Data       map[string]string
	DataExprs  []MapExpr
	RemoveKeys []string
	// RemoveKeyExprs are CEL expressions that come to a key each.
	RemoveKeyExprs []string
}

// InjectorTemplate gives an injector of variants. Exactly one of Name and
// NameExpr is given.
type InjectorTemplate struct {
	Group, Version, Kind, Name, NameExpr *string
	// Point names the injection point that the injector is for: an extension of
	// inject-config.
	Point *string
	// field is where the injector stands in the template when that is not its
	// place in Injectors.
	field string
}

// PipelineTemplate gives the functions that variants put in front of the
// pipeline of the package.
type PipelineTemplate struct {
	Validators, Mutators []FunctionTemplate
}

// FunctionTemplate is a function of a Kptfile, with expressions for its
// configuration. Exactly one of Image and Exec is given.
type FunctionTemplate struct {
	Image, Exec, Name, ConfigPath *string
	ConfigMap                     map[string]string
	ConfigMapExprs                []MapExpr
	// Others are the fields of a Kptfile function that a set does not look at,
	// such as selectors, key and value in turn. They are kept as they are.
	Others []*yaml.Node
}

// namespace is the namespace that a name stands for.
func namespace(name string) string {
	if name == "" {
		return variant.DefaultNamespace
	}
	return name
}

// revisionNumber makes the spellings of one revision equal: v3 and 3. Anything
// else, such as a floating tag, stands for itself.
func revisionNumber(revision string) string {
	digits := strings.TrimPrefix(revision, "v")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return revision
	}
	return digits
}
