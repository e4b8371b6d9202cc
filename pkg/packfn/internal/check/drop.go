package check

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// drops reports whether a finding does not apply to this kind of unit, and must not be reported.
func (c *checker) drops(u *unit, r *run, f *diag.Finding) bool {
	switch {
	case u.profile != nil && u.profile.Follows(f):
	case f.Rule == rule.MacroUnresolved && len(u.Kptfiles) == 0: // there is no pipeline
	case u.hasNoCluster(r, f):
		for _, one := range u.packs() {
			c.skipResource(report.NoFacts, u, one.Resource, "no ClusterContext is among the files of %s, so its requests are not compared with machine pools", one.Name)
		}
	case u.set != nil && u.set.IsPartial && f.Kind == diag.KindNotFound: // a file that was not read may contain it
	case u.pack != nil && f.Rule == rule.DependencyMissing && c.tree.HasPack(f.Lacks("pack")): // another directory of the tree contains the pack
	default:
		return false
	}
	return true
}

// add adds a finding, unless an option disables its rule or another finding repeats it.
func (c *checker) add(f report.Finding) {
	if f.Rule == rule.NothingToDo.ID {
		return
	}
	if !rule.Of(f.Rule).Fixed {
		if len(c.Only) > 0 && !slices.Contains(c.Only, f.Rule) {
			return
		}
		c.SetSeverity(&f)
	}
	if f.IsWaiting() {
		c.report.Skip(f.Skipped())
		return
	}
	if f.Severity != diag.Off && !c.isSaid(&f) {
		c.found = append(c.found, f)
	}
}

// flush returns the findings that were added since the previous call.
func (c *findings) flush() []report.Finding {
	found := c.found
	c.found = nil
	report.Tie(found)
	return found
}

// isSaid reports whether another finding already reports the same fault.
func (c *checker) isSaid(f *report.Finding) bool {
	switch f.Rule {
	case rule.ValuesMisplaced.ID: // by the values of the pack and by its charts
		isSame := func(other report.Finding) bool {
			return other.Rule == f.Rule && other.Path == f.Path && other.Line == f.Line && other.Column == f.Column
		}
		return slices.ContainsFunc(c.found, isSame) || slices.ContainsFunc(c.report.Findings, isSame)
	case rule.InputInvalid.ID: // by kpt
		at := diag.Position{Line: f.Line, Column: f.Column}
		if f.Reported != nil && f.Reported.Kind == diag.KindUnreadable { // kpt's parser may name another column
			at.Column = 0
		}
		return f.Function != "" && c.faulty[filePosition{f.Path, at}]
	}
	return false
}
