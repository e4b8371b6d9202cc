package constraint

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// IsDeprecated reports whether an olm.bundle, the document of a catalog, has the property
// olm.deprecated.
func IsDeprecated(bundle *yaml.Node) bool {
	list := values.Field(bundle, "properties")
	return list != nil && list.Kind == yaml.SequenceNode && slices.ContainsFunc(list.Content, func(n *yaml.Node) bool {
		return values.Text(values.Field(n, "type")) == typeDeprecated
	})
}

// ofDeprecated returns the evaluator of the deprecated bundles, or nil if there are none. They
// satisfy no requirement, and what they require is not checked.
func (s *Set) ofDeprecated() *evaluator {
	var all []*candidate
	for _, r := range s.deprecated {
		all = append(all, r.candidate)
	}
	if len(all) == 0 {
		return nil
	}
	return newEvaluator(all)
}

// checkDeprecated reports faults of the deprecated bundles themselves. In a package, which selects
// its bundles, each deprecated bundle is an error. Catalogs keep them for clusters that have them
// installed.
func (c *Checker) checkDeprecated() {
	for _, r := range c.set.deprecated {
		b := r.candidate.bundle
		if !c.isChecked(b) {
			continue
		}
		c.findings = append(c.findings, r.reported...)
		if c.options.Candidates == nil {
			f := diag.Say("%s has the property %s, and OLM does not install deprecated bundles", b, typeDeprecated).Do("use a newer version of its package")
			c.report(b.about(f.Of(rule.BundleDeprecated)))
		}
	}
}

// onlyDeprecated names the deprecated bundle that satisfies a leaf which nothing else satisfies. It
// returns "" if there is none.
func (e *explainer) onlyDeprecated(c *Constraint) string {
	if e.alone >= 0 || e.deprecated == nil || !e.deprecated.holds(c) {
		return ""
	}
	in := &explainer{evaluator: e.deprecated, alone: -1}
	return fmt.Sprintf("; %s would, but has the property %s: OLM does not install it", in.name(in.provider(c)), typeDeprecated)
}
