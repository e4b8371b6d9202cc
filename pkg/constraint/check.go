package constraint

import "github.com/krm-packs/functions/pkg/version"

// Scope says over what a constraint has to hold.
type Scope string

// The scopes. ScopeSet is the default.
const (
	// ScopeSet: each leaf has to be satisfied by some bundle of the set.
	ScopeSet Scope = "set"
	// ScopeBundle: one bundle has to satisfy all of a constraint, as in OLM's
	// resolver.
	ScopeBundle Scope = "bundle"
)

// Options are the choices of a check.
type Options struct {
	Scope Scope
	// Checked says which bundles are judged; nil means all. All can satisfy
	// those that are.
	Checked func(*Bundle) bool
	// Exempt says which bundles no cluster constraint concerns: what is installed
	// already, at this version. Nil means none.
	Exempt func(*Bundle) bool
	// Suggest returns the version of a package that all who need it accept, and
	// a sentence for the message; both may be "".
	Suggest func(packageName string) (version, why string)
	// Unread says that something could not be read, so that what is missing may
	// be there.
	Unread bool
}

// Demand is what a bundle asks of the version of a package, whatever else it may
// choose.
type Demand struct {
	Bundle *Bundle
	// Wants says what is asked, to follow "wants": `>=1.0.0 <2.0.0`.
	Wants string
	// Accepts judges a version.
	Accepts version.Demand
	// Turns are the least releases from which on the verdict may be another.
	Turns []version.Version
}

// Demands returns the demands of the bundles by the packages they are about.
func Demands(bundles []*Bundle) map[string][]Demand { return nil }

// Check judges all requirements of the bundles and all cluster constraints.
// cluster may be nil. The findings are in the order of the bundles.
func Check(bundles []*Bundle, cluster *Cluster, options Options) []Finding { return nil }
