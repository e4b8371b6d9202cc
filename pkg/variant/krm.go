package variant

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function inject-config.
func Function() function.Function {
	return function.Function{
		Name:         rule.InjectConfig,
		Kind:         "InjectConfig",
		Accepts:      []function.TypeMeta{{APIVersion: GroupVersion, Kind: Kind}},
		AcceptsFiles: true,
		Mutates:      true,
		Rules:        rule.By(rule.InjectConfig),
		Reads:        readKinds,
		Kinds:        map[string]any{Kind: new(Spec)},
		New: func() function.Processor {
			return &processor{documents: map[*list.Item]*values.Document{}}
		},
	}
}

// Config is the spec of the kind InjectConfig.
type Config struct {
	function.Options
	// PackageVariant is the PackageVariant to preview, its metadata and spec.
	// apiVersion and kind may be left out.
	PackageVariant *yaml.Node `json:"packageVariant"`
	// PackageVariantRef names a PackageVariant in the package instead.
	PackageVariantRef *Reference `json:"packageVariantRef"`
	// Objects are in-cluster objects, in addition to the items that are annotated
	// packs.kpt.dev/source: cluster. A List, as kubectl prints it, adds the
	// objects in it.
	Objects []*yaml.Node `json:"objects"`
	// WriteStatus sets the conditions Stalled and Ready of the PackageVariant in
	// the package.
	WriteStatus bool `json:"writeStatus" flat:"-"`
}

// Reference names a PackageVariant in the package.
type Reference struct {
	// Name is the name of the PackageVariant.
	Name string `json:"name" required:"true"`
	// Namespace may be left out if only one PackageVariant has the name.
	Namespace string `json:"namespace"`
}

// processor is one run of inject-config.
type processor struct {
	// config is the functionConfig, and run the run of the function.
	config Config
	run    *function.Run
	// given is a functionConfig that is a PackageVariant.
	given *list.Item
	// known is the PackageVariant of the functionConfig where the caller has read it, with what
	// was found.
	known    *PackageVariant
	findings []diag.Finding

	// kptfiles, contexts, cluster, points and variants are the items by what they are: cluster are
	// in-cluster objects.
	kptfiles, contexts, cluster, points, variants []*list.Item
	// documents are the documents that were edited so far. A document is nil if its item cannot be
	// read, which was reported.
	documents map[*list.Item]*values.Document
	// edited are the items with changes, in the order of their first change.
	edited []*list.Item
	// hasFaultyInjectors reports whether the content for the points is unknown.
	hasFaultyInjectors bool
	// isPorch reports whether the forms of Porch are written.
	isPorch bool
	// isWaiting reports whether the PackageVariant is an injection point that waits.
	isWaiting bool
}

func (p *processor) Config() any { return &p.config }

func (p *processor) ReadResource(item *list.Item) { p.given = item }

// Wants reports whether an item is a Kptfile, a package context, a PackageVariant, an in-cluster
// object or an injection point.
func (p *processor) Wants(item *list.Item) bool {
	if injection.IsKptfile(item) || isContext(item) || isVariant(item) {
		return true
	}
	if item.Annotation(injection.SourceAnnotation) != "" || item.Annotation(InjectionAnnotation) != "" {
		return true
	}
	// An annotation without a value is one, too.
	return item.Name() != "" && item.Mentions(InjectionAnnotation)
}

// readKinds are the kinds that inject-config reads, and the kind of the suite that it injects. The
// core group is written as its version alone.
var readKinds = []list.GroupKind{{Group: "v1", Kind: "ConfigMap"}, {Group: Group, Kind: Kind}, {Group: injection.KptGroup, Kind: injection.KptfileKind}, {Group: "packs.kpt.dev", Kind: "ClusterContext"}}

func isContext(item *list.Item) bool {
	return item.Is("v1", "ConfigMap") && item.Name() == ContextName
}

func isVariant(item *list.Item) bool {
	return item.Kind() == Kind && strings.HasPrefix(item.APIVersion(), Group+"/")
}

// Process applies the PackageVariant to the package. Without a valid one it only reports faults.
func (p *processor) Process(run *function.Run) {
	p.run = run
	p.sort()
	variant, from := p.variant()
	if p.isPorch && variant != nil {
		variant = variant.withoutPoints()
	}
	cluster, objects := p.objects()
	points := p.readPoints()
	if variant == nil {
		if p.isGiven() {
			p.root(from.origin)
		}
		if run.Failed() || p.isWaiting {
			return
		}
		message := "no PackageVariant is given: put one into spec.packageVariant of an InjectConfig (" + function.ConfigGroupVersion +
			"), name one in spec.packageVariantRef, or give a PackageVariant (" + GroupVersion + ") as the functionConfig"
		if len(p.variants) > 0 {
			message += fmt.Sprintf(". The package has the %s %s", Kind, diag.AllOf(names(p.variants)))
		}
		run.NothingToDo(message)
		return
	}
	root := p.root(from.origin)
	if !variant.Spec.PackageContext.isEmpty() {
		p.context(variant, root, from.origin)
	}
	findings := p.inject(variant, points, cluster, objects, root)
	if p.config.WriteStatus {
		p.status(variant, from)
	}
	failed := run.Failed()
	for _, f := range findings {
		if !p.hasFaultyInjectors && (f.Rule != rule.InjectInjected || !failed) { // nothing is injected if anything is wrong
			run.Report(f)
		}
	}
	if failed {
		return
	}
	for _, item := range p.edited {
		item.Replace(p.documents[item])
	}
	if len(points) == 0 && !p.config.WriteStatus && variant.Spec.PackageContext.isEmpty() && variant.Spec.Pipeline.isEmpty() {
		run.NothingToDo(fmt.Sprintf("the PackageVariant %s has neither packageContext nor pipeline, and the package has no injection point. A resource becomes one with the annotation %s: required; if there is one, check the function's selectors", variant.Name, InjectionAnnotation))
	}
}

// names returns the names of items.
func names(items []*list.Item) []string {
	var all []string
	for _, item := range items {
		all = append(all, item.Name())
	}
	return all
}

// sort collects the items by what they are. In-cluster objects are nothing else.
func (p *processor) sort() {
	for _, item := range p.run.Items() {
		switch source := item.Annotation(injection.SourceAnnotation); {
		case source == "cluster":
			p.cluster = append(p.cluster, item)
			continue
		case source != "":
			f := diag.GotName(source, []string{"cluster"}).Do("remove the annotation unless the resource is an in-cluster object")
			p.run.Report(f.Of(rule.InjectInvalidAnnotation).About(item.Resource(), annotationField(injection.SourceAnnotation)))
		}
		if injection.IsKptfile(item) {
			p.kptfiles = append(p.kptfiles, item)
		}
		if isContext(item) {
			p.contexts = append(p.contexts, item)
		}
		if isVariant(item) {
			p.variants = append(p.variants, item)
		}
		if item.Mentions(InjectionAnnotation) {
			p.points = append(p.points, item)
		}
	}
}

// open returns the document of an item as it is now. It is nil if the item cannot be
// read, which is reported once.
func (p *processor) open(item *list.Item) *values.Document {
	if d, ok := p.documents[item]; ok {
		return d
	}
	d, err := item.Document()
	if err != nil {
		p.documents[item] = nil
		f := diag.Unreadable(err)
		p.run.Report(f.About(item.Resource(), "").Of(rule.InputInvalid))
		return nil
	}
	if injection.IsKptfile(item) {
		for _, f := range slips(d.Root()) {
			p.run.Report(f.About(item.Resource(), f.Key).Of(rule.InputInvalid))
		}
	}
	for _, duplicate := range d.Duplicates() {
		p.documents[item], d = nil, nil
		p.run.Report(diag.Duplicate(duplicate.First, duplicate.Second).About(item.Resource(), duplicate.Path).Of(rule.InputInvalid))
	}
	return d
}

// slips makes findings of misspelt fields of a Kptfile that inject-config writes below.
func slips(kptfile *yaml.Node) []diag.Finding {
	return slices.Concat(
		decode.Misspelt(kptfile, "", "info", "pipeline", "status"),
		decode.Misspelt(values.Field(kptfile, "info"), "info", "readinessGates"),
		decode.Misspelt(values.Field(kptfile, "pipeline"), "pipeline", "mutators", "validators"),
		decode.Misspelt(values.Field(kptfile, "status"), "status", "conditions"))
}

// edit changes an item.
func (p *processor) edit(item *list.Item, change func(*values.Document) (*values.Document, []diag.Finding)) {
	p.run.Guard(item.Resource(), func() {
		d := p.open(item)
		if d == nil {
			return
		}
		edited, findings := change(d)
		for _, f := range findings {
			p.run.Report(f.From(diag.Whole(item.Resource())))
		}
		if len(findings) > 0 || edited.Text() == d.Text() {
			return
		}
		p.documents[item] = edited
		if !slices.Contains(p.edited, item) {
			p.edited = append(p.edited, item)
		}
	})
}

// source is the origin of the PackageVariant of a run.
type source struct {
	// origin is the resource or the functionConfig.
	origin *diag.Origin
	// item is the PackageVariant in the package, or nil if it is in the functionConfig.
	item *list.Item
}

// variant returns the PackageVariant of the run and its place, or nil if there is
// none. It reports the faults of the PackageVariant and fills the other fields, so
// that a run finds all errors.
func (p *processor) variant() (*PackageVariant, source) {
	config := source{origin: p.run.ConfigOrigin()}
	reference := p.config.PackageVariantRef
	switch {
	case p.given != nil:
		d, err := p.given.Document()
		if err != nil {
			p.run.ConfigInvalid(diag.Unreadable(err))
			return nil, config
		}
		return p.read(d.Root(), "", config)
	case p.known != nil:
		const path = "spec.packageVariant"
		findings := slices.Clone(p.findings)
		for i, f := range findings {
			findings[i] = f.At(diag.Join(path, f.Key), diag.Position{})
		}
		p.reportVariant(findings, path, config)
		return p.known, config
	case p.config.PackageVariant != nil:
		if reference != nil {
			p.run.ConfigInvalid(diag.Say("packageVariant is also set").Do("remove one").At("spec.packageVariantRef", diag.Position{}))
		}
		return p.read(p.config.PackageVariant, "spec.packageVariant", config)
	case reference != nil && reference.Name != "":
		if item := p.referred(*reference); item != nil {
			if status := injection.NewReader(p.run).Of(item); status.IsPending {
				injection.Report(p.run, []injection.Status{status}, rule.NothingToDo, "inject-config does nothing", "")
				p.isWaiting = true
				return nil, config
			}
			if d := p.open(item); d != nil {
				return p.read(d.Root(), "", source{diag.Whole(item.Resource()), item})
			}
		}
	}
	return nil, config
}

// isInConfig reports whether the PackageVariant is the field spec.packageVariant.
func (p *processor) isInConfig() bool { return p.known != nil || p.config.PackageVariant != nil }

// isGiven reports whether there is a PackageVariant, which may have errors.
func (p *processor) isGiven() bool {
	return p.given != nil || p.isInConfig() || p.config.PackageVariantRef != nil
}

// read reads a PackageVariant at a path of a resource, and reports its faults.
func (p *processor) read(n *yaml.Node, path string, from source) (*PackageVariant, source) {
	variant, findings := Read(n, path)
	p.reportVariant(findings, path, from)
	p.reportAmbiguous(from.origin, decode.Ambiguous(n, path, new(file)))
	if path != "" {
		p.reportAmbiguous(from.origin, decode.AmbiguousMetadata(n, path))
	}
	return variant, from
}

// reportVariant reports the faults of the PackageVariant at a path.
func (p *processor) reportVariant(findings []diag.Finding, path string, from source) {
	for _, f := range findings {
		p.run.Report(f.From(from.origin))
	}
	for _, f := range findings {
		p.hasFaultyInjectors = p.hasFaultyInjectors || f.Level() == diag.Error && diag.Overlap(f.Key, diag.Join(path, "spec.injectors"))
	}
}

// referred returns the PackageVariant that is referred to. It is nil if there is not
// exactly one, which is reported.
func (p *processor) referred(r Reference) *list.Item {
	var found []*list.Item
	var namespaces []string
	known := slices.Concat(p.variants, slices.DeleteFunc(slices.Clone(p.cluster), func(item *list.Item) bool { return !isVariant(item) }))
	for _, item := range known {
		if item.Name() == r.Name {
			namespace := NamespaceOr(item.Namespace())
			namespaces = append(namespaces, namespace)
			if r.Namespace == "" || r.Namespace == namespace {
				found = append(found, item)
			}
		}
	}
	const path = "spec.packageVariantRef"
	invalid := func(f diag.Finding, field string) { p.run.ConfigInvalid(f.At(path+field, diag.Position{})) }
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		invalid(diag.Say("%d PackageVariants are named %q, in the namespaces %s", len(found), r.Name, diag.AllOf(namespaces)).
			Do("set namespace here; if several are in one namespace, remove all but one"), "")
	case len(namespaces) > 0:
		f := diag.GotName(r.Namespace, namespaces)
		invalid(f.Propose(r.Namespace, f.Nearest), ".namespace")
	default:
		invalid(diag.NotFound(Kind, r.Name, names(known)), ".name")
	}
	return nil
}

// status sets the status of the PackageVariant in the package.
func (p *processor) status(variant *PackageVariant, from source) {
	target := from.item
	for _, item := range p.variants {
		if target == nil && item.Is(GroupVersion, Kind) && item.Name() == variant.Name && NamespaceOr(item.Namespace()) == variant.Namespace {
			target = item
		}
	}
	if target == nil || slices.Contains(p.cluster, target) {
		f := diag.NotFound(Kind, variant.Namespace+"/"+variant.Name, nil)
		f = f.Do("add it to the package, or remove writeStatus")
		p.run.ConfigInvalid(f.At("spec.writeStatus", diag.Position{}))
		return
	}
	p.edit(target, applyStatus)
}
