// Package kubernetes offers the CEL functions of Kubernetes to environments of
// package celenv. It is a package of its own so that only the programs that use
// them carry them.
package kubernetes

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/krm-packs/functions/pkg/celenv"
)

// Libraries adds the functions that expressions in Kubernetes resources have:
// IP addresses, CIDRs, quantities, semantic versions, URLs, regular expressions,
// lists, sets, formats and optional values. Their costs count as in an API server.
func Libraries() celenv.Option {
	return func(s *celenv.Settings) {
		celenv.Library(
			library.IP(), library.CIDR(), library.Quantity(), library.SemverLib(library.SemverVersion(1)),
			library.URLs(), library.Regex(), library.Lists(), library.Format(), ext.Sets(),
			cel.OptionalTypes(),
		)(s)
		celenv.Costs(&library.CostEstimator{}, nil)(s)
	}
}
