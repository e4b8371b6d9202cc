package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/variant"
)

// Variants that would write each other's files are all at fault, and the rest are not.
func TestOverlaps(t *testing.T) {
	for name, tc := range map[string]struct {
		packages []string // REPO PACKAGE
		// want names for each variant the one that it clashes with, -1 for none.
		want []int
	}{
		"different":                      {[]string{"r a", "r b", "s a", "r ab", "r a-b"}, []int{-1, -1, -1, -1, -1}},
		"the same package":               {[]string{"r a", "r b", "r a"}, []int{2, -1, 0}},
		"three of a package":             {[]string{"r a", "r a", "r a"}, []int{1, 0, 0}},
		"one in another":                 {[]string{"r a", "r a/b"}, []int{1, 0}},
		"one deep in another":            {[]string{"r a/b/c/d", "r a", "r b"}, []int{1, 0, -1}},
		"the same after cleaning":        {[]string{"r a", "r a/../a"}, []int{1, 0}},
		"a repository that is a package": {[]string{"r a", "r/a b"}, []int{1, 0}},
	} {
		in := &input{}
		for i, p := range tc.packages {
			repo, pkg, _ := strings.Cut(p, " ")
			v := &variant.PackageVariant{Name: fmt.Sprintf("v%d", i)}
			v.Spec.Downstream = variant.Downstream{Repo: repo, Package: pkg}
			in.variants = append(in.variants, &packageVariant{PackageVariant: v})
		}
		in.findOverlaps()
		for i, v := range in.variants {
			if want := tc.want[i]; want < 0 && v.fault != "" || want >= 0 && !strings.Contains(v.fault, fmt.Sprintf("PackageVariant v%d", want)) {
				t.Errorf("%s: v%d: %q", name, i, v.fault)
			}
		}
	}
}

// A variant with another fault keeps it, and clashes with no other.
func TestOverlapOfFaulty(t *testing.T) {
	in := &input{}
	for _, fault := range []string{"broken", ""} {
		v := &variant.PackageVariant{Name: "v"}
		v.Spec.Downstream = variant.Downstream{Repo: "r", Package: "a"}
		in.variants = append(in.variants, &packageVariant{PackageVariant: v, fault: fault})
	}
	in.findOverlaps()
	if in.variants[0].fault != "broken" || in.variants[1].fault != "" {
		t.Errorf("got %q and %q", in.variants[0].fault, in.variants[1].fault)
	}
	// Nor with one whose folder it is in.
	in.variants[0].Spec.Downstream.Package = "a/below"
	if in.findOverlaps(); in.variants[0].fault != "broken" || in.variants[1].fault != "" {
		t.Errorf("below: got %q and %q", in.variants[0].fault, in.variants[1].fault)
	}
}

// A fault names each of its other places once, and not more than there is room for.
func TestRelated(t *testing.T) {
	known := &report.Finding{File: "a.yaml", Line: 1}
	add := func(file string, line int) bool {
		place, ok := besides(known, &report.Finding{File: file, Line: line, Resource: &report.Resource{Kind: "Pack", Name: "p"}})
		if ok {
			known.Related = append(known.Related, place)
		}
		return ok
	}
	if add("a.yaml", 1) {
		t.Error("the place itself is another one")
	}
	if !add("a.yaml", 2) || !add("b.yaml", 1) || add("b.yaml", 1) {
		t.Errorf("got %v", known.Related)
	}
	if known.Related[1].Message != "the same in Pack p" {
		t.Errorf("got %q", known.Related[1].Message)
	}
	for line := range 2 * mostRelated {
		add("c.yaml", line+1)
	}
	if len(known.Related) != mostRelated {
		t.Errorf("got %d places", len(known.Related))
	}
}
