package breaking

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Field is a field that the API server refuses to change.
type Field struct {
	// Path leads to it: keys of maps, and the indexes of lists in brackets, such as
	// spec, volumeClaimTemplates, [0], spec, storageClassName.
	Path []string
	// Before and After are nil where the field is absent.
	Before, After *yaml.Node
}

// kind is a row of the table: what must stay in the objects of a kind.
type kind struct {
	// object is the Go type of the objects.
	object reflect.Type
	// paths lead to the fields. A path that ends in .* means each field below by itself.
	paths []string
	// exceptions are the changes below these paths that the API server accepts.
	exceptions []exception
}

// exception is a change that the API server accepts.
type exception struct {
	// path leads to the field that may change. An element * means all elements of a list.
	path string
	// accepts reports whether a change between two objects is accepted.
	accepts func(before, after any) bool
}

// fixed returns the row of a kind.
func fixed[T any](paths ...string) *rows[T] {
	return &rows[T]{kind{object: reflect.TypeFor[T](), paths: paths}}
}

// rows makes a kind from functions over objects of its type.
type rows[T any] struct{ kind }

// but accepts changes below a path, either all or, with a condition, some of them.
func (r *rows[T]) but(path string, accepts func(before, after *T) bool) *rows[T] {
	r.exceptions = append(r.exceptions, exception{path, func(before, after any) bool {
		return accepts == nil || accepts(before.(*T), after.(*T))
	}})
	return r
}

// unless accepts all changes under a condition on the object that is in the cluster.
func (r *rows[T]) unless(accepts func(before, after *T) bool) kind {
	return r.but("", accepts).kind
}

// table has the kinds with fields that the API server of Kubernetes 1.37 refuses to change. The tests in
// tests/apiserver compare it with the validation of the API server.
var table = map[schema.GroupKind]kind{
	{Group: "apps", Kind: "Deployment"}: fixed[appsv1.Deployment]("spec.selector").kind,
	{Group: "apps", Kind: "ReplicaSet"}: fixed[appsv1.ReplicaSet]("spec.selector").kind,
	{Group: "apps", Kind: "DaemonSet"}:  fixed[appsv1.DaemonSet]("spec.selector").kind,
	{Group: "apps", Kind: "StatefulSet"}: fixed[appsv1.StatefulSet](
		"spec.selector", "spec.serviceName", "spec.podManagementPolicy", "spec.volumeClaimTemplates").kind,
	{Group: "apps", Kind: "ControllerRevision"}: fixed[appsv1.ControllerRevision]("data").kind,

	{Group: "batch", Kind: "Job"}: fixed[batchv1.Job](
		"spec.selector", "spec.completions", "spec.completionMode", "spec.podFailurePolicy", "spec.successPolicy",
		"spec.backoffLimitPerIndex", "spec.managedBy", "spec.template").
		but("spec.selector", selectsNothing).
		but("spec.completions", completionsStay).
		but("spec.template.spec.serviceAccount", jobLosesAccount).
		but("spec.template.spec.serviceAccountName", jobLosesAccount).
		but("spec.template.metadata", isSuspended).
		but("spec.template.spec.affinity.nodeAffinity", isSuspended).
		but("spec.template.spec.nodeSelector", isSuspended).
		but("spec.template.spec.tolerations", isSuspended).
		but("spec.template.spec.schedulingGates", isSuspended).
		but("spec.template.spec.containers.*.resources", isSuspended).
		but("spec.template.spec.initContainers.*.resources", isSuspended).kind,

	{Kind: "Pod"}: fixed[corev1.Pod]("spec.*").
		but("spec.containers.*.image", nil).
		but("spec.initContainers.*.image", nil).
		but("spec.ephemeralContainers", nil). // the API server ignores them
		but("spec.serviceAccount", podLosesAccount).
		but("spec.serviceAccountName", podLosesAccount).
		but("spec.activeDeadlineSeconds", deadlineComesCloser).
		but("spec.tolerations", tolerationsStay).
		but("spec.schedulingGates", gatesGo).
		but("spec.nodeSelector", gatedSelectorGrows).
		but("spec.affinity.nodeAffinity", gatedAffinityGrows).kind,
	{Kind: "Service"}: fixed[corev1.Service](
		"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.loadBalancerClass", "spec.healthCheckNodePort").
		but("spec.clusterIP", addressesStay).
		but("spec.clusterIPs", addressesStay).
		but("spec.ipFamilies", familiesStay).
		but("spec.loadBalancerClass", isLoadBalancerOnce).
		but("spec.healthCheckNodePort", isHealthPortFree).kind,
	{Kind: "PersistentVolumeClaim"}: fixed[corev1.PersistentVolumeClaim]("spec.*").
		but("spec.dataSource", losesSource).
		but("spec.dataSourceRef", losesSource).
		but("spec.resources.requests.storage", requestGrows).
		but("spec.volumeAttributesClassName", nil).
		but("spec.volumeName", func(before, _ *corev1.PersistentVolumeClaim) bool { return before.Spec.VolumeName == "" }).
		but("spec.storageClassName", func(before, _ *corev1.PersistentVolumeClaim) bool { return before.Spec.StorageClassName == nil }).kind,
	{Kind: "PersistentVolume"}: fixed[corev1.PersistentVolume](append(volumeSources(), "spec.volumeMode", "spec.nodeAffinity", "spec.volumeAttributesClassName")...).
		but("spec.nodeAffinity", func(before, _ *corev1.PersistentVolume) bool { return before.Spec.NodeAffinity == nil }).
		but("spec.volumeAttributesClassName", func(_, after *corev1.PersistentVolume) bool { return after.Spec.VolumeAttributesClassName != nil }).
		but("spec.csi.controllerExpandSecretRef", hasNoExpandSecret).kind,
	{Kind: "ConfigMap"}: fixed[corev1.ConfigMap]("immutable", "data", "binaryData").
		unless(func(before, _ *corev1.ConfigMap) bool { return !isTrue(before.Immutable) }),
	{Kind: "Secret"}: fixed[corev1.Secret]("type", "immutable", "data").
		but("immutable", func(before, _ *corev1.Secret) bool { return !isTrue(before.Immutable) }).
		but("data", secretStays).kind,
	{Kind: "ResourceQuota"}: fixed[corev1.ResourceQuota]("spec.scopes").but("spec.scopes", scopesAreSame).kind,

	{Group: "storage.k8s.io", Kind: "StorageClass"}: fixed[storagev1.StorageClass](
		"provisioner", "parameters", "reclaimPolicy", "volumeBindingMode").kind,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:             fixed[storagev1.CSIDriver]("spec.attachRequired", "spec.volumeLifecycleModes").kind,
	{Group: "storage.k8s.io", Kind: "CSIStorageCapacity"}:    fixed[storagev1.CSIStorageCapacity]("nodeTopology", "storageClassName").kind,
	{Group: "storage.k8s.io", Kind: "VolumeAttachment"}:      fixed[storagev1.VolumeAttachment]("spec.*").kind,
	{Group: "storage.k8s.io", Kind: "VolumeAttributesClass"}: fixed[storagev1.VolumeAttributesClass]("driverName", "parameters").kind,

	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        fixed[rbacv1.RoleBinding]("roleRef").kind,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: fixed[rbacv1.ClusterRoleBinding]("roleRef").kind,

	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: fixed[definition](
		"spec.group", "spec.scope", "spec.names.kind", "spec.names.plural").kind,

	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}: fixed[schedulingv1.PriorityClass]("value", "preemptionPolicy").kind,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:        fixed[nodev1.RuntimeClass]("handler").kind,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:  fixed[networkingv1.IngressClass]("spec.controller").kind,
	{Group: "networking.k8s.io", Kind: "IPAddress"}:     fixed[networkingv1.IPAddress]("spec.parentRef").kind,
	{Group: "networking.k8s.io", Kind: "ServiceCIDR"}:   fixed[networkingv1.ServiceCIDR]("spec.cidrs").but("spec.cidrs", secondRangeComes).kind,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:  fixed[discoveryv1.EndpointSlice]("addressType").kind,

	{Group: "resource.k8s.io", Kind: "ResourceClaim"}:         fixed[resourcev1.ResourceClaim]("spec.*").kind,
	{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}: fixed[resourcev1.ResourceClaimTemplate]("spec.*").kind,
	{Group: "resource.k8s.io", Kind: "ResourceSlice"}:         fixed[resourcev1.ResourceSlice]("spec.driver", "spec.pool.name", "spec.nodeName").kind,
}

// definition is what the table needs of a CustomResourceDefinition.
type definition struct {
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Kind   string `json:"kind"`
			Plural string `json:"plural"`
		} `json:"names"`
	} `json:"spec"`
}

// Immutable returns the fields that the API server refuses to change and that differ between two versions of an
// object of the same group and kind. Both are compared after the API server's defaults, quantities by their values. Of
// several differences in one field, Path leads to what they have in common. A value that is not of the type of its
// field is no difference: the API server refuses it anyway.
func Immutable(group, kind string, before, after *yaml.Node) []Field {
	group = groupNow(group, kind)
	k, ok := table[schema.GroupKind{Group: group, Kind: kind}]
	if !ok || !haveOneForm(group, before, after) {
		return nil
	}
	old, faults := readObject(k.object, before)
	changed, more := readObject(k.object, after)
	faults = append(faults, more...)
	var found []Field
	accepts := make([]func() bool, len(k.exceptions)) // each is evaluated once, because it may look at whole lists
	for i, e := range k.exceptions {
		accepts[i] = sync.OnceValue(func() bool { return e.accepts(old.Addr().Interface(), changed.Addr().Interface()) })
	}
	isAccepted := func(at []string) bool {
		for i, e := range k.exceptions {
			if e.covers(at) && accepts[i]() {
				return true
			}
		}
		return false
	}
	for _, path := range k.paths {
		path, each := strings.CutSuffix(path, ".*")
		at := strings.Split(path, ".")
		differing := differences(at, valueAt(old, at), valueAt(changed, at))
		differing = slices.DeleteFunc(differing, func(at []string) bool {
			// What neither manifest has is a default, which stays as it is in the cluster.
			return isDefault(before, after, at) ||
				slices.ContainsFunc(faults, func(fault []string) bool { return isBelow(fault, at) || isBelow(at, fault) }) ||
				isAccepted(at)
		})
		least := len(at)
		if each {
			least++
		}
		for len(differing) > 0 {
			first := differing[0]
			own, rest := split(differing, first[:min(least, len(first))])
			at := common(own)
			found = append(found, Field{at, nodeAt(before, at), nodeAt(after, at)})
			differing = rest
		}
	}
	return found
}

// isDefault reports whether neither of two objects has a value at a path, although both have what contains it.
func isDefault(before, after *yaml.Node, at []string) bool {
	for i := range at {
		has, hasAfter := nodeAt(before, at[:i+1]) != nil, nodeAt(after, at[:i+1]) != nil
		if has != hasAfter {
			return false
		}
		if !has {
			return true
		}
	}
	return false
}

// Paths returns the paths of the table by the names of their kinds, such as Deployment.apps, for the module of tests in
// tests/apiserver.
func Paths() map[string][]string {
	paths := map[string][]string{}
	for name, k := range table {
		paths[name.String()] = k.paths
	}
	return paths
}

// haveOneForm reports whether two objects can be compared field by field. The versions of resource.k8s.io
// before v1 have other fields.
func haveOneForm(group string, objects ...*yaml.Node) bool {
	return group != "resource.k8s.io" || !slices.ContainsFunc(objects, func(n *yaml.Node) bool {
		return values.Text(values.Field(n, "apiVersion")) != group+"/v1"
	})
}

// covers reports whether a path is at or below the path of an exception.
func (e exception) covers(at []string) bool {
	if e.path == "" {
		return true
	}
	steps := strings.Split(e.path, ".")
	if len(steps) > len(at) {
		return false
	}
	for i, step := range steps {
		if step != at[i] && (step != "*" || !strings.HasPrefix(at[i], "[")) {
			return false
		}
	}
	return true
}

// split returns the paths that are at or below another one, and the rest.
func split(paths [][]string, at []string) (below, rest [][]string) {
	for _, path := range paths {
		if isBelow(path, at) {
			below = append(below, path)
		} else {
			rest = append(rest, path)
		}
	}
	return below, rest
}

// isBelow reports whether a path is at or below another one.
func isBelow(path, other []string) bool {
	return len(path) >= len(other) && slices.Equal(path[:len(other)], other)
}

// common returns the longest path that all paths are at or below.
func common(paths [][]string) []string {
	at := paths[0]
	for _, path := range paths[1:] {
		for !isBelow(path, at) {
			at = at[:len(at)-1]
		}
	}
	return at
}

// aliases are fields that the API server merges into others.
var aliases = map[string]string{"data": "stringData", "serviceAccountName": "serviceAccount"}

// nodeAt returns the value at a path of differences, or nil if it is absent.
func nodeAt(n *yaml.Node, at []string) *yaml.Node {
	for _, step := range at {
		switch index, isIndex := indexOf(step); {
		case isIndex:
			n = values.Follow(n, []values.Step{values.Element(index)})
		case step == "data" && values.Text(values.Field(n, "kind")) == "Secret" && values.Field(n, append([]string{"stringData"}, at[1:]...)...) != nil:
			return values.Field(n, append([]string{"stringData"}, at[1:]...)...)
		default:
			below := values.Field(n, step)
			if alias, ok := aliases[step]; ok && below == nil {
				below = values.Field(n, alias)
			}
			n = below
		}
	}
	return n
}

func isTrue(b *bool) bool { return b != nil && *b }
