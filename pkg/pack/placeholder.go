package pack

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Fact names a fact of the ClusterContext by its path, for [diag.Finding.Without].
func Fact(path string) string { return ClusterContextKind + " " + path }

// unfilled finds the placeholders in a ClusterContext, which packfn init cluster writes:
//
//	system:
//	  kubernetes:
//	    version: CHANGE_ME # vault: 1.28 to 1.32
//
// It returns a tree in which each of them is null, for absent, and a finding for each.
func unfilled(n *yaml.Node, path string) (*yaml.Node, []diag.Finding) {
	switch {
	case n.Kind == yaml.ScalarNode && placeholder.Is(n.Value):
		f := diag.Say("the fact is a placeholder that was not replaced").Do("write the fact of your cluster here").Of(rule.InputPlaceholder)
		f.Without = Fact(path)
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}, []diag.Finding{f.At(path, values.At(n))}
	case n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode:
		return n, nil
	}
	var findings []diag.Finding
	filled := n
	for i, child := range n.Content {
		at := path
		switch {
		case n.Kind == yaml.SequenceNode:
			at = fmt.Sprintf("%s[%d]", path, i)
		case i%2 == 0:
			continue
		default:
			at = diag.Join(path, n.Content[i-1].Value)
		}
		without, found := unfilled(child, at)
		if len(found) == 0 {
			continue
		}
		if filled == n {
			filled = new(*n)
			filled.Content = slices.Clone(n.Content)
		}
		filled.Content[i], findings = without, append(findings, found...)
	}
	return filled, findings
}
