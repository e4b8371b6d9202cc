package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// parameterSchema is the JSON schema of a Type, made when it is first needed.
type parameterSchema struct {
	resolved *jsonschema.Resolved
	cost     *schemaCost
	err      error
}

// compiled returns the schema of a Type, nil when it has none.
func (t *Type) compiled() (*jsonschema.Resolved, error) {
	if t.schema == nil {
		t.schema = &parameterSchema{}
		if strings.TrimSpace(t.JSONSchema.Value) != "" {
			if t.schema.cost, t.schema.err = newSchemaCost(t.JSONSchema.Value); t.schema.err == nil {
				t.schema.resolved, t.schema.err = compileSchema(t.JSONSchema.Value)
			}
		}
	}
	return t.schema.resolved, t.schema.err
}

// compileSchema compiles the text of a JSON schema. It reads no other document.
func compileSchema(text string) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return nil, err
	}
	// Hubs write drafts in several ways, of which the validator knows some; their
	// own is draft-07.
	switch version := strings.TrimSuffix(s.Schema, "#"); {
	case strings.HasSuffix(version, "//json-schema.org/draft/2020-12/schema"):
		s.Schema = version
	default:
		s.Schema = "http://json-schema.org/draft-07/schema#"
	}
	// An $id may be relative, "#" even; without a loader nothing is fetched from
	// the base, or from anywhere.
	return s.Resolve(&jsonschema.ResolveOptions{BaseURI: "https://hub.invalid/type"})
}

// violation is what a JSON schema refuses of a value.
type violation struct {
	// path leads to it in the value, by keys; `[]` after one stands for some item
	// of its list. at is the same in one text.
	path []string
	at   string
	// message says what is wrong, without what the value holds.
	message string
}

// maxViolations bounds the violations that are told of one value.
const maxViolations = 20

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
	if message := t.schema.cost.check(value); message != "" {
		return []violation{{message: fmt.Sprintf("can not be checked by the JSON schema of %s: %s; mend spec.jsonSchema.value of %s", t.Ref, message, t.Resource)}}
	}
	var all []violation
	err = schema.Validate(value)
	if err == nil {
		return nil
	}
	// The validator stops at the first fault. What it tells is taken out, of the
	// schema or of the value, to see what else there is.
	rest := newRemainder(t.JSONSchema.Value, value)
	for err != nil {
		if len(all) == maxViolations {
			return append(all, violation{message: fmt.Sprintf("the JSON schema of %s refuses more of it; mend these first", t.Ref)})
		}
		f := parseFault(err)
		if words := rest.words(f); words != "" {
			path, at := f.place()
			all = append(all, violation{path, at, fmt.Sprintf("%s (JSON schema of %s)", words, t.Ref)})
		}
		if !rest.takeOut(f) {
			break
		}
		err = rest.validate()
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
