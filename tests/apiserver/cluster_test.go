package apiserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	_ "unsafe" // for go:linkname

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	servicestorage "k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// server is the API server as far as it decides about the objects of a kind.
type server struct {
	kind     schema.GroupVersionKind
	scheme   *runtime.Scheme
	strategy strategy
}

func newServer(kind schema.GroupVersionKind) (*server, error) {
	s, ok := strategies[kind]
	if !ok {
		return nil, fmt.Errorf("no strategy for %s", kind)
	}
	return &server{kind, schemeOf(kind), s}, nil
}

// object returns an empty object in the version that is served.
func (s *server) object() runtime.Object {
	object, err := s.scheme.New(s.kind)
	if err != nil {
		panic(err) // a kind of the table
	}
	return object
}

func (s *server) context() context.Context {
	namespace := ""
	if s.strategy.NamespaceScoped() {
		namespace = "default"
	}
	ctx := request.WithNamespace(context.Background(), namespace)
	return request.WithRequestInfo(ctx, &request.RequestInfo{APIGroup: s.kind.Group, APIVersion: s.kind.Version, IsResourceRequest: true})
}

// read decodes a manifest as the API server does: with defaults, and in the internal form.
func (s *server) read(manifest []byte) (runtime.Object, error) {
	object, err := s.withDefaults(manifest)
	if err != nil {
		return nil, err
	}
	internal, err := s.scheme.ConvertToVersion(object, schema.GroupVersion{Group: s.kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, err
	}
	m, err := meta.Accessor(internal)
	if err == nil && s.strategy.NamespaceScoped() && m.GetNamespace() == "" {
		m.SetNamespace("default")
	}
	return internal, err
}

func (s *server) withDefaults(manifest []byte) (runtime.Object, error) {
	object := s.object()
	if err := json.Unmarshal(manifest, object); err != nil {
		return nil, err
	}
	s.scheme.Default(object)
	return object, nil
}

// create returns what is in a cluster some time after a manifest was applied.
func (s *server) create(manifest []byte) (runtime.Object, error) {
	object, err := s.read(manifest)
	if err != nil {
		return nil, err
	}
	if o, ok := object.(*core.Service); ok {
		normalizeClusterIPs(servicestorage.After{Service: o}, servicestorage.Before{})
		allocate(o)
	}
	if err := s.validate(object); err != nil {
		return nil, err
	}
	settle(object)
	return object, nil
}

// validate creates an object, which may have been created before. A panic is an error, as in the API server.
func (s *server) validate(object runtime.Object) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	m, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	if m.GetUID() == "" {
		rest.FillObjectMetaSystemFields(m)
	}
	return rest.BeforeCreate(s.strategy, s.context(), object)
}

// settle does to a new object what the controllers of a cluster do.
func settle(object runtime.Object) {
	switch o := object.(type) {
	case *core.PersistentVolumeClaim:
		o.Status.Phase = core.ClaimBound
		o.Status.Capacity = o.Spec.Resources.Requests
	case *apiextensions.CustomResourceDefinition:
		o.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	}
}

// allocate gives a service the addresses and ports that it has not.
func allocate(s *core.Service) {
	if s.Spec.Type == core.ServiceTypeExternalName {
		return
	}
	if s.Spec.ClusterIP == "" {
		s.Spec.ClusterIP = "10.96.0.10"
		if len(s.Spec.IPFamilies) > 0 && s.Spec.IPFamilies[0] == core.IPv6Protocol {
			s.Spec.ClusterIP = "fd00::10"
		}
	}
	if len(s.Spec.ClusterIPs) == 0 {
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
	if s.Spec.IPFamilyPolicy == nil {
		s.Spec.IPFamilyPolicy = new(core.IPFamilyPolicySingleStack)
	}
	if len(s.Spec.IPFamilies) == 0 {
		s.Spec.IPFamilies = []core.IPFamily{core.IPv4Protocol}
		if strings.Contains(s.Spec.ClusterIP, ":") {
			s.Spec.IPFamilies = []core.IPFamily{core.IPv6Protocol}
		}
	}
	isOpen := s.Spec.Type == core.ServiceTypeLoadBalancer
	for i := range s.Spec.Ports {
		if (isOpen || s.Spec.Type == core.ServiceTypeNodePort) && s.Spec.Ports[i].NodePort == 0 {
			s.Spec.Ports[i].NodePort = int32(30000 + i)
		}
	}
	if isOpen && s.Spec.ExternalTrafficPolicy == core.ServiceExternalTrafficPolicyLocal && s.Spec.HealthCheckNodePort == 0 {
		s.Spec.HealthCheckNodePort = 31000
	}
}

//go:linkname patchAllocatedValues k8s.io/kubernetes/pkg/registry/core/service/storage.patchAllocatedValues
func patchAllocatedValues(servicestorage.After, servicestorage.Before)

//go:linkname normalizeClusterIPs k8s.io/kubernetes/pkg/registry/core/service/storage.normalizeClusterIPs
func normalizeClusterIPs(servicestorage.After, servicestorage.Before)

// errInvalid is the error of an update whose result is no valid object by itself.
type errInvalid struct{ error }

// update applies a new manifest over an old one, as kubectl and Helm do: fields that a cluster has set stay. stored
// is the object in the cluster.
func (s *server) update(stored runtime.Object, before, after []byte) error {
	versioned, err := s.scheme.ConvertToVersion(stored, s.kind.GroupVersion())
	if err != nil {
		return err
	}
	current, err := json.Marshal(versioned)
	if err != nil {
		return err
	}
	lookup, err := strategicpatch.NewPatchMetaFromStruct(s.object())
	if err != nil {
		return err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(before, after, current, lookup, true)
	if err != nil {
		return errInvalid{err}
	}
	merged, err := strategicpatch.StrategicMergePatch(current, patch, s.object())
	if err != nil {
		return errInvalid{err}
	}
	object, err := s.read(merged)
	if err != nil {
		return errInvalid{err}
	}
	old := stored.DeepCopyObject()
	if o, ok := object.(*core.Service); ok {
		patchAllocatedValues(servicestorage.After{Service: o}, servicestorage.Before{Service: old.(*core.Service)})
		normalizeClusterIPs(servicestorage.After{Service: o}, servicestorage.Before{Service: old.(*core.Service)})
		keepFamilies(o, old.(*core.Service))
	}
	prepared := object.DeepCopyObject() // a strategy drops fields that another type of Service does not have
	s.strategy.PrepareForUpdate(s.context(), prepared, old.DeepCopyObject())
	if err := s.validate(prepared); err != nil {
		if strings.Contains(err.Error(), "as indicated by `ipFamilies[") && !bytes.Contains(after, []byte("clusterIP")) {
			return err // the address in the cluster stays, so this is how a change of families is refused
		}
		return errInvalid{err}
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	m.SetResourceVersion("1")
	return rest.BeforeUpdate(s.strategy, s.context(), object, old)
}

// keepFamilies does to a service what its allocators do, which need a cluster.
func keepFamilies(s, old *core.Service) {
	if s.Spec.Type == core.ServiceTypeExternalName {
		return
	}
	if s.Spec.IPFamilyPolicy == nil {
		s.Spec.IPFamilyPolicy = old.Spec.IPFamilyPolicy
	}
	if len(s.Spec.IPFamilies) == 0 {
		s.Spec.IPFamilies = slices.Clone(old.Spec.IPFamilies)
	}
	allocate(s)
}
