package set

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// findings collects what there is to say about a set.
type findings []diag.Finding

// add adds a finding about a path in the set.
func (f *findings) add(rule diag.Rule, path string, finding diag.Finding) {
	*f = append(*f, finding.Of(rule).At(path, diag.Position{}))
}

func (f *findings) invalid(path string, finding diag.Finding) {
	f.add(rule.VariantSetInvalid, path, finding)
}

// check adds a finding unless it is nil.
func (f *findings) check(path string, finding *diag.Finding) {
	if finding != nil {
		f.invalid(path, *finding)
	}
}
