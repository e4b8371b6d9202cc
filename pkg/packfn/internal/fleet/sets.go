package fleet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// locator computes the locations of findings about sets.
type locator struct {
	// display returns how reports show the path of a file on disk.
	display func(string) string
	// advice returns the advice for a file that is not a resource, see [source.advice].
	advice func(file string) string
	// items are the items of the sets, in the order of their files.
	items []*list.Item
	// first is the index of the first item of each file.
	first map[string]int
	// texts caches the positions in the items.
	texts texts
}

// newLocator returns the locator for findings about the files of sets.
func newLocator(o *Options, sets *source) *locator {
	l := &locator{display: o.Display, advice: sets.advice, items: sets.items, first: map[string]int{}, texts: texts{}}
	for i, item := range sets.items {
		if _, known := l.first[item.Resource().File]; !known {
			l.first[item.Resource().File] = i
		}
	}
	return l
}

// finding returns a finding of a function with its location in the files of the sets.
func (l *locator) finding(function string, found *diag.Finding) report.Finding {
	resource := found.Resource()
	if found.Rule.ID == rule.InputInvalid.ID && found.Path() == "" && (resource.APIVersion == "" || resource.Kind == "") {
		if advice := l.advice(resource.File); advice != "" {
			advised := found.Do(advice)
			found = &advised
		}
	}
	f := report.Of(function, found)
	at, known := l.first[resource.File]
	if at += resource.Index; !known || at >= len(l.items) || l.items[at].Resource().File != resource.File {
		return f
	}
	item := l.items[at]
	f.Locate(found, &report.Subject{Path: resource.File, File: l.display(resource.File), Places: l.texts.of(item), WithoutEdits: true})
	return f
}

// noSet returns the error for files without a set. It names the files that cannot be read,
// because one of them may contain a set.
func noSet(o *Options, sets *source) error {
	all := []error{fmt.Errorf("%s: there is no %s and no %s (%s)", strings.Join(o.Sets, ", "), set.Kind, variant.Kind, variant.Group)}
	given := *sets
	given.items = slices.Concat(sets.items, sets.unparsed)
	located := newLocator(o, &given)
	for _, item := range given.items {
		if item.Fault() == "" || len(all) > mostUnreadable {
			continue
		}
		faulty := function.Faulty(item)
		f := located.finding(rule.ExpandVariantSet, &faulty)
		all = append(all, fmt.Errorf("%s:%d: %s", f.File, f.Line, f.Message))
	}
	return errors.Join(all...)
}

// mostUnreadable is the maximum number of unreadable files that the error names.
const mostUnreadable = 10

// forFleet adapts the advice in findings of expand-variant-set to packfn fleet, which has no
// selectors: missing resources can be given with --objects. All warnings that something cannot be
// verified become a single info.
func forFleet(findings []report.Finding, items []*list.Item) []report.Finding {
	var all []report.Finding
	first := -1
	for _, f := range findings {
		switch {
		case f.Rule == rule.VariantSetUnverified.ID && f.Severity == diag.Warning:
			if first < 0 {
				first = len(all)
				f.Severity = diag.Info
				f.Say(unverified(items))
				all = append(all, f)
			}
			continue
		case rule.Of(f.Rule).MayExist && f.Rule != rule.VariantSetUnverified.ID && f.Reported != nil && f.Reported.Unseen != "":
			looked := f.Reported.WithLook("give it with --objects")
			f.Say(&looked)
		}
		all = append(all, f)
	}
	return all
}

// failEmpty raises the warnings that explain why sets make no PackageVariant to errors, because
// no cluster gets a package then. It returns false if there are no such warnings.
func failEmpty(sets *report.Report) (failed bool) {
	why := []string{rule.VariantSetUnmatched.ID, rule.VariantSetNotInPorch.ID}
	for i := range sets.Findings {
		if f := &sets.Findings[i]; slices.Contains(why, f.Rule) && f.Severity == diag.Warning {
			f.Severity, failed = diag.Error, true
		}
	}
	return failed
}

// unverified returns the info about the kinds that are missing among the resources.
func unverified(items []*list.Item) *diag.Finding {
	var kinds []string
	for _, kind := range []string{set.PackageRevisionKind, set.RepositoryKind} {
		if !slices.ContainsFunc(items, func(item *list.Item) bool { return item.Kind() == kind }) {
			kinds = append(kinds, kind)
		}
	}
	f := diag.Say("there is no %s, so expressions see no labels and annotations of it", diag.OneOf(kinds)).Do("give them with --objects")
	return &f
}

// forSets returns the resources that sets may select, or may try to select with a misspelled
// name, and the resources that cannot be read. It leaves out the context objects of clusters,
// which are most of a fleet, unless a set selects them.
func forSets(items []*list.Item) []*list.Item {
	kinds := map[string]bool{}
	for _, item := range items {
		if item.Kind() != set.Kind {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue
		}
		for _, t := range set.Read(document.Root()).Targets {
			if t.ObjectSelector != nil {
				kinds[t.ObjectSelector.Kind] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(item *list.Item) bool {
		return item.Fault() == "" && item.Kind() == contextKind && item.Name() != "" && !kinds[contextKind]
	})
}

// contextKind is the kind of the objects that describe a cluster. It is the only kind with many
// objects that sets usually do not select.
const contextKind = pack.ClusterContextKind
