package set

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// The hashes were computed with sha1sum.
func TestVariantName(t *testing.T) {
	long := strings.Repeat("a", 50)
	for _, tc := range []struct{ set, repo, pkg, want string }{
		{"example", "cluster-01", "foo", "example-cluster-01-foo"},
		{"s", long, "0123456789", "s-" + long + "-0123456789"}, // 63
		{"s", long, "01234567890", "s-" + long + "-0-" + sum8("s-"+long+"-01234567890")},
		{"s", "AZ", "az", "s-az-az-" + sum8("s-AZ-az")},
		{"s", "az09", "_z", "s-az09--z-" + sum8("s-az09-_z")},
		{"s", "Cluster", "foo", "s-cluster-foo-" + sum8("s-Cluster-foo")},
		{"s", "a", "dir/foo", "s-a-dir-foo-" + sum8("s-a-dir/foo")},
		{"s", "a", "foo_", "s-a-foo-" + sum8("s-a-foo_")},
		{"s", "a.b", "foo", "s-a.b-foo"},
		{"s", "a..b", "foo", "s-a--b-foo-" + sum8("s-a..b-foo")},
		{"s", "a", "日本", "s-a-" + sum8("s-a-日本")},
		{"_", "_", "_", sum8("_-_-_")},
		// The cut leaves a dash at the end, which Porch keeps; but not a dot.
		{"s", strings.Repeat("a", 51), "01234567890", "s-" + strings.Repeat("a", 51) + "--" + sum8("s-"+strings.Repeat("a", 51)+"-01234567890")},
		{"s", strings.Repeat("a", 51) + ".b", "01234567890", "s-" + strings.Repeat("a", 51) + "-" + sum8("s-"+strings.Repeat("a", 51)+".b-01234567890")},
	} {
		if got := variantName(tc.set, tc.repo, tc.pkg); got != tc.want {
			t.Errorf("%s %s %s: got %s, want %s", tc.set, tc.repo, tc.pkg, got, tc.want)
		}
	}
	// One that was hashed elsewhere: printf 'example-cluster-…' | sha1sum
	if got, want := variantName("example", "cluster-in-the-far-north-of-the-country", "monitoring-stack"), "example-cluster-in-the-far-north-of-the-country-monito-f1a9b267"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNamesAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z0-9._/-]{0,40}`))
		set, repo, pkg := part.Draw(t, "set"), part.Draw(t, "repo"), part.Draw(t, "package")
		for _, name := range []string{variantName(set, repo, pkg), distinctName(set, repo, pkg)} {
			if !isSubdomain(name) || len(name) > maxName {
				t.Fatalf("%q is not a name", name)
			}
		}
		if name := set + "-" + repo + "-" + pkg; len(name) <= maxName && isSubdomain(name) && variantName(set, repo, pkg) != name {
			t.Fatalf("%q is changed", name)
		}
	})
}
