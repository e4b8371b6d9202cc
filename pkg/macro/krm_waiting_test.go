package macro

import (
	stdcmp "cmp"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

const (
	kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
`
	injected = kptfile + `status:
  conditions:
  - {type: config.injection.ClusterContext.one, status: "True", reason: ConfigInjected}
`
)

// point is a ClusterContext that waits, with some facts.
func point(spec string) string {
	return `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: one
  annotations:
    kpt.dev/config-injection: required
` + spec
}

// A render before the injection and one after it make the bytes that one render with all
// facts makes, whatever facts the placeholder has. Facts in the functionConfig are certain.
func TestWaitingIsInvisible(test *testing.T) {
	facts := []string{"t", "", " ", "1.30", "true", "a: b", "{{", "}}", "a\nb", "# x", "é", "-"}
	pieces := []string{
		"a", " ", "  ", "\n", "- ", ": ", "#", "é", "{{ .Values.x }}", "{{- \"a\" -}}", "'",
		"{{ .spectro.var.A }}", "{{ .spectro.var.B }}", "{{- .spectro.var.B -}}", "{{- .spectro.var.A }}", "{{ .spectro.var.A -}}", "{{ .spectro.var.B | default \"d\" }}",
		"{{ .spectro.system.cluster.name | upper }}", "{{ .spectro.system.cluster.kubevip }}", "{{ .spectro.pack.p.chain }}", "{{ .spectro.pack.p.plain }}", "{{ .spectro.pack.q.none | default \"e\" }}",
		"{{ printf \"%s-%s\" .spectro.var.A .spectro.var.B }}", "{{ or .spectro.var.B .spectro.var.A }}",
	}
	bare := strings.NewReplacer("'", "", `"`, "", `\`, "")
	// styles write a text as a scalar.
	styles := []func(string) string{
		func(text string) string {
			return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "'", "''"), "\n", "\n\n    ") + "'"
		},
		func(text string) string { return fmt.Sprintf("%q", text) },
		func(text string) string { return "|-\n    x" + strings.ReplaceAll(text, "\n", "\n    ") },
		func(text string) string { return ">-\n    x" + strings.ReplaceAll(text, "\n", "\n\n    ") },
		func(text string) string {
			return "x" + strings.NewReplacer("\n", " ", ": ", ":", "#", "").Replace(text) + "x"
		},
	}
	rapid.Check(test, func(t *rapid.T) {
		hasPlain := false
		value := func(label string) string {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, label), "")
			style := rapid.IntRange(0, len(styles)-1).Draw(t, label+" style")
			hasPlain = hasPlain || style == len(styles)-1
			return styles[style](text)
		}
		documents := packOf("p", `plain: n
chain: '{{ .spectro.var.B }}{{ .spectro.var.A }}'
x:
  y: `+value("y")+`
  z: `+value("z"))
		all := map[string]string{}
		for _, name := range []string{"A", "B"} {
			all[name] = rapid.SampledFrom(facts).Draw(t, name)
		}
		spec := func(names ...string) string {
			text := `spec:
  system: {cluster: {name: c1, kubevip: v}}
  variables:
`
			for _, name := range names {
				text += fmt.Sprintf("    %s: %q\n", name, all[name])
			}
			return text
		}
		before := point(fmt.Sprintf(`spec:
  system: {cluster: {name: example}}
  variables:
    A: %q
    B: %q
`, rapid.SampledFrom(facts).Draw(t, "placeholder"), "example"))
		if rapid.Bool().Draw(t, "nothing is there") {
			before = point("spec: {}\n")
		}
		config := ""
		if mode := rapid.SampledFrom([]string{"", "empty", "error"}).Draw(t, "missing"); mode != "" {
			config = typedConfig + "  missing: " + mode + "\n"
		}
		if rapid.Bool().Draw(t, "A is configured") {
			config = stdcmp.Or(config, typedConfig) + fmt.Sprintf("  variables: {A: %q}\n", all["A"])
		}
		after := injected + "---\n" + strings.Replace(point(spec("A", "B")), "config-injection", "injected-resource: c\n    kpt.dev/config-injection", 1)
		once, onceOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, after+"---\n"+documents))
		first, firstOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, kptfile+"---\n"+before+"---\n"+documents))
		if onceOutcome.Failed {
			return // a first render may find the same faults
		}
		if firstOutcome.Failed {
			t.Fatalf("the first render fails: %v\n%s", functiontest.Messages(firstOutcome), documents)
		}
		rendered := functiontest.Documents(first)
		last := rendered[strings.Index(rendered, "kind: ConfigMap")-len("apiVersion: v1\n"):]
		twice, twiceOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, after+"---\n"+last))
		// A plain scalar that needs quotes after the first render gets those that the macros in it
		// do not have: the quotes can be others, and the value is the same.
		isSame := twice == once || hasPlain && bare.Replace(twice) == bare.Replace(once)
		if twiceOutcome.Failed || !isSame {
			t.Fatalf("%v\ntwice:\n%s\nonce:\n%s", functiontest.Messages(twiceOutcome), twice, once)
		}
	})
}
