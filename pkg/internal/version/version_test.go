package version

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

func TestOrder(t *testing.T) {
	// Each is older than the next; those in one line are equal.
	lines := [][]string{
		{"0.0.0-alpha"},
		{"0", "0.0", "0.0.0", "v0.0.0"},
		{"0.30.0-5.5.2026"},
		{"0.30.0"},
		{"1.2.0-alpha"},
		{"1.2.0-alpha.1", "1.2-alpha.01", "1.2.0-alpha.1+build"},
		{"1.2.0-alpha.beta"},
		{"1.2.0-beta"},
		{"1.2.0-beta.2"},
		{"1.2.0-beta.11"},
		{"1.2.0-rc.1", "1.2.0-rc.1+k3s1"},
		{"1.2.0", "1.2", "v1.2", "V1.2.0", "1.02.0", "1.2.0+k3s1", "1.2.0-eks-7f9249a", "1.2.0-gke.1001", "v1.2.0+rke2r1", "1.2.0-rancher1-1", "1.2.0-EKS-1"},
		{"1.2.1-eks-rc1"},
		{"1.2.1"},
		{"1.13.684"},
		{"2.0.1-up.1"},
		{"2.0.1"},
		{"26.04.4", "26.4.4"},
		{"26.10.0"},
		{"20240101123456789012345.0.0"},
		{"20240101123456789012346.0.0"},
	}
	for i, left := range lines {
		for j, right := range lines {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			for _, a := range left {
				for _, b := range right {
					if got := must(t, a).Compare(must(t, b)); got != want {
						t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

func must(t interface{ Fatalf(string, ...any) }, text string) Version {
	v, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

func TestKubernetes(t *testing.T) {
	for _, tt := range []struct {
		text       string
		prerelease bool
	}{
		{"1.31.2", false},
		{"v1.31.2-eks-7f9249a", false},
		{"1.31.2-somebody.5", false},
		{"1.31.2-00", false},
		{"1.31.2-alpha.1", true},
		{"1.31.2-beta1", true},
		{"1.31.2-rc.0", true},
		{"1.31.2-RC.0", true},
		{"1.31.2-somebody-rc2", true},
		{"1.31.2-rcx", false},
	} {
		v, err := ParseKubernetes(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		if v.IsPrerelease() != tt.prerelease {
			t.Errorf("%s: prerelease %t, want %t", tt.text, v.IsPrerelease(), tt.prerelease)
		}
		if release := must(t, "1.31.2"); (v.Compare(release) == 0) == tt.prerelease {
			t.Errorf("%s compares as %d with its release", tt.text, v.Compare(release))
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		"", "v", "latest", "1.x", "1.2.3.4", "1..2", ".1", "1.", "1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-ä", "1.2.3 ", " 1.2", "vv1", "-1", "1,2",
		"1.2.3-a+", "1.2.3+a+b", ">=1.2", "^1", "1.2.3rc1", strings.Repeat("1", 300),
	} {
		if v, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", text, v)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		min, max, version string
		want              Place
	}{
		{"1.27", "", "1.27.0", Within},
		{"1.27", "", "1.26.99", Below},
		{"1.27", "", "1.27.0-rc.1", Below},
		{"1.27", "", "1.27.0-eks-1", Within},
		{"1.27", "", "v1.30", Within},
		{"", "1.21", "1.21.99", Within},
		{"", "1.21", "1.21.0-rc.1", Within},
		{"", "1.21", "1.21.4-eks-5", Within},
		{"", "1.21", "1.22.0-alpha.1", Above},
		{"", "1.21", "1.22.0", Above},
		{"", "1", "1.99.99", Within},
		{"", "1", "2.0", Above},
		{"", "1.21.10", "1.21.10", Within},
		{"", "1.21.10", "1.21.10+k3s1", Within},
		{"", "1.21.10", "1.21.11", Above},
		{"", "1.21-rc.1", "1.21.0", Above},
		{"", "1.21-rc.1", "1.21-beta", Within},
		{"1.17.0", "1.18.6", "1.17.0", Within},
		{"1.17.0", "1.18.6", "1.18.6", Within},
		{"1.17.0", "1.18.6", "1.18.7", Above},
		{"", "", "0.0.1-alpha", Within},
		{"24.6.0", "", "24.06.0", Within},
		{"2.0", "1.0", "1.5", Below},
		{"2.0", "1.0", "2.5", Above},
	} {
		r, err := ParseRange(tt.min, tt.max, Parse)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Place(must(t, tt.version)); got != tt.want {
			t.Errorf("%s in [%s, %s]: %d, want %d", tt.version, tt.min, tt.max, got, tt.want)
		}
	}
}

func TestRange(t *testing.T) {
	for _, tt := range []struct {
		min, max, text string
		empty          bool
	}{
		{"", "", "any version", false},
		{"1.27", "", "1.27 or newer", false},
		{"", "1.21", "1.21 or older", false},
		{"1.17.0", "1.18.6", "1.17.0 to 1.18.6", false},
		{"1.21.5", "1.21", "1.21.5 or newer 1.21.x", false},
		{"1.2", "1.2", "1.2", false},
		{"1.22", "1.21", "1.22 to 1.21", true},
		{"3.3.2", "3.3", "3.3.2 or newer 3.3.x", false},
		{"v3.3.2", "v3", "v3.3.2 or newer 3.x", false},
		{"3.3", "3", "3.3 or newer 3.x", false},
		{"3.3.2", "3.4", "3.3.2 to 3.4", false},
		{"3.3", "3.3.2", "3.3 to 3.3.2", false},
		{"1.2.3", "1.2.2", "1.2.3 to 1.2.2", true},
	} {
		r, err := ParseRange(tt.min, tt.max, Parse)
		if err != nil {
			t.Fatal(err)
		}
		if r.String() != tt.text || r.IsEmpty() != tt.empty {
			t.Errorf("[%s, %s] is %q, empty %t; want %q, %t", tt.min, tt.max, r, r.IsEmpty(), tt.text, tt.empty)
		}
	}
	for _, bounds := range [][2]string{{"latest", ""}, {"", "latest"}} {
		if _, err := ParseRange(bounds[0], bounds[1], Parse); err == nil || !strings.HasPrefix(err.Error(), `"latest" `) {
			t.Errorf("%v: got %v, want an error that names the bound", bounds, err)
		}
	}
}

func TestAfter(t *testing.T) {
	for bound, want := range map[string]string{
		"": "", "1.21": "1.22.0", "1.21.10": "1.21.11", "1.21.9-eks-1": "1.21.10", "1.21-rc.1": "1.21.0", "9": "10.0.0", "1.99.99": "1.99.100", "v01.2": "1.3.0",
	} {
		b, err := ParseBound(bound, Parse)
		if err != nil {
			t.Fatal(err)
		}
		after := b.After()
		if after.String() != want || want != "" && after != must(t, want) {
			t.Errorf("after %q comes %+v, want %q", bound, after, want)
		}
		if want != "" && (Range{Max: b}).Place(after) != Above {
			t.Errorf("%s is not above %s", after, bound)
		}
	}
}

// any version, with a small alphabet, so that many are equal or near.
var lenient = rapid.Custom(func(t *rapid.T) string {
	return rapid.StringMatching(`v?0?[0-3](\.0?[0-3]){0,2}(-(rc|alpha|beta|eks|gke|up|0|1|10|a-b)(\.(0|1|2|10|x))?)?(\+(k3s1|k3s2|1))?`).Draw(t, "version")
})

// Versions of the same precedence are in the order of their builds, and then of their texts.
func TestOrderOfSpellings(t *testing.T) {
	all := []string{"1.2.3", "v1.2.3", "1.2.3+k3s1", "v1.2.3+k3s1", "1.2.3+k3s2", "1.2.3+k3s10", "1.2.3+rke2r9", "1.2.3+rke2r10", "1.2.3-rke2r10.1"}
	for i, a := range all {
		for j, b := range all {
			if got, want := must(t, a).Order(must(t, b)), cmp.Compare(i, j); got != want || must(t, a).Compare(must(t, b)) != 0 {
				t.Errorf("%s, %s: got %d, want %d", a, b, got, want)
			}
		}
	}
}

// A later build of a distribution comes after an earlier one, and is offered first. The
// suffix counts part by part, after a hyphen and after a plus.
func TestOrderOfDistributions(t *testing.T) {
	for _, tc := range [][2]string{
		{"1.2.3+k3s2", "1.2.3+k3s10"},
		{"1.2.3-rke2r9", "1.2.3-rke2r10"},
		{"1.2.3-rke2r9", "1.2.3+rke2r10"},
		{"1.2.3-gke.20", "1.2.3-gke.100"},
		{"1.2.3-eks-a", "1.2.3-eks.b"},
		{"1.2.3-rke2+9", "1.2.3-rke3"},
		{"1.2.3-rke2", "1.2.3-rke2+1"},
		{"1.2.3-rke2", "v1.2.3+rke2"},
	} {
		for _, parse := range []func(string) (Version, error){Parse, ParseKubernetes} {
			a, err1 := parse(tc[0])
			b, err2 := parse(tc[1])
			if err1 != nil || err2 != nil || a.Compare(b) != 0 || a.Order(b) != -1 || b.Order(a) != 1 {
				t.Errorf("%s, %s: %v, %v, got %d and %d, want -1 and 1", a, b, err1, err2, a.Order(b), b.Order(a))
			}
			if newest := NewCatalog([]Version{a, b}).Versions()[0]; newest != b {
				t.Errorf("got %s, want %s first", newest, b)
			}
		}
	}
}

// Prereleases come after all releases, whatever the order of the input is.
func TestPrereleasesAreLast(t *testing.T) {
	want := []string{"2.0.0", "1.0.0", "3.0.0-rc.2", "3.0.0-rc.1", "1.5.0-rc.1"}
	for i := range want {
		for _, given := range [][]string{slices.Concat(want[i:], want[:i]), slices.Concat(want[:i], want[i:])} {
			for range 2 {
				var got []string
				for _, v := range catalog(t, given...).Versions() {
					got = append(got, v.String())
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q: got %q, want %q", given, got, want)
				}
				slices.Reverse(given)
			}
		}
	}
}

func TestTotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := must(t, lenient.Draw(t, "a")), must(t, lenient.Draw(t, "b")), must(t, lenient.Draw(t, "c"))
		for name, compare := range map[string]func(Version, Version) int{"Compare": Version.Compare, "Order": Version.Order} {
			if compare(a, a) != 0 {
				t.Fatalf("%s: %s is not equal to itself", name, a)
			}
			if compare(a, b) != -compare(b, a) {
				t.Fatalf("%s: %s and %s depend on their order", name, a, b)
			}
			if compare(a, b) <= 0 && compare(b, c) <= 0 && compare(a, c) > 0 {
				t.Fatalf("%s: %s, %s, %s go in a circle", name, a, b, c)
			}
		}
		if a.Order(b) == 0 && a.String() != b.String() {
			t.Fatalf("%s and %s have the same order", a, b)
		}
		if order := a.Compare(b); order != 0 && order != a.Order(b) {
			t.Fatalf("%s and %s are ordered against their precedence", a, b)
		}
	})
}

// strict versions of semver.org, without the names of distributions.
var strict = rapid.Custom(func(t *rapid.T) string {
	return rapid.StringMatching(`(0|[1-9][0-9]{0,2})\.(0|[1-3])\.(0|[1-3])(-(rc|alpha|0|1|10|x-y|2a|-)(\.(0|1|10|x|--1)){0,3})?(\+[a-z0-9]{1,3}(\.[0-9]{1,2})?)?`).Draw(t, "version")
})

func TestAgreesWithSemver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left, right := strict.Draw(t, "left"), strict.Draw(t, "right")
		a, err := semver.StrictNewVersion(left)
		if err != nil {
			t.Fatal(err)
		}
		b, err := semver.StrictNewVersion(right)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := must(t, left).Compare(must(t, right)), a.Compare(b); got != want {
			t.Fatalf("Compare(%s, %s) = %d, semver says %d", left, right, got, want)
		}
		if got, want := must(t, left).IsPrerelease(), a.Prerelease() != ""; got != want {
			t.Fatalf("%s: prerelease %t, semver says %t", left, got, want)
		}
	})
}

func TestNewest(t *testing.T) {
	versions := []string{"1.0.0", "1.2.0", "1.1.0", "2.0.0-rc.1", "1.2.0+k3s2", "1.2.0+k3s1", "1.2.0-eks-9", "1.2.0-eks-10", "2.0.0-rc.2", "v1.0"}
	for _, tt := range []struct {
		ranges [][2]string
		want   string
	}{
		{nil, "1.2.0+k3s2"},
		{[][2]string{{"", "1.1"}}, "1.1.0"},
		{[][2]string{{"1.1", ""}, {"", "1.1.5"}}, "1.1.0"},
		{[][2]string{{"1.9", ""}}, "2.0.0-rc.2"},
		{[][2]string{{"2.0", ""}}, ""},
	} {
		rand.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
		var demands []Demand
		for _, r := range tt.ranges {
			demands = append(demands, within(t, r[0], r[1]))
		}
		newest := ""
		for v := range catalog(t, versions...).Accepted(demands...) {
			newest = v.String()
			break
		}
		if newest != tt.want {
			t.Errorf("%v: got %q, want %q", tt.ranges, newest, tt.want)
		}
	}
}

func catalog(t interface{ Fatalf(string, ...any) }, texts ...string) *Catalog {
	var versions []Version
	for _, text := range texts {
		versions = append(versions, must(t, text))
	}
	return NewCatalog(versions)
}

func within(t interface{ Fatalf(string, ...any) }, min, max string) Demand {
	r, err := ParseRange(min, max, Parse)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return func(v Version) bool { return r.Place(v) == Within }
}

func TestConflict(t *testing.T) {
	not := func(d Demand) Demand { return func(v Version) bool { return !d(v) } }
	for name, tt := range map[string]struct {
		versions string
		demands  []Demand
		want     []int
	}{
		"satisfiable":            {"1.0 2.0", []Demand{within(t, "1.0", ""), within(t, "", "1.5")}, nil},
		"pair":                   {"1.0 2.0 3.0", []Demand{within(t, "1.0", ""), within(t, "2.5", ""), within(t, "0.5", ""), within(t, "", "2.0")}, []int{1, 3}},
		"one alone":              {"1.0 2.0", []Demand{within(t, "1.0", ""), within(t, "9.0", ""), within(t, "", "1.0")}, []int{1}},
		"three":                  {"1.0 2.0 3.0", []Demand{within(t, "0.1", ""), not(within(t, "1", "1")), not(within(t, "2", "2")), not(within(t, "3", "3"))}, []int{1, 2, 3}},
		"a pair after three":     {"1.0 2.0 3.0", []Demand{not(within(t, "1", "1")), not(within(t, "2", "2")), within(t, "3", ""), within(t, "", "2")}, []int{2, 3}},
		"one alone after three":  {"1.0 2.0 3.0", []Demand{not(within(t, "1", "1")), not(within(t, "2", "2")), not(within(t, "3", "3")), within(t, "9", "")}, []int{3}},
		"each of four is needed": {"1.0 2.0 3.0 4.0", []Demand{not(within(t, "1", "1")), not(within(t, "2", "2")), not(within(t, "3", "3")), not(within(t, "4", "4")), within(t, "3", "3")}, []int{0, 1, 2, 3}},
		"first of two":           {"1.0 2.0 3.0", []Demand{not(within(t, "1", "1")), not(within(t, "2", "2")), not(within(t, "3", "3")), within(t, "", "1")}, []int{0, 1, 2}},
	} {
		if got := catalog(t, strings.Fields(tt.versions)...).Conflict(tt.demands...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// The demands exclude every version, and none of them can be removed. With ranges they are
// at most two.
func TestConflictIsIrreducible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := catalog(t, "1.0", "2.0", "3.0", "4.0", "5.0", "6.0").Versions()
		areRanges := rapid.Bool().Draw(t, "ranges")
		mask := rapid.IntRange(0, 1<<len(versions)-1)
		if areRanges {
			mask = rapid.Custom(func(t *rapid.T) int {
				return (1<<rapid.IntRange(0, len(versions)).Draw(t, "versions") - 1) << rapid.IntRange(0, len(versions)-1).Draw(t, "first")
			})
		}
		masks := rapid.SliceOfN(mask, 1, 7).Draw(t, "accepted")
		var demands []Demand
		for _, mask := range masks {
			demands = append(demands, func(v Version) bool {
				return mask>>slices.Index(versions, v)&1 == 1
			})
		}
		left := func(chosen []int) int {
			left := 1<<len(versions) - 1
			for _, i := range chosen {
				left &= masks[i]
			}
			return left
		}
		var all []int
		for i := range masks {
			all = append(all, i)
		}
		got := (&Catalog{versions}).Conflict(demands...)
		if (left(all) == 0) != (len(got) > 0) || len(got) > 0 && left(got) != 0 || !slices.IsSorted(got) || areRanges && len(got) > 2 {
			t.Fatalf("got %v", got)
		}
		for i := range got {
			if left(slices.Delete(slices.Clone(got), i, i+1)) == 0 {
				t.Fatalf("got %v, but %d is not needed", got, got[i])
			}
		}
	})
}

func FuzzVersion(f *testing.F) {
	for _, seed := range []string{"1.2.3", "v1.31.2-eks-7f9249a", "26.04.4", "1.5", "0.30.0-5.5.2026", "1.2.3-rc.1+b.2", "1.2.3--1", "v", "1..2"} {
		f.Add(seed, "1.27")
	}
	f.Fuzz(func(t *testing.T, left, right string) {
		a, err := Parse(left)
		if kubernetes, other := ParseKubernetes(left); (err == nil) != (other == nil) || err == nil && kubernetes.compareCore(a, 3) != 0 {
			t.Fatalf("%q: as a version %v, as a Kubernetes %v", left, err, other)
		}
		if err != nil {
			return
		}
		if again := must(t, a.String()); again != a || a.IsZero() {
			t.Fatalf("%q is read as %+v and then %+v", left, a, again)
		}
		if reference, err := semver.StrictNewVersion(left); err == nil && reference.Prerelease() == "" && a.IsPrerelease() {
			t.Fatalf("%q is a release", left)
		}
		b, err := Parse(right)
		if err != nil {
			return
		}
		if a.Compare(b) != -b.Compare(a) || a.Order(b) != -b.Order(a) || (a.Order(b) == 0) != (left == right) {
			t.Fatalf("%q and %q: %d, %d", left, right, a.Compare(b), a.Order(b))
		}
		reference, err1 := semver.StrictNewVersion(left)
		other, err2 := semver.StrictNewVersion(right)
		if err1 == nil && err2 == nil && reference.Prerelease() == a.prerelease && other.Prerelease() == b.prerelease && a.Compare(b) != reference.Compare(other) {
			t.Fatalf("Compare(%q, %q) = %d, semver says %d", left, right, a.Compare(b), reference.Compare(other))
		}
		for _, r := range [][2]string{{left, ""}, {"", left}, {left, left}} {
			bounds, err := ParseRange(r[0], r[1], Parse)
			if err != nil || bounds.IsEmpty() || bounds.Place(a) != Within {
				t.Fatalf("%q is not within %s: %v", left, bounds, err)
			}
		}
	})
}

func BenchmarkCatalog(b *testing.B) {
	var texts []string
	for i := range 10_000 {
		texts = append(texts, "1."+string(rune('0'+i%10))+"."+strings.Repeat("7", i%5)+string(rune('0'+i/10%10)))
	}
	for b.Loop() {
		for range catalog(b, texts...).Accepted(within(b, "1.1", "1.3")) {
			break
		}
	}
}
