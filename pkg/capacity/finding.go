package capacity

import "github.com/krm-packs/functions/pkg/values"

// Rule is the id of a kind of finding.
type Rule string

// The rules about resources.
const (
	RuleInsufficient   Rule = "resources/insufficient"
	RuleInvalid        Rule = "resources/invalid"
	RuleNoPool         Rule = "resources/no-pool"
	RuleUnresolvedRef  Rule = "resources/unresolved-ref"
	RuleSuspiciousUnit Rule = "resources/suspicious-unit"
	RuleSummary        Rule = "resources/summary"
)

// Subject is what a finding is about.
type Subject int

// The subjects.
const (
	// OfMetadata is the pack.json of a pack, OfValues a layer of its values.
	OfMetadata Subject = iota
	OfValues
	// OfPool is a machine pool, OfCluster all of them.
	OfPool
	OfCluster
)

// Finding is one thing that a check found.
type Finding struct {
	Rule    Rule
	Subject Subject
	// Pack is the index of the pack, Pool that of the pool, as the subject has
	// it.
	Pack, Pool int
	// Layer is the layer of the values.
	Layer int
	// Key is the path in pack.json or the values.
	Key string
	// At is the place there, or zero.
	At values.Position
	// Field is the field of the pool that the finding is about, `size`, or "".
	Field string
	// Message is one line without the place in pack.json or the values.
	Message string
	// Current is what was found and Proposed what would mend it, nil when that is
	// not clear. Neither is set for what is no number or quantity.
	Current, Proposed any
	// Tags are facts for programs: type, need, have.
	Tags map[string]string
}
