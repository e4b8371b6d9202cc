package diag

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSort(t *testing.T) {
	at := func(packagePath, file string, index int, name string) *Origin {
		r := Resource{APIVersion: "v1", Kind: "A", Name: name, File: file, Index: index, PackagePath: packagePath}
		return &Origin{Resource: r, Field: "data[x]", Name: "x", Embedded: true}
	}
	info, warning := Rule{ID: "demo/info", Severity: Info}, Rule{ID: "demo/warning", Severity: Warning}
	c := at("/p", "a.yaml", 1, "c")
	inPart := func(key string) Finding {
		return Say("in a part").Of(info).In(&Origin{Resource: c.Resource, Field: "spec.a"}, key, Position{10, 2})
	}
	pack := func(name string) Finding {
		return Say("pack").Of(warning).In(at("/p", "b.yaml", 1, "a"), "", Position{}).For(name)
	}
	proposed, tagged := pack("c"), pack("c")
	proposed.Proposed, tagged.Proposed = 1, 1
	tagged.Tags = map[string]string{"z": "z"}
	ordered := []Finding{
		Say("a cause").Of(Rule{ID: "demo/cause", Severity: Error, Cause: true}).From(at("/z", "z.yaml", 0, "z")),
		Say("without a resource").Of(info),
		Say("without a file").Of(info).About(Resource{APIVersion: "v1", Kind: "A", Name: "z"}, ""),
		Say("file").Of(info).From(at("/p", "a.yaml", 0, "z")),
		Say("index").Of(info).From(at("/p", "a.yaml", 1, "b")),
		Say("name").Of(info).From(c),
		Say("line").Of(info).In(c, "z", Position{Line: 9}),
		Say("later line").Of(info).In(c, "a", Position{10, 2}),
		Say("later key").Of(info).In(c, "b", Position{10, 2}),
		inPart("[2].b"),
		inPart("[10]"),
		inPart("[10].b"),
		Say("column").Of(info).In(c, "", Position{10, 10}),
		Say("rule").Of(info).From(at("/p", "b.yaml", 0, "a")),
		Say("later rule").Of(warning).From(at("/p", "b.yaml", 0, "a")),
		Say("message").Of(warning).From(at("/p", "b.yaml", 0, "a")),
		pack("a"),
		pack("b"),
		proposed,
		tagged,
		Say("other package").Of(info).From(at("/p/sub", "a.yaml", 0, "a")),
	}
	rapid.Check(t, func(t *rapid.T) {
		got := rapid.Permutation(ordered).Draw(t, "findings")
		Sort(got)
		if diff := gocmp.Diff(ordered, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func TestComparePaths(t *testing.T) {
	ordered := []string{"", "a", "a.b", "a.b1", "a.b02", "a.b3", "a.b[2]", "a.b[2].c", "a.b[10]", "a.b[100]", "a[0]", "a[9]", "a[10]", "a[10].b", "b"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := ComparePaths(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("ComparePaths(%q, %q) is %d, want %d", a, b, got, want)
			}
		}
	}
	if ComparePaths("a[1]", "a[001]") != 0 {
		t.Error("leading zeros make a difference")
	}
}

// It is an order: sorting has one result.
func TestComparePathsIsAnOrder(t *testing.T) {
	path := rapid.StringOfN(rapid.RuneFrom([]rune("ab.[]-0129é")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := path.Draw(t, "a"), path.Draw(t, "b"), path.Draw(t, "c")
		if ComparePaths(a, b) != -ComparePaths(b, a) || ComparePaths(a, a) != 0 {
			t.Fatalf("%q and %q", a, b)
		}
		all := []string{a, b, c}
		slices.SortFunc(all, ComparePaths)
		if ComparePaths(all[0], all[1]) > 0 || ComparePaths(all[1], all[2]) > 0 || ComparePaths(all[0], all[2]) > 0 {
			t.Fatalf("%q", all)
		}
	})
}

func TestOverlap(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"spec.a", "spec.a", true},
		{"spec.a", "spec.a[0].b", true},
		{"spec.a[0].b", "spec.a", true},
		{"spec.a.b", "spec.a", true},
		{"", "spec.a", true},
		{"", "[0]", true},
		{"", "", true},
		{"spec.a", "spec.ab", false},
		{"spec.a[1]", "spec.a[0].b", false},
		{"spec.a[1]", "spec.a[10]", false},
	} {
		if got := Overlap(tc.a, tc.b); got != tc.want {
			t.Errorf("Overlap(%q, %q) is %v", tc.a, tc.b, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "[0]", "[1]", "[10]"}), 1, 4)
		a, b := steps.Draw(t, "a"), steps.Draw(t, "b")
		join := func(steps []string) (path string) {
			for _, s := range steps {
				path = Join(path, s)
			}
			return path
		}
		n := min(len(a), len(b))
		if got, want := Overlap(join(a), join(b)), slices.Equal(a[:n], b[:n]); got != want {
			t.Fatalf("Overlap(%q, %q) is %v", join(a), join(b), got)
		}
	})
}
