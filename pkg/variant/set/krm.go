package set

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

// Function returns the KRM function expand-variant-set.
func Function() function.Function {
	return function.Function{
		Name:    rule.ExpandVariantSet,
		Kind:    "ExpandVariantSet",
		Accepts: []function.TypeMeta{{APIVersion: APIVersion, Kind: Kind}},
		Mutates: true,
		Rules:   rule.By(rule.ExpandVariantSet),
		Reads:   readKinds,
		Kinds:   map[string]any{Kind: new(specFields)},
		Waiting: rule.VariantSetWaiting,
		New:     func() function.Processor { return &processor{config: newConfig(), environment: NewEnvironment()} },
	}
}

// Preview is a run of expand-variant-set over a fleet.
type Preview struct {
	// AsPorch ignores the fields that Porch ignores, see [Expander.asPorch].
	AsPorch bool
	// Wants reports whether a name is in the part of what sets make that is needed, or nil for all.
	// The other variants are not added to the list but given to Other, without the
	// content that only their packages need. The findings are the same for all
	// parts.
	Wants func(name string) bool
	// Other gets the variants that are not wanted.
	Other func(*Set, *Variant)
}

// Function returns expand-variant-set for a preview.
func (preview Preview) Function() function.Function {
	f := Function()
	f.New = func() function.Processor {
		return &processor{config: newConfig(), environment: NewEnvironment(), preview: preview}
	}
	return f
}

// processor is one run of expand-variant-set.
type processor struct {
	// config is the functionConfig.
	config Config
	// preview is zero, except in a fleet.
	preview Preview
	// environment compiles the expressions of all sets.
	environment *Environment
	// budget limits the cost of the expressions of all sets.
	budget Budget
	// run is the run of the function.
	run *function.Run
	// given is the functionConfig if it is a set.
	given *list.Item
	// sets are the sets to expand.
	sets []*source
	// points are the injection points among the sets and PackageRevisions.
	points []injection.Status
	// injection tells which resources are pending.
	injection *injection.Reader
	// items are the items of the package by kind.
	items map[gvk][]*list.Item
	// shared are the labels and annotations of objects.
	shared list.Shared
}

// source is a set with the resource that it was read from.
type source struct {
	*Set
	// item is the resource.
	item *list.Item
	// origin identifies the set in findings, and inPackage the package that it is in.
	origin    *diag.Origin
	inPackage string
	// expansion is nil if the set has errors.
	expansion *Expansion
}

func (p *processor) Config() any { return &p.config }

// ReadResource takes a set that is the functionConfig.
func (p *processor) ReadResource(item *list.Item) { p.given = item }

// Wants takes all resources that have a name: a set may select any.
func (p *processor) Wants(item *list.Item) bool {
	if item.Name() != "" {
		return true
	}
	switch item.Kind() {
	case Kind, VariantKind, RepositoryKind:
		return strings.HasPrefix(item.APIVersion(), Group+"/")
	}
	return isRevision(item)
}

// readKinds are the kinds that the function reads, in addition to those that sets select.
var readKinds = []list.GroupKind{{Group: Group, Kind: Kind}, {Group: Group, Kind: VariantKind}, {Group: Group, Kind: RepositoryKind}, {Group: "porch.kpt.dev", Kind: PackageRevisionKind}}

// revisionVersions are the API versions of PackageRevisions. The newer one has the revision in its
// status.
var revisionVersions = []string{PackageRevisionVersion, "porch.kpt.dev/v1alpha2"}

func isRevision(item *list.Item) bool {
	return item.Kind() == PackageRevisionKind && slices.Contains(revisionVersions, item.APIVersion())
}

// Process expands the sets and writes their variants. It does nothing while a PackageRevision is
// pending, because any set may need it.
func (p *processor) Process(run *function.Run) {
	p.run, p.injection = run, injection.NewReader(run)
	p.config.check(run)
	p.items = map[gvk][]*list.Item{}
	for _, item := range run.Items() {
		of := gvk{item.APIVersion(), item.Kind()}
		p.items[of] = append(p.items[of], item)
	}
	p.readSets(run.Items())
	defer func() {
		injection.Report(run, p.points, rule.VariantSetWaiting, "no set that depends on it is expanded", injection.Advice)
	}()
	if p.waitsForRevision() {
		return
	}
	if len(p.sets) == 0 {
		if !run.Failed() && len(p.points) == 0 {
			run.NothingToDo("the package has no " + Kind + " (" + APIVersion + "); if there is one, check the function's selectors")
		}
		return
	}
	inventory := p.inventory()
	for _, s := range p.sets {
		run.Guard(s.origin.Resource, func() { p.expand(s, inventory) })
	}
	w := &writer{processor: p}
	w.plan()
	w.overlaps()
	if !run.Failed() {
		w.write()
	}
}

// readSets reads the sets that are to be expanded.
func (p *processor) readSets(items []*list.Item) {
	if p.given != nil {
		for _, item := range items {
			p.run.Skip(item.Resource()) // other sets
		}
		p.readSet(p.given, p.run.ConfigOrigin())
		return
	}
	var names []string
	asked := map[string]bool{}
	for _, item := range items {
		if item.Kind() != Kind || !strings.HasPrefix(item.APIVersion(), Group+"/") {
			continue
		}
		names = append(names, item.Name())
		if !p.isChosen(item, asked) {
			p.run.Skip(item.Resource())
			continue
		}
		if item.APIVersion() != APIVersion {
			f := diag.GotText(item.APIVersion(), APIVersion).Do("write the set for v1alpha2: other versions have other fields")
			p.run.Report(f.Of(rule.VariantSetInvalid).About(item.Resource(), "apiVersion"))
			continue
		}
		if !p.isWaiting(item) {
			p.readSet(item, diag.Whole(item.Resource()))
		}
	}
	for i, name := range p.config.Sets {
		if !asked[name] {
			p.run.ConfigInvalid(diag.NotFound(Kind, name, names).At(fmt.Sprintf("spec.sets[%d]", i), diag.Position{}))
		}
	}
}

// waitsForRevision reports whether a PackageRevision is still to be injected. Any set may
// have it as its upstream.
func (p *processor) waitsForRevision() bool {
	waits := false
	for _, version := range revisionVersions {
		for _, item := range p.items[gvk{version, PackageRevisionKind}] {
			waits = p.isWaiting(item) || waits
		}
	}
	return waits
}

// isWaiting reports whether the content of a resource is still to be injected.
func (p *processor) isWaiting(item *list.Item) bool {
	status := p.injection.Of(item)
	if status != (injection.Status{}) {
		p.points = append(p.points, status)
	}
	return status.IsPending
}

// isChosen reports whether a set is to be expanded, and notes by which name it was asked
// for.
func (p *processor) isChosen(item *list.Item, asked map[string]bool) bool {
	chosen := len(p.config.Sets) == 0
	for _, name := range []string{item.Name(), variant.NamespaceOr(item.Namespace()) + "/" + item.Name()} {
		if slices.Contains(p.config.Sets, name) {
			asked[name], chosen = true, true
		}
	}
	return chosen
}

// readSet adds a set, and reports one that is there twice.
func (p *processor) readSet(item *list.Item, origin *diag.Origin) {
	document, err := item.Document()
	if err != nil {
		p.run.Report(diag.Unreadable(err).About(origin.Resource, "").Of(rule.InputInvalid))
		return
	}
	p.reportAmbiguous(origin, Ambiguous(document.Root()))
	s := &source{Set: Read(document.Root()), item: item, origin: origin, inPackage: item.Annotation(list.PackagePathAnnotation)}
	for _, other := range p.sets {
		if other.isSame(s) {
			p.report(s, diag.Say("another PackageVariantSet is also %s%s", s.Identity(), in(other.origin)).Do("rename one").Of(rule.VariantSetInvalid).At("metadata.name", diag.Position{}))
		}
	}
	p.sets = append(p.sets, s)
}

// in names the file of a resource, or "" if it is unknown.
func in(origin *diag.Origin) string {
	if origin.Resource.File == "" {
		return ""
	}
	return " (" + origin.Resource.File + ")"
}

// isSame reports whether two sets are one resource.
func (s *source) isSame(other *source) bool {
	return s.Name == other.Name && variant.NamespaceOr(s.Namespace) == variant.NamespaceOr(other.Namespace) && s.inPackage == other.inPackage
}

// expand expands a set, and reports its faults.
func (p *processor) expand(s *source, inventory *Inventory) {
	expander, invalid := New(s.Set, p.environment)
	expander.Budget, expander.Keeps = &p.budget, p.keeps(s.Set)
	if p.preview.AsPorch {
		expander.asPorch()
	}
	expansion, found := expander.Expand(inventory, p.config.limit())
	p.report(s, invalid...)
	p.report(s, found...)
	if !variant.HasError(invalid) && !variant.HasError(found) {
		s.expansion = expansion
	}
}

// keeps returns what [Expander.Keeps] is for a set: the variants of the part, as far as
// their names are known before all are made, and those that are in the package.
func (p *processor) keeps(s *Set) func(*Variant) bool {
	if p.preview.Wants == nil {
		return nil
	}
	existing := map[variant.Downstream]bool{}
	for _, item := range p.items[gvk{VariantAPIVersion, VariantKind}] {
		if document, err := item.Document(); err == nil {
			of := readDownstream(item, document.Root())
			existing[variant.Downstream{Repo: of.repo, Package: of.pkg}] = true
		}
	}
	return func(v *Variant) bool {
		d := v.Spec.Downstream
		return existing[d] || p.preview.Wants(variantName(s.Name, d.Repo, d.Package)) || p.preview.Wants(distinctName(s.Name, d.Repo, d.Package))
	}
}

// report reports findings about a set.
func (p *processor) report(s *source, findings ...diag.Finding) {
	for _, f := range findings {
		if rule.Of(f.Rule.ID).MayExist && f.Nearest == "" && f.Action == "" {
			f = f.IfUnseen("if there is one")
		} else if f.Rule == rule.VariantSetUnverified {
			f = f.IfUnseen("if they exist")
		}
		p.run.Report(f.From(s.origin))
	}
}

// summary describes the variants that a set expands to, and counts its stale variants. It does not
// depend on what the run has changed.
func (s *source) summary(stale int) diag.Finding {
	var targets []string
	for _, m := range s.expansion.Matches {
		targets = append(targets, fmt.Sprintf("%d from %s", m.Count, strings.TrimPrefix(m.Path, "spec.")))
	}
	count := len(s.expansion.Variants)
	f := diag.Say("expands to %s: %s", diag.Count(count, VariantKind), strings.Join(targets, ", "))
	if stale > 0 {
		f.Found += fmt.Sprintf("; prune is false, which keeps %s that the set no longer creates", diag.Count(stale, VariantKind))
	}
	f.Tags = map[string]string{"variants": strconv.Itoa(count)}
	return f.Of(rule.VariantSetExpanded).At("spec.targets", diag.Position{})
}
