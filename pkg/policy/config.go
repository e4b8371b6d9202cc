package policy

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// Choice selects Interfaces and the policies for them: the spec of the kind SelectImplementations,
// without the fields of every function.
type Choice struct {
	// PolicyOrder are the scopes of the policies that are used, the highest
	// priority first.
	PolicyOrder []string `json:"policyOrder" enum:"ACTION,GLOBAL,WORKFLOW" absent:"ACTION, GLOBAL, WORKFLOW"`
	// AssumeTypeRefs are Types that are available although there is no TypeInstance
	// of them.
	AssumeTypeRefs []manifest.Ref `json:"assumeTypeRefs" absent:"cap.core.type.platform.kubernetes in revision 0.1.0"`
	// OnNotSelected is the severity of selections that select nothing.
	OnNotSelected string `json:"onNotSelected" enum:"error,warning" default:"error"`
	// References are the Interfaces to select Implementations for.
	References []Reference `json:"references" absent:"all Interfaces, each in every revision"`
}

// Reference is one Interface to select an Implementation for.
type Reference struct {
	// Name is the name of the ImplementationSelection.
	Name string `json:"name" required:"true"`
	// Interface is its path, and its revision; without one, the highest.
	Interface manifest.RefMatch `json:"interface" required:"true"`
	// WorkflowPolicies are the names of its WORKFLOW policies, with the policy of the outermost
	// step first.
	WorkflowPolicies []string `json:"workflowPolicies"`
}

// defaultOrder are the scopes from the highest priority down, as the document has
// them.
var defaultOrder = []string{manifest.ScopeAction, manifest.ScopeGlobal, manifest.ScopeWorkflow}

// defaultAssumed are the Types that exist wherever Capact runs.
var defaultAssumed = []manifest.Ref{{Path: "cap.core.type.platform.kubernetes", Revision: "0.1.0"}}

// order returns the order of the policies, each scope once.
func (c *Choice) order() []string {
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

// assumed returns the Types that are available without a TypeInstance.
func (c *Choice) assumed() []manifest.Ref {
	if c.AssumeTypeRefs == nil {
		return defaultAssumed
	}
	return c.AssumeTypeRefs
}

// check returns faults of the choice beyond its form. Their keys are paths in it.
func (c *Choice) check() []diag.Finding {
	var findings []diag.Finding
	add := func(field string, all ...diag.Finding) {
		for _, f := range all {
			findings = append(findings, f.At(field, diag.Position{}))
		}
	}
	if c.PolicyOrder != nil && len(c.PolicyOrder) == 0 {
		add("policyOrder", diag.Got("an empty list", "some of ACTION, GLOBAL and WORKFLOW").Saying("policyOrder is empty").
			Do("add ACTION, GLOBAL or WORKFLOW, or remove policyOrder for the default order"))
	}
	for n, scope := range c.PolicyOrder {
		if slices.Contains(c.PolicyOrder[:n], scope) && scope != "" {
			add("policyOrder", diag.Say("the list has %s twice", scope).Do("remove one"))
		}
	}
	for n, ref := range c.AssumeTypeRefs {
		at := fmt.Sprintf("assumeTypeRefs[%d]", n)
		add(at+".path", manifest.CheckPath(ref.Path)...)
		add(at+".revision", manifest.CheckRevision(ref.Revision)...)
	}
	if c.References != nil && len(c.References) == 0 {
		add("references", diag.Got("an empty list", "Interfaces").Saying("references is empty").
			Do("add an Interface, or remove references to select for every Interface"))
	}
	first := map[string]int{}
	for n, ref := range c.References {
		at := fmt.Sprintf("references[%d]", n)
		add(at+".name", checkName(ref.Name)...)
		if earlier, ok := first[ref.Name]; ok && ref.Name != "" {
			add(at+".name", diag.GotText(ref.Name, "a unique name").Do(fmt.Sprintf("rename this reference or references[%d]", earlier)))
		} else {
			first[ref.Name] = n
		}
		add(at+".interface.path", manifest.CheckPath(ref.Interface.Path)...)
		add(at+".interface.revision", manifest.CheckRevision(ref.Interface.Revision)...)
		for m, name := range ref.WorkflowPolicies {
			if slices.Contains(ref.WorkflowPolicies[:m], name) && name != "" {
				add(fmt.Sprintf("%s.workflowPolicies[%d]", at, m), diag.Say("the list has %q twice", name).Do("remove one"))
			}
		}
	}
	return findings
}

// checkName returns a finding, without a place, if a resource cannot have a name. ""
// passes: a missing name is reported where it is required.
func checkName(name string) []diag.Finding {
	if name == "" || len(validation.IsDNS1123Subdomain(name)) == 0 {
		return nil
	}
	return []diag.Finding{diag.GotText(name, fmt.Sprintf("a Kubernetes name (at most %d lowercase letters, digits, - and ., with a letter or digit at both ends)", validation.DNS1123SubdomainMaxLength))}
}
