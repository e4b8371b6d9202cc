package policy

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Function returns the KRM function select-implementations.
func Function() function.Function { return FunctionWith(With{}) }

// With contains the options that packfn adds to a run of select-implementations.
type With struct {
	// IsLibrary reports whether the Interfaces belong to a hub, of which an application uses some.
	// An Interface without references then needs no rule.
	IsLibrary bool
}

// FunctionWith returns the function with what packfn adds to it.
func FunctionWith(with With) function.Function {
	return function.Function{
		Name:         rule.SelectImplementations,
		Kind:         "SelectImplementations",
		Checks:       true,
		Mutates:      true,
		KeepsChanges: true,
		Rules:        rule.By(rule.SelectImplementations),
		Kinds:        Kinds(),
		Waiting:      rule.PolicyWaiting,
		New:          func() function.Processor { return &processor{with: with} },
	}
}

// Config is the spec of the kind SelectImplementations.
type Config struct {
	function.Options
	Choice
}

// Kinds are the kinds of Capact as resources, with pointers to the types of their
// specs.
func Kinds() map[string]any {
	return map[string]any{
		"Policy":         &manifest.PolicySpec{},
		"Interface":      &manifest.InterfaceSpec{},
		"Implementation": &manifest.ImplementationSpec{},
		"Type":           &manifest.TypeSpec{},
		"Attribute":      &manifest.AttributeSpec{},
		"TypeInstance":   &manifest.TypeInstanceSpec{},
		selectionKind:    &SelectionSpec{},
	}
}

const selectionKind = "ImplementationSelection"

// processor is one run of select-implementations.
type processor struct {
	// with are the options of packfn, config is the functionConfig, and run the run of the function.
	with   With
	config Config
	run    *function.Run
	// hub are the manifests of the package, and policies its policies.
	hub      Hub
	policies []*manifest.Policy
	// existing are the ImplementationSelections of the package.
	existing []*list.Item
	// doubts are the places of all errors that were reported.
	doubts Doubts
	// points are the injection points, and isWaiting reports whether one of them waits.
	points    []injection.Status
	isWaiting bool
	// injection tells which resources are pending.
	injection *injection.Reader
}

func (p *processor) Config() any { return &p.config }

// Wants reports whether an item is of Capact's group, or has nearly that group and a known kind.
func (p *processor) Wants(item *list.Item) bool {
	group := item.Group() // other versions are reported
	isSlip := nearest.IsMisspelt(group, manifest.Group) && (slices.Contains(readKinds, item.Kind()) || nearest.Misspelt(item.Kind(), readKinds) != "")
	return (group == manifest.Group || isSlip) && !pack.InCluster(item) || injection.Wants(item)
}

// report reports findings, and notes what their errors leave in doubt.
func (p *processor) report(findings ...diag.Finding) {
	p.run.Report(findings...)
	p.doubts.Note(findings...)
}

// ReadsConditions implements [function.ConditionReader]: policies do not depend on the rest of a
// Kptfile.
func (p *processor) ReadsConditions() {}

// Process reads the hub and the policies, checks them, and makes the selections unless a resource is
// pending.
func (p *processor) Process(run *function.Run) {
	p.run, p.doubts, p.injection = run, Doubts{}, injection.NewReader(run)
	if run.Failed() {
		p.doubts[everything] = true // a faulty configuration, or items that cannot be read
	}
	for _, item := range run.Items() {
		if !injection.IsKptfile(item) {
			run.Guard(item.Resource(), func() { p.read(item) })
		}
	}
	for _, f := range p.config.check() {
		p.configInvalid(f)
	}
	defer func() { injection.Report(run, p.points, rule.PolicyWaiting, "nothing is selected", injection.Advice) }()
	if p.isWaiting {
		p.checkOthers()
		return
	}
	index, findings := NewIndex(p.hub, p.config.assumed())
	p.report(findings...)
	if len(p.policies) == 0 && len(p.config.References) == 0 {
		p.nothingToDo()
		return
	}
	p.checkPolicies(index)
	tasks := p.tasks(index)
	if len(tasks) == 0 {
		return // nothing is known to be stale
	}
	p.write(tasks, p.selectAll(index, tasks))
}

// configInvalid reports a fault of the configuration; its key is the path of an option.
func (p *processor) configInvalid(f diag.Finding) {
	f = f.At(p.run.ConfigPath(f.Key), diag.Position{}).From(p.run.ConfigOrigin())
	p.report(f.Of(rule.ConfigInvalid))
}

// nothingToDo reports that there is nothing to select. Selections of an earlier run stay, because
// the function's selectors may exclude the policies that they come from.
func (p *processor) nothingToDo() {
	if p.run.Failed() {
		return
	}
	message := "there are no policies (Policy, " + manifest.GroupVersion + ") in the package, and no references in the functionConfig"
	if n := len(p.existing); n > 0 {
		message += fmt.Sprintf(". Existing ImplementationSelections (%d) stay as they are", n)
	}
	p.run.NothingToDo(message + ". If there are policies, check the function's selectors")
}

// read reads one item of Capact's group.
func (p *processor) read(item *list.Item) {
	resource := item.Resource()
	invalid := func(field string, f diag.Finding) { p.report(f.About(resource, field).Of(rule.InputInvalid)) }
	if item.APIVersion() != manifest.GroupVersion {
		invalid("apiVersion", diag.GotText(item.APIVersion(), manifest.GroupVersion).Propose(item.APIVersion(), manifest.GroupVersion))
		return
	}
	if item.Kind() == selectionKind {
		p.existing = append(p.existing, item)
		return
	}
	if !slices.Contains(readKinds, item.Kind()) {
		if near := nearest.Name(item.Kind(), slices.Concat(readKinds, otherKinds)); near != "" && near != item.Kind() {
			f := diag.GotName(item.Kind(), nil).Propose(item.Kind(), near)
			f.Accepted = "a kind of " + manifest.GroupVersion
			invalid("kind", f)
		}
		return
	}
	document, err := item.Document()
	if err != nil {
		invalid("", diag.Unreadable(err))
		return
	}
	if p.waits(item) {
		return
	}
	var findings []diag.Finding
	n := document.Root()
	switch item.Kind() {
	case "Interface":
		findings = take(&p.hub.Interfaces, manifest.ReadInterface, resource, n)
	case "Implementation":
		findings = take(&p.hub.Implementations, manifest.ReadImplementation, resource, n)
	case "Type":
		findings = take(&p.hub.Types, manifest.ReadType, resource, n)
	case "Attribute":
		findings = take(&p.hub.Attributes, manifest.ReadAttribute, resource, n)
	case "TypeInstance":
		findings = take(&p.hub.TypeInstances, manifest.ReadTypeInstance, resource, n)
	case "Policy":
		findings = take(&p.policies, manifest.ReadPolicy, resource, n)
	}
	p.report(findings...)
}

// readKinds are the kinds that are read. otherKinds have no effect on selections.
var (
	readKinds  = []string{"Policy", "Interface", "Implementation", "Type", "Attribute", "TypeInstance", selectionKind}
	otherKinds = []string{"InterfaceGroup", "RepoMetadata", "Vendor"}
)

// take appends what a reader makes of a resource.
func take[M any](to *[]*M, read func(diag.Resource, *yaml.Node) (*M, []diag.Finding), resource diag.Resource, n *yaml.Node) []diag.Finding {
	m, findings := read(resource, n)
	if m != nil {
		*to = append(*to, m)
	}
	return findings
}

// checkPolicies reports faults of the policies as a whole, and what in them has no
// effect.
func (p *processor) checkPolicies(index *Index) {
	for _, one := range p.policies {
		p.report(index.checkInstances(one)...)
	}
	p.report(checkScopes(p.policies)...)
	named := map[string]bool{}
	for _, ref := range p.config.References {
		for _, name := range ref.WorkflowPolicies {
			named[name] = true
		}
	}
	p.report(lint(index, p.policies, p.config.order(), named)...)
}
