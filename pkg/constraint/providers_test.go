package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// Looking next to the bounds of a range finds a version exactly when looking at all
// versions does.
func TestWithin(t *testing.T) {
	texts := []string{"0.9.0", "1.0.0-alpha", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0-x", "1.2.0", "1.2.9", "1.3.0", "2.0.0-rc.1", "2.0.0", "2.0.0+b", "2.1.0", "3.0.0"}
	bounds := append([]string{"1.x", "1.2.x", "2.x", "0.0.0-0"}, texts...)
	found := map[bool]int{}
	ranges := rapid.Custom(func(t *rapid.T) string {
		var words []string
		for i := range rapid.IntRange(1, 3).Draw(t, "parts") {
			if i > 0 && rapid.Bool().Draw(t, "or") {
				words = append(words, "||")
			}
			words = append(words, rapid.SampledFrom([]string{"", "=", "!", ">", ">=", "<", "<="}).Draw(t, "operator")+rapid.SampledFrom(bounds).Draw(t, "bound"))
		}
		return strings.Join(words, " ")
	}).Filter(func(text string) bool {
		_, err := ParseRange(text)
		return err == nil
	})
	draws.Same(t, func(t *rapid.T) {
		r, err := ParseRange(ranges.Draw(t, "range"))
		if err != nil {
			t.Fatal(err)
		}
		var candidates []*candidate
		want := false
		for i, text := range rapid.SliceOfN(rapid.SampledFrom(texts), 0, 5).Draw(t, "versions") {
			p := providedPackage{name: "a", text: text}
			p.read()
			candidates = append(candidates, &candidate{bundle: &Bundle{Name: fmt.Sprint(i)}, packages: []providedPackage{p}})
			want = want || r.accepts(p.semver)
		}
		c := &Constraint{Kind: KindPackage, Package: "a", Range: r}
		p, got := newEvaluator(candidates).matching(c)
		if found[want]++; got != want || got && !p.within(c) {
			t.Fatalf("%s: got %v, %q, want %v", r, got, p.text, want)
		}
		if got && p.isPrerelease {
			for _, c := range candidates {
				if q := c.packages[0]; r.accepts(q.semver) && !q.isPrerelease {
					t.Fatalf("%s: got %q, but %q is a release", r, p.text, q.text)
				}
			}
		}
	})
	if found[true] < 10 || found[false] < 10 {
		t.Errorf("found: %v", found)
	}
}

// The next version after a bound is tried, and the one at it.
func TestWithinBounds(t *testing.T) {
	for _, tc := range []struct{ versions, accepted, want string }{
		{"1.0.0 1.0.1", ">1.0.0", "1.0.1"},
		{"1.0.0 1.0.1", "!1.0.0", "1.0.1"},
		{"1.0.0 1.0.1", "<=1.0.0", "1.0.0"},
		{"1.0.0 1.0.1", "=1.0.1", "1.0.1"},
		{"1.0.0 1.0.1", ">1.0.1", ""},
		{"1.0.0 1.0.1 3.0.0", ">1.0.1 <2.0.0", ""},
		{"1.0.0 1.5.0 3.0.0", ">1.0.0 <2.0.0", "1.5.0"},
		{"", ">1.0.0", ""},
	} {
		var all []provider
		for _, text := range strings.Fields(tc.versions) {
			p := providedPackage{name: "a", text: text}
			p.read()
			all = append(all, provider{providedPackage: &p})
		}
		r, err := ParseRange(tc.accepted)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := within(all, r); ok != (tc.want != "") || ok && p.text != tc.want {
			t.Errorf("%s of %s: got %q, %t", tc.accepted, tc.versions, p.text, ok)
		}
	}
}

// Many providers and many ranges in which none of them is do not take the product of both.
func TestManyRanges(t *testing.T) {
	const n = 3000
	var candidates []*candidate
	for i := range n {
		p := providedPackage{name: "a", text: fmt.Sprintf("1.%d.0", i)}
		p.read()
		candidates = append(candidates, &candidate{bundle: &Bundle{}, packages: []providedPackage{p}})
	}
	compared := 0
	evaluator := newEvaluator(candidates)
	for i := range n {
		r, err := ParseRange(fmt.Sprintf(">=2.%d.0", i))
		if err != nil {
			t.Fatal(err)
		}
		accepts := r.accepts
		r.accepts = func(v semver.Version) bool { compared++; return accepts(v) }
		if _, ok := evaluator.matching(&Constraint{Kind: KindPackage, Package: "a", Range: r}); ok {
			t.Fatal("found one")
		}
	}
	if compared > 4*n {
		t.Errorf("%d comparisons of %d versions and ranges", compared, n)
	}
}
