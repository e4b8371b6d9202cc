package policy

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// maxViolations bounds the violations that are reported of one value.
const maxViolations = 20

// stepsOfParameter is what each parameter adds to the steps of a run: a check of usual size takes less.
const stepsOfParameter = 1000 * jsonschema.StepsOfCheck

// parameterSchema is the JSON schema of a Type, compiled when it is first needed.
type parameterSchema struct {
	// schema is nil when the Type has none.
	schema *jsonschema.Schema
	// err is the reason why the schema cannot be compiled.
	err error
}

// schema returns the compiled schema of a Type.
func (x *Index) schema(t *manifest.Type) *parameterSchema {
	if x.schemas[t] == nil {
		x.schemas[t] = &parameterSchema{}
		if strings.TrimSpace(t.JSONSchema.Value) != "" {
			x.schemas[t].schema, x.schemas[t].err = jsonschema.ParseDraft7(t.JSONSchema.Value)
		}
	}
	return x.schemas[t]
}

// checkParameter reports what the JSON schema of a Type does not allow in the value of
// a parameter, each violation at the policy that the value there comes from. Without the
// Type in the hub there is no check.
func (s *Selection) checkParameter(p MergedParameter, ref manifest.Ref) {
	t := s.index.types[ref]
	if t == nil || p.Value.Root() == nil {
		return
	}
	found, faults := s.index.violations(t, p.Value.Root())
	s.Findings = append(s.Findings, faults...)
	for _, v := range found {
		s.fault(p.origin(v.keys), "."+diag.Join("value", v.path), v.Finding)
	}
}

// violation is a finding about a part of a value, without a place.
type violation struct {
	diag.Finding
	// path leads to the part, and keys does up to the first list on the way.
	path string
	// keys are the steps to that list, by which the policy with the value is found.
	keys []string
}

// violations returns what the schema of a Type does not allow in a value: the first
// ones, and that there are more. They never hold what the value holds. faults are those
// of a schema that cannot check the value, or that the run has no steps left for it.
func (x *Index) violations(t *manifest.Type, n *yaml.Node) (found []violation, faults []diag.Finding) {
	compiled := x.schema(t)
	if compiled.err != nil {
		return nil, schemaFaults(t, compiled.err)
	}
	if compiled.schema == nil || x.isSpent {
		return nil, nil
	}
	x.meter.Grow(stepsOfParameter)
	checked, err := compiled.schema.ValidateIn(&x.meter, n, maxViolations+1)
	if x.isSpent = errors.Is(err, jsonschema.ErrSpent); x.isSpent {
		f := meter.Exceeded("checking all parameters with the JSON schemas of Types", "simplify this schema")
		return nil, []diag.Finding{f.About(t.Resource, schemaField).Of(rule.InputInvalid)}
	}
	if err != nil {
		return nil, schemaFaults(t, err)
	}
	for _, f := range checked[:min(len(checked), maxViolations)] {
		v := violation{Finding: diag.Say("%s (JSON schema of %s)", f.Message, t.Ref), path: f.Path.String()}
		v.Tags = map[string]string{"schema": f.Schema}
		for _, step := range f.Path {
			if step.IsIndex {
				break
			}
			v.keys = append(v.keys, step.Key)
		}
		found = append(found, v)
	}
	if len(checked) > maxViolations {
		found = append(found, violation{Finding: diag.Say("the value has more faults (JSON schema of %s)", t.Ref).Do("fix the reported ones first")})
	}
	return found, nil
}

// schemaField is the path of the JSON schema in a Type.
const schemaField = "spec.jsonSchema.value"

// schemaFaults are the faults of the schema of a Type, with their places in the tag
// schema.
func schemaFaults(t *manifest.Type, err error) []diag.Finding {
	faults, ok := errors.AsType[jsonschema.Faults](err)
	if !ok {
		return []diag.Finding{diag.Say("the schema cannot check a value: %v", err).About(t.Resource, schemaField).Of(rule.PolicyInvalid)}
	}
	var findings []diag.Finding
	for _, fault := range faults[:min(len(faults), maxViolations)] {
		f := diag.Say("%v", fault).About(t.Resource, schemaField).Of(rule.PolicyInvalid)
		f.Tags = map[string]string{"schema": fault.Pointer}
		findings = append(findings, f)
	}
	return findings
}

// schemaWarnings returns misspelt keywords, and those that other validators may read
// differently, in the JSON schemas that parameters were checked by.
func (x *Index) schemaWarnings() []diag.Finding {
	var findings []diag.Finding
	for _, t := range x.Hub.Types {
		if compiled := x.schemas[t]; compiled != nil && compiled.schema != nil {
			for _, w := range compiled.schema.Warnings() {
				f := diag.Say("%s", w.Message)
				if w.Nearest != "" {
					f = diag.Say("%v", w)
					f.Nearest, f.Tags = w.Nearest, map[string]string{"schema": w.Pointer}
				}
				findings = append(findings, f.About(t.Resource, schemaField).Of(rule.PolicyIgnoredField))
			}
		}
	}
	return findings
}
