package schema

import (
	"fmt"
	"testing"
)

func TestLayering(t *testing.T) {
	override := func(name, fields, text string) string {
		return fmt.Sprintf("---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: %s}\nspec:\n  packRef: {name: vault}\n%s  values: %s\n", name, fields, text)
	}
	const cluster, replace = "  scope: cluster\n", "  strategy: replace\n"
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {values: {a: 1, m: {b: 1, c: [1, 2]}}}\n"
	for _, tc := range []krmCase{
		{"two values for one key", "", pack + override("y", "", "{m: {b: 2}}") + override("x", "", "{a: 3, m: {b: 3}}"), []string{
			"info override/duplicate PackValues/x spec.values.m.b key=m.b pack=vault"}},
		{"three values for one key", "", pack + override("z", "", "{a: 4}") + override("y", "", "{a: 2}") + override("x", "", "{a: 3}"), []string{
			"info override/duplicate PackValues/x spec.values.a key=a pack=vault",
			"info override/duplicate PackValues/y spec.values.a key=a pack=vault"}},
		{"the same value", "", pack + override("y", "", "{a: 2}") + override("x", "", "{a: 2}"), nil},
		{"a cluster over a profile", "", pack + override("y", cluster, "{a: 2}") + override("x", "", "{a: 3}"), nil},
		{"values that are dropped", "", pack + override("x", replace, "{m: {c: [1]}}"), []string{
			"info override/drops PackValues/x spec.strategy pack=vault"}},
		{"nothing is dropped", "", pack + override("x", replace, "{a: 2, m: {b: 1, c: []}}"), nil},
		{"an override that is dropped", "", pack + override("y", replace, "{a: 2, m: {b: 1, c: []}}") + override("x", "", "{a: 3}"), nil},
		{"the last of two that replace", "", pack + override("x", replace, "{a: 2}") + override("y", replace, "{a: 3}"), nil},
	} {
		tc.run(t)
	}
}
