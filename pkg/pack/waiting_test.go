package pack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of packs and overrides that wait for injection, the placeholder says what they are for.
func TestWaiting(t *testing.T) {
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	resource := func(version, kind, name, annotations, content string) string {
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, annotations: {%s}}\n%s\n", version, kind, name, annotations, content)
	}
	const waits, injected = "kpt.dev/config-injection: required", "kpt.dev/config-injection: required, kpt.dev/injected-resource: x"
	pack := func(name, annotations, spec string) string {
		return resource(GroupVersion, "Pack", name, annotations, "spec: "+spec)
	}
	override := func(name, spec string) string {
		return resource(GroupVersion, "PackValues", name, waits, "spec: "+spec)
	}
	a, b := pack("a", "", "{values: {x: 1}}"), pack("b", "", "{values: {x: 1}}")
	for _, tc := range []struct {
		name, documents string
		waiting         string            // the packs that wait
		points          map[string]string // of each pack: those of its overrides and its own
		faults          []string
	}{
		{"nothing", kptfile + a, "", map[string]string{"a": ""}, nil},
		{"a Pack", kptfile + a + pack("b", waits, "{}"), "b", map[string]string{"a": "", "b": "b replace"}, nil},
		{"a Pack with a name", kptfile + pack("b", waits, "{name: c, values: [x], schma: {}}"), "c", map[string]string{"c": "b replace"}, nil},
		{"an injected Pack", kptfile + pack("b", injected, "{}"), "", map[string]string{"b": ""}, nil},
		{"files", kptfile + resource("v1", "ConfigMap", "f", waits, "data: {pack.json: '{\"name\": \"n\"}', value.yaml: x}"), "n", map[string]string{"n": "f replace"}, nil},
		{"files that cannot be read", kptfile + resource("v1", "ConfigMap", "f", waits, "data: {pack.json: '{'}"), "", map[string]string{"": "f replace"}, nil},
		{"a ConfigMap that is not a pack", kptfile + a + resource("v1", "ConfigMap", "f", waits, "data: {}"), "", map[string]string{"a": ""}, nil},
		{"values of a pack", kptfile + a + b + override("o", "{packRef: {name: b}, strategy: replace}"), "", map[string]string{"a": "", "b": "o replace"}, nil},
		{"values in a ConfigMap", kptfile + a + b + resource("v1", "ConfigMap", "o", waits+", packs.kpt.dev/values-of: a", "data: {}"), "", map[string]string{"a": "o", "b": ""}, nil},
		{"values of any pack", kptfile + a + b + override("o", "{}") + override("p", "{packRef: {name: none}, strategy: replace}") + override("q", "{packRef: {name: b}}"), "",
			map[string]string{"a": "o replace", "b": "q, o replace"}, nil},
		{"values without a spec", kptfile + a + resource(GroupVersion, "PackValues", "o", waits, ""), "", map[string]string{"a": "o"}, nil},
		{"values of a pack that waits", kptfile + pack("b", waits, "{}") + override("o", "{packRef: {name: b}}"), "b", map[string]string{"b": "b replace, o"}, nil},
		{"values of no pack, beside a pack that waits", kptfile + pack("b", waits, "{}") + resource(GroupVersion, "PackValues", "o", "", "spec: {packRef: {name: none}, values: {}}"), "b", map[string]string{"b": "b replace"}, nil},
		{"points that do not wait without a Kptfile", pack("a", waits, "{values: {x: 1}}") + pack("b", "", "{}") + override("o", "{packRef: {name: b}, values: {}}") +
			resource("v1", "ConfigMap", "c", waits+", packs.kpt.dev/values-of: b", "data: {values.yaml: ''}"), "", map[string]string{"a": "a", "b": "o, c"}, nil},
		{"another version", kptfile + strings.Replace(pack("b", waits, "{}"), "v1alpha1", "v1", 1), "", nil, []string{`error input/invalid Pack/b apiVersion got="\"packs.kpt.dev/v1\"" want=packs.kpt.dev/v1alpha1`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.documents)
			var waiting []string
			got := map[string]string{}
			for _, one := range slices.Concat(p.Set.Packs, p.Set.Waiting) {
				var points []string
				for _, point := range one.Points {
					text := point.Resource.Name
					if point.Replace {
						text += " replace"
					}
					points = append(points, text)
				}
				got[one.Name] = strings.Join(points, ", ")
				if one.IsPending() != (len(points) > 0 && strings.HasPrefix(tc.documents, kptfile)) {
					t.Errorf("%s waits: %v", one.Name, one.IsPending())
				}
				if slices.Contains(p.Set.Waiting, one) {
					waiting = append(waiting, one.Name)
				} else if effective, _ := one.Effective(); effective.Incomplete != one.IsPending() || one.IsPending() && len(one.Overrides) > 0 {
					t.Errorf("%s: %+v", one.Name, effective)
				}
			}
			if len(tc.points) == 0 {
				tc.points = map[string]string{}
			}
			if diff := cmp.Diff(tc.points, got) + cmp.Diff(tc.waiting, strings.Join(waiting, ",")) + cmp.Diff(tc.faults, p.Faults); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if p.Set.IsPartial() != (len(p.Set.Waiting) > 0 || tc.faults != nil) {
				t.Errorf("partial: %v", p.Set.IsPartial())
			}
		})
	}
}
