package set

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function expand-variant-set.
func Function() function.Function {
	return function.Function{
		Name:    "expand-variant-set",
		Kind:    "ExpandVariantSet",
		Accepts: []function.TypeMeta{{APIVersion: APIVersion, Kind: Kind}},
		Mutates: true,
		Rules: []function.Rule{
			{ID: string(RuleInvalid), Severity: function.Error},
			{ID: string(RuleUpstreamNotFound), Severity: function.Error},
			{ID: string(RuleRepositoryNotFound), Severity: function.Error},
			{ID: string(RuleExpression), Severity: function.Error},
			{ID: string(RuleDuplicate), Severity: function.Error},
			{ID: string(RuleAlias), Severity: function.Warning},
			{ID: string(RuleUnverified), Severity: function.Warning},
			{ID: string(RuleUnmatched), Severity: function.Warning},
			{ID: string(RuleExpanded), Severity: function.Info},
		},
		New: func() function.Processor { return &processor{config: newConfig(), environment: NewEnvironment()} },
	}
}

type processor struct {
	config      Config
	environment *Environment
	run         *function.Run
	// given is the functionConfig when it is a set.
	given *function.Item
	sets  []*source
	// items are those of the list by their kinds.
	items map[gvk][]*function.Item
}

// source is a set with the resource that it was read from.
type source struct {
	*Set
	item *function.Item
	// root is what the set was read from.
	root *yaml.Node
	// resource identifies the set in findings, and inPackage the package that it
	// is in.
	resource  function.Resource
	inPackage string
	expander  *Expander
	expansion *Expansion
}

func (p *processor) Config() any { return &p.config }

// ReadResource takes a set that is the functionConfig.
func (p *processor) ReadResource(item *function.Item) { p.given = item }

// Wants takes all resources that have a name: a set may select any.
func (p *processor) Wants(item *function.Item) bool {
	if item.Name() != "" {
		return true
	}
	switch item.Kind() {
	case Kind, VariantKind, RepositoryKind:
		return strings.HasPrefix(item.APIVersion(), Group+"/")
	}
	return item.Is(PackageRevisionVersion, PackageRevisionKind)
}

func (p *processor) Process(run *function.Run) {
	p.run = run
	p.config.check(run)
	p.items = map[gvk][]*function.Item{}
	for _, item := range run.Items() {
		of := gvk{item.APIVersion(), item.Kind()}
		p.items[of] = append(p.items[of], item)
	}
	p.readSets(run.Items())
	if len(p.sets) == 0 {
		if !run.Failed() {
			run.NothingToDo("there is no PackageVariantSet (" + APIVersion + ") to expand; if the package has one, a selector of the function may hide it")
		}
		return
	}
	inventory := p.inventory()
	for _, s := range p.sets {
		run.Guard(s.resource, func() { p.expand(s, inventory) })
	}
	w := &writer{processor: p}
	w.plan()
	w.overlaps()
	if !run.Failed() {
		w.write()
	}
}

// readSets reads the sets that are to be expanded.
func (p *processor) readSets(items []*function.Item) {
	if p.given != nil {
		p.readSet(p.given, p.run.ConfigResource())
		return
	}
	var names []string
	asked := map[string]bool{}
	for _, item := range items {
		if item.Kind() != Kind || !strings.HasPrefix(item.APIVersion(), Group+"/") {
			continue
		}
		names = append(names, item.Name())
		if !p.chosen(item, asked) {
			continue
		}
		if item.APIVersion() != APIVersion {
			p.run.ReportLegacy(function.Finding{
				Rule: string(RuleInvalid), Resource: item.Resource(), Field: "apiVersion",
				Message: fmt.Sprintf("apiVersion: got %s, want %s: other versions of PackageVariantSet have other fields, and v1alpha1 has no templates; write the set for v1alpha2", item.APIVersion(), APIVersion),
			})
			continue
		}
		p.readSet(item, item.Resource())
	}
	for i, name := range p.config.Sets {
		if !asked[name] {
			at := fmt.Sprintf("spec.sets[%d]", i)
			p.run.LegacyConfigInvalid(at, fmt.Sprintf("%s: no PackageVariantSet is named %q%s; if it is in the package, a selector of the function may hide it", at, name, nearest.Hint(name, names)))
		}
	}
}

// chosen reports whether a set is to be expanded, and notes by which name it was
// asked for.
func (p *processor) chosen(item *function.Item, asked map[string]bool) bool {
	chosen := len(p.config.Sets) == 0
	for _, name := range []string{item.Name(), namespace(item.Namespace()) + "/" + item.Name()} {
		if slices.Contains(p.config.Sets, name) {
			asked[name], chosen = true, true
		}
	}
	return chosen
}

func (p *processor) readSet(item *function.Item, resource function.Resource) {
	document, err := item.Document()
	if err != nil {
		p.run.LegacyInvalid(resource, "", fmt.Sprintf("%s: can not be read: %v", resource, err))
		return
	}
	s := &source{Set: Read(document.Root()), item: item, root: document.Root(), resource: resource, inPackage: item.Annotation(function.PackagePathAnnotation)}
	if s.Name == "" {
		p.run.LegacyInvalid(resource, "metadata.name", "a PackageVariantSet without a name: set metadata.name")
		return
	}
	for _, other := range p.sets {
		if other.isSame(s) {
			p.report(s, Fault{Rule: RuleInvalid, Path: "metadata.name", Message: fmt.Sprintf("another PackageVariantSet is %s too%s; give one of them another name", s.Identity(), in(other.resource))})
		}
	}
	p.sets = append(p.sets, s)
}

func in(r function.Resource) string {
	if r.File == "" {
		return ""
	}
	return " (" + r.File + ")"
}

// isSame reports whether two sets are one resource.
func (s *source) isSame(other *source) bool {
	return s.Name == other.Name && namespace(s.Namespace) == namespace(other.Namespace) && s.inPackage == other.inPackage
}

// expand expands a set and reports what is wrong with it.
func (p *processor) expand(s *source, inventory *Inventory) {
	expander, refused := New(s.Set, p.environment)
	s.expander = expander
	p.report(s, refused...)
	if expander == nil {
		return
	}
	expansion, found := expander.Expand(inventory, p.config.limit())
	p.report(s, found...)
	if !faults(found).fail() {
		s.expansion = expansion
	}
}

// finding is something to say about a set, with its place.
func (s *source) finding(rule Rule, path, message string) function.Finding {
	at := position(s.root, path)
	return function.Finding{
		Rule: string(rule), Resource: s.resource, Field: path, Message: message,
		Line: at.Line, Column: at.Column, InResource: true,
	}
}

// report reports faults of a set.
func (p *processor) report(s *source, faults ...Fault) {
	for _, f := range faults {
		finding := s.finding(f.Rule, f.Path, f.String())
		if f.Warning {
			finding.Severity = function.Warning
		}
		p.run.ReportLegacy(finding)
	}
}

// inventory reads what the sets may refer to.
func (p *processor) inventory() *Inventory {
	inventory := &Inventory{}
	kinds := map[gvk]bool{repositoryKind: true}
	for _, s := range p.sets {
		for _, t := range s.Targets {
			if t.ObjectSelector != nil {
				kinds[gvk{t.ObjectSelector.APIVersion, t.ObjectSelector.Kind}] = true
			}
		}
	}
	for kind := range kinds {
		for _, item := range p.items[kind] {
			labels, annotations, err := item.Metadata()
			if err != nil {
				p.unreadable(item, err)
				continue
			}
			inventory.Add(&Object{
				APIVersion: kind.apiVersion, Kind: kind.kind, Namespace: item.Namespace(), Name: item.Name(),
				Labels: labels, Annotations: ownAnnotations(annotations),
			})
		}
	}
	for _, item := range p.items[gvk{PackageRevisionVersion, PackageRevisionKind}] {
		document, err := item.Document()
		if err != nil {
			p.unreadable(item, err)
			continue
		}
		labels, annotations, _ := item.Metadata() // the document can be read
		spec := func(name string) string { return values.Text(values.Field(document.Root(), "spec", name)) }
		inventory.AddRevision(&PackageRevision{
			Object: Object{
				APIVersion: item.APIVersion(), Kind: item.Kind(), Namespace: item.Namespace(), Name: item.Name(),
				Labels: labels, Annotations: ownAnnotations(annotations),
			},
			Repository: spec("repository"), PackageName: spec("packageName"), Revision: spec("revision"), WorkspaceName: spec("workspaceName"),
		})
	}
	return inventory
}

func (p *processor) unreadable(item *function.Item, err error) {
	p.run.LegacyInvalid(item.Resource(), "", fmt.Sprintf("%s: can not be read: %v", item.Resource(), err))
}

// ownAnnotations are annotations without those by which clients say where a
// resource is stored: expressions must not depend on who runs the function.
func ownAnnotations(annotations map[string]string) map[string]string {
	own := map[string]string{}
	for name, value := range annotations {
		if !ofClient(name) {
			own[name] = value
		}
	}
	return own
}

func ofClient(annotation string) bool {
	switch annotation {
	case "config.kubernetes.io/path", "config.kubernetes.io/index", "config.k8s.io/id":
		return true
	}
	return strings.HasPrefix(annotation, "internal.config.kubernetes.io/") || strings.HasPrefix(annotation, "internal.config.k8s.io/")
}

// summary is what an expanded set comes to.
func (s *source) summary(c *changes) function.Finding {
	var targets []string
	for _, m := range s.expansion.Matches {
		targets = append(targets, fmt.Sprintf("%s %d", strings.TrimPrefix(m.Path, "spec."), m.Count))
	}
	count := len(s.expansion.Variants)
	f := s.finding(RuleExpanded, "spec.targets", fmt.Sprintf("%s: %s (%s); %s", s.resource, plural(count, VariantKind), strings.Join(targets, ", "), c))
	f.Tags = map[string]string{"variants": strconv.Itoa(count)}
	return f
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// changes counts what became of the variants of a set.
type changes struct{ added, changed, same, removed, stale int }

func (c *changes) String() string {
	var parts []string
	for _, part := range []struct {
		count int
		what  string
	}{{c.added, "new"}, {c.changed, "changed"}, {c.same, "as before"}, {c.removed, "removed"}, {c.stale, "stale and kept, as prune is false"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.what))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing to change")
}
