package macro

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// ruleDefaulted is the info about a name that is undefined, which functions give
// when they are asked to explain.
const ruleDefaulted = "macro/defaulted"

// Function returns the KRM function resolve-macros.
func Function() function.Function {
	return function.Function{
		Name:    "resolve-macros",
		Kind:    "ResolveMacros",
		Mutates: true,
		Rules: []function.Rule{
			{ID: RuleUnknown, Severity: function.Error},
			{ID: RuleUnset, Severity: function.Error},
			{ID: RuleCycle, Severity: function.Error},
			{ID: RuleInvalid, Severity: function.Error},
			{ID: RuleForbidden, Severity: function.Error},
			{ID: ruleDefaulted, Severity: function.Info},
		},
		New: func() function.Processor { return &resolving{} },
	}
}

// Config is the spec of the kind ResolveMacros.
type Config struct {
	function.Options
	pack.Choice
	// ClusterContext names the ClusterContext that counts, when there are
	// several.
	ClusterContext string `json:"clusterContext"`
	// System, Variables and Macros are what macros may read; they win over those
	// of the ClusterContext. System names are nested by their dots.
	System    pack.Facts           `json:"system" flat:"-"`
	Variables map[string]pack.Text `json:"variables" flat:"-"`
	Macros    map[string]pack.Text `json:"macros" flat:"-"`
	// Missing says what becomes of names that are undefined: empty (the
	// default), error, or keep, which leaves their macros in place.
	Missing string `json:"missing" enum:"empty,error,keep"`
	// Resources chooses resources whose text fields are resolved too.
	Resources []function.Selector `json:"resources"`
	// Explain asks for an info about each name that took its default or was
	// empty.
	Explain bool `json:"explain"`
}

// DataKeys returns the forms of the keys that ReadData takes.
func (c *Config) DataKeys() []string {
	return []string{"system.NAME", "variables.NAME", "macros.NAME"}
}

// ReadData takes the keys system.NAME, variables.NAME and macros.NAME of a
// ConfigMap.
func (c *Config) ReadData(key, value string) (known bool, err error) {
	kind, name, ok := strings.Cut(key, ".")
	if !ok || name == "" {
		return false, nil
	}
	switch kind {
	case "system":
		if c.System == nil {
			c.System = pack.Facts{}
		}
		c.System[name] = value
	case "variables":
		if c.Variables == nil {
			c.Variables = map[string]pack.Text{}
		}
		c.Variables[name] = pack.Text(value)
	case "macros":
		if c.Macros == nil {
			c.Macros = map[string]pack.Text{}
		}
		c.Macros[name] = pack.Text(value)
	default:
		return false, nil
	}
	return true, nil
}

// resolving is one run of resolve-macros.
type resolving struct {
	config   Config
	run      *function.Run
	resolver *Resolver
	// chosen are the names of the packs whose values are resolved.
	chosen []string
	// partly says that facts of the cluster could not be read.
	partly bool
}

func (f *resolving) Config() any { return &f.config }

func (f *resolving) Wants(item *function.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || f.chooses(item)
}

// chooses reports whether an item may be one of the resources to resolve.
func (f *resolving) chooses(item *function.Item) bool {
	return slices.ContainsFunc(f.config.Resources, func(s function.Selector) bool { return s.MatchesHead(item) }) && !pack.InCluster(item)
}

func (f *resolving) Process(run *function.Run) {
	f.run = run
	set := pack.Load(run, f.config.Choice)
	packs, layers := f.packs(set)
	for _, p := range set.Chosen {
		f.chosen = append(f.chosen, p.Name)
	}
	f.resolver = NewResolver(f.context(), packs)
	for _, layer := range layers {
		run.Guard(layer.source.Resource, func() { f.source(layer) })
	}
	f.unchosen()
	chosen := f.resources()
	if len(set.Packs) == 0 && !set.Unread && chosen == 0 {
		run.NothingToDo("the list holds no packs and no resources that are chosen; a selector of the function may hide them")
	}
}

// layer is values to resolve, and the pack that they are for.
type layer struct {
	source *pack.Source
	pack   string
}

// packs returns all packs as macros see them, and the layers of the chosen ones,
// each once.
func (f *resolving) packs(set *pack.Set) ([]Pack, []layer) {
	var packs []Pack
	var layers []layer
	seen := map[*pack.Source]bool{}
	for _, p := range set.Packs {
		effective, faults := p.Effective()
		known := Pack{Name: p.Name, Label: p.Resource.String(), Broken: effective == nil}
		if p.Resource.File != "" {
			known.Label += " in " + p.Resource.File
		}
		if effective != nil {
			known.Values = effective.Tree
			for i, source := range effective.Layers {
				source.Retain(effective.Documents[i]) // the tree holds its nodes anyway
			}
		}
		packs = append(packs, known)
		if !slices.Contains(set.Chosen, p) {
			continue
		}
		for _, fault := range faults {
			if !seen[fault.Source] {
				seen[fault.Source] = true
				f.unreadable(fault, p.Name)
			}
		}
		for _, source := range p.Layers() {
			if !seen[source] {
				seen[source] = true
				layers = append(layers, layer{source, p.Name})
			}
		}
	}
	return packs, layers
}

// unreadable reports values that are not YAML: often because of a macro without
// quotes.
func (f *resolving) unreadable(fault pack.Fault, packName string) {
	f.run.Report(fault.Source.Locate(function.Finding{
		Rule:    RuleInvalid,
		Pack:    packName,
		Message: fmt.Sprintf("%s: can not be read as values: %v", fault.Source.Name, fault.Err),
	}, "", values.ErrorPosition(fault.Err)))
}

// source resolves one layer of values.
func (f *resolving) source(l layer) {
	err := l.source.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		part := d
		if len(at) > 0 {
			part = d.Part(nodeAt(d, at))
		}
		return f.document(d, part, func(found function.Finding, s Scalar) function.Finding {
			found.Pack = l.pack
			return l.source.Locate(found, s.Path, s.At)
		}, l.source.Place)
	})
	if err != nil && !isFault(err) {
		f.run.Report(l.source.Locate(function.Finding{Rule: RuleInvalid, Pack: l.pack, Message: fmt.Sprintf("%s: %v", l.source.Name, err)}, "", values.Position{}))
	}
}

func isFault(err error) bool {
	var syntax *values.SyntaxError
	var limit *values.LimitError
	return errors.As(err, &syntax) || errors.As(err, &limit) // reported with the pack
}

func nodeAt(d *values.Document, at []values.Step) *yaml.Node {
	n := d.Root()
	for _, step := range at {
		n = values.Field(n, step.Key)
	}
	return n
}

// document resolves the values of part in d, and reports what it finds.
func (f *resolving) document(d, part *values.Document, locate func(function.Finding, Scalar) function.Finding, place func(values.Position) string) (*values.Document, error) {
	edits, uses, problems := f.resolver.Document(part)
	for _, p := range problems {
		if f.reportedElsewhere(p.Cause) || f.mayBeSupplied(p.Problem) {
			continue
		}
		f.run.Report(locate(function.Finding{
			Rule:    p.Rule,
			Message: fmt.Sprintf("%s: %s (%s)", p.Path, p.Message, place(p.At)),
			Tags:    tag("macro", p.Name),
		}, p.Scalar))
	}
	for _, u := range uses {
		if !f.config.Explain || !u.Defaulted && !u.Empty {
			continue
		}
		became := "takes its default"
		if u.Empty {
			became = "is resolved to the empty string"
		}
		f.run.Report(locate(function.Finding{
			Rule:    ruleDefaulted,
			Message: fmt.Sprintf("%s: %s is undefined and %s (%s)", u.Path, u.Name, became, place(u.At)),
			Tags:    tag("macro", u.Name),
		}, u.Scalar))
	}
	if len(edits) == 0 || len(problems) > 0 {
		return d, nil
	}
	return d.ReplaceScalars(edits...)
}

// reportedElsewhere reports whether a problem is really that of another value,
// `PACK.PATH`, which is resolved too and reports it.
func (f *resolving) reportedElsewhere(cause string) bool {
	return slices.ContainsFunc(f.chosen, func(name string) bool { return strings.HasPrefix(cause, name+".") })
}

func tag(name, value string) map[string]string {
	if value == "" {
		return nil
	}
	return map[string]string{name: value}
}

// unchosen says which selectors of the configuration choose nothing.
func (f *resolving) unchosen() {
	for i := range f.config.Resources {
		s := &f.config.Resources[i]
		if !slices.ContainsFunc(f.run.Items(), s.MatchesHead) {
			f.run.NothingToDo(fmt.Sprintf("%s[%d]: no resource is chosen by %s; a selector of the function may hide it", f.run.ConfigPath("resources"), i, s))
		}
	}
}

// resources resolves the text fields of the resources that the configuration
// chooses, packs and facts about clusters aside, and returns how many there are.
func (f *resolving) resources() int {
	chosen := 0
	for _, item := range f.run.Items() {
		if !f.chooses(item) || pack.WantsCluster(item) {
			continue
		}
		resource := item.Resource()
		f.run.Guard(resource, func() {
			document, err := item.Document()
			if err != nil {
				f.run.Invalid(resource, "", fmt.Sprintf("%s can not be read: %v", resource, err))
				return
			}
			if pack.Holds(item, document) || !slices.ContainsFunc(f.config.Resources, func(s function.Selector) bool {
				return s.MatchesHead(item) && s.MatchesLabels(document.Root())
			}) {
				return
			}
			chosen++
			edited, err := f.document(document, document, func(found function.Finding, s Scalar) function.Finding {
				found.Resource, found.Field = resource, s.Path
				found.Line, found.Column, found.InResource = s.At.Line, s.At.Column, true
				return found
			}, func(values.Position) string { return resource.String() })
			if err != nil {
				f.run.Report(function.Finding{Rule: RuleInvalid, Resource: resource, Message: fmt.Sprintf("%s: %v", resource, err)})
			} else if edited.Text() != document.Text() {
				item.Replace(edited)
			}
		})
	}
	return chosen
}
