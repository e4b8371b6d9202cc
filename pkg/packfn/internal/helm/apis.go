package helm

import (
	"github.com/Masterminds/semver/v3"
)

// DefaultKubernetes is the version of a cluster of which nothing is known: the one that
// `helm template` takes.
const DefaultKubernetes = "1.37.0"

// api is an API version that Kubernetes serves by default, from a minor version on and
// before another one; 0 means none.
type api struct {
	// name is the group and version. It is served by the versions 1.from to 1.until, without the last
	// one.
	name        string
	from, until uint64
}

// apis are by https://kubernetes.io/docs/reference/using-api/deprecation-guide/ and the
// notes of the releases.
var apis = []api{
	{"v1", 0, 0},
	{"admissionregistration.k8s.io/v1", 16, 0}, {"admissionregistration.k8s.io/v1beta1", 9, 22},
	{"apiextensions.k8s.io/v1", 16, 0}, {"apiextensions.k8s.io/v1beta1", 7, 22},
	{"apiregistration.k8s.io/v1", 10, 0}, {"apiregistration.k8s.io/v1beta1", 7, 22},
	{"apps/v1", 9, 0}, {"apps/v1beta1", 6, 16}, {"apps/v1beta2", 8, 16},
	{"authentication.k8s.io/v1", 6, 0}, {"authentication.k8s.io/v1beta1", 4, 22},
	{"authorization.k8s.io/v1", 6, 0}, {"authorization.k8s.io/v1beta1", 2, 22},
	{"autoscaling/v1", 2, 0}, {"autoscaling/v2", 23, 0}, {"autoscaling/v2beta1", 8, 25}, {"autoscaling/v2beta2", 12, 26},
	{"batch/v1", 2, 0}, {"batch/v1beta1", 8, 25},
	{"certificates.k8s.io/v1", 19, 0}, {"certificates.k8s.io/v1beta1", 4, 22},
	{"coordination.k8s.io/v1", 14, 0}, {"coordination.k8s.io/v1beta1", 12, 22},
	{"discovery.k8s.io/v1", 21, 0}, {"discovery.k8s.io/v1beta1", 17, 25},
	{"events.k8s.io/v1", 19, 0}, {"events.k8s.io/v1beta1", 8, 25},
	{"extensions/v1beta1", 1, 22},
	{"flowcontrol.apiserver.k8s.io/v1", 29, 0}, {"flowcontrol.apiserver.k8s.io/v1beta1", 20, 26},
	{"flowcontrol.apiserver.k8s.io/v1beta2", 23, 29}, {"flowcontrol.apiserver.k8s.io/v1beta3", 26, 32},
	{"networking.k8s.io/v1", 7, 0}, {"networking.k8s.io/v1beta1", 14, 22},
	{"node.k8s.io/v1", 20, 0}, {"node.k8s.io/v1beta1", 14, 25},
	{"policy/v1", 21, 0}, {"policy/v1beta1", 5, 25},
	{"rbac.authorization.k8s.io/v1", 8, 0}, {"rbac.authorization.k8s.io/v1beta1", 6, 22},
	{"resource.k8s.io/v1", 34, 0},
	{"scheduling.k8s.io/v1", 14, 0}, {"scheduling.k8s.io/v1beta1", 11, 22},
	{"storage.k8s.io/v1", 6, 0}, {"storage.k8s.io/v1beta1", 4, 27},
}

// APIs returns the API versions that a Kubernetes of a version serves. The kinds of each are
// those that Helm knows.
func APIs(kubernetes string) []string {
	v, err := semver.NewVersion(kubernetes)
	if err != nil {
		return nil
	}
	var all []string
	for _, one := range apis {
		if minor := v.Minor(); minor >= one.from && (one.until == 0 || minor < one.until) {
			all = append(all, one.name)
		}
	}
	return all
}

// Life returns the first minor version of Kubernetes 1 that serves an API version by default, and the first one that does
// not serve it any more. Both are 0 if there is none, or if the API version is unknown.
func Life(name string) (from, until uint64) {
	for _, one := range apis {
		if one.name == name {
			return one.from, one.until
		}
	}
	return 0, 0
}
