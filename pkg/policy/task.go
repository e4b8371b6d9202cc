package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

// task is one selection that is to be made.
type task struct {
	// name is that of the ImplementationSelection.
	name string
	on   *Interface
	// workflow are the names of the WORKFLOW policies that hold.
	workflow []string
	// about is where it is asked for.
	about function.Finding
	// undetermined says that what it asks for is not certain.
	undetermined bool
}

// tasks are the selections that the references ask for, without references one
// for each Interface. It reports references to what is not there; they have a
// task without an Interface, so that their selections stay.
func (s *selector) tasks(index *Index) []task {
	var tasks []task
	if s.config.References == nil {
		first := map[string]*Interface{}
		for _, i := range index.Interfaces() {
			t := task{name: selectionName(i.Ref), on: i, about: function.Finding{Resource: i.Resource, Field: "spec.path"}}
			if message := checkName(t.name); message != "" {
				s.report([]function.Finding{invalid(i.Resource, "spec.path", "its selection can not be named %q: %s; configure a reference, which has a name of its own", t.name, message)})
				continue
			}
			if other := first[t.name]; other != nil {
				s.report([]function.Finding{invalid(i.Resource, "spec.path", "its selection would bear the name %q, as that of %s; configure references, which have names of their own", t.name, other.Ref)})
				continue
			}
			first[t.name] = i
			tasks = append(tasks, t)
		}
		if len(tasks) == 0 && !s.run.Failed() {
			s.run.NothingToDo("there are no Interfaces (" + GroupVersion + ") in the list, and no references are configured; " + mayHide)
		}
		return tasks
	}
	for n, ref := range s.config.References {
		at := fmt.Sprintf("spec.references[%d]", n)
		t := task{
			name: ref.Name, workflow: ref.WorkflowPolicies,
			about: function.Finding{Resource: s.run.ConfigResource(), Field: at},
		}
		t.undetermined = s.unknownWorkflow(at, ref.WorkflowPolicies)
		if ref.Name == "" || ref.Interface.Path == "" {
			continue // reported
		}
		if t.on = index.Interface(ref.Interface); t.on == nil {
			f := function.Finding{Rule: RuleInvalid, Resource: s.run.ConfigResource(), Field: at + ".interface"}
			f.Message = fmt.Sprintf("%s.interface: %s", at, index.unknownInterface(ref.Interface))
			s.run.ReportLegacy(f)
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// unknownWorkflow reports names that no WORKFLOW policy bears.
func (s *selector) unknownWorkflow(at string, named []string) bool {
	var names []string
	for _, p := range s.policies {
		if p.Scope == ScopeWorkflow {
			names = append(names, p.Resource.Name)
		}
	}
	unknown := false
	for n, name := range named {
		if name == "" || slices.Contains(names, name) {
			continue
		}
		unknown = true
		field := fmt.Sprintf("%s.workflowPolicies[%d]", at, n)
		message := fmt.Sprintf("%s: no policy of scope WORKFLOW is named %q%s; %s", field, name, nearest.Hint(name, names), mayHide)
		for _, p := range s.policies {
			if p.Resource.Name == name && p.Scope != "" {
				message = fmt.Sprintf("%s: the policy %q is of scope %s, want one of scope WORKFLOW", field, name, p.Scope)
			}
		}
		s.run.LegacyConfigInvalid(field, message)
	}
	return unknown
}

// selectionName is the name of the selection for an Interface.
func selectionName(r Ref) string {
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

// selectAll makes the selections and reports what they come to. What depends on
// something that was not understood is left out.
func (s *selector) selectAll(index *Index, tasks []task) map[string]*Selection {
	severity := function.Severity(cmp.Or(s.config.OnNotSelected, string(function.Error)))
	made := map[string]*Selection{}
	merged := map[string]*Merged{}
	for _, t := range tasks {
		if t.on == nil {
			continue
		}
		key := strings.Join(t.workflow, "\x00")
		m := merged[key]
		if m == nil {
			m = Merge(index, Layers(s.policies, s.config.order(), t.workflow)...)
			merged[key] = m
			s.report(m.Findings)
		}
		s.run.Guard(t.on.Resource, func() {
			selection := index.Select(m, t.on)
			s.report(selection.Findings)
			if selection.Undetermined || t.undetermined || s.unread {
				return
			}
			made[t.name] = selection
			s.report([]function.Finding{selection.Report(t.name, t.about, severity)})
		})
	}
	s.report(index.schemaWarnings())
	return made
}
