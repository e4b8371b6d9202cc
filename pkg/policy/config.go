package policy

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
)

// Config is the spec of the kind SelectImplementations.
type Config struct {
	function.Options
	// PolicyOrder are the scopes of the policies that are used, the highest
	// priority first. Default ACTION, GLOBAL, WORKFLOW.
	PolicyOrder []string `json:"policyOrder" enum:"ACTION,GLOBAL,WORKFLOW"`
	// AssumeTypeRefs are Types that are taken for available although no
	// TypeInstance is of them. Default cap.core.type.platform.kubernetes in
	// revision 0.1.0.
	AssumeTypeRefs []Ref `json:"assumeTypeRefs"`
	// OnNotSelected is the severity of selections that select nothing. Default
	// error.
	OnNotSelected string `json:"onNotSelected" enum:"error,warning"`
	// References are the Interfaces to select Implementations for. Absent, those
	// are all Interfaces, each in all revisions.
	References []Reference `json:"references"`
}

// Reference is one Interface to select an Implementation for.
type Reference struct {
	// Name is that of the ImplementationSelection.
	Name string `json:"name" required:"true"`
	// Interface is its path, and its revision; without one, the highest.
	Interface RefMatch `json:"interface" required:"true"`
	// WorkflowPolicies are the names of the WORKFLOW policies that hold for it,
	// that of the outermost step first.
	WorkflowPolicies []string `json:"workflowPolicies"`
}

// defaultOrder are the scopes from the highest priority down, as the document has
// them.
var defaultOrder = []string{ScopeAction, ScopeGlobal, ScopeWorkflow}

// defaultAssumed are the Types that exist wherever Capact runs.
var defaultAssumed = []Ref{{"cap.core.type.platform.kubernetes", "0.1.0"}}

// order returns the order of the policies, each scope once.
func (c *Config) order() []string {
	if c.PolicyOrder == nil {
		return defaultOrder
	}
	var order []string
	for _, scope := range c.PolicyOrder {
		if scope != "" && !slices.Contains(order, scope) { // others are reported
			order = append(order, scope)
		}
	}
	return order
}

// assumed returns the Types that are taken for available.
func (c *Config) assumed() []Ref {
	if c.AssumeTypeRefs == nil {
		return defaultAssumed
	}
	return c.AssumeTypeRefs
}

// problem is a fault at a field of the configuration.
type problem struct{ field, message string }

// check returns what is wrong with the configuration beyond its form.
func (c *Config) check() []problem {
	var problems []problem
	fail := func(field, format string, args ...any) {
		problems = append(problems, problem{field, fmt.Sprintf(format, args...)})
	}
	if c.PolicyOrder != nil && len(c.PolicyOrder) == 0 {
		fail("policyOrder", "names no scope; want some of ACTION, GLOBAL and WORKFLOW, or remove it for the default")
	}
	for n, scope := range c.PolicyOrder {
		if slices.Contains(c.PolicyOrder[:n], scope) && scope != "" {
			fail("policyOrder", "got %s twice; remove one", scope)
		}
	}
	for n, ref := range c.AssumeTypeRefs {
		at := fmt.Sprintf("assumeTypeRefs[%d]", n)
		if message := checkPath(ref.Path); ref.Path != "" && message != "" {
			fail(at+".path", "%s", message)
		}
		if message := checkRevision(ref.Revision); ref.Revision != "" && message != "" {
			fail(at+".revision", "%s", message)
		}
	}
	if c.References != nil && len(c.References) == 0 {
		fail("references", "names no Interface; remove it to select for every Interface in the list")
	}
	first := map[string]int{}
	for n, ref := range c.References {
		at := fmt.Sprintf("references[%d]", n)
		if message := checkName(ref.Name); ref.Name != "" && message != "" {
			fail(at+".name", "%s", message)
		}
		if earlier, ok := first[ref.Name]; ok && ref.Name != "" {
			fail(at+".name", "got %q, which is the name of references[%d] already; selections are told apart by their names", ref.Name, earlier)
		} else {
			first[ref.Name] = n
		}
		if message := checkPath(ref.Interface.Path); ref.Interface.Path != "" && message != "" {
			fail(at+".interface.path", "%s", message)
		}
		if message := checkRevision(ref.Interface.Revision); ref.Interface.Revision != "" && message != "" {
			fail(at+".interface.revision", "%s", message)
		}
		for m, name := range ref.WorkflowPolicies {
			if slices.Contains(ref.WorkflowPolicies[:m], name) && name != "" {
				fail(fmt.Sprintf("%s.workflowPolicies[%d]", at, m), "got %q twice; remove one", name)
			}
		}
	}
	return problems
}

// maxName is the length of the names that Kubernetes takes.
const maxName = 253

// checkName says why a name can not be that of a resource, "" when it can.
func checkName(name string) string {
	ok := name != "" && len(name) <= maxName
	last := byte('.')
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		ok = ok && (letter || (c == '-' || c == '.') && last != '.' && (c != '.' || last != '-'))
		last = c
	}
	if ok && last != '-' && last != '.' {
		return ""
	}
	return fmt.Sprintf("got %q, want a name as Kubernetes takes it: up to %d small letters, digits, - and ., with a letter or digit at both ends", name, maxName)
}
