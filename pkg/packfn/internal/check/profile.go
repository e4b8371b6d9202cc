package check

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// profileUnit returns the unit of a cluster profile, with the resources that an import would
// create.
func (c *checker) profileUnit(name string, text []byte) (*unit, error) {
	p, err := palette.Read(filepath.ToSlash(name), text)
	if err != nil {
		return nil, err
	}
	return c.unitOf(p)
}

// unitOf returns the unit of a cluster profile.
func (c *checker) unitOf(p *palette.Profile) (*unit, error) {
	items, missing, err := transfer.ProfileItems(p, c.sources, func(format string, args ...any) { c.skip(report.Outside, p.Path, 0, format, args...) })
	if err != nil {
		return nil, err
	}
	for _, name := range missing {
		if !slices.Contains(c.missing[p.Path], name) {
			c.missing[p.Path] = append(c.missing[p.Path], name)
		}
	}
	in := workspace.Outside(".", nil, items)
	in.Medium = p
	u := c.unitIn(in)
	u.loose, u.profile = true, p
	return u, nil
}

// skipMissing records the packs of profiles that no source contains, for each file.
func (c *checker) skipMissing() {
	for _, path := range slices.Sorted(maps.Keys(c.missing)) {
		c.skip(report.Outside, path, 0, "%s", strings.TrimPrefix(transfer.NoteOfMissing(path, c.missing[path]), path+": "))
	}
}

// isPart reports whether a finding only exists because the unit is a part of a whole: a pack
// directory is not deployed by itself, a profile has no machine pools, and only a profile of the
// type cluster contains all packs of its cluster.
func (u *unit) isPart(f *diag.Finding) bool {
	row := rule.Of(f.Rule.ID)
	switch {
	case u.pack != nil:
		return row.Deployed || f.Tags[facts.TagEmpty] != ""
	case u.lacksInstances(f):
		return true
	case u.profile != nil:
		return f.Rule == rule.ResourcesNoPool || row.Deployed && f.Rule != rule.ValuesRequired && f.Rule != rule.ValuesPlaceholder && !u.profile.IsWhole()
	}
	return false
}

// openSources finds the packs of Options.Sources, for profiles and for the read-only values of
// packs that were imported.
func (c *checker) openSources() (err error) {
	if c.sources, err = packdir.OpenSources(c.Options.Sources); err == nil {
		c.sources.Archive = c.Archive
	}
	for i := range c.checks {
		if c.checks[i].Name == rule.ValidatePackValues {
			c.checks[i] = schema.FunctionWith(c.baseline)
		}
	}
	return err
}

// baseline returns the values that a pack was imported with, or nil if no source contains them.
func (c *checker) baseline(p *pack.Pack) *values.Document {
	record, _ := pack.ParseImported(p.Imported)
	source := transfer.SourceOf(record, p.Name, c.sources)
	if source == nil {
		return nil
	}
	own, err := values.Parse(string(source.File("values.yaml")))
	if err != nil {
		return nil
	}
	return own
}
