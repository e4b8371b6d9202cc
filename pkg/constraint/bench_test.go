package constraint

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

// fleet makes bundles with 100 properties and 5 constraints each, two of them
// rules. There are 50 rules; every rule reads all properties and is false.
func fleet(t testing.TB, n int) []*Bundle {
	var all []*Bundle
	for i := range n {
		var b strings.Builder
		for p := range 100 {
			fmt.Fprintf(&b, "- {type: t%d, value: {version: 1.%d.0}}\n", p, i)
		}
		for c := range 2 {
			fmt.Fprintf(&b, "- {type: olm.constraint, value: {cel: {rule: '%s'}}}\n", benchRule((i*2+c)%50))
		}
		fmt.Fprintf(&b, "- {type: olm.package.required, value: {packageName: p%d, versionRange: '>=1.0.0'}}\n", (i+1)%n)
		fmt.Fprintf(&b, "- {type: olm.constraint, value: {all: {constraints: [{package: {name: p%d, versionRange: '>=1.0.0'}}, {gvk: {group: g, version: v1, kind: K%d}}]}}}\n", (i+2)%n, (i+2)%n)
		fmt.Fprintf(&b, "- {type: olm.gvk, value: {group: g, version: v1, kind: K%d}}\n", i)
		all = append(all, bundle(t, fmt.Sprintf("p%d.v1.0.0", i), b.String()))
	}
	return all
}

// benchRule is one rule of 50. No bundle satisfies one: half of them because of
// the last of their terms.
func benchRule(i int) string {
	rule := fmt.Sprintf(`properties.exists(p, p.type == "rule%d")`, i)
	if i%2 == 0 {
		rule = `properties.exists(p, p.type == "t50") && ` + rule
	}
	return rule
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{250, 1000} {
		bundles := fleet(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				check(bundles, nil, Options{})
			}
		})
	}
}

// BenchmarkEvaluations is what the same distinct evaluations cost, each made
// once with its cost limit.
func BenchmarkEvaluations(b *testing.B) {
	bundles := fleet(b, 1000)
	set := readAll(bundles, nil)
	var lists []any
	for _, c := range set.candidates {
		lists = append(lists, c.data()[propertiesVariable])
	}
	for b.Loop() {
		rules := newRules()
		for r := range 50 {
			program, err := rules.Compile(benchRule(r), celenv.Bool)
			if err != nil {
				b.Fatal(err)
			}
			for i := range set.candidates {
				if _, err := program.Evaluate(context.Background(), map[string]any{propertiesVariable: lists[i]}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
