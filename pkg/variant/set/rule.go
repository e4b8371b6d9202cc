package set

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/variant"
)

// The rules of variant sets.
var (
	// RuleInvalid: a field of the set is missing or not accepted.
	RuleInvalid = diag.Rule{ID: "variant-set/invalid", Severity: diag.Error}
	// RuleUpstreamNotFound: no PackageRevision is the upstream.
	RuleUpstreamNotFound = diag.Rule{ID: "variant-set/upstream-not-found", Severity: diag.Error}
	// RuleRepositoryNotFound: a downstream Repository does not exist.
	RuleRepositoryNotFound = diag.Rule{ID: "variant-set/repository-not-found", Severity: diag.Error}
	// RuleExpression: a CEL expression does not compile or evaluate.
	RuleExpression = diag.Rule{ID: "variant-set/expression", Severity: diag.Error}
	// RuleDuplicate: two variants are of one package, or have one name.
	RuleDuplicate = diag.Rule{ID: "variant-set/duplicate", Severity: diag.Error}
	// RuleAlias: a form that only the document's examples have.
	RuleAlias = variant.RuleAlias
	// RuleNotInPorch: something works here that Porch refuses.
	RuleNotInPorch = variant.RuleNotInPorch
	// RuleUnverified: there is nothing in which a reference could be looked up.
	RuleUnverified = diag.Rule{ID: "variant-set/unverified", Severity: diag.Warning}
	// RuleUnmatched: a target matches nothing.
	RuleUnmatched = diag.Rule{ID: "variant-set/unmatched", Severity: diag.Warning}
	// RuleExpanded: how many variants a set has.
	RuleExpanded = diag.Rule{ID: "variant-set/expanded", Severity: diag.Info}
	// RuleWaiting: a set, or a PackageRevision, is still to be injected.
	RuleWaiting = diag.Rule{ID: "variant-set/waiting", Severity: diag.Info}
)

// findings collects what there is to say about a set.
type findings []diag.Finding

// add adds a finding about a path in the set.
func (f *findings) add(rule diag.Rule, path string, finding diag.Finding) {
	*f = append(*f, finding.Of(rule).At(path, diag.Position{}))
}

func (f *findings) invalid(path string, finding diag.Finding) { f.add(RuleInvalid, path, finding) }

// check adds a finding unless it is nil.
func (f *findings) check(path string, finding *diag.Finding) {
	if finding != nil {
		f.invalid(path, *finding)
	}
}
