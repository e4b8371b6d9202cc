package preview

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// What a fleet did not check is what did not render, what waits, and what its sets leave out.
func TestSkipped(t *testing.T) {
	waiting, fault := rule.MacroWaiting.ID, finding(diag.Error, rule.MacroWaiting.ID, "f")
	accepted := finding(diag.Info, waiting, "f")
	accepted.Accepted = true
	p := &Preview{
		Sets:   &report.Report{},
		Rows:   []Row{{Package: "a", Outcome: NotRendered, Reason: "set-namespace does not run here"}, {Package: "b", Outcome: Refused, Reason: "no"}},
		Groups: []Group{{Finding: finding(diag.Info, waiting, "f")}, {Finding: finding(diag.Info, "i", "f")}, {Finding: fault}, {Finding: accepted}},
	}
	p.Sets.Skip(report.Skipped{Reason: report.Outside, File: "s", Message: "no"})
	var got []string
	for _, s := range p.coverage().Skipped {
		got = append(got, fmt.Sprintf("%s %s: %s", s.Reason, s.File, s.Message))
	}
	if diff := cmp.Diff([]string{"function a: set-namespace does not run here", "waiting : what macro/waiting says (sets)", "outside s: no"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for reason, want := range map[report.Reason]bool{"": true, report.Outside: true, report.NoChart: false} {
		if p.HasSkipped(reason) != want {
			t.Errorf("%s: got %t", reason, !want)
		}
	}
}
