package helm

import (
	"slices"
	"testing"
)

func TestAPIs(t *testing.T) {
	for _, tc := range []struct {
		kubernetes, name string
		want             bool
	}{
		{"1.24.0", "policy/v1beta1", true}, {"1.25.0", "policy/v1beta1", false}, {"v1.25.0-eks.1", "policy/v1beta1", false},
		{"1.20.15", "policy/v1", false}, {"1.21.0", "policy/v1", true},
		{"1.21", "extensions/v1beta1", true}, {"1.22.0", "networking.k8s.io/v1beta1", false},
		{"1.22.9", "autoscaling/v2", false}, {"1.23.0", "autoscaling/v2", true}, {"1.26.0", "autoscaling/v2beta2", false},
		{"1.31.0", "flowcontrol.apiserver.k8s.io/v1beta3", true}, {"1.32.0", "flowcontrol.apiserver.k8s.io/v1beta3", false},
		{"1.33.0", "resource.k8s.io/v1", false}, {"1.34.0", "resource.k8s.io/v1", true},
		{DefaultKubernetes, "v1", true}, {DefaultKubernetes, "apps/v1", true}, {DefaultKubernetes, "cert-manager.io/v1", false},
	} {
		if got := slices.Contains(APIs(tc.kubernetes), tc.name); got != tc.want {
			t.Errorf("%s has %s: %v", tc.kubernetes, tc.name, got)
		}
	}
	if APIs("latest") != nil {
		t.Error("a version that is none has APIs")
	}
	all := APIs(DefaultKubernetes)
	if sorted := slices.Compact(slices.Sorted(slices.Values(all))); len(sorted) != len(all) {
		t.Error("an API is listed twice")
	}
}
