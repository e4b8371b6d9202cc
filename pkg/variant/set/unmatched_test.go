package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/krm-packs/functions/pkg/rule"
)

// A selector that names a label which no Repository has is told at the requirement, also
// where it matches everything, with the nearest label.
func TestUnknownLabels(t *testing.T) {
	inventory := repositories(map[string]string{"environment": "production", "region": "eu"}, "a")
	inventory.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Name: "b", Labels: map[string]string{"environment": "staging"}})
	inventory.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Namespace: "other", Name: "c", Labels: map[string]string{"enviroment": "staging"}})
	for name, tc := range map[string]struct {
		selector string
		want     string // path, and the nearest
	}{
		"matchLabels":           {"{matchLabels: {enviroment: production}}", "matchLabels.enviroment environment"},
		"NotIn":                 {"{matchExpressions: [{key: enviroment, operator: NotIn, values: [staging]}]}", "matchExpressions[0] environment"},
		"In":                    {"{matchExpressions: [{key: region, operator: Exists}, {key: enviroment, operator: In, values: [x]}]}", "matchExpressions[1] environment"},
		"Exists":                {"{matchExpressions: [{key: regoin, operator: Exists}]}", "matchExpressions[0] region"},
		"DoesNotExist":          {"{matchExpressions: [{key: regoin, operator: DoesNotExist}]}", "matchExpressions[0] region"},
		"NotIn, none near":      {"{matchExpressions: [{key: maintenance, operator: NotIn, values: [x]}]}", "matchExpressions[0] "},
		"DoesNotExist, none":    {"{matchExpressions: [{key: maintenance, operator: DoesNotExist}]}", ""},
		"a value that is close": {"{matchLabels: {environment: prodution}}", " environment=production"},
		"no value that is near": {"{matchLabels: {environment: x}}", " "},
		"a value of NotIn":      {"{matchExpressions: [{key: environment, operator: In, values: [production]}, {key: environment, operator: NotIn, values: [production, stagin]}]}", " "},
		"right":                 {"{matchLabels: {environment: production}}", ""},
		"everything":            {"{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := New(read(t, upstream+"targets: [{repositorySelector: "+tc.selector+"}]"), NewEnvironment())
			_, findings := e.Expand(inventory, 0)
			got := ""
			for i := range findings {
				f := &findings[i]
				if f.Rule != rule.VariantSetUnmatched {
					continue
				}
				got += strings.TrimPrefix(strings.TrimPrefix(f.Key, "spec.targets[0].repositorySelector"), ".") + " " + f.Nearest
				if strings.Contains(name, "value") && !strings.Contains(f.Message(), "environment=staging") {
					t.Errorf("the labels that exist are not named: %s", f.Message())
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

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

// The finding about a target that matches nothing says what exists: no labels without objects, or
// where it asks for none.
func TestUnmatchedReasons(t *testing.T) {
	inventory := repositories(map[string]string{"region": "eu"}, "a")
	for _, name := range []string{"one", "two"} {
		inventory.Add(&Object{APIVersion: "v1", Kind: "Secret", Namespace: "other", Name: name, Labels: map[string]string{"region": "eu"}})
	}
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Namespace: "default", Name: "red", Labels: map[string]string{"region": "eu"}})
	inventory.Add(&Object{APIVersion: "v1", Kind: "Team", Namespace: "other", Name: "blue"})
	for target, want := range map[string]string{
		"repositorySelector: {matchLabels: {region: us}}":                                      "matches no Repository in the namespace default: the namespace has 1, with the labels region=eu",
		"objectSelector: {apiVersion: v1, kind: Other, matchLabels: {region: us}}":             "matches no Other in the namespace default: there is no Other of v1",
		"objectSelector: {apiVersion: v1, kind: Secret, matchLabels: {region: us}}":            "matches no Secret in the namespace default: the namespace has 0, and other namespaces have 2",
		"objectSelector: {apiVersion: v1, kind: Team, name: green}":                            `matches no Team "green" in the namespace default: the namespace has 1, and other namespaces have 1`,
		"objectSelector: {apiVersion: v1, kind: Team, matchLabels: {region: us}}":              "matches no Team in the namespace default: the namespace has 1, and other namespaces have 1, with the labels region=eu",
		"objectSelector: {apiVersion: v1, kind: Team, name: green, matchLabels: {region: eu}}": `matches no Team "green" in the namespace default: the namespace has 1, and other namespaces have 1, with the labels region=eu`,
	} {
		e, _ := New(read(t, upstream+"targets: [{"+target+"}]"), NewEnvironment())
		_, findings := e.Expand(inventory, 0)
		var got []string
		for _, f := range findings {
			if f.Rule == rule.VariantSetUnmatched {
				got = append(got, f.Found)
			}
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", target, diff)
		}
	}
}
