package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// A render before the injection and one after it make the documents and the findings that
// one render after it makes, whichever resources wait and whatever their placeholders have.
func TestWaitingIsInvisible(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		d := drawn{t}
		value := func() string {
			return d.one("1", "x", "''", `"{{ .spectro.var.A }}"`, `'{{ .spectro.pack.a.n | default "d" }}'`, `'{{ .spectro.pack.b.m }}-{{ .spectro.var.A }}'`, `'{{ .spectro.pack.a.n }}'`, `'{{ .spectro.pack.c.n }}'`)
		}
		vals := func() string { return "{n: " + value() + ", m: " + d.one("2", "3", "y") + ", k: " + value() + "}" }
		pack := func() string {
			return "version: " + d.one("1.0.0", "2.0.0") + ", values: " + vals() + ", schema: {n: {schema: '{{ required | format \"${number}\" }}'}, o: {schema: '{{ required }}'}}" +
				", presets: [{name: large, add: {n: 5, o: 1}}], constraints: {dependencies: [{packName: " + d.one("a", "b", "c", "kubernetes") + ", type: required, minVersion: '1.5'}]" +
				", resources: [{type: cpu, components: [{resourceRequestParamRef: " + d.one("n", "m") + ", scheduleType: worker}]}]}"
		}
		cluster := func() string {
			return "{system: {kubernetes: {version: " + d.one("1.1.0", "1.30.0") + "}}, variables: {A: " + d.one("f", "''", "g") + "}, machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: " + d.one("1", "8") + "}}]}"
		}
		strategy := d.one("merge", "replace")
		var before, after []string
		conditions := ""
		add := func(kind, name string, content func() string, placeholder string) {
			head := `apiVersion: packs.kpt.dev/v1alpha1
kind: ` + kind + `
metadata:
  name: ` + name + "\n"
			truth := content()
			if !rapid.Bool().Draw(t, name+" waits") {
				before, after = append(before, head+"spec: "+truth+"\n"), append(after, head+"spec: "+truth+"\n")
				return
			}
			if placeholder == "" || rapid.Bool().Draw(t, name+" has a full placeholder") {
				placeholder = content()
			}
			conditions += "  - {type: config.injection." + kind + "." + name + ", status: \"True\"}\n"
			head += "  annotations: {kpt.dev/config-injection: required"
			before, after = append(before, head+"}\nspec: "+placeholder+"\n"), append(after, head+`, kpt.dev/injected-resource: x}
spec: `+truth+"\n")
		}
		add("Pack", "a", func() string { return "{" + pack() + "}" }, "{}")
		add("Pack", "b", func() string { return "{" + pack() + "}" }, "{}")
		add("PackValues", "site", func() string {
			return "{packRef: {name: a}, strategy: " + strategy + ", values: " + vals() + "}"
		}, "{strategy: "+strategy+"}")
		add("ClusterContext", "c", cluster, "{}")
		const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
		before, after = append([]string{kptfile}, before...), append([]string{kptfile}, after...)
		if conditions != "" {
			after[0] += `status:
  conditions:
` + conditions
		}
		for _, f := range All() {
			config := map[string]string{"apply-preset": "{presets: [{pack: a, name: large}]}", "resolve-macros": "{variables: {B: b}}"}[f.Name]
			if config != "" {
				config = `apiVersion: fn.kpt.dev/v1alpha1
kind: ` + f.Kind + `
metadata: {name: config}
spec: ` + config + "\n"
			}
			run := func(documents []string) ([]string, string, bool) {
				output, outcome := functiontest.Evaluate(test, f, functiontest.List(config, strings.Join(documents, "---\n")))
				// Once written it cannot be said again.
				facts := slices.DeleteFunc(functiontest.Facts(outcome.Findings), func(fact string) bool { return strings.Contains(fact, " macro/empty ") })
				return strings.SplitAfter(functiontest.Documents(output), "---\n"), strings.Join(facts, "\n"), outcome.Failed
			}
			once, factsOnce, failed := run(after)
			first, factsFirst, failedFirst := run(before)
			if failedFirst && !failed {
				t.Fatalf("%s: only the first render fails: %s\n%s", f.Name, factsFirst, strings.Join(before, "---\n"))
			}
			if failed && f.Mutates || len(first) != len(before) {
				continue // nothing is written, and a first render may find the same faults
			}
			second := slices.Clone(after)
			for i := range second {
				if text := strings.TrimSuffix(first[i], "---\n"); before[i] == after[i] {
					second[i] = text
				} else if i > 0 && text != before[i] {
					t.Fatalf("%s: a placeholder has changed:\n%s", f.Name, text)
				}
			}
			twice, factsTwice, _ := run(second)
			if diff := cmp.Diff(once, twice) + cmp.Diff(factsOnce, factsTwice); diff != "" {
				t.Fatalf("%s: -once +twice:\n%s\nbefore:\n%s\nafter:\n%s", f.Name, diff, strings.Join(before, "---\n"), fmt.Sprint(after))
			}
		}
	})
}
