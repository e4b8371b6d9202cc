package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// parameterSchema is the JSON schema of a Type, made when it is first needed.
type parameterSchema struct {
	resolved *jsonschema.Resolved
	err      error
}

// compiled returns the schema of a Type, nil when it has none.
func (t *Type) compiled() (*jsonschema.Resolved, error) {
	if t.schema == nil {
		t.schema = &parameterSchema{}
		if strings.TrimSpace(t.JSONSchema.Value) != "" {
			t.schema.resolved, t.schema.err = compileSchema(t.JSONSchema.Value)
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

// maxViolations bounds the violations that are told of one value.
const maxViolations = 10

// violations says which parts of a value do not satisfy the schema of a Type,
// without what the value holds.
func (t *Type) violations(n *yaml.Node) []string {
	schema, err := t.compiled()
	if err != nil {
		return []string{fmt.Sprintf("the JSON schema of %s can not be read: %s; mend spec.jsonSchema.value of %s", t.Ref, plain(err), t.Resource)}
	}
	if schema == nil {
		return nil
	}
	value, err := jsonValue(n)
	if err != nil {
		return []string{fmt.Sprintf("%v", err)}
	}
	var messages []string
	removed := map[string]bool{}
	for range maxViolations {
		err := schema.Validate(value)
		if err == nil {
			break
		}
		path, words := violation(err, removed)
		if words == "" {
			break // only what was taken out is missing
		}
		if len(path) == 0 {
			messages = append(messages, fmt.Sprintf("does not satisfy the JSON schema of %s: %s", t.Ref, words))
		} else {
			messages = append(messages, fmt.Sprintf("%s: does not satisfy the JSON schema of %s: %s", strings.Join(path, "."), t.Ref, words))
		}
		// What is told is taken out, to see what else there is.
		if len(path) == 0 || !takeOut(value, path) {
			break
		}
		removed[path[len(path)-1]] = true
	}
	return messages
}

// propertiesStep leads from a schema into one of its properties.
const propertiesStep = "/properties/"

// violation reads the place and the keyword out of a validator's error, whose
// words hold the value. The place ends where it leaves the properties.
func violation(err error, removed map[string]bool) (path []string, words string) {
	text := err.Error()
	pointer := ""
	for {
		rest, ok := strings.CutPrefix(text, "validating ")
		if !ok {
			break
		}
		at, rest, ok := strings.Cut(rest, ": ")
		if !ok {
			break
		}
		if strings.HasPrefix(at, "/") {
			pointer = at
		}
		text = rest
	}
	for strings.HasPrefix(pointer, propertiesStep) {
		name, rest, more := strings.Cut(pointer[len(propertiesStep):], "/")
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
		if pointer = ""; more {
			pointer = "/" + rest
		}
	}
	keyword, rest, _ := strings.Cut(text, ": ")
	switch {
	case keyword == "type":
		if at := strings.LastIndex(rest, " has type "); at >= 0 {
			return path, "got" + strings.Replace(rest[at+len(" has type"):], "want one of", "want", 1)
		}
	case keyword == "required":
		missing := quotedNames(rest, removed)
		if len(missing) == 0 {
			return path, ""
		}
		return path, "lacks " + strings.Join(missing, ", ")
	case strings.HasPrefix(text, "unexpected additional properties"):
		return path, "takes no " + strings.Join(quotedNames(text, nil), ", ")
	}
	if keyword == "" || strings.ContainsAny(keyword, " []\"") {
		keyword = "a keyword of it"
	}
	return path, "it fails " + keyword
}

// quotedNames are the names in a list of quoted ones, but those to skip.
func quotedNames(list string, skip map[string]bool) []string {
	var names []string
	for {
		at := strings.IndexByte(list, '"')
		if at < 0 {
			return names
		}
		quoted, err := strconv.QuotedPrefix(list[at:])
		if err != nil {
			return names
		}
		list = list[at+len(quoted):]
		if name, err := strconv.Unquote(quoted); err == nil && !skip[name] {
			names = append(names, quoted)
		}
	}
}

// takeOut removes what is at a path of a value.
func takeOut(value any, path []string) bool {
	for i, key := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return false
		}
		if i == len(path)-1 {
			_, there := m[key]
			delete(m, key)
			return there
		}
		value = m[key]
	}
	return false
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
