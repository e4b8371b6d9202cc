package check

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// moduleUnits returns a unit for each cluster profile of a Terraform module, with the resources
// that an import would create. excludes is nil for a file that the user named.
func (c *checker) moduleUnits(name string, excludes func(string, bool) bool) (units []*unit) {
	isNamed := excludes == nil
	if c.terraform == nil {
		c.terraform = &terraform.Run{Process: c.Evaluator, Pack: func(name, version string) (string, bool, error) {
			return transfer.ValuesOf(c.sources, name, version)
		}}
	}
	if c.terraform.IsBeyond {
		c.terraform.Left = append(c.terraform.Left, c.Display(name))
		return nil
	}
	module, err := terraform.Open(name, c.terraform)
	if err != nil {
		c.fault(name, err)
		return nil
	}
	for _, fault := range module.Faults {
		if at := (filePosition{fault.Path, fault.At}); !c.told[at] { // by another file of the module
			c.tell(at, fault.Text)
		}
	}
	for _, note := range module.Notes {
		c.skipTerraform(name, note)
	}
	if len(module.Profiles) == 0 && len(module.Faults) == 0 && isNamed {
		c.tell(filePosition{filepath.ToSlash(name), diag.Position{Line: 1, Column: 1}}, "no file of this folder has a resource spectrocloud_cluster_profile; name a folder, or a file of one, that has profiles")
	}
	if len(module.Profiles) == 0 && !isNamed && !c.terraform.IsBeyond { // the profile is in a comment
		c.Skipped = append(c.Skipped, discovery.Skipped{Path: name, Why: discovery.NoProfile})
	}
	for _, profile := range module.Profiles {
		at := filePosition{profile.Path, profile.At}
		if c.told[at] || !isNamed && excludes(filepath.FromSlash(profile.Path), false) { // told if the user named two files of one module
			continue
		}
		c.told[at] = true
		if u := c.moduleUnit(profile, isNamed); u != nil {
			units = append(units, u)
		}
	}
	return units
}

// skipBeyond records the modules that were skipped after one exceeded a limit.
func (c *checker) skipBeyond() {
	if c.terraform == nil {
		return
	}
	for _, file := range c.terraform.Left {
		c.report.Skip(report.Skipped{Reason: report.Limit, File: file, Message: "the Terraform is not checked, because what was evaluated before exceeds a limit; check it by itself"})
	}
}

// notePlace matches the place at the beginning of a note about Terraform: `main.tf:3:5: the block …`.
var notePlace = regexp.MustCompile(`^(.+?):(\d+):\d+: (.*)$`)

// skipTerraform records a part of a file that cannot be evaluated.
func (c *checker) skipTerraform(name, note string) {
	line := 0
	if found := notePlace.FindStringSubmatch(note); found != nil {
		name, note = found[1], found[3]
		line, _ = strconv.Atoi(found[2])
	}
	c.skip(report.Outside, name, line, "%s", note)
}

// moduleUnit returns the unit of a profile of a module, or nil if nothing of the profile can be
// evaluated.
func (c *checker) moduleUnit(profile *terraform.Profile, isNamed bool) *unit {
	if profile.Packs() == 0 && isNamed {
		c.tell(filePosition{profile.Path, profile.At}, "no pack of this profile can be checked, because packfn cannot evaluate what it is made of; the notes say why")
	}
	for _, note := range profile.Notes {
		c.skipTerraform(profile.Path, note)
	}
	if profile.Packs() == 0 {
		c.skip(report.Outside, profile.Path, profile.At.Line, "the profile %s is not checked: nothing of it is constant", profile.Label)
		return nil
	}
	p, err := palette.New(profile.Path, profile.Document(), profile)
	if err != nil {
		for _, err := range unjoined(err) {
			if fault, ok := errors.AsType[*palette.Fault](err); ok {
				c.tell(filePosition{fault.Path, fault.At}, fault.What)
			} else {
				c.fault(profile.Path, err)
			}
		}
		return nil
	}
	u, err := c.unitOf(p)
	if err != nil {
		c.fault(profile.Path, err)
		return nil
	}
	return u
}

// tell reports a fault at a position in a Terraform file.
func (c *checker) tell(at filePosition, what string) {
	c.told[at] = true
	fault := kptpackage.NewFault(".", at.path, at.Position, "%s", what)
	c.add(report.OfFault(fault, c.Display))
}

// unjoined returns the errors that an error joins.
func unjoined(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
