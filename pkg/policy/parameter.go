package policy

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/jsonschema"
)

const (
	// maxParameterNodes bounds the keys and values of a parameter, aliases followed:
	// they are written for each selection.
	maxParameterNodes = 10_000
	// maxViolations bounds the violations that are reported of one value.
	maxViolations = 20
)

// parameterSchema is the JSON schema of a Type, compiled when it is first needed.
type parameterSchema struct {
	schema *jsonschema.Schema
	err    error
}

// compiled returns the schema of a Type, nil when it has none.
func (t *Type) compiled() (*jsonschema.Schema, error) {
	if t.schema == nil {
		t.schema = &parameterSchema{}
		if strings.TrimSpace(t.JSONSchema.Value) != "" {
			t.schema.schema, t.schema.err = jsonschema.Parse(t.JSONSchema.Value)
		}
	}
	return t.schema.schema, t.schema.err
}

// violation is what the JSON schema of a Type does not allow in a value.
type violation struct {
	// path leads to it by keys, up to the first list on the way.
	path []string
	// at is the whole way, as text.
	at string
	// message says what is wrong, without what the value holds.
	message string
}

// violations returns what the schema of a Type does not allow in a value: the first
// ones, and that there are more.
func (t *Type) violations(n *yaml.Node) []violation {
	schema, err := t.compiled()
	if err != nil {
		return []violation{{message: fmt.Sprintf("the JSON schema of %s cannot be read: %s; fix spec.jsonSchema.value of %s", t.Ref, err, t.Resource)}}
	}
	if schema == nil {
		return nil
	}
	found, err := schema.Judge(n, maxViolations+1)
	if err != nil {
		return []violation{{message: fmt.Sprintf("cannot be checked by the JSON schema of %s: %s; fix spec.jsonSchema.value of %s", t.Ref, err, t.Resource)}}
	}
	var all []violation
	for _, f := range found[:min(len(found), maxViolations)] {
		v := violation{at: f.Path.String(), message: fmt.Sprintf("%s (JSON schema of %s)", f.Message, t.Ref)}
		for _, step := range f.Path {
			if step.IsIndex {
				break
			}
			v.path = append(v.path, step.Key)
		}
		if len(v.path) > 0 {
			v.at = "." + v.at
		}
		all = append(all, v)
	}
	if len(found) > maxViolations {
		all = append(all, violation{message: fmt.Sprintf("the JSON schema of %s does not allow more of it; fix these first", t.Ref)})
	}
	return all
}

// schemaWarnings returns what other judges may read differently in the JSON schemas
// that parameters were checked by.
func (x *Index) schemaWarnings() []function.Finding {
	const field = "spec.jsonSchema.value"
	var findings []function.Finding
	for _, t := range x.Hub.Types {
		if t.schema == nil || t.schema.schema == nil {
			continue
		}
		for _, w := range t.schema.schema.Warnings() {
			findings = append(findings, function.Finding{Rule: RuleIgnoredField, Resource: t.Resource, Field: field, Message: field + ": " + w.Message})
		}
	}
	return findings
}
