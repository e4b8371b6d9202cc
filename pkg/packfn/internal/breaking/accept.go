package breaking

import (
	"maps"
	"reflect"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/ptr"
)

// completionsStay reports whether the completions of a Job stay 1, which is the default if its parallelism is absent
// too, or whether the completions of an indexed Job change together with its parallelism.
func completionsStay(before, after *batchv1.Job) bool {
	isFree := func(job *batchv1.Job) bool { return job.Spec.Completions == nil && job.Spec.Parallelism == nil }
	old, changed := before.Spec, after.Spec
	switch {
	case isFree(before) && changed.Completions != nil && *changed.Completions == 1:
		return true
	case isFree(after) && old.Parallelism != nil && old.Completions != nil && *old.Completions == 1:
		return true
	}
	return changed.CompletionMode != nil && *changed.CompletionMode == batchv1.IndexedCompletion &&
		changed.Completions != nil && *changed.Completions == ptr.Deref(changed.Parallelism, 1)
}

// selectsNothing reports whether a Job gets an empty selector, over the one that the API server has made.
func selectsNothing(before, after *batchv1.Job) bool {
	s := after.Spec.Selector
	return before.Spec.Selector == nil && s != nil && len(s.MatchLabels)+len(s.MatchExpressions) == 0
}

// podLosesAccount reports whether a manifest has no service account any more. The one in the cluster stays, because
// the API server has it in two fields.
func podLosesAccount(_, after *corev1.Pod) bool { return after.Spec.ServiceAccountName == "" }

func jobLosesAccount(_, after *batchv1.Job) bool {
	return after.Spec.Template.Spec.ServiceAccountName == ""
}

// losesSource reports whether a manifest has no source of data any more. The one in the cluster stays, because
// the API server has it in two fields.
func losesSource(_, after *corev1.PersistentVolumeClaim) bool {
	return after.Spec.DataSource == nil && after.Spec.DataSourceRef == nil
}

// isSuspended reports whether a Job has not started.
func isSuspended(before, _ *batchv1.Job) bool { return isTrue(before.Spec.Suspend) }

// deadlineComesCloser reports whether the deadline of a Pod is set or becomes shorter.
func deadlineComesCloser(before, after *corev1.Pod) bool {
	old, changed := before.Spec.ActiveDeadlineSeconds, after.Spec.ActiveDeadlineSeconds
	return old == nil || changed != nil && *changed <= *old
}

// tolerationsStay reports whether tolerations are only added, or changed in their seconds.
func tolerationsStay(before, after *corev1.Pod) bool {
	return !slices.ContainsFunc(before.Spec.Tolerations, func(old corev1.Toleration) bool {
		return !slices.ContainsFunc(after.Spec.Tolerations, func(other corev1.Toleration) bool {
			other.TolerationSeconds = old.TolerationSeconds
			return other == old
		})
	})
}

// gatesGo reports whether scheduling gates are only removed.
func gatesGo(before, after *corev1.Pod) bool {
	return !slices.ContainsFunc(after.Spec.SchedulingGates, func(gate corev1.PodSchedulingGate) bool {
		return !slices.Contains(before.Spec.SchedulingGates, gate)
	})
}

func isGated(pod *corev1.Pod) bool { return len(pod.Spec.SchedulingGates) > 0 }

// gatedSelectorGrows reports whether labels are only added to the node selector of a Pod that is not scheduled yet.
func gatedSelectorGrows(before, after *corev1.Pod) bool {
	for key, value := range before.Spec.NodeSelector {
		if other, ok := after.Spec.NodeSelector[key]; !ok || other != value {
			return false
		}
	}
	return isGated(before)
}

// gatedAffinityGrows reports whether the affinity to nodes of a Pod that is not scheduled yet keeps its required terms,
// to which expressions may be added.
func gatedAffinityGrows(before, after *corev1.Pod) bool {
	old, changed := requiredTerms(before), requiredTerms(after)
	if !isGated(before) || len(old) > 0 && len(old) != len(changed) {
		return false
	}
	for i, term := range old {
		if len(term.MatchExpressions)+len(term.MatchFields) == 0 && len(changed[i].MatchExpressions)+len(changed[i].MatchFields) > 0 ||
			!begins(changed[i].MatchExpressions, term.MatchExpressions) || !begins(changed[i].MatchFields, term.MatchFields) {
			return false
		}
	}
	return true
}

func begins(all, first []corev1.NodeSelectorRequirement) bool {
	return len(all) >= len(first) && equality.Semantic.DeepEqual(all[:len(first)], first)
}

func requiredTerms(pod *corev1.Pod) []corev1.NodeSelectorTerm {
	if a := pod.Spec.Affinity; a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// addressesStay reports whether a Service keeps its addresses. If it has none in its manifest, the cluster
// assigns one: it can be the address that is set later, but it is not None. If the manifest loses them, the Service
// keeps them. A second address can be added, and removed together with the policy.
func addressesStay(before, after *corev1.Service) bool {
	old, changed := addresses(before), addresses(after)
	switch {
	case isExternal(before) || isExternal(after) || len(changed) == 0:
		return true
	case len(old) == 0:
		return changed[0] != corev1.ClusterIPNone
	case len(changed) < len(old) && !isSingleStack(after):
		return false
	}
	shared := min(len(old), len(changed))
	return slices.Equal(old[:shared], changed[:shared])
}

func addresses(s *corev1.Service) []string {
	if len(s.Spec.ClusterIPs) == 0 && s.Spec.ClusterIP != "" {
		return []string{s.Spec.ClusterIP}
	}
	return s.Spec.ClusterIPs
}

// familiesStay reports whether a Service keeps its families of IP addresses, which the cluster sets if the manifest
// does not. A Service without addresses may change them.
func familiesStay(before, after *corev1.Service) bool {
	old, changed := before.Spec.IPFamilies, after.Spec.IPFamilies
	isHeadless := func(s *corev1.Service) bool { return slices.Equal(addresses(s), []string{corev1.ClusterIPNone}) }
	switch {
	case isExternal(before) || isExternal(after) || isHeadless(before) || isHeadless(after) || len(changed) == 0 || len(old) == 0:
		return true
	case len(changed) < len(old) && !isSingleStack(after):
		return false
	}
	shared := min(len(old), len(changed))
	return slices.Equal(old[:shared], changed[:shared])
}

func isExternal(s *corev1.Service) bool { return s.Spec.Type == corev1.ServiceTypeExternalName }

func isSingleStack(s *corev1.Service) bool {
	return s.Spec.IPFamilyPolicy != nil && *s.Spec.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack
}

// isLoadBalancerOnce reports whether a Service becomes a load balancer, or is no load balancer any more.
func isLoadBalancerOnce(before, after *corev1.Service) bool {
	return before.Spec.Type != corev1.ServiceTypeLoadBalancer || after.Spec.Type != corev1.ServiceTypeLoadBalancer
}

// isHealthPortFree reports whether the port for health checks may change: the Service had none, or the API server
// sets it.
func isHealthPortFree(before, after *corev1.Service) bool {
	has := func(s *corev1.Service) bool {
		return s.Spec.Type == corev1.ServiceTypeLoadBalancer && s.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal &&
			s.Spec.HealthCheckNodePort != 0
	}
	return !has(before) || !has(after)
}

// requestGrows reports whether a claim asks for at least as much storage as before.
func requestGrows(before, after *corev1.PersistentVolumeClaim) bool {
	old, changed := before.Spec.Resources.Requests[corev1.ResourceStorage], after.Spec.Resources.Requests[corev1.ResourceStorage]
	return changed.Cmp(old) >= 0
}

// hasNoExpandSecret reports whether a volume has no secret for its expansion yet, which may then be set.
func hasNoExpandSecret(before, after *corev1.PersistentVolume) bool {
	return before.Spec.CSI != nil && before.Spec.CSI.ControllerExpandSecretRef == nil && after.Spec.CSI != nil
}

// secretStays reports whether the data of a Secret may change, or stay the same in the cluster: keys that are lost in
// stringData are not removed.
func secretStays(before, after *corev1.Secret) bool {
	if !isTrue(before.Immutable) {
		return true
	}
	whole := maps.Clone(after.Data)
	for name, value := range before.Data {
		_, isText := before.StringData[name]
		if _, ok := whole[name]; !ok && isText {
			if whole == nil {
				whole = map[string][]byte{}
			}
			whole[name] = value
		}
	}
	return equality.Semantic.DeepEqual(before.Data, whole)
}

// secondRangeComes reports whether a ServiceCIDR gets a second range in addition.
func secondRangeComes(before, after *networkingv1.ServiceCIDR) bool {
	old, changed := before.Spec.CIDRs, after.Spec.CIDRs
	return len(old) == 1 && len(changed) == 2 && old[0] == changed[0]
}

// scopesAreSame reports whether a quota has the same scopes in another order.
func scopesAreSame(before, after *corev1.ResourceQuota) bool {
	old, changed := before.Spec.Scopes, after.Spec.Scopes
	isIn := func(all []corev1.ResourceQuotaScope, scopes []corev1.ResourceQuotaScope) bool {
		return !slices.ContainsFunc(scopes, func(scope corev1.ResourceQuotaScope) bool { return !slices.Contains(all, scope) })
	}
	return isIn(old, changed) && isIn(changed, old)
}

// volumeSources returns the paths of the fields of a volume that tell where its data are.
func volumeSources() (paths []string) {
	t := reflect.TypeFor[corev1.PersistentVolumeSource]()
	for i := range t.NumField() {
		name, _ := jsonName(t.Field(i))
		paths = append(paths, "spec."+name)
	}
	return paths
}
