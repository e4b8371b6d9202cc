package apiserver

import (
	crdinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/certificates/clustertrustbundle"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// strategy is what the API server does with the objects of a kind before it stores them.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies are the kinds that packages deploy, with their strategies. Kinds that only controllers write, such as
// Event and Node, are missing, and those of alpha versions.
var strategies = map[schema.GroupVersionKind]strategy{
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingAdmissionPolicy"}:          mutatingadmissionpolicy.NewStrategy(nil, nil),
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingWebhookConfiguration"}:     mutatingwebhookconfiguration.Strategy,
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicy"}:        validatingadmissionpolicy.NewStrategy(nil, nil),
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicyBinding"}: &validatingadmissionpolicybinding.Strategy,
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingAdmissionPolicyBinding"}:   mutatingadmissionpolicybinding.NewStrategy(nil, nil, nil),
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"}:   validatingwebhookconfiguration.Strategy,

	{Group: "apps", Version: "v1", Kind: "ControllerRevision"}: controllerrevision.Strategy,
	{Group: "apps", Version: "v1", Kind: "DaemonSet"}:          daemonset.Strategy,
	{Group: "apps", Version: "v1", Kind: "Deployment"}:         deployment.Strategy,
	{Group: "apps", Version: "v1", Kind: "ReplicaSet"}:         replicaset.Strategy,
	{Group: "apps", Version: "v1", Kind: "StatefulSet"}:        statefulset.Strategy,

	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}: horizontalpodautoscaler.Strategy,
	{Group: "batch", Version: "v1", Kind: "CronJob"}:                       cronjob.Strategy,
	{Group: "batch", Version: "v1", Kind: "Job"}:                           job.Strategy,

	{Group: "certificates.k8s.io", Version: "v1", Kind: "CertificateSigningRequest"}: certificates.Strategy,
	{Group: "certificates.k8s.io", Version: "v1beta1", Kind: "ClusterTrustBundle"}:   clustertrustbundle.Strategy,
	{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease"}:                     lease.Strategy,

	{Version: "v1", Kind: "ConfigMap"}:             configmap.Strategy,
	{Version: "v1", Kind: "Endpoints"}:             endpoint.Strategy,
	{Version: "v1", Kind: "LimitRange"}:            limitrange.Strategy,
	{Version: "v1", Kind: "Namespace"}:             namespace.Strategy,
	{Version: "v1", Kind: "PersistentVolume"}:      persistentvolume.Strategy,
	{Version: "v1", Kind: "PersistentVolumeClaim"}: persistentvolumeclaim.Strategy,
	{Version: "v1", Kind: "Pod"}:                   pod.Strategy,
	{Version: "v1", Kind: "PodTemplate"}:           podtemplate.Strategy,
	{Version: "v1", Kind: "ReplicationController"}: replicationcontroller.Strategy,
	{Version: "v1", Kind: "ResourceQuota"}:         resourcequota.Strategy,
	{Version: "v1", Kind: "Secret"}:                secret.Strategy,
	{Version: "v1", Kind: "Service"}:               service.Strategy,
	{Version: "v1", Kind: "ServiceAccount"}:        serviceaccount.Strategy,

	{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice"}:                          endpointslice.Strategy,
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1", Kind: "FlowSchema"}:                 flowschema.Strategy,
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1", Kind: "PriorityLevelConfiguration"}: prioritylevelconfiguration.Strategy,

	{Group: "networking.k8s.io", Version: "v1", Kind: "IPAddress"}:     ipaddress.Strategy,
	{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}:       ingress.Strategy,
	{Group: "networking.k8s.io", Version: "v1", Kind: "IngressClass"}:  ingressclass.Strategy,
	{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy"}: networkpolicy.Strategy,
	{Group: "networking.k8s.io", Version: "v1", Kind: "ServiceCIDR"}:   servicecidr.Strategy,

	{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass"}:   runtimeclass.Strategy,
	{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"}: poddisruptionbudget.Strategy,

	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}:        clusterrole.Strategy,
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRoleBinding"}: clusterrolebinding.Strategy,
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "Role"}:               role.Strategy,
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding"}:        rolebinding.Strategy,

	{Group: "resource.k8s.io", Version: "v1", Kind: "DeviceClass"}:           deviceclass.Strategy,
	{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaim"}:         resourceclaim.NewStrategy(nil, nil),
	{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaimTemplate"}: resourceclaimtemplate.NewStrategy(nil),
	{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceSlice"}:         resourceslice.Strategy,
	{Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass"}:       priorityclass.Strategy,

	{Group: "storage.k8s.io", Version: "v1", Kind: "CSIDriver"}:             csidriver.Strategy,
	{Group: "storage.k8s.io", Version: "v1", Kind: "CSIStorageCapacity"}:    csistoragecapacity.Strategy,
	{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"}:          storageclass.Strategy,
	{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttachment"}:      volumeattachment.Strategy,
	{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttributesClass"}: volumeattributesclass.Strategy,

	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}: customresourcedefinition.NewStrategy(definitions),
}

// definitions is the scheme of CustomResourceDefinitions, which have an API server of their own.
var definitions = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	crdinstall.Install(scheme)
	return scheme
}()

func schemeOf(kind schema.GroupVersionKind) *runtime.Scheme {
	if kind.Group == "apiextensions.k8s.io" {
		return definitions
	}
	return legacyscheme.Scheme
}
