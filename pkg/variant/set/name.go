package set

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxName is the length in bytes up to which a variant's name is used as it is,
// and keptName how much is kept of a longer one in front of its hash.
const (
	maxName  = 63
	keptName = 54
)

// porchName is the name that Porch gives to a variant, which may be none that a resource
// can have.
func porchName(set, repo, pkg string) string {
	whole := set + "-" + repo + "-" + pkg
	if len(whole) <= maxName {
		return whole
	}
	sum := sha1.Sum([]byte(whole))
	return whole[:keptName] + "-" + hex.EncodeToString(sum[:])[:8]
}

// variantName names the variant of a set for a package in a repository as Porch
// does, so both make the same resource: set, repository and package with
// dashes between them, shortened by a hash when that is too long. A result that is
// no valid resource name is made into one, and hashed the same way.
func variantName(set, repo, pkg string) string {
	if name := porchName(set, repo, pkg); isSubdomain(name) {
		return name
	}
	whole := set + "-" + repo + "-" + pkg
	return hashed(whole, whole)
}

// distinctName is the name of one of several variants that variantName gives the
// same name: the hash is of what differs.
func distinctName(set, repo, pkg string) string {
	return hashed(set+"-"+repo+"-"+pkg, repo+"/"+pkg)
}

// hashed is the beginning of a name with the hash of a text.
func hashed(name, text string) string {
	sum := sha1.Sum([]byte(text))
	hash := hex.EncodeToString(sum[:])[:8]
	cut := func(name string) string { return name[:min(len(name), keptName)] }
	if name := cut(name) + "-" + hash; isSubdomain(name) {
		return name
	}
	clean := strings.Trim(cut(strings.Trim(cleaned(name), "-.")), "-.")
	if name := clean + "-" + hash; isSubdomain(name) {
		return name
	}
	// Dots are fine between letters and digits only.
	if clean = strings.Trim(strings.ReplaceAll(clean, ".", "-"), "-"); clean == "" {
		return hash
	}
	return clean + "-" + hash
}

// cleaned is a name in lower case with dashes for all that names cannot have.
func cleaned(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '-'
	}, name)
}

func isSubdomain(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }
