package fleet

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// What cannot be verified is one info, and all other findings stay as they are.
func TestForFleet(t *testing.T) {
	unverified := rule.VariantSetUnverified.ID
	var got []string
	for _, f := range forFleet([]report.Finding{
		finding(diag.Warning, "w", "f"), finding(diag.Warning, unverified, "f"), finding(diag.Error, "e", "f"), finding(diag.Warning, unverified, "f"), finding(diag.Error, unverified, "f"), finding(diag.Info, "i", "f"),
	}, nil) {
		got = append(got, fmt.Sprintf("%s %s %v", f.Severity, f.Rule, f.Message == "what "+f.Rule+" says"))
	}
	want := []string{"warning w true", "info " + unverified + " false", "error e true", "error " + unverified + " true", "info i true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func finding(severity diag.Severity, rule, function string) report.Finding {
	return report.Finding{Severity: severity, Rule: rule, Function: function, Message: "what " + rule + " says", Fingerprint: rule}
}
