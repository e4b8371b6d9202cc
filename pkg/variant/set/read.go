package set

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// file is a PackageVariantSet as a resource.
type file struct {
	_ struct{} `unknown:"slips"`
	// APIVersion and Kind were checked before, and Status is not read.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		_ struct{} `unknown:"slips"`
		// Name and Namespace take any scalar, see [Ambiguous].
		Name        decode.Text `json:"name" required:"true"`
		Namespace   decode.Text `json:"namespace"`
		UID         string      `json:"uid"`
		Labels      *yaml.Node  `json:"labels"`
		Annotations *yaml.Node  `json:"annotations"`
	} `json:"metadata" required:"true"`
	Spec   specFields `json:"spec" required:"true"`
	Status *yaml.Node `json:"status"`
}

// specFields are the fields of the spec. Unknown ones are warnings, because a newer Porch may have
// them.
type specFields struct {
	_        struct{} `unknown:"warning"`
	Upstream Upstream `json:"upstream" required:"true"`
	Targets  []Target `json:"targets" required:"true"`
}

// Read reads a PackageVariantSet from its root. [New] returns what cannot be read; the
// rest is filled. Unknown fields get a warning: newer versions of Porch may have more.
// Forms that only the document's examples have, `injectorExprs` and a single map for
// a list of expressions, are read and reported as aliases.
func Read(root *yaml.Node) *Set {
	var f file
	s := &Set{unread: decode.Node(root, "", &f)}
	s.Name, s.Namespace, s.UID = string(f.Metadata.Name), string(f.Metadata.Namespace), f.Metadata.UID
	s.Upstream, s.Targets = f.Spec.Upstream, f.Spec.Targets
	for i := range s.unread {
		// Clients reprint resources, so the findings are in the order of their paths.
		u := &s.unread[i]
		u.Rule, u.Position = rule.VariantSetInvalid, diag.Position{}
		if u.Kind == diag.KindAlias {
			u.Rule = rule.VariantSetAlias
		}
	}
	return s
}
