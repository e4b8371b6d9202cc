package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// parameterSchema is the JSON schema of a Type, read when it is first needed.
type parameterSchema struct {
	schema *jsonSchema
	err    error
}

// compiled returns the schema of a Type, nil when it has none.
func (t *Type) compiled() (*jsonSchema, error) {
	if t.schema == nil {
		t.schema = &parameterSchema{}
		if strings.TrimSpace(t.JSONSchema.Value) != "" {
			t.schema.schema, t.schema.err = readSchema(t.JSONSchema.Value)
		}
	}
	return t.schema.schema, t.schema.err
}

// violations says which parts of a value do not satisfy the schema of a Type,
// without what the value holds.
func (t *Type) violations(n *yaml.Node) []violation {
	schema, err := t.compiled()
	if err != nil {
		return []violation{{message: fmt.Sprintf("the JSON schema of %s can not be read: %s; mend spec.jsonSchema.value of %s", t.Ref, plain(err), t.Resource)}}
	}
	if schema == nil {
		return nil
	}
	value, err := jsonValue(n)
	if err != nil {
		return []violation{{message: err.Error()}}
	}
	if message := schema.tooCostly(value); message != "" {
		return []violation{{message: fmt.Sprintf("can not be checked by the JSON schema of %s: %s; mend spec.jsonSchema.value of %s", t.Ref, message, t.Resource)}}
	}
	all, more := schema.violations(value)
	for i := range all {
		all[i].message += fmt.Sprintf(" (JSON schema of %s)", t.Ref)
	}
	if more {
		all = append(all, violation{message: fmt.Sprintf("the JSON schema of %s refuses more of it; mend these first", t.Ref)})
	}
	return all
}

// plain is an error of a schema, which holds no values.
func plain(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("it is no JSON (%v, at byte %d)", err, syntax.Offset)
	}
	return err.Error()
}

// jsonValue is a YAML value as JSON has it.
func jsonValue(n *yaml.Node) (any, error) {
	n = values.Resolve(n)
	if n == nil {
		return nil, nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for _, p := range pairs(n) {
			key := values.Resolve(p.key)
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("a key is %s, want text", function.KindOf(key))
			}
			v, err := jsonValue(p.value)
			if err != nil {
				return nil, err
			}
			out[key.Value] = v
		}
		return out, nil
	case yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, child := range n.Content {
			v, err := jsonValue(child)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool", "!!int", "!!float":
		var v any
		if err := n.Decode(&v); err != nil {
			return nil, fmt.Errorf("a %s can not be read", function.KindOf(n))
		}
		return v, nil
	}
	return n.Value, nil
}
