// Package kubernetes adds the CEL functions of Kubernetes to environments of
// package celenv. It is a separate package because it makes programs larger.
package kubernetes

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

// Libraries adds the functions of expressions in Kubernetes resources: IP addresses, CIDRs,
// quantities, semantic versions, URLs, regular expressions, lists, sets, formats and optional
// values. They have the same costs as in an API server.
func Libraries() celenv.Option {
	return func(s *celenv.Settings) {
		celenv.Library(
			library.IP(), library.CIDR(), library.Quantity(), library.SemverLib(library.SemverVersion(1)),
			library.URLs(), library.Lists(), library.Format(), ext.Sets(),
			cel.OptionalTypes(),
		)(s)
		celenv.Regex()(s)
		celenv.Costs(&library.CostEstimator{})(s)
	}
}
