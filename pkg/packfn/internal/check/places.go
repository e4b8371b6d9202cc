package check

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// finding returns a finding of a run with its place on disk.
func (c *checker) finding(u *unit, r *workspace.Run, f *diag.Finding) report.Finding {
	of, subject := u.reporter.Subject(r, f)
	explained := u.explained(r, of)
	out := report.Of(r.Function.Name, &explained)
	if u.profile != nil {
		out.Field = u.profile.Field(of)
	}
	if !c.AsDeployed && (out.Severity == diag.Error || of.Rule == rule.ValuesPlaceholder) && u.isPart(of) {
		out.Severity = diag.Info
	}
	u.reporter.Locate(&out, of, &subject)
	if u.isStandard {
		u.origin(&out, of)
	}
	return out
}

// explained returns a finding in the words of a check.
func (u *unit) explained(r *workspace.Run, f *diag.Finding) diag.Finding {
	explained := r.Explain(*f)
	if j := u.joinedAt(f.Resource().File); j != nil && j.IsText {
		explained.Origin = &diag.Origin{}
	}
	isInPackage := len(u.Kptfiles) > 0
	switch kind := f.Resource().Kind; {
	case strings.HasPrefix(f.Resource().APIVersion, pack.Group+"/") && nearest.IsMisspelt(kind, content.ConfigKind):
		explained = diag.Unknown("kind", kind, []string{content.ConfigKind}).Of(f.Rule).About(f.Resource(), "kind")
	case kind == content.ConfigKind && isInPackage:
		explained = diag.Say("kpt reads the configuration of packfn as a resource").Of(f.Rule).About(f.Resource(), "").Do(u.advice(u.FileOf(f.Resource())))
	}
	if isNoResource := f.Rule.ID == rule.InputInvalid.ID && f.Path() == "" && (f.Resource().APIVersion == "" || f.Resource().Kind == ""); isNoResource {
		if misplaced, ok := u.misplaced(&explained); ok {
			explained = misplaced
		} else if isInPackage {
			explained = explained.Do(u.advice(u.FileOf(f.Resource())))
		}
	}
	if action := u.capactAction(f); action != "" {
		explained = explained.Do(action)
	}
	return explained
}

// filePosition is a place in a file, of a unit or on disk.
type filePosition struct {
	// path is the path of the file.
	path string
	diag.Position
}

// by returns a run of a tool over the unit as it is.
func (u *unit) by(tool string) *workspace.Run {
	return new(u.Run(pipeline.Step{Function: function.Function{Name: tool}}, function.Outcome{}))
}
