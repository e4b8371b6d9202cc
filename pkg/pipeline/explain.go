package pipeline

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Explain returns a finding of the function with what its Kptfile adds: the selectors that
// may hide a resource, and that what is missing is injected later. A nil step is of a
// function that gets everything.
func (s *Step) Explain(f diag.Finding) diag.Finding {
	if s == nil || s.kptfile == nil {
		return f.WithSelectors("")
	}
	selectors := ""
	for _, field := range []struct {
		name  string
		isSet bool
	}{{"selectors", len(s.Entry.Selectors) > 0}, {"exclude", len(s.Entry.Exclude) > 0}} {
		if field.isSet {
			selectors += " and " + s.kptfile.At(s.Field+"."+field.name)
		}
	}
	if selectors != "" {
		selectors = strings.TrimPrefix(selectors, " and ") + " in the Kptfile"
	}
	f = f.WithSelectors(selectors)
	if s.injects != "" && waits(f.Rule.ID) {
		order := fmt.Sprintf("inject-config runs later in this pipeline (%s); move it before %s", s.kptfile.At(s.injects), s.Function.Name)
		f.Action = strings.TrimPrefix(f.Action+"; "+order, "; ")
	}
	return f
}

// waits reports whether findings of a rule may be about what is not injected yet.
func waits(rule string) bool {
	switch rule {
	case "macro/unset", "macro/empty", "macro/unknown", "macro/defaulted", "resources/no-pool", "policy/no-rule":
		return true
	}
	return strings.HasSuffix(rule, "/waiting")
}

// ConfigField returns the field of the Kptfile that a finding about the functionConfig is
// about, if the Kptfile holds it: `pipeline.mutators[0].configMap.vault`.
func (s *Step) ConfigField(f *diag.Finding) string {
	if rest, ok := strings.CutPrefix(f.Path(), "data"); ok {
		return s.Field + ".configMap" + rest
	}
	return s.Field
}

// KptfileResource identifies the Kptfile that names the function.
func (s *Step) KptfileResource() diag.Resource {
	return diag.Resource{APIVersion: "kpt.dev/v1", Kind: "Kptfile", Name: s.kptfile.Name}
}
