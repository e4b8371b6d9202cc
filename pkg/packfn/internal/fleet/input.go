package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// input is what a preview starts from.
type input struct {
	variants     []*packageVariant
	objects      *objects
	repositories *repositories
	// revisions are the PackageRevisions by namespaces, repositories and packages.
	revisions map[string][]packageRevision
	// setItems are the sets by their namespaces and names.
	setItems map[string]*list.Item
	// alike are the findings about PackageVariants, by what they say.
	alike     map[string][]diag.Finding
	sets      *report.Report
	upstreams []*upstream
	// ambiguous are the fields of the files that an API server reads otherwise, which was reported.
	ambiguous map[ambiguousField]bool
	// setsOf are the files of the sets, and objectsOf those of the objects.
	setsOf, objectsOf *source
	notes             []string
}

// packageVariant is a PackageVariant of the fleet.
type packageVariant struct {
	*variant.PackageVariant
	// item is the resource, nil for what a set makes: the texts would be a fifth of the memory
	// of a fleet.
	item *list.Item
	// findings are about the PackageVariant.
	findings []diag.Finding
	// set is the name of the set that makes it, as [set.SetAnnotation] has it; "" for none.
	set string
	// fault says why it cannot be previewed.
	fault string
	// existing is the package that there is already, nil for none.
	existing *existing
	// isPorch says that Porch chooses the revision of the upstream.
	isPorch bool
	// isHinted says that the package is offered the objects with the nearest names, too.
	isHinted bool
}

// mainWorkspace is the workspace that Porch takes from a branch.
const mainWorkspace = "main"

// revision returns what pins the upstream, "" for nothing. For Porch that is the workspace
// alone: without one it takes the branch.
func (v *packageVariant) revision() string {
	u := v.Spec.Upstream
	if v.isPorch {
		return cmp.Or(u.WorkspaceName, mainWorkspace)
	}
	return cmp.Or(string(u.Revision), u.WorkspaceName)
}

// upstream names the upstream: `blueprints/platform@v3`.
func (v *packageVariant) upstream() string {
	u := v.Spec.Upstream
	name := u.Repo + "/" + u.Package
	if revision := v.revision(); revision != "" {
		name += "@" + revision
	}
	return name
}

// given returns the place of the first set or PackageVariant.
func (in *input) given(o *Options) report.Place {
	for _, item := range in.setsOf.items {
		if isSet(item) || isVariant(item) {
			return report.Place{File: o.Display(item.Resource().File), Line: item.Line()}
		}
	}
	return report.Place{}
}

// read reads sets and objects, and expands the sets.
func read(o *Options) (*input, error) {
	sets, err := readSource(o, o.Sets)
	if err != nil {
		return nil, err
	}
	others := sets
	if len(o.Objects) > 0 {
		if others, err = readSource(o, o.Objects); err != nil {
			return nil, err
		}
	}
	in := &input{
		sets: &report.Report{}, setsOf: sets, objectsOf: others, setItems: map[string]*list.Item{},
		ambiguous: map[ambiguousField]bool{},
	}
	if !slices.ContainsFunc(sets.items, func(item *list.Item) bool { return isSet(item) || isVariant(item) }) {
		return nil, noSet(o, sets)
	}
	in.noteUnread(o)
	in.addFaults(o, sets)
	in.readAsAPIServer(o, sets)
	if others != sets {
		in.addFaults(o, others)
		in.readAsAPIServer(o, others)
	}
	items := slices.Clone(sets.items)
	if others != sets {
		for _, item := range others.items {
			if _, known := sets.texts[item.Resource().File]; !known {
				items = append(items, item)
			}
		}
	}
	for _, item := range items {
		if isSet(item) {
			in.setItems[variant.NamespaceOr(item.Namespace())+"/"+item.Name()] = item
		}
	}
	expanded := items
	if slices.ContainsFunc(sets.items, isSet) {
		expanded = in.expand(o, sets, items)
	}
	for _, item := range expanded {
		own := item.Added()
		if _, known := sets.texts[item.Resource().File]; (known || own) && isVariant(item) && item.Text() != nil {
			in.add(item, o)
		}
	}
	if len(in.setItems) <= fewObjects {
		for _, item := range in.setItems {
			item.Keep() // the findings of many packages are at its fields
		}
	}
	slices.SortStableFunc(in.variants, func(a, b *packageVariant) int {
		return cmp.Or(
			cmp.Compare(a.Spec.Downstream.Repo, b.Spec.Downstream.Repo),
			cmp.Compare(a.Spec.Downstream.Package, b.Spec.Downstream.Package),
			cmp.Compare(a.Name, b.Name),
		)
	})
	in.findOverlaps()
	in.objects = newObjects(items)
	in.repositories = newRepositories(items)
	in.readRevisions(items)
	if err := in.findDownstreams(o); err != nil {
		return nil, err
	}
	return in, nil
}

// shared returns the findings about another PackageVariant if they are equal: what is wrong with
// one that a set makes is wrong with all.
func (in *input) shared(findings []diag.Finding) []diag.Finding {
	if len(findings) == 0 {
		return nil
	}
	var key strings.Builder
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&key, "%s\x00%s\x00%s\x00%s\x00", f.Rule.ID, f.Level(), f.Key, f.Message())
	}
	if known := in.alike[key.String()]; known != nil {
		return known
	}
	if in.alike == nil {
		in.alike = map[string][]diag.Finding{}
	}
	in.alike[key.String()] = findings
	return findings
}

// addFaults reports what kpt rejects among the files of sets or objects.
func (in *input) addFaults(o *Options, s *source) {
	for _, err := range s.faults {
		if fault, ok := errors.AsType[*kptpackage.Fault](err); ok {
			in.sets.Findings = append(in.sets.Findings, report.OfFault(fault, o.Display, nil))
		}
	}
}

func isSet(item *list.Item) bool {
	return item.Kind() == set.Kind && strings.HasPrefix(item.APIVersion(), variant.Group+"/")
}

func isVariant(item *list.Item) bool {
	return item.Kind() == variant.Kind && strings.HasPrefix(item.APIVersion(), variant.Group+"/")
}

// expand expands the sets among items. When one of them has errors, the others are
// expanded one by one.
func (in *input) expand(o *Options, sets *source, items []*list.Item) []*list.Item {
	preview := set.Preview{AsPorch: o.Like == Porch}
	var others []*packageVariant
	if o.Shard != nil {
		preview.Wants, preview.Other = o.Shard.has, func(s *set.Set, v *set.Variant) {
			others = append(others, newVariant(&variant.PackageVariant{Name: v.Name, Namespace: variant.NamespaceOr(v.Namespace), Spec: v.Spec}, s.Identity(), o))
		}
	}
	expander := preview.Function()
	located := newLocator(o, sets)
	relevant := forSets(items)
	run := func(config *yaml.Node) (function.Outcome, []*list.Item) {
		copies := make([]*list.Item, len(relevant))
		for i, item := range relevant {
			if copies[i] = item; isSet(item) || isVariant(item) { // the others stay as they are
				copies[i] = item.Next()
			}
		}
		others = nil
		outcome, made := pipeline.Run(expander, config, copies)
		if !outcome.Failed {
			in.variants = append(in.variants, others...)
		}
		return outcome, made
	}
	outcome, expanded := run(sets.config)
	for i := range outcome.Findings {
		if f := &outcome.Findings[i]; in.ambiguous[ambiguousField{f.Resource(), f.Path()}] {
			continue // a number or a boolean where a string must be
		}
		in.sets.Findings = append(in.sets.Findings, located.finding(rule.ExpandVariantSet, &outcome.Findings[i]))
	}
	in.sets.Findings = forFleet(in.sets.Findings, items)
	in.sets.Finish()
	if !outcome.Failed {
		return expanded
	}
	expanded = slices.Clone(items)
	for _, item := range sets.items {
		if !isSet(item) || item.Name() == "" {
			continue
		}
		identity := variant.NamespaceOr(item.Namespace()) + "/" + item.Name()
		config, err := values.Parse("apiVersion: " + function.ConfigGroupVersion + "\nkind: ExpandVariantSet\nmetadata:\n  name: fleet\nspec:\n  sets: [" + values.Quote(identity) + "]\n")
		if err != nil {
			continue // a name that is not text is one of the set's errors
		}
		if outcome, alone := run(config.Root()); !outcome.Failed {
			for _, one := range alone {
				if one.Added() {
					expanded = append(expanded, one)
				}
			}
		}
	}
	return expanded
}

// add takes a PackageVariant into the fleet.
func (in *input) add(item *list.Item, o *Options) {
	of := item.Annotation(set.SetAnnotation)
	document, err := item.Document()
	if err != nil {
		v := newVariant(&variant.PackageVariant{Name: item.Name()}, of, o)
		v.item, v.fault = item, diag.OneLine(err.Error())
		in.variants = append(in.variants, v)
		return
	}
	read, findings := variant.Read(document.Root(), "")
	v := newVariant(read, of, o)
	v.findings = in.shared(findings)
	if !item.Added() {
		v.item = item
	}
	for i := range slices.Backward(findings) {
		if f := &findings[i]; f.Level() == diag.Error {
			v.fault = fmt.Sprintf("%s: %s", f.Key, f.Message())
		}
	}
	in.variants = append(in.variants, v)
}

// newVariant returns a PackageVariant of the fleet. Its folder may be a fault.
func newVariant(v *variant.PackageVariant, of string, o *Options) *packageVariant {
	one := &packageVariant{PackageVariant: v, set: of, isPorch: o.Like == Porch}
	if err := staging.CheckPath(v.Spec.Downstream.Repo + "/" + v.Spec.Downstream.Package); err != nil {
		one.fault = "spec.downstream: " + err.Error()
	}
	return one
}

// findOverlaps faults the variants that make the same package, or one package in another:
// each would overwrite the files of the other.
func (in *input) findOverlaps() {
	first := map[string]*packageVariant{}
	folder := func(v *packageVariant) string { return path.Join(v.Spec.Downstream.Repo, v.Spec.Downstream.Package) }
	clash := func(v, other *packageVariant) {
		for _, pair := range [][2]*packageVariant{{v, other}, {other, v}} {
			it, its := pair[0], pair[1]
			switch {
			case it.fault != "":
			case folder(it) == folder(its):
				it.fault = fmt.Sprintf("the PackageVariant %s also makes the package %s; remove one", its.Name, folder(its))
			default:
				it.fault = fmt.Sprintf("the package %s overlaps with %s of the PackageVariant %s; give it another package", folder(it), folder(its), its.Name)
			}
		}
	}
	for _, v := range in.variants {
		if v.fault != "" {
			continue
		}
		name := folder(v)
		if other := first[name]; other != nil {
			clash(v, other)
			continue
		}
		first[name] = v
	}
	for _, v := range in.variants {
		name := folder(v)
		if first[name] == nil {
			continue // faulty in itself
		}
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if other := first[name[:at]]; other != nil {
				clash(v, other)
			}
		}
	}
}
