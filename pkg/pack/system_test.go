package pack

import "testing"

// The nearest system name is never one of another meaning.
func TestNearestSystemName(t *testing.T) {
	for name, want := range map[string]string{
		"region": "cloud.region", "cluster.region": "cloud.region", "cluster.email": "user.email", "clutser.name": "cluster.name",
		"cluster.nmae": "cluster.name", "cluster_name": "cluster.name", "cluster.owner": "", "cluster.id": "cluster.uid", "kubernetesVersion": "kubernetes.version",
		"cluster.ui": "cluster.uid", "xyz": "",
	} {
		if f := UnknownSystemName(name, SystemNames()); f.Nearest != want {
			t.Errorf("%s: got %q, want %q", name, f.Nearest, want)
		}
	}
}
