package constraint

import "github.com/krm-packs/functions/pkg/diag"

// The rules of constraints and requirements.
var (
	// RuleUnsatisfied: an olm.constraint does not hold.
	RuleUnsatisfied = diag.Rule{ID: "constraint/unsatisfied", Severity: diag.Error}
	// RuleInvalid: a property or dependency cannot be read, or its CEL rule exceeds the
	// cost limit.
	RuleInvalid = diag.Rule{ID: "constraint/invalid", Severity: diag.Error}
	// RuleRequirement: nothing provides what a bundle requires otherwise.
	RuleRequirement = diag.Rule{ID: "requirement/unsatisfied", Severity: diag.Error}
	// RuleClusterUnsatisfied: a bundle does not satisfy a constraint of the cluster.
	RuleClusterUnsatisfied = diag.Rule{ID: "cluster-constraint/unsatisfied", Severity: diag.Error}
	// RuleClusterInvalid: the same as RuleInvalid, for the cluster.
	RuleClusterInvalid = diag.Rule{ID: "cluster-constraint/invalid", Severity: diag.Error}
	// RuleTopLevelNot: a `not` that is not within `all` or `any`.
	RuleTopLevelNot = diag.Rule{ID: "constraint/top-level-not", Severity: diag.Warning}
	// RuleUnknownProperty: a rule excludes a type of property that no bundle has, and that is
	// nearly a known one.
	RuleUnknownProperty = diag.Rule{ID: "constraint/unknown-property", Severity: diag.Warning}
	// RuleScopeDiffers: the two scopes disagree about a constraint.
	RuleScopeDiffers = diag.Rule{ID: "constraint/scope-differs", Severity: diag.Warning}
	// RuleProviderDuplicate: two bundles of one package, or two providers of one API.
	RuleProviderDuplicate = diag.Rule{ID: "provider/duplicate", Severity: diag.Warning}
	// RulePackDuplicate: two versions of one pack. It is a warning for one version.
	RulePackDuplicate = diag.Rule{ID: "pack/duplicate", Severity: diag.Error}
	// RulePrerelease: only a prerelease satisfies a requirement.
	RulePrerelease = diag.Rule{ID: "constraint/prerelease", Severity: diag.Info}
)

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
