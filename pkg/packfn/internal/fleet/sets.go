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

// locator finds the places of findings about sets.
type locator struct {
	display func(string) string
	advice  func(file string) string
	items   []*list.Item
	// first are the indexes of the files' first items.
	first map[string]int
	texts texts
}

func newLocator(o *Options, sets *source) *locator {
	l := &locator{display: o.Display, advice: sets.advice, items: sets.items, first: map[string]int{}, texts: texts{}}
	for i, item := range sets.items {
		if _, known := l.first[item.Resource().File]; !known {
			l.first[item.Resource().File] = i
		}
	}
	return l
}

// finding returns a finding of a function with its place in the files of the sets.
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
	text := l.texts.of(item)
	f.Locate(found, &report.Subject{Path: resource.File, File: l.display(resource.File), Places: text.places, Source: text.lines})
	return f
}

// noSet says that files have no set. One that cannot be read may have one.
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

// mostUnreadable bounds the files that are named.
const mostUnreadable = 10

// forFleet words findings of expand-variant-set for fleet, which has no selectors: what is
// not there can be given. What cannot be verified is one info.
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

// failEmpty makes errors of the warnings that say why sets make no PackageVariant: no cluster gets
// anything. It returns false if there are none.
func failEmpty(sets *report.Report) (failed bool) {
	why := []string{rule.VariantSetUnmatched.ID, rule.VariantSetNotInPorch.ID}
	for i := range sets.Findings {
		if f := &sets.Findings[i]; slices.Contains(why, f.Rule) && f.Severity == diag.Warning {
			f.Severity, failed = diag.Error, true
		}
	}
	return failed
}

// unverified says which kinds are not among the resources.
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

// forSets returns the resources that sets may select or be misspelt for, and those that
// cannot be read. The objects of clusters, which are most of a fleet, are not among them.
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

// contextKind is the kind of the facts about a cluster: of all kinds that sets do not
// select, the one that there are many of.
const contextKind = pack.ClusterContextKind
