package check

import (
	"errors"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
)

// errNoInput is the error for an empty standard input.
var errNoInput = errors.New("standard input is empty; write resources to it, such as kustomize build overlays/prod | packfn check -")

// newChecker returns a checker, and the units below the paths.
func newChecker(paths []string, options Options) (*checker, []*unit, error) {
	c := &checker{Options: options, report: &report.Report{}, checks: options.checking(), ofSets: newRoom(), counts: newCounts()}
	c.profiles = profiles{told: map[filePosition]bool{}, missing: map[string][]string{}}
	c.bundles = &candidates{}
	c.findings = findings{faulty: map[filePosition]bool{}, on: map[string]bool{}}
	c.chartRun = c.Shared.chartRun()
	c.catalog = &chart.Catalog{Run: c.chartRun, Archive: c.Archive, Display: c.Display, Store: c.Facts}
	if c.Evaluator == nil {
		c.Evaluator = &child.Process{}
	}
	defer c.Evaluator.Close()
	if err := c.openSources(); err != nil {
		return nil, nil, err
	}
	if err := c.find(paths); err != nil {
		return nil, nil, err
	}
	if err := c.openCatalogs(); err != nil {
		return nil, nil, err
	}
	units, err := c.units(len(paths) == 1)
	return c, units, err
}

// find finds what is in the paths, and records what cannot be read there.
func (c *checker) find(paths []string) error {
	found, err := discovery.Find(paths, discovery.Options{Functions: c.Functions, IsCheck: c.isCheck, Replace: c.Replace, Excluded: c.Excluded, Display: c.Display})
	if err != nil {
		return err
	}
	c.Found, c.tree = found, sets.New(found.Tree, sets.Options{ItemsOf: c.itemsOf, IsCheck: c.isCheck, Skip: c.skip})
	for _, one := range found.Faults {
		c.fault(one.Path, one.Err)
	}
	for _, one := range found.Unread {
		c.skip(report.OtherFunction, one.Path, 0, "the kustomization cannot be read, so the files that it names are checked as directories: %v", one.Err)
	}
	for _, note := range found.Notes {
		c.notRead("", diag.Say("%s", note))
	}
	return nil
}

// isCheck reports whether an item is the functionConfig of a function that check itself runs.
// Such a function only checks, so as a transformer it changes no resources that other checks
// read.
func (c *checker) isCheck(item *list.Item) bool {
	return item.Group() == function.ConfigGroup && slices.ContainsFunc(c.checks, func(f function.Function) bool { return f.Kind == item.Kind() })
}
