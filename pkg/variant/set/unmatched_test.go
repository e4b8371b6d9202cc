package set

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

// Objects are searched among those with the rarest of the labels that a selector asks for.
func TestNear(t *testing.T) {
	inventory := repositories(map[string]string{"env": "prod"}, "a", "b", "c")
	inventory.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Name: "d", Labels: map[string]string{"env": "prod", "a": "x", "z": "x"}})
	for text, want := range map[string]int{"": 4, "env=prod": 4, "a=x": 1, "a=x,env=prod": 1, "env=prod,z=x": 1, "env!=dev": 4, "env in (prod,dev)": 4, "a=y,env=prod": 0} {
		selector, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(inventory.near(repositoryKind, selector)); got != want {
			t.Errorf("%q: got %d objects, want %d", text, got, want)
		}
	}
}
