package constraint

import "github.com/krm-packs/functions/pkg/values"

// Rule is the id of a kind of finding.
type Rule string

// The rules. The first five are errors; RulePrerelease is an information and the
// others are warnings.
const (
	RuleUnsatisfied        Rule = "constraint/unsatisfied"
	RuleInvalid            Rule = "constraint/invalid"
	RuleRequirement        Rule = "requirement/unsatisfied"
	RuleClusterUnsatisfied Rule = "cluster-constraint/unsatisfied"
	RuleClusterInvalid     Rule = "cluster-constraint/invalid"
	RuleTopLevelNot        Rule = "constraint/top-level-not"
	RuleScopeDiffers       Rule = "constraint/scope-differs"
	RuleProviderDuplicate  Rule = "provider/duplicate"
	RulePrerelease         Rule = "constraint/prerelease"
)

// Finding is one thing to say about a bundle, or about the cluster's facts.
type Finding struct {
	Rule Rule
	// Bundle requires what is missing, or fails a cluster constraint; nil for the
	// cluster's own faults.
	Bundle *Bundle
	// Origin is that of the entry at fault; nil when it is the bundle as a whole.
	Origin any
	// Key is the way to what is at fault, the entry's own included:
	// `properties[3].value.all.constraints[2].not.constraints[0].gvk`.
	Key string
	// At is the place in the entry's document; zero when there is none.
	At values.Position
	// Message is one line. It begins with Subject: who requires, or where the
	// fault is.
	Message, Subject string
	// Proposed is a value that mends it, "" when that is not certain.
	Proposed string
	// Tags are more facts: `constraint`, the Constraint of a cluster constraint.
	Tags map[string]string
}
