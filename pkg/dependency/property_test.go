package dependency

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
)

// generated are packs that require each other at random.
var generated = rapid.Custom(func(t *rapid.T) string {
	names := rapid.SampledFrom([]string{"a", "b", "c", "kubernetes"})
	bound := rapid.SampledFrom([]string{"", "1", "1.0", "1.1.0", "2.0", "v2.1", "x"})
	var b strings.Builder
	for range rapid.IntRange(1, 5).Draw(t, "packs") {
		fmt.Fprintf(&b, "- {name: %s, version: '%s', layer: '%s', constraints: {dependencies: [", names.Draw(t, "name"), bound.Draw(t, "version"), rapid.SampledFrom([]string{"", "addon", "k8s"}).Draw(t, "layer"))
		for range rapid.IntRange(0, 3).Draw(t, "dependencies") {
			fmt.Fprintf(&b, "{packName: %s, minVersion: '%s', maxVersion: '%s', type: %s}, ", names.Draw(t, "needs"), bound.Draw(t, "min"), bound.Draw(t, "max"),
				rapid.SampledFrom([]string{"required", "optional", "notSupported", "upgrade", "''", "wrong"}).Draw(t, "type"))
		}
		b.WriteString("]}}\n")
	}
	return b.String()
})

// The order of the packs decides nothing but the order of the findings.
func TestOrderOfPacks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		packs := generated.Draw(rt, "packs")
		lines := slices.Collect(strings.Lines(packs))
		shuffled := rapid.Permutation(lines).Draw(rt, "shuffled")
		rules := func(text string) []string {
			var out []string
			for _, f := range (scene{packs: text}).check(t) {
				if f.Rule != rule.DependencyInvalid || f.Tags != nil { // not a fault of an entry, whose line differs
					f.Position = diag.Position{}
					text := functiontest.Facts([]diag.Finding{f})[0] + ": " + f.Message()
					out = append(out, regexp.MustCompile(`line \d+`).ReplaceAllString(text, "line"))
				}
			}
			slices.Sort(out)
			return out
		}
		if diff := cmp.Diff(rules(packs), rules(strings.Join(shuffled, ""))); diff != "" {
			rt.Fatalf("the order matters: %s", diff)
		}
	})
}

// What is proposed is accepted: with it in place of what was found, nothing more
// is said about the package.
func TestProposalsMend(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		versions := []string{"0.9.0", "1.0.0", "1.1.0", "1.1.5", "2.0.0", "2.1.0-rc.1", "3.0.0"}
		bound := rapid.SampledFrom([]string{"", "1", "1.1", "1.1.0", "2.0", "2.1.0"})
		var packs strings.Builder
		for i := range rapid.IntRange(1, 4).Draw(rt, "dependents") {
			fmt.Fprintf(&packs, "- {name: p%d, constraints: {dependencies: [{packName: b, minVersion: '%s', maxVersion: '%s', type: %s}]}}\n", i,
				bound.Draw(rt, "min"), bound.Draw(rt, "max"), rapid.SampledFrom([]string{"required", "optional", "notSupported"}).Draw(rt, "type"))
		}
		with := func(v string) (found []diag.Finding) {
			all, _ := readPacks(t, packs.String()+"- {name: b, version: "+v+"}\n", "")
			var offers []Offer
			for _, o := range versions {
				offers = append(offers, Offer{Name: "b", Version: o})
			}
			advisor := newAdvisor(offers)
			for _, p := range all {
				advisor.addPack(p)
			}
			return Check(all, Context{Packs: all, advisor: advisor})
		}
		for _, f := range with(rapid.SampledFrom(versions).Draw(rt, "found")) {
			if f.Proposed == nil {
				if f.Action == "" {
					rt.Fatalf("neither a proposal nor a conflict: %s", f.Message())
				}
				for _, v := range versions { // none would do
					if len(with(v)) == 0 {
						rt.Fatalf("%s would do: %s", v, f.Message())
					}
				}
				continue
			}
			if left := with(f.Proposed.(string)); len(left) > 0 {
				rt.Fatalf("with %s: %s", f.Proposed, left[0].Message())
			}
		}
	})
}

// Many packs may all require each other.
func TestManyPacks(t *testing.T) {
	var packs []*Pack
	for i := range 600 {
		p := &Pack{Name: fmt.Sprintf("p%d", i%300), Version: fmt.Sprintf("1.%d.0", i%7)}
		for j := range 20 {
			r, err := version.ParseRange(fmt.Sprintf("1.%d.0", (i+j)%9), "", version.Parse)
			if err != nil {
				t.Fatal(err)
			}
			p.Dependencies = append(p.Dependencies, Dependency{Pack: fmt.Sprintf("p%d", (i*j)%310), Range: r, Type: Required})
		}
		packs = append(packs, p)
	}
	found := Check(packs, Context{Packs: packs})
	if len(found) < 600 {
		t.Errorf("got %d findings", len(found))
	}
}
