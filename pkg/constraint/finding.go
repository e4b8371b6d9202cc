package constraint

import "github.com/krm-packs/functions/pkg/diag"

// The tags of findings.
const (
	// tagBundle names the bundle of a finding, if it is not a pack.
	tagBundle = "bundle"
	// tagConstraint names the resource of a constraint of the cluster, and
	// tagConstraintKey is the path in it.
	tagConstraint    = "constraint"
	tagConstraintKey = "constraintKey"
	// tagPackage and tagVersion are the package and the version of it to use.
	tagPackage = "package"
	tagVersion = "version"
	// TagMissing names what no candidate has, separated by semicolons.
	TagMissing = "missing"
)

// mark returns a finding with the name of the bundle that it is about.
func (b *Bundle) mark(f diag.Finding) diag.Finding {
	switch {
	case b == nil:
	case b.IsPack:
		return f.For(b.Name)
	default:
		tags := map[string]string{tagBundle: b.Name}
		for name, value := range f.Tags {
			tags[name] = value
		}
		f.Tags = tags
	}
	return f
}

// about returns a finding about a bundle as a whole.
func (b *Bundle) about(f diag.Finding) diag.Finding { return b.mark(f.About(b.Resource, "")) }

// at returns a finding about a part of an entry of a bundle.
func (b *Bundle) at(f diag.Finding, e Entry, c *Constraint) diag.Finding {
	return b.mark(f.In(e.Origin, c.Key, c.At))
}
