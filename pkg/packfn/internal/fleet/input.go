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

// input is the parsed input of a preview.
type input struct {
	// variants are the PackageVariants to preview: those that the sets make, and those that are given.
	variants []*packageVariant
	// objects are the in-cluster objects that may be injected.
	objects *objects
	// repositories are the Repositories among the objects.
	repositories *repositories
	// revisions are the PackageRevisions by NAMESPACE/REPOSITORY/PACKAGE.
	revisions map[string][]packageRevision
	// setItems are the sets by NAMESPACE/NAME.
	setItems map[string]*list.Item
	// alike holds equal lists of findings about PackageVariants once, by their content.
	alike map[string][]diag.Finding
	// sets are the findings about the sets and the PackageVariants.
	sets *report.Report
	// upstreams are the packages that variants are cloned from or were cloned from.
	upstreams []*upstream
	// ambiguous are the fields that an API server reads differently, and that were already
	// reported.
	ambiguous map[ambiguousField]bool
	// setsOf are the files of the sets, and objectsOf the files of the objects.
	setsOf, objectsOf *source
}

// packageVariant is a PackageVariant of the fleet.
type packageVariant struct {
	*variant.PackageVariant
	// item is the resource, or nil if a set makes the PackageVariant: keeping those texts would
	// take a fifth of the memory of a fleet.
	item *list.Item
	// findings are about the PackageVariant.
	findings []diag.Finding
	// set is the value of its [set.SetAnnotation], which names the set that makes it, or "" if it
	// has none.
	set string
	// fault is the reason why it cannot be previewed, or "".
	fault string
	// existing is the downstream package if it already exists, or nil.
	existing *existing
	// isPorch is true if Porch chooses the revision of the upstream.
	isPorch bool
	// isHinted is true if the package is also offered the objects with the nearest names.
	isHinted bool
}

// mainWorkspace is the workspace that Porch uses for the main branch.
const mainWorkspace = "main"

// revision returns the revision or workspace that pins the upstream, or "" if nothing does. Porch
// uses only the workspace; without one it takes the main branch.
func (v *packageVariant) revision() string {
	u := v.Spec.Upstream
	if v.isPorch {
		return cmp.Or(u.WorkspaceName, mainWorkspace)
	}
	return cmp.Or(string(u.Revision), u.WorkspaceName)
}

// upstream returns the name of the upstream, such as `blueprints/platform@v3`.
func (v *packageVariant) upstream() string {
	u := v.Spec.Upstream
	name := u.Repo + "/" + u.Package
	if revision := v.revision(); revision != "" {
		name += "@" + revision
	}
	return name
}

// given returns the location of the first set or PackageVariant.
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
	in.informUnread(o)
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

// shared returns an equal list of findings that another PackageVariant has, if there is one,
// because all PackageVariants of a set usually have the same faults.
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

// addFaults reports the files of sets or objects that kpt rejects.
func (in *input) addFaults(o *Options, s *source) {
	for _, err := range s.faults {
		if fault, ok := errors.AsType[*kptpackage.Fault](err); ok {
			in.sets.Findings = append(in.sets.Findings, report.OfFault(fault, o.Display))
		}
	}
}

// isSet reports whether an item is a PackageVariantSet of any version.
func isSet(item *list.Item) bool {
	return item.Kind() == set.Kind && strings.HasPrefix(item.APIVersion(), variant.Group+"/")
}

// isVariant reports whether an item is a PackageVariant of any version.
func isVariant(item *list.Item) bool {
	return item.Kind() == variant.Kind && strings.HasPrefix(item.APIVersion(), variant.Group+"/")
}

// expand expands the sets among items. If one of them has errors, each of the others is expanded
// separately.
func (in *input) expand(o *Options, sets *source, items []*list.Item) []*list.Item {
	preview := set.Preview{AsPorch: o.Like == Porch}
	var others []*packageVariant
	if o.Shard != nil {
		preview.Wants, preview.Other = o.Shard.Has, func(s *set.Set, v *set.Variant) {
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

// add adds a PackageVariant to the fleet.
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

// newVariant returns a PackageVariant of the fleet. Its fault is set if its downstream is not a
// valid folder.
func newVariant(v *variant.PackageVariant, of string, o *Options) *packageVariant {
	one := &packageVariant{PackageVariant: v, set: of, isPorch: o.Like == Porch}
	if err := staging.CheckPath(v.Spec.Downstream.Repo + "/" + v.Spec.Downstream.Package); err != nil {
		one.fault = "spec.downstream: " + err.Error()
	}
	return one
}

// findOverlaps sets the fault of variants that make the same package, or a package inside another
// one, because each would overwrite the files of the other.
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
