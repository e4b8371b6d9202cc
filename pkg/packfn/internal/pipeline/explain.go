package pipeline

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// Explain returns a finding of the function with what its Kptfile explains: the
// selectors that may hide a resource, or that the missing content is injected
// later. A nil step stands for a function that gets every resource.
func (s *Step) Explain(f diag.Finding) diag.Finding {
	if s == nil || s.kptfile == nil {
		return f.WithLook("")
	}
	var fields []string
	if len(s.Entry.Selectors) > 0 {
		fields = append(fields, s.kptfile.At(s.Field+".selectors"))
	}
	if len(s.Entry.Exclude) > 0 {
		fields = append(fields, s.kptfile.At(s.Field+".exclude"))
	}
	look := ""
	if len(fields) > 0 {
		look = "check " + diag.AllOf(fields) + " in the Kptfile"
	}
	f = f.WithLook(look)
	if s.injects != "" && rule.Of(f.Rule.ID).IsPending {
		order := fmt.Sprintf("move inject-config, which runs later in this pipeline (%s), before %s", s.kptfile.At(s.injects), s.Function.Name)
		if f.Action == "" || f.Action == injection.Advice {
			f.Action = order
		} else {
			f.Action += ", or " + order
		}
	}
	return f
}

// InKptfile returns the subject of a finding about a functionConfig that is in the Kptfile.
func (s *Step) InKptfile(file *place.File, f *diag.Finding) report.Subject {
	field := s.ConfigField(f)
	subject := report.Subject{Path: s.Kptfile(), Places: place.Config{File: file, Field: field, IsKey: s.HasKey(f)}}
	if f.Origin != nil && s.kptfile != nil {
		subject.Resource, subject.Field = report.ResourceOf(s.KptfileResource()), field
	}
	return subject
}

// ConfigField returns the field of the Kptfile that a finding about the functionConfig is
// about, if the Kptfile holds it: `pipeline.mutators[0].configMap.vault`.
func (s *Step) ConfigField(f *diag.Finding) string {
	if rest, ok := strings.CutPrefix(f.Path(), "data"); ok {
		return s.Field + ".configMap" + rest
	}
	return s.Field
}

// HasKey reports whether the text of a finding about the functionConfig is a key there, and not a value.
func (s *Step) HasKey(f *diag.Finding) bool {
	name := f.Lacks("pack")
	isPreset := f.Rule.ID == rule.PresetUnknown.ID // its name is the value of a pack's key
	return f.Kind == diag.KindUnknown && !isPreset || name != "" && strings.HasSuffix(f.Path(), "."+name)
}

// KptfileResource identifies the Kptfile that names the function.
func (s *Step) KptfileResource() diag.Resource {
	return diag.Resource{APIVersion: "kpt.dev/v1", Kind: "Kptfile", Name: s.kptfile.Name}
}
