package check

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// reportMisplaced reports the files of known forms that no check reads, with the advice for them.
func (c *checker) reportMisplaced() {
	for _, one := range c.Misplaced {
		if c.tree.IsGenerating[one.Path] {
			continue
		}
		if one.Form == content.Values && len(c.told) > 0 { // a module may read it
			c.Skipped = append(c.Skipped, discovery.Skipped{Path: one.Path, Why: "it has no resource that packfn reads"})
			continue
		}
		c.notRead(one.Path, diag.Say("no check reads this file, which is %s", one.What).Do(one.Advice))
	}
}

// notRead reports a file that no check reads. name is its path on disk, or "" if the message names
// it.
func (c *findings) notRead(name string, f diag.Finding) { c.inform(name, f.Of(rule.InputNotRead)) }

// inform adds a finding about a file on disk, which [checker.reportInputs] reports.
func (c *findings) inform(name string, f diag.Finding) {
	if name != "" {
		f = f.About(diag.Resource{File: filepath.ToSlash(name)}, "")
	}
	c.informed = append(c.informed, f)
}

// checkInputs is the name of the function that reports files in no unit.
const checkInputs = "check-inputs"

// inputs is the processor of reportInputs.
type inputs struct{ findings []diag.Finding }

func (*inputs) Config() any               { return &struct{}{} }
func (*inputs) Wants(*list.Item) bool     { return false }
func (i *inputs) Process(r *function.Run) { r.Report(i.findings...) }

// reportInputs reports the findings about files that are in no unit, and about options.
func (c *checker) reportInputs() {
	if len(c.informed) > 0 {
		c.runOver(c.unitIn(workspace.Outside(".", nil, nil)), checkInputs, rule.By("packfn check inputs"), &inputs{c.informed})
	}
}

// reportUnread reports the files that are not checked if Verbose is set. Otherwise they are counted
// if nothing was checked.
func (c *checker) reportUnread() {
	isKnown := map[string]bool{}
	c.Skipped = slices.DeleteFunc(c.Skipped, func(one discovery.Skipped) bool {
		name := c.Display(one.Path)
		isTwice := one.Path != "" && isKnown[name] // a folder may be named twice
		isKnown[name] = true
		return isTwice || c.tree.IsGenerating[one.Path]
	})
	for _, one := range c.Skipped {
		c.unread.Add(one)
		if c.Verbose {
			c.notRead(one.Path, diag.Say("not checked: %s", one.Why))
		}
	}
}

// skip records something that the check was expected to read and did not. name is a path on disk.
func (c *checker) skip(reason report.Reason, name string, line int, format string, args ...any) {
	file := ""
	if name != "" {
		file = c.Display(name)
	}
	c.report.Skip(report.Skipped{Reason: reason, File: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

// skipResource records a resource of a unit that was not checked.
func (c *checker) skipResource(reason report.Reason, u *unit, r diag.Resource, format string, args ...any) {
	at := c.finding(u, u.by(""), &diag.Finding{Where: diag.Where{Origin: diag.Whole(r)}})
	c.report.Skip(report.Skipped{Reason: reason, File: at.File, Line: at.Line, Resource: report.ResourceOf(r), Message: fmt.Sprintf(format, args...)})
}
