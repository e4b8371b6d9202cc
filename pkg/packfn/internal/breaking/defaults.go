package breaking

import (
	"reflect"
	"slices"
	"sync"

	"github.com/distribution/reference"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"go.yaml.in/yaml/v3"
)

// defaults has what the API server sets in absent fields, by the types that have the fields. They are the
// defaults that matter to the table of immutable fields. [setMore] has the defaults that depend on other fields.
var defaults = map[reflect.Type]string{
	reflect.TypeFor[appsv1.StatefulSetSpec](): `podManagementPolicy: OrderedReady`,

	reflect.TypeFor[batchv1.JobSpec]():                                `completionMode: NonIndexed`,
	reflect.TypeFor[batchv1.PodFailurePolicyOnPodConditionsPattern](): `status: "True"`,

	reflect.TypeFor[corev1.PodSpec](): `{dnsPolicy: ClusterFirst, restartPolicy: Always, schedulerName: default-scheduler, securityContext: {}, terminationGracePeriodSeconds: 30}`,

	reflect.TypeFor[corev1.Container]():                     `{terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}`,
	reflect.TypeFor[corev1.ContainerPort]():                 `protocol: TCP`,
	reflect.TypeFor[corev1.Probe]():                         `{timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}`,
	reflect.TypeFor[corev1.HTTPGetAction]():                 `{path: /, scheme: HTTP}`,
	reflect.TypeFor[corev1.GRPCAction]():                    `service: ""`,
	reflect.TypeFor[corev1.ObjectFieldSelector]():           `apiVersion: v1`,
	reflect.TypeFor[corev1.FileKeySelector]():               `optional: false`,
	reflect.TypeFor[corev1.SecretVolumeSource]():            `defaultMode: 420`,
	reflect.TypeFor[corev1.ConfigMapVolumeSource]():         `defaultMode: 420`,
	reflect.TypeFor[corev1.DownwardAPIVolumeSource]():       `defaultMode: 420`,
	reflect.TypeFor[corev1.ProjectedVolumeSource]():         `defaultMode: 420`,
	reflect.TypeFor[corev1.ServiceAccountTokenProjection](): `expirationSeconds: 3600`,
	reflect.TypeFor[corev1.HostPathVolumeSource]():          `type: ""`,
	reflect.TypeFor[corev1.AzureDiskVolumeSource]():         `{cachingMode: ReadWrite, fsType: ext4, kind: Shared, readOnly: false}`,
	reflect.TypeFor[corev1.ISCSIVolumeSource]():             `iscsiInterface: default`,
	reflect.TypeFor[corev1.ISCSIPersistentVolumeSource]():   `iscsiInterface: default`,
	reflect.TypeFor[corev1.RBDVolumeSource]():               `{keyring: /etc/ceph/keyring, pool: rbd, user: admin}`,
	reflect.TypeFor[corev1.RBDPersistentVolumeSource]():     `{keyring: /etc/ceph/keyring, pool: rbd, user: admin}`,
	reflect.TypeFor[corev1.ScaleIOVolumeSource]():           `{fsType: xfs, storageMode: ThinProvisioned}`,
	reflect.TypeFor[corev1.ScaleIOPersistentVolumeSource](): `{fsType: xfs, storageMode: ThinProvisioned}`,

	reflect.TypeFor[corev1.PersistentVolumeClaimSpec]():   `volumeMode: Filesystem`,
	reflect.TypeFor[corev1.PersistentVolumeClaimStatus](): `phase: Pending`,
	reflect.TypeFor[corev1.PersistentVolumeSpec]():        `volumeMode: Filesystem`,
	reflect.TypeFor[corev1.ServiceSpec]():                 `type: ClusterIP`,
	reflect.TypeFor[corev1.Secret]():                      `type: Opaque`,

	reflect.TypeFor[storagev1.StorageClass]():  `{reclaimPolicy: Delete, volumeBindingMode: Immediate}`,
	reflect.TypeFor[storagev1.CSIDriverSpec](): `{attachRequired: true, volumeLifecycleModes: [Persistent]}`,

	reflect.TypeFor[rbacv1.RoleRef]():                `apiGroup: rbac.authorization.k8s.io`,
	reflect.TypeFor[schedulingv1.PriorityClass]():    `preemptionPolicy: PreemptLowerPriority`,
	reflect.TypeFor[resourcev1.ExactDeviceRequest](): `allocationMode: ExactCount`,
	reflect.TypeFor[resourcev1.DeviceSubRequest]():   `allocationMode: ExactCount`,
	reflect.TypeFor[resourcev1.DeviceToleration]():   `operator: Equal`,
}

// defaultNodes has the texts of defaults as nodes.
var defaultNodes = sync.OnceValue(func() map[reflect.Type]*yaml.Node {
	nodes := map[reflect.Type]*yaml.Node{}
	for t, text := range defaults {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			panic(err) // a text of this file, which the tests read
		}
		nodes[t] = n.Content[0]
	}
	return nodes
})

// setDefaults sets the absent fields of an object as the API server does, from the outside in.
func setDefaults(v reflect.Value) {
	switch t := v.Type(); {
	case t.Kind() == reflect.Pointer:
		if !v.IsNil() {
			setDefaults(v.Elem())
		}
	case isScalar(t):
	case t.Kind() == reflect.Struct:
		if n, ok := defaultNodes()[t]; ok {
			set := reflect.New(t).Elem()
			(&reader{}).read(nil, n, set)
			for i := range t.NumField() {
				if isAbsent(v.Field(i)) {
					v.Field(i).Set(set.Field(i))
				}
			}
		}
		setMore(v.Addr().Interface())
		for i := range t.NumField() {
			setDefaults(v.Field(i))
		}
	case t.Kind() == reflect.Slice:
		for i := range v.Len() {
			setDefaults(v.Index(i))
		}
	case t == reflect.TypeFor[corev1.ResourceList]():
		roundUp(v.Interface().(corev1.ResourceList))
	}
}

// isAbsent reports whether a field is zero, or an empty list or map.
func isAbsent(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// setMore sets the absent fields of a value that depend on its other fields.
func setMore(value any) {
	switch v := value.(type) {
	case *appsv1.Deployment:
		v.Spec.Selector = selectorOf(v.Spec.Selector, v.Spec.Template.Labels)
	case *appsv1.ReplicaSet:
		v.Spec.Selector = selectorOf(v.Spec.Selector, v.Spec.Template.Labels)
	case *appsv1.DaemonSet:
		v.Spec.Selector = selectorOf(v.Spec.Selector, v.Spec.Template.Labels)
	case *appsv1.StatefulSet:
		v.Spec.Selector = selectorOf(v.Spec.Selector, v.Spec.Template.Labels)
	case *corev1.Secret:
		for name, text := range v.StringData {
			if v.Data == nil {
				v.Data = map[string][]byte{}
			}
			v.Data[name] = []byte(text)
		}
	case *corev1.Pod:
		setPod(&v.Spec)
	case *corev1.PodSpec:
		if v.ServiceAccountName == "" {
			v.ServiceAccountName = v.DeprecatedServiceAccount
		}
		v.DeprecatedServiceAccount = v.ServiceAccountName
	case *corev1.Container:
		if v.ImagePullPolicy == "" {
			v.ImagePullPolicy = pullPolicy(v.Image)
		}
	case *corev1.Volume:
		if v.VolumeSource == (corev1.VolumeSource{}) {
			v.EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
		if v.Image != nil && v.Image.PullPolicy == "" {
			v.Image.PullPolicy = pullPolicy(v.Image.Reference)
		}
	case *resourcev1.ExactDeviceRequest:
		v.Count = countOf(v.AllocationMode, v.Count)
	case *resourcev1.DeviceSubRequest:
		v.Count = countOf(v.AllocationMode, v.Count)
	}
}

// selectorOf returns the selector of a workload. API versions before apps/v1beta2 took it from the labels of the Pods.
func selectorOf(selector *metav1.LabelSelector, labels map[string]string) *metav1.LabelSelector {
	if selector == nil && len(labels) > 0 {
		return &metav1.LabelSelector{MatchLabels: labels}
	}
	return selector
}

// setPod sets what the API server sets in Pods, and not in the templates of Pods.
func setPod(spec *corev1.PodSpec) {
	if spec.EnableServiceLinks == nil {
		spec.EnableServiceLinks = new(true)
	}
	for _, c := range slices.Concat(pointers(spec.Containers), pointers(spec.InitContainers)) {
		for name, limit := range c.Resources.Limits {
			if c.Resources.Requests == nil {
				c.Resources.Requests = corev1.ResourceList{}
			}
			if _, ok := c.Resources.Requests[name]; !ok {
				c.Resources.Requests[name] = limit
			}
		}
		for i := range c.Ports {
			if spec.HostNetwork && c.Ports[i].HostPort == 0 {
				c.Ports[i].HostPort = c.Ports[i].ContainerPort
			}
		}
	}
}

func pointers[T any](list []T) (all []*T) {
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

// syncSources sets the two fields for the source of a claim's data by each other. The older one has only claims and
// snapshots: the API server drops others.
func syncSources(spec *corev1.PersistentVolumeClaimSpec) {
	switch source, ref := spec.DataSource, spec.DataSourceRef; {
	case ref == nil && source != nil:
		if group := ptr.Deref(source.APIGroup, ""); source.Kind == "PersistentVolumeClaim" && group == "" ||
			source.Kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io" {
			spec.DataSourceRef = &corev1.TypedObjectReference{APIGroup: source.APIGroup, Kind: source.Kind, Name: source.Name}
		} else {
			spec.DataSource = nil
		}
	case source == nil && ref != nil && ptr.Deref(ref.Namespace, "") == "":
		spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
	}
}

// pullPolicy returns how an image is pulled: always if its tag is latest, or absent without a digest.
func pullPolicy(image string) corev1.PullPolicy {
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return corev1.PullIfNotPresent // the API server refuses the image elsewhere
	}
	if tagged, ok := reference.TagNameOnly(named).(reference.Tagged); ok && tagged.Tag() == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func countOf(mode resourcev1.DeviceAllocationMode, count int64) int64 {
	if mode == resourcev1.DeviceAllocationModeExactCount && count == 0 {
		return 1
	}
	return count
}

// roundUp rounds quantities to thousandths.
func roundUp(list corev1.ResourceList) {
	for name, q := range list {
		q.RoundUp(resource.Milli)
		list[name] = q
	}
}
