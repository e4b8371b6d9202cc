package manifest

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Requirements are what an Implementation needs, in the order of the document.
type Requirements []PrefixRequirements

// PrefixRequirements are the requirements below one prefix. All of its lists must
// hold; a list that is absent or empty does.
type PrefixRequirements struct {
	// Prefix is the path that names are relative to.
	Prefix string `json:"-"`
	// OneOf holds when exactly one of its items is satisfied.
	OneOf []RequirementItem `json:"oneOf"`
	// AllOf holds when all of its items are satisfied.
	AllOf []RequirementItem `json:"allOf"`
	// AnyOf holds when at least one of its items is satisfied.
	AnyOf []RequirementItem `json:"anyOf"`

	_ struct{} `unknown:"slips"`
}

// RequirementItem is a Type that an Implementation needs a TypeInstance of.
type RequirementItem struct {
	// Name is the name of a Type under the prefix, or the whole path of a Type, which begins with
	// `cap.`.
	Name string `json:"name" required:"true"`
	// Revision is the revision of the Type.
	Revision string `json:"revision" required:"true"`
	// Alias is the name by which the workflow knows the TypeInstance that a policy
	// injects.
	Alias string `json:"alias"`

	_ struct{} `unknown:"slips"`
}

// DecodeNode reads the requirements of each prefix, and keeps their order.
//
//	cap.core.type.platform:
//	  oneOf: [{name: kubernetes, revision: 0.1.0}]
//	cap.type.gcp:
//	  allOf: [{name: auth, revision: 0.1.0, alias: gcp}]
func (r *Requirements) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind != yaml.MappingNode {
		return []diag.Finding{diag.Got(values.KindOf(n), "a map of prefixes to oneOf, allOf and anyOf").At(path, values.At(n))}
	}
	var findings []diag.Finding
	seen := map[string]*yaml.Node{}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key := values.Resolve(n.Content[at])
		p := PrefixRequirements{Prefix: key.Value}
		below := diag.Join(path, p.Prefix)
		if first := seen[p.Prefix]; first != nil {
			findings = append(findings, diag.Duplicate(values.At(first), values.At(key)).At(below, values.At(key)))
			continue
		}
		seen[p.Prefix] = key
		findings = append(findings, decode.Node(n.Content[at+1], below, &p)...)
		*r = append(*r, p)
	}
	return findings
}

// Operator determines how many items of a list must be satisfied.
type Operator string

// The operators.
const (
	OneOf Operator = "oneOf"
	AllOf Operator = "allOf"
	AnyOf Operator = "anyOf"
)

// Requirement is an item of a list of requirements.
type Requirement struct {
	// TypeRef is the Type with its whole path.
	TypeRef Ref
	// Alias is "" for one that no TypeInstance is injected for.
	Alias string
	// Field is its path in the manifest.
	Field string
}

// String names a requirement for messages: its Type, and its alias before it.
func (r Requirement) String() string {
	if r.Alias == "" {
		return r.TypeRef.String()
	}
	return r.Alias + " (" + r.TypeRef.String() + ")"
}

// RequirementGroup is a list of requirements.
type RequirementGroup struct {
	// Prefix is the prefix of the list, and Operator tells how many of its items must be satisfied.
	Prefix   string
	Operator Operator
	// From and To bound its items.
	From, To int
}

// resolveRequirements fills the requirements from Requires.
func (i *Implementation) resolveRequirements() {
	i.byPath = map[string][]int{}
	for _, p := range i.Requires {
		for _, list := range []struct {
			operator Operator
			items    []RequirementItem
		}{{OneOf, p.OneOf}, {AllOf, p.AllOf}, {AnyOf, p.AnyOf}} {
			from := len(i.Requirements)
			for n, item := range list.items {
				ref := Ref{Path: item.Name, Revision: item.Revision}
				if !strings.HasPrefix(item.Name, "cap.") {
					ref.Path = p.Prefix + "." + item.Name
				}
				i.byPath[ref.Path] = append(i.byPath[ref.Path], len(i.Requirements))
				i.Requirements = append(i.Requirements, Requirement{ref, item.Alias, fmt.Sprintf("spec.requires.%s.%s[%d]", p.Prefix, list.operator, n)})
			}
			if len(i.Requirements) > from {
				i.Groups = append(i.Groups, RequirementGroup{p.Prefix, list.operator, from, len(i.Requirements)})
			}
		}
	}
}
