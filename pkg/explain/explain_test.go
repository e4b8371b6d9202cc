package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/chart"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pipeline"
	"github.com/krm-packs/functions/pkg/upgrade"
)

// Every rule of the suite has an example and a fix, and every entry is of a rule of the
// suite or of packfn's own commands.
func TestEveryRule(t *testing.T) {
	rules := []string{diag.ConfigInvalid.ID, diag.InputInvalid.ID, diag.Panic.ID, diag.NothingToDo.ID, diag.Accepted.ID, diag.AcceptUnused.ID}
	for _, f := range suite.All() {
		for _, r := range f.Rules {
			rules = append(rules, r.ID)
		}
	}
	for _, r := range slices.Concat(chart.Rules, pipeline.Rules, upgrade.Rules) {
		rules = append(rules, r.ID)
	}
	for _, id := range rules {
		if r, ok := Of(id); !ok || strings.TrimSpace(r.Breaks) == "" || !strings.HasSuffix(r.Fix, ".") {
			t.Errorf("%s: got %+v", id, r)
		}
	}
	for _, id := range IDs() {
		if !slices.Contains(rules, id) {
			t.Errorf("%s is a rule of no function", id)
		}
	}
}
