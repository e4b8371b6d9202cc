package policy

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function select-implementations.
func Function() function.Function {
	return function.Function{
		Name:         "select-implementations",
		Kind:         "SelectImplementations",
		Mutates:      true,
		KeepsChanges: true,
		Rules:        rules,
		New:          func() function.Processor { return &selector{} },
	}
}

// Kinds are the kinds of Capact as resources, with what their specs are decoded
// into.
func Kinds() map[string]any {
	return map[string]any{
		"Policy":         &PolicySpec{},
		"Interface":      &InterfaceSpec{},
		"Implementation": &ImplementationSpec{},
		"Type":           &TypeSpec{},
		"Attribute":      &AttributeSpec{},
		"TypeInstance":   &TypeInstanceSpec{},
		selectionKind:    &SelectionSpec{},
	}
}

const selectionKind = "ImplementationSelection"

type selector struct {
	config   Config
	run      *function.Run
	hub      Hub
	policies []*Policy
	// existing are the ImplementationSelections in the list.
	existing []*function.Item
	// unread says that an item could not be read: nothing is certain then.
	unread bool
	// documents are those of the policies, to find the places of findings.
	documents map[function.Resource]*values.Document
}

func (s *selector) Config() any { return &s.config }

func (s *selector) Wants(item *function.Item) bool {
	return strings.HasPrefix(item.APIVersion(), group) && !pack.InCluster(item) // other versions are told
}

// group is the API group of Capact's manifests.
const group = "ocf.capact.io/"

func (s *selector) Process(run *function.Run) {
	failed := run.Failed()
	s.run, s.documents = run, map[function.Resource]*values.Document{}
	for _, item := range run.Items() {
		run.Guard(item.Resource(), func() { s.read(item) })
	}
	// Without the order nothing is certain, nor with items that the harness could
	// not make out.
	s.unread = s.unread || failed || slices.Contains(s.config.PolicyOrder, "")
	for _, p := range s.config.check() {
		at := run.ConfigPath(p.field)
		s.unread = s.unread || p.field == "policyOrder"
		run.LegacyConfigInvalid(at, at+": "+p.message)
	}
	if len(s.policies) == 0 && len(s.config.References) == 0 {
		s.nothingToDo()
		return
	}
	index, findings := NewIndex(s.hub, s.config.assumed())
	for _, f := range findings {
		s.unread = s.unread || f.Rule == RuleInvalid // an id could mean several
	}
	s.report(findings)
	s.checkPolicies(index)
	tasks := s.tasks(index)
	if len(tasks) == 0 {
		return // with nothing to go by, nothing is stale
	}
	s.write(tasks, s.selectAll(index, tasks))
}

// nothingToDo says so. Selections of an earlier run stay: a selector may hide the
// policies that they come from.
func (s *selector) nothingToDo() {
	if s.run.Failed() {
		return
	}
	message := "there are no policies (Policy, " + GroupVersion + ") in the list, and no references are configured"
	if len(s.existing) > 0 {
		message += fmt.Sprintf("; %d ImplementationSelections of earlier runs are left as they are", len(s.existing))
	}
	s.run.NothingToDo(message + "; if there are policies in the package, a selector of the function may hide them")
}

// read reads one item of Capact's group.
func (s *selector) read(item *function.Item) {
	resource := item.Resource()
	if item.APIVersion() != GroupVersion {
		s.unreadable(resource, "apiVersion", fmt.Sprintf("apiVersion: got %q, want %s", item.APIVersion(), GroupVersion))
		return
	}
	if item.Kind() == selectionKind {
		s.existing = append(s.existing, item)
		return
	}
	if !slices.Contains(kindNames, item.Kind()) {
		if near := nearest.Name(item.Kind(), append(slices.Clone(kindNames), otherKinds...)); near != "" && near != item.Kind() {
			s.unreadable(resource, "kind", fmt.Sprintf("kind: %q is no kind of %s (did you mean %q?)", item.Kind(), GroupVersion, near))
		}
		return
	}
	document, err := item.Document()
	if err != nil {
		s.unreadable(resource, "", fmt.Sprintf("%s can not be read: %v", resource, err))
		return
	}
	var findings []function.Finding
	before := len(s.hub.Implementations)
	n := document.Root()
	switch item.Kind() {
	case "Interface":
		findings = take(&s.hub.Interfaces, ReadInterface, resource, n)
	case "Implementation":
		findings = take(&s.hub.Implementations, ReadImplementation, resource, n)
		// One that says nothing of what it implements might implement anything.
		s.unread = s.unread || len(findings) > 0 && (len(s.hub.Implementations) == before || len(s.hub.Implementations[before].Implements) == 0)
	case "Type":
		findings = take(&s.hub.Types, ReadType, resource, n)
	case "Attribute":
		findings = take(&s.hub.Attributes, ReadAttribute, resource, n)
	case "TypeInstance":
		findings = take(&s.hub.TypeInstances, ReadTypeInstance, resource, n)
		s.unread = s.unread || len(findings) > 0
	case "Policy":
		p, faults := ReadPolicy(resource, n)
		s.policies, findings = append(s.policies, p), faults
		s.unread = s.unread || p.Scope == "" // it might be any
		s.documents[resource] = document
	}
	locate(document, findings)
	s.run.ReportLegacy(findings...)
}

// kindNames are the kinds that are read, otherKinds those that say nothing about
// selections.
var (
	kindNames  = []string{"Policy", "Interface", "Implementation", "Type", "Attribute", "TypeInstance", selectionKind}
	otherKinds = []string{"InterfaceGroup", "RepoMetadata", "Vendor"}
)

// take appends what a reader makes of a resource.
func take[M any](to *[]*M, read func(function.Resource, *yaml.Node) (*M, []function.Finding), resource function.Resource, n *yaml.Node) []function.Finding {
	manifest, findings := read(resource, n)
	if manifest != nil {
		*to = append(*to, manifest)
	}
	return findings
}

func (s *selector) unreadable(resource function.Resource, field, message string) {
	s.unread = true
	s.run.LegacyInvalid(resource, field, message)
}

// report reports findings at their places, where the document is at hand.
func (s *selector) report(findings []function.Finding) {
	for i := range findings {
		if document := s.documents[findings[i].Resource]; document != nil {
			locate(document, findings[i:i+1])
		}
	}
	s.run.ReportLegacy(findings...)
}

// checkPolicies reports what is wrong with the policies as a whole, and what in
// them has no effect.
func (s *selector) checkPolicies(index *Index) {
	first := map[string]*Policy{}
	for _, p := range s.policies {
		s.report(index.CheckInstances(p))
		key := p.Scope
		if p.Scope == ScopeWorkflow {
			key = p.Scope + " " + p.Resource.Name
		}
		other := first[key]
		switch {
		case p.Scope == "":
		case other == nil:
			first[key] = p
		case p.Scope == ScopeWorkflow:
			s.twice(p, other, "metadata.name", "metadata.name: the %s is of scope WORKFLOW and bears the name of %s; references can not tell them apart; give one of them another name")
		default:
			s.twice(p, other, "spec.scope", "spec.scope: %s and %s are both of scope "+p.Scope+", of which one at most can hold; merge them, or remove one")
		}
	}
	named := map[string]bool{}
	for _, ref := range s.config.References {
		for _, name := range ref.WorkflowPolicies {
			named[name] = true
		}
	}
	s.report(Lint(index, s.policies, s.config.order(), named))
}

// twice reports two policies of which there can be one only.
func (s *selector) twice(p, other *Policy, field, format string) {
	p.broken, other.broken = true, true
	s.report([]function.Finding{{Rule: RuleInvalid, Resource: p.Resource, Field: field, Message: fmt.Sprintf(format, describe(p.Resource), describe(other.Resource))}})
}

// locate fills in where the fields of findings stand, so that findings are in the
// order of the text.
func locate(document *values.Document, findings []function.Finding) {
	for i := range findings {
		if at := position(document.Root(), findings[i].Field); at.Line > 0 {
			findings[i].Line, findings[i].Column, findings[i].InResource = at.Line, at.Column, true
		}
	}
}

// position returns where the value at a field path is, or the last part of the
// path that is there.
func position(n *yaml.Node, path string) values.Position {
	at := values.At(n)
	for n = values.Resolve(n); n != nil && path != ""; n = values.Resolve(n) {
		switch n.Kind {
		case yaml.SequenceNode:
			var index int
			if _, err := fmt.Sscanf(path, "[%d]", &index); err != nil || index < 0 || index >= len(n.Content) {
				return at
			}
			_, path, _ = strings.Cut(path, "]")
			path = strings.TrimPrefix(path, ".")
			n = n.Content[index]
		case yaml.MappingNode:
			// Keys may hold dots: the longest that fits is meant.
			var value *yaml.Node
			longest := -1
			for k := 0; k+1 < len(n.Content); k += 2 {
				key := n.Content[k].Value
				rest, ok := strings.CutPrefix(path, key)
				if ok && len(key) > longest && (rest == "" || rest[0] == '.' || rest[0] == '[') {
					longest, value, at = len(key), n.Content[k+1], values.At(n.Content[k])
				}
			}
			if value == nil {
				return at
			}
			path = strings.TrimPrefix(path[longest:], ".")
			n = value
			continue
		default:
			return at
		}
		at = values.At(n)
	}
	return at
}
