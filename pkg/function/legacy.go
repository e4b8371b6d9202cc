package function

import (
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

type (
	Severity      = diag.Severity
	Rule          = diag.Rule
	Resource      = diag.Resource
	Item          = list.Item
	Selector      = selector.Selector
	LabelSelector = selector.LabelSelector
)

const (
	Error                 = diag.Error
	Warning               = diag.Warning
	Info                  = diag.Info
	PathAnnotation        = list.PathAnnotation
	PackagePathAnnotation = list.PackagePathAnnotation
)

var (
	RuleConfigInvalid = diag.ConfigInvalid
	RuleInputInvalid  = diag.InputInvalid
	RulePanic         = diag.Panic
	RuleNothingToDo   = diag.NothingToDo
)

func Read(input []byte) (*list.List, error) { return list.Read(input) }
func KindOf(n *yaml.Node) string            { return values.KindOf(n) }
func OneOf(names []string) string           { return diag.OneOf(names) }

type Finding struct {
	Rule              string
	Severity          Severity
	Message           string
	Resource          Resource
	Field             string
	Current, Proposed any
	Pack              string
	Key               string
	Line, Column      int
	InResource        bool
	Tags              map[string]string
}

func (r *Run) ReportLegacy(findings ...Finding) {
	for _, f := range findings {
		r.Report(r.modern(f))
	}
}

func (r *Run) modern(f Finding) diag.Finding {
	out := diag.Say("%s", f.Message)
	message := f.Message
	for _, prefix := range []string{f.Field + ": ", f.Resource.String() + ": "} {
		message = strings.TrimPrefix(message, prefix)
	}
	out.Found = message
	out.Bare = true
	out.Rule = diag.Rule{ID: f.Rule}
	for _, rule := range r.function.allRules() {
		if rule.ID == f.Rule {
			out.Rule = rule
		}
	}
	out.Severity, out.Current, out.Proposed, out.Pack = f.Severity, f.Current, f.Proposed, f.Pack
	out.Tags = maps.Clone(f.Tags)
	if out.Tags == nil {
		out.Tags = map[string]string{}
	}
	out.Tags["key"] = f.Key
	out.Position = diag.Position{Line: f.Line, Column: f.Column}
	if !f.Resource.IsZero() || f.Field != "" || f.Line > 0 {
		out.Origin = &diag.Origin{Resource: f.Resource, Field: f.Field, Embedded: !f.InResource}
	}
	return out
}

func (r *Run) LegacyInvalid(resource Resource, field, message string) {
	r.ReportLegacy(Finding{Rule: diag.InputInvalid.ID, Resource: resource, Field: field, Message: message})
}

func (r *Run) LegacyConfigInvalid(field, message string) {
	r.ReportLegacy(Finding{Rule: diag.ConfigInvalid.ID, Resource: r.list.ConfigResource(), Field: field, Message: message})
}

func (r *Run) ConfigResource() Resource { return r.list.ConfigResource() }

type Problem struct {
	Path, Message string
	finding       diag.Finding
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

func (p Problem) UnknownField() bool { return p.finding.Kind == diag.KindUnknown }

func Decode(n *yaml.Node, path string, out any) []Problem {
	var problems []Problem
	for _, f := range decode.Node(n, path, out) {
		problems = append(problems, Problem{f.Key, f.Message(), f})
	}
	return problems
}

// Locate puts a position of a source into a finding.
func Locate(o *diag.Origin, f Finding, key string, at diag.Position) Finding {
	f.Resource, f.Field, f.Key = o.Resource, o.Field, key
	f.Line, f.Column, f.InResource = at.Line, at.Column, !o.Embedded
	if f.InResource && key != "" {
		f.Field += "." + key
	}
	return f
}
