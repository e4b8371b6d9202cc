// Package breaking compares the objects that a package deploys with the objects that it deployed before, and
// finds the changes that a cluster refuses, or that delete data or stop a workload.
//
// The objects are rendered resources: of charts, of manifests, and of the package itself. Nothing is asked of a
// cluster, so a finding is about what is written, not about what somebody changed in the cluster.
package breaking

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// ID identifies an object in a cluster. Its version is not part of it, because the API server converts an object
// between versions.
type ID struct{ Group, Kind, Namespace, Name string }

// Object is an object that a package deploys.
type Object struct {
	ID
	// Version is the version of its API, such as v1beta1.
	Version string
	// Root is the mapping of the object.
	Root *yaml.Node
	// File is the file that it is written in, as reports show it, and Path the same file on disk: a template, a
	// manifest, a resource of the package, or the archive of the chart.
	File, Path string
	// LineOf returns the line of a field in the file, or 0 if it is unknown. It may be nil.
	LineOf func(path []string) int
	// IsSecret reports whether a text of the object may be a secret of the user. It may be nil.
	IsSecret func(text string) bool
	// Owner is the resource of the package that deploys the object: the pack, the release, or the object
	// itself.
	Owner diag.Resource
	// Deployer is what deploys the object, and zero for a resource of the package.
	Deployer Deployer
	// IsHelm is true if Helm deploys the object, and not what applies the resources of the package.
	IsHelm bool
	// IsOnlyCreated is true for a CustomResourceDefinition in the folder crds of a chart: Helm creates it with
	// the release, and neither updates nor deletes it.
	IsOnlyCreated bool
}

// Deployer is a pack or a release.
type Deployer struct {
	// Name is its name in messages: pack vault, HelmRelease apps/web. Package is the path of its package, because
	// several packages may have a pack of the name.
	Name, Package string
}

// Line returns the line of a field, of the nearest field above it whose line is known, or 0.
func (o *Object) Line(path []string) int {
	if o.LineOf == nil {
		return 0
	}
	return o.LineOf(path)
}

func (o *Object) isHidden(text string) bool { return o.IsSecret != nil && o.IsSecret(text) }

// field returns a field of the object, or nil.
func (o *Object) field(path ...string) *yaml.Node { return values.Field(o.Root, path...) }

// text returns the string of a field, or "".
func (o *Object) text(path ...string) string { return values.Text(o.field(path...)) }

// APIVersion returns the field apiVersion: apps/v1.
func (o *Object) APIVersion() string { return strings.TrimPrefix(o.Group+"/"+o.Version, "/") }

// String names the object for a message: StatefulSet prod/db.
func (o *Object) String() string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// annotation returns an annotation of the object.
func (o *Object) annotation(name string) string { return o.text("metadata", "annotations", name) }

// Read returns the objects of a document: the document itself, or the items of a List. It leaves out what cannot
// be compared: objects without a name, whose name the API server makes, and hooks of Helm and Argo CD, which are
// deleted and created at each run:
//
//	metadata:
//	  generateName: migrate-                  # has no name before it is created
//	  annotations:
//	    helm.sh/hook: pre-upgrade             # not a part of the release
//	    argocd.argoproj.io/hook: PreSync
//
// like has the fields that all of them share. namespace is the namespace of objects that name none.
func Read(root *yaml.Node, like Object, namespace string) (all []*Object) {
	for _, root := range Items(root) {
		if o := like.of(root, namespace); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// Items returns the resources in a document: its root, or the items of a List, which may be Lists.
func Items(root *yaml.Node) (all []*yaml.Node) {
	root = values.Resolve(root)
	if root == nil || root.Kind != yaml.MappingNode {
		return nil
	}
	items := values.Field(root, "items")
	if items == nil || items.Kind != yaml.SequenceNode || !strings.HasSuffix(values.Text(values.Field(root, "kind")), "List") {
		return []*yaml.Node{root}
	}
	for _, item := range items.Content {
		all = append(all, Items(item)...)
	}
	return all
}

// of returns the object of a resource, or nil if it cannot be compared.
func (o Object) of(root *yaml.Node, namespace string) *Object {
	o.Root, o.Kind, o.Name = root, values.Text(values.Field(root, "kind")), values.Text(values.Field(root, "metadata", "name"))
	if o.Kind == "" || o.Name == "" || o.isHook() {
		return nil
	}
	group, version, isGrouped := strings.Cut(values.Text(values.Field(root, "apiVersion")), "/")
	if !isGrouped {
		group, version = "", group
	}
	o.Group, o.Version = group, version
	if o.Namespace = o.text("metadata", "namespace"); o.Namespace == "" {
		o.Namespace = namespace
	}
	if isClusterScoped(o.Group, o.Kind) {
		o.Namespace = ""
	}
	return &o
}

func (o *Object) isHook() bool {
	return o.annotation("helm.sh/hook") != "" || o.annotation("argocd.argoproj.io/hook") != ""
}

// clusterScoped are the kinds of Kubernetes whose objects are in no namespace, by their groups.
var clusterScoped = map[string][]string{
	"":                             {"ComponentStatus", "Namespace", "Node", "PersistentVolume"},
	"admissionregistration.k8s.io": {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"},
	"apiextensions.k8s.io":         {crdKind},
	"apiregistration.k8s.io":       {"APIService"},
	"certificates.k8s.io":          {"CertificateSigningRequest", "ClusterTrustBundle"},
	"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
	"networking.k8s.io":            {"IPAddress", "IngressClass", "ServiceCIDR"},
	"node.k8s.io":                  {"RuntimeClass"},
	"policy":                       {"PodSecurityPolicy"},
	"rbac.authorization.k8s.io":    {"ClusterRole", "ClusterRoleBinding"},
	"resource.k8s.io":              {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
	"scheduling.k8s.io":            {"PriorityClass"},
	"storage.k8s.io":               {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
	"storagemigration.k8s.io":      {"StorageVersionMigration"},
}

func isClusterScoped(group, kind string) bool { return slices.Contains(clusterScoped[group], kind) }

// successors are the groups that the kinds of the group extensions are in since Kubernetes 1.16.
var successors = map[string]string{
	"DaemonSet": "apps", "Deployment": "apps", "ReplicaSet": "apps",
	"Ingress": "networking.k8s.io", "NetworkPolicy": "networking.k8s.io", "PodSecurityPolicy": "policy",
}

// groupNow returns the group of a kind today.
func groupNow(group, kind string) string {
	if group == "extensions" && successors[kind] != "" {
		return successors[kind]
	}
	return group
}

// key returns what identifies an object in a cluster, also if its kind moved to another group.
func (o *Object) key() ID {
	id := o.ID
	id.Group = groupNow(id.Group, id.Kind)
	if id.Namespace == "default" { // which is the namespace of an object without one
		id.Namespace = ""
	}
	if id.Group == "events.k8s.io" {
		id.Group = ""
	}
	return id
}
