package schema

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function validate-pack-values.
func Function() function.Function {
	return function.Function{
		Name: "validate-pack-values",
		Kind: "ValidatePackValues",
		Rules: []function.Rule{
			{ID: string(RuleRequired), Severity: function.Error},
			{ID: string(RuleReadOnly), Severity: function.Error},
			{ID: string(RuleFormat), Severity: function.Error},
			{ID: ruleInvalidYAML, Severity: function.Error},
			{ID: ruleDuplicateKey, Severity: function.Error},
			{ID: ruleSchemaInvalid, Severity: function.Error},
			{ID: string(RuleUnknownFormat), Severity: function.Warning},
			{ID: string(RuleKeyNotInValues), Severity: function.Warning},
			{ID: string(RuleNoBaseline), Severity: function.Warning},
			{ID: string(RuleUnknownKey), Severity: function.Warning},
			{ID: string(RuleDeferred), Severity: function.Info},
		},
		New: func() function.Processor { return &validator{schemas: map[string]loaded{}} },
	}
}

// The rules that are about documents rather than values.
const (
	ruleInvalidYAML   = "values/invalid-yaml"
	ruleDuplicateKey  = "values/duplicate-key"
	ruleSchemaInvalid = "schema/invalid"
)

// Config is the spec of the kind ValidatePackValues.
type Config struct {
	function.Options
	pack.Choice
	// UnknownKeys says what to do about keys that nothing knows: ignore (the
	// default), or report them as warning or error.
	UnknownKeys string `json:"unknownKeys" enum:"ignore,warning,error"`
	// Targets are fields of any resources that are judged by a schema of their
	// own.
	Targets []Target `json:"targets"`
}

// Target is a field of some resources and the schema of its values.
type Target struct {
	Selector function.Selector `json:"selector" required:"true"`
	// Path is the field, `spec.values`: a mapping, or text that holds YAML.
	Path string `json:"path" required:"true"`
	// Schema is the mapping of a schema.yaml, or its text.
	Schema *yaml.Node `json:"schema" required:"true"`
}

type validator struct {
	config Config
	// schemas are the parsed schemas by their text: packs of one kind share it.
	schemas map[string]loaded
	run     *function.Run
}

type loaded struct {
	schema   *Schema
	problems []Problem
	err      error
}

func (v *validator) Config() any { return &v.config }

func (v *validator) Wants(item *function.Item) bool {
	if pack.Wants(item) {
		return true
	}
	for i := range v.config.Targets {
		if v.config.Targets[i].Selector.MatchesHead(item) {
			return true
		}
	}
	return false
}

func (v *validator) Process(run *function.Run) {
	v.run = run
	set := pack.Load(run, v.config.Choice)
	for _, p := range set.Chosen {
		run.Guard(p.Resource, func() { v.pack(p) })
	}
	for i := range v.config.Targets {
		v.target(i)
	}
	if len(set.Packs) == 0 && !set.Unread && len(v.config.Targets) == 0 {
		run.NothingToDo("the list holds no packs: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1); a selector of the function may hide it")
	}
}

func (v *validator) pack(p *pack.Pack) {
	schema := &Schema{}
	if p.Schema != nil {
		schema = v.schema(p.Schema, p.Name)
	}
	effective, faults := p.Effective()
	for _, f := range faults {
		v.run.Report(f.Of(function.Rule{ID: ruleInvalidYAML, Severity: function.Error}).Do("fix it: the pack's values are not judged before"))
	}
	if effective == nil {
		return // what the values come to is unknown
	}
	for _, f := range effective.Duplicates() {
		v.run.Report(f.Of(function.Rule{ID: ruleDuplicateKey, Severity: function.Error}).For(p.Name))
	}
	judged := Values{Tree: effective.Tree, Layers: effective.Documents, Own: effective.Own}
	presets, _ := p.ReadPresets() // their faults are for apply-preset to report
	for _, preset := range presets {
		if preset.Add != nil && len(preset.Faults) == 0 {
			judged.Added = append(judged.Added, preset.Add)
		}
	}
	v.judge(schema, judged, sources{layers: effective.Layers, schema: p.Schema, pack: p.Name, absent: func(f function.Finding) function.Finding {
		f.Resource = p.Resource
		if p.Values != nil {
			f = function.Locate(p.Values.Origin, f, f.Key, values.Position{})
		}
		return f
	}})
}

// sources says where findings of one check belong.
type sources struct {
	layers []*pack.Source
	schema *pack.Source
	pack   string
	// absent locates a finding about a value that no layer supplies.
	absent func(function.Finding) function.Finding
}

// judge checks values and reports the findings.
func (v *validator) judge(schema *Schema, judged Values, where sources) {
	findings := schema.Check(judged)
	if v.config.UnknownKeys == "warning" || v.config.UnknownKeys == "error" {
		findings = append(findings, schema.Unknown(judged)...)
	}
	for _, f := range findings {
		v.run.ReportLegacy(v.finding(f, where))
	}
}

// finding makes a finding of the run, with its message and its place.
func (v *validator) finding(f Finding, where sources) function.Finding {
	out := function.Finding{Rule: string(f.Rule), Key: f.Key, Pack: where.pack, Current: f.Current, Proposed: f.Proposed}
	if f.Rule == RuleUnknownKey && v.config.UnknownKeys == "error" {
		out.Severity = function.Error
	}
	place := ""
	switch {
	case f.OfSchema:
		out = function.Locate(where.schema.Origin, out, f.Key, f.Position)
		place = where.schema.Place(f.Position)
	case f.Layer >= 0:
		out = function.Locate(where.layers[f.Layer].Origin, out, f.Key, f.Position)
		place = where.layers[f.Layer].Place(f.Position)
	default:
		out = where.absent(out)
		if len(where.layers) > 0 {
			place = where.layers[0].Name
		}
	}
	var message strings.Builder
	fmt.Fprintf(&message, "%s: %s", f.Key, f.Detail)
	if place != "" {
		fmt.Fprintf(&message, " (%s)", place)
	}
	for i, hint := range f.Hints {
		if i == 0 {
			message.WriteByte(':')
		} else {
			message.WriteByte(',')
		}
		fmt.Fprintf(&message, " %q", hint)
	}
	out.Message = message.String()
	return out
}

// schema reads a schema and reports its faults.
func (v *validator) schema(source *pack.Source, packName string) *Schema {
	p, known := v.schemas[source.Text()]
	if !known || !source.Embedded {
		document, err := source.Document()
		if err != nil {
			p = loaded{schema: &Schema{}, err: err}
		} else {
			p.schema, p.problems = Parse(document)
		}
		if source.Embedded {
			v.schemas[source.Text()] = p
		}
	}
	if p.err != nil {
		v.run.ReportLegacy(function.Locate(source.Origin, function.Finding{
			Rule:    ruleSchemaInvalid,
			Pack:    packName,
			Message: fmt.Sprintf("%s: is not YAML that can be read: %v", source.Name, p.err),
		}, "", values.ErrorPosition(p.err)))
	}
	for _, problem := range p.problems {
		key := problem.Key
		if key == "" {
			key = source.Name
		}
		message := problem.Message
		if problem.First.Line > 0 && source.Embedded {
			message = fmt.Sprintf("stands on line %d and again on line %d; remove one", problem.First.Line, problem.Position.Line)
		}
		v.run.ReportLegacy(function.Locate(source.Origin, function.Finding{
			Rule:    ruleSchemaInvalid,
			Pack:    packName,
			Message: fmt.Sprintf("%s: %s (%s)", key, message, source.Place(problem.Position)),
		}, problem.Key, problem.Position))
	}
	return p.schema
}

// unreadable reports values that are not YAML.
func (v *validator) unreadable(source *pack.Source, packName string, err error) {
	whose := "the pack's"
	if packName == "" {
		whose = "the" // those of a target
	}
	v.run.ReportLegacy(function.Locate(source.Origin, function.Finding{
		Rule:    ruleInvalidYAML,
		Pack:    packName,
		Message: fmt.Sprintf("%s: can not be read as values: %v; %s values are not judged until this is mended", source.Name, err, whose),
	}, "", values.ErrorPosition(err)))
}

// duplicates reports keys that stand twice.
func (v *validator) duplicates(source *pack.Source, packName string, document *values.Document) {
	for _, d := range document.Duplicates() {
		lines := ""
		if source.Embedded {
			lines = fmt.Sprintf(" on line %d and again on line %d", d.First.Line, d.Second.Line)
		} else {
			lines = " twice"
		}
		v.run.ReportLegacy(function.Locate(source.Origin, function.Finding{
			Rule:    ruleDuplicateKey,
			Pack:    packName,
			Message: fmt.Sprintf("%s: the key stands%s; remove one (%s)", d.Path, lines, source.Name),
		}, d.Path, d.Second))
	}
}
