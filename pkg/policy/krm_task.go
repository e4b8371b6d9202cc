package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// task is one selection to make.
type task struct {
	// name is the name of the ImplementationSelection.
	name string
	// on is the Interface, or nil if it does not exist.
	on *manifest.Interface
	// workflow are the names of its WORKFLOW policies.
	workflow []string
	// origin and field are where it is asked for.
	origin *diag.Origin
	// field is the path of the reference in the configuration.
	field string
}

// tasks are the selections that the references ask for, without references one for
// each Interface. It reports references to what does not exist; they have a task without
// an Interface, so their selections stay.
func (p *processor) tasks(index *Index) []task {
	if p.config.References == nil {
		return p.everyInterface(index)
	}
	var tasks []task
	for n, ref := range p.config.References {
		at := fmt.Sprintf("references[%d]", n)
		p.checkWorkflow(at, ref.WorkflowPolicies)
		if ref.Name == "" || ref.Interface.Path == "" {
			continue // reported
		}
		t := task{name: ref.Name, workflow: ref.WorkflowPolicies, origin: p.run.ConfigOrigin(), field: "spec." + at}
		t.on = index.Interface(ref.Interface)
		isFaulty := len(manifest.CheckPath(ref.Interface.Path))+len(manifest.CheckRevision(ref.Interface.Revision)) > 0
		if t.on == nil && !isFaulty {
			p.report(index.unknownInterface(ref.Interface, t.field+".interface").From(t.origin).Of(rule.PolicyInvalid))
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// everyInterface has one task for each Interface.
func (p *processor) everyInterface(index *Index) []task {
	const field = "spec.path"
	var tasks []task
	first := map[string]*manifest.Interface{}
	for _, i := range index.allInterfaces() {
		t := task{name: selectionName(i.Ref), on: i, origin: diag.Whole(i.Resource), field: field}
		fault := ""
		if len(checkName(t.name)) > 0 {
			fault = "which is not a Kubernetes name"
		} else if other := first[t.name]; other != nil {
			fault = "which is that of " + other.Ref.String()
		}
		if fault != "" {
			f := diag.Say("its selection would have the name %q, %s", t.name, fault).Do("add a reference with another name to the functionConfig")
			p.report(f.In(t.origin, field, diag.Position{}).Of(rule.PolicyInvalid))
			continue
		}
		first[t.name] = i
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 && !p.run.Failed() {
		p.run.NothingToDo("there are no Interfaces (" + manifest.GroupVersion + ") in the package, and no references in the functionConfig. If there are Interfaces, check the function's selectors")
	}
	return tasks
}

// checkWorkflow reports names that are not names of WORKFLOW policies.
func (p *processor) checkWorkflow(at string, named []string) {
	var known []string
	scopes := map[string]string{}
	for _, one := range p.policies {
		if scopes[one.Resource.Name] = one.Scope; one.Scope == manifest.ScopeWorkflow {
			known = append(known, one.Resource.Name)
		}
	}
	for n, name := range named {
		if name == "" || slices.Contains(known, name) {
			continue
		}
		f := diag.NotFound("WORKFLOW policy", name, known)
		if scope := scopes[name]; scope != "" {
			f = diag.Say("policy %q must have the scope WORKFLOW, got %s", name, scope)
		}
		p.configInvalid(f.At(fmt.Sprintf("%s.workflowPolicies[%d]", at, n), diag.Position{}))
	}
}

// selectionName returns the name of the selection for an Interface.
func selectionName(r manifest.Ref) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '_' || c == '+':
			return '-'
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return c
	}, r.Path+"-"+r.Revision)
}

// selectAll makes the selections and reports them. Those that rest on a doubt are not said to be selected.
func (p *processor) selectAll(index *Index, tasks []task) map[string]*Selection {
	severity := diag.Severity(cmp.Or(p.config.OnNotSelected, string(diag.Error)))
	made := map[string]*Selection{}
	merged := map[string]*Merged{}
	var unused []task
	for _, t := range tasks {
		if t.on == nil {
			continue
		}
		key := strings.Join(t.workflow, "\x00")
		m := merged[key]
		if m == nil {
			m = Merge(index, Layers(p.policies, p.config.order(), t.workflow)...)
			merged[key] = m
			p.report(m.Findings...)
		}
		p.run.Guard(t.on.Resource, func() {
			selection := index.Select(m, t.on)
			// Its findings are about this Implementation: others do not rest on them.
			p.run.Report(selection.Findings...)
			if len(selection.Findings) > 0 {
				return
			}
			f := selection.report(t.name, t.origin, t.field, severity)
			isDoubtful := p.doubts.Touch(append(selection.Rests, Place{t.origin.Resource, t.field}))
			if !isDoubtful {
				made[t.name] = selection
			}
			isUnused := p.with.IsLibrary && p.config.References == nil && selection.Outcome == WithoutRule && selection.almost == nil
			switch {
			case isUnused && !isDoubtful:
				unused = append(unused, t)
			case !isUnused && (!isDoubtful || f.Level() != diag.Info): // it may be selected for other reasons, but it is not
				p.run.Report(f)
			}
		})
	}
	p.reportUnused(unused)
	p.run.Report(index.schemaWarnings()...)
	return made
}

// reportUnused reports the Interfaces of a library for which there is no rule, all at the first one.
func (p *processor) reportUnused(tasks []task) {
	if len(tasks) == 0 {
		return
	}
	var refs brief
	for _, t := range tasks {
		refs.add(t.on.Ref.String)
	}
	which := "Interfaces that nothing references"
	if len(tasks) == 1 {
		which = "an Interface that nothing references"
	}
	f := diag.Say("no policy in use has a rule for %s: %s", which, refs.join(", ")).
		Do("name the Interfaces that are used in spec.references of a SelectImplementations").Of(rule.PolicyNoRule)
	f.Severity = diag.Info
	p.run.Report(f.In(tasks[0].origin, tasks[0].field, diag.Position{}))
}
