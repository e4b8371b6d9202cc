package breaking

import (
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// FuzzImmutable: an object has no difference to itself, and the fields in which two objects differ are the same in both
// directions if only the table decides.
func FuzzImmutable(f *testing.F) {
	f.Add("spec: {selector: {matchLabels: {a: b}}}", "spec: {selector: {matchLabels: {a: c}}}")
	f.Add("spec: {template: {spec: {containers: [{name: a, image: a, resources: {limits: {cpu: 1}}}]}}}", "spec: {template: {}}")
	f.Add("{kind: Secret, immutable: true, stringData: {a: &a b}, data: {<<: {b: YQ==}}}", "data: [1]")
	f.Add("spec: {volumeClaimTemplates: [{spec: {resources: {requests: {storage: 1e999999999}}}}]}", "spec: {volumeClaimTemplates: [1, null]}")
	f.Fuzz(func(t *testing.T, before, after string) {
		a, err := values.Parse(before)
		if err != nil {
			return
		}
		b, err := values.Parse(after)
		if err != nil {
			return
		}
		for name, k := range table {
			if same := Immutable(name.Group, name.Kind, a.Root(), a.Root()); len(same) != 0 {
				t.Errorf("%s: a difference to itself in %q", name, same[0].Path)
			}
			there, back := Immutable(name.Group, name.Kind, a.Root(), b.Root()), Immutable(name.Group, name.Kind, b.Root(), a.Root())
			if len(k.exceptions) == 0 && !slices.EqualFunc(there, back, func(x, y Field) bool { return slices.Equal(x.Path, y.Path) }) {
				t.Errorf("%s: %v differ in one direction, %v in the other", name, there, back)
			}
		}
	})
}
