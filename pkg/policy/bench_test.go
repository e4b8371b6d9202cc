package policy

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// benchmarkHub makes Implementations of 200 Interfaces, and three policies of 200
// rules each.
func benchmarkHub(b *testing.B, implementations int) (Hub, []*manifest.Policy) {
	b.Helper()
	const interfaces = 200
	parse := func(text string) *yaml.Node {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			b.Fatal(err)
		}
		return n.Content[0]
	}
	named := func(format string, n int) diag.Resource {
		return diag.Resource{Name: fmt.Sprintf(format, n)}
	}
	var hub Hub
	for n := range interfaces {
		i, _ := manifest.ReadInterface(named("i%04d", n), parse(fmt.Sprintf("spec: {path: cap.interface.s%d, revision: 0.1.0}", n)))
		hub.Interfaces = append(hub.Interfaces, i)
	}
	for n := range implementations {
		i, _ := manifest.ReadImplementation(named("x%04d", n), parse(fmt.Sprintf("spec: {path: cap.implementation.x%d, revision: 0.1.0, attributes: {cap.attribute.a%d: {revision: 0.1.0}}, implements: [{path: cap.interface.s%d, revision: 0.1.0}], requires: {cap.type: {allOf: [{name: a, revision: 0.1.0, alias: one}]}}}", n, n%7, n%interfaces)))
		hub.Implementations = append(hub.Implementations, i)
	}
	account, _ := manifest.ReadTypeInstance(named("account", 0), parse("spec: {id: account, typeRef: {path: cap.type.a, revision: 0.1.0}}"))
	hub.TypeInstances = append(hub.TypeInstances, account)
	var policies []*manifest.Policy
	for s, scope := range defaultOrder {
		var rules strings.Builder
		for n := range 200 {
			fmt.Fprintf(&rules, `    - interface: {path: cap.interface.s%d}
      oneOf: [{implementationConstraints: {attributes: [{path: cap.attribute.a%d}]}}, {inject: {requiredTypeInstances: [{id: account}]}}]
`, n, (n+s)%7)
		}
		p, findings := manifest.ReadPolicy(named("p%d", s), parse(`spec:
  scope: `+scope+`
  interface:
    rules:
`+rules.String()))
		if len(findings) > 0 {
			b.Fatal(findings)
		}
		policies = append(policies, p)
	}
	return hub, policies
}

// Selections for 200 Interfaces by three policies of 200 rules: the time grows with
// the Implementations.
func BenchmarkSelect(b *testing.B) {
	for _, implementations := range []int{250, 1000, 4000} {
		b.Run(fmt.Sprint(implementations), func(b *testing.B) {
			hub, policies := benchmarkHub(b, implementations)
			for b.Loop() {
				index, _ := NewIndex(hub, defaultAssumed)
				merged := Merge(index, Layers(policies, defaultOrder, []string{"p2"})...)
				for _, on := range index.allInterfaces() {
					if s := index.Select(merged, on); s.Outcome != Selected {
						b.Fatalf("%s is %s", on.Ref, s.Outcome)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(implementations), "ns/implementation")
		})
	}
}
