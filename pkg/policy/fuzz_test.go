package policy

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// Patterns: what is accepted matches whole nodes below its prefix alone.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{{"cap.*", "cap.type"}, {"cap.type.aws.*", "cap.type.aws.auth"}, {"cap.type", "cap.type"}, {"*", ""}, {"a.*.b", "a.b"}, {"cap..*", "cap.."}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		nearestPath(pattern, []string{path})
		checkName(path)
		p, findings := manifest.ParsePattern(pattern)
		if findings != nil {
			return
		}
		prefix, below := strings.CutSuffix(pattern, ".*")
		want := pattern == path
		if below {
			nodes, others := strings.Split(prefix, "."), strings.Split(path, ".")
			want = len(others) > len(nodes) && strings.Join(others[:len(nodes)], ".") == prefix && path != prefix+"."
		}
		if got := p.Matches(path); got != want {
			t.Errorf("%q matches %q: %v", pattern, path, got)
		}
		if ref := (manifest.RefMatch{Path: path}); below && manifest.CheckPath(path) == nil && path != "" {
			m := &Merged{backends: map[manifest.RefMatch]*MergedBackend{{Path: pattern}: {TypeRef: ref}}}
			if found, _ := m.backendRule(manifest.Ref{Path: path, Revision: "0.1.0"}); (found != nil) != want {
				t.Errorf("the rule for %q is found for %q: %v", pattern, path, found != nil)
			}
		}
	})
}

// Revisions: their order is total, and of those that are accepted none is less
// than itself.
func FuzzRevision(f *testing.F) {
	f.Add("0.1.0", "0.1.0-rc.1")
	f.Add("1.0.0+a", "v1")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == "" || b == "" || manifest.CheckRevision(a) != nil || manifest.CheckRevision(b) != nil {
			return
		}
		if got := manifest.CompareRevisions(a, b); got != -manifest.CompareRevisions(b, a) || (got == 0) != (a == b) {
			t.Errorf("%q and %q compare as %d", a, b, got)
		}
	})
}

// Documents: whatever the specs of a policy and an Implementation are, the run
// does not panic, keeps the items, and a second run changes nothing.
func FuzzDocuments(f *testing.F) {
	f.Add("scope: GLOBAL\n"+rulesOf(anyRule), stores, "{a: 1}")
	f.Add("scope: GLOBAL\n"+rulesOf("{interface: {path: cap.interface.db, revision: 1.0.0}, oneOf: [{implementationConstraints: {path: a, attributes: [{path: b}], requires: [{path: c, revision: 0.1.0}]}, inject: {requiredTypeInstances: [{id: a1}], additionalParameters: [{name: params, value: {a: [1]}}], additionalTypeInstances: [{name: extra, id: a2}]}}]}")+"\ntypeInstance: {rules: [{typeRef: {path: cap.*}, backend: {id: s}}]}", configurable, "{outcome: Denied}")
	f.Add(`scope: ACTION
interface:
  default: {inject: {requiredTypeInstances: [{id: &a a1}, {id: *a}]}}
  rules:
  - interface: {path: 'cap.*'}
    oneOf: []
`, "requires: {cap.type: {oneOf: [{name: a, revision: 0.1.0, alias: x}]}}", "rejected: [{implementation: cap.implementation.it:0.1.0}]")
	hub := join(dbInterface, paramsType, instance("a1", "cap.type.a"), instance("a2", "cap.type.a"), instance("s", "cap.core.type.hub.storage.neo4j"))
	f.Fuzz(func(t *testing.T, policy, manifest, selection string) {
		if len(policy)+len(manifest)+len(selection) > 1<<14 {
			return
		}
		text := functiontest.List("", join(hub, policyOf("GLOBAL", rulesOf(anyRule)),
			`apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata:
  name: fuzz
spec:
  `+strings.ReplaceAll(policy, "\n", "\n  ")+"\n",
			implementation("it", manifest),
			`apiVersion: ocf.capact.io/v1alpha1
kind: ImplementationSelection
metadata:
  name: cap.interface.db-1.0.0
  annotations:
    ocf.capact.io/generated-by: select-implementations
spec:
  `+strings.ReplaceAll(selection, "\n", "\n  ")+"\n",
			resource("Interface", "last", "{path: cap.interface.last, revision: 1.0.0}")))
		run := func(text string) (string, bool) {
			read, err := list.Read([]byte(text))
			if err != nil {
				return "", false
			}
			before := len(read.Items)
			outcome := function.Evaluate(Function(), read)
			for _, r := range outcome.Results() {
				if r.Tags["rule"] == "internal/panic" {
					t.Fatalf("%s\n%s", r.Message, text)
				}
			}
			if len(read.Items) < before {
				t.Fatal("items are lost")
			}
			var b bytes.Buffer
			if err := read.Write(&b, nil); err != nil {
				t.Fatal(err)
			}
			return b.String(), true
		}
		first, ok := run(text)
		if !ok {
			return
		}
		second, ok := run(first)
		if !ok || second != first {
			t.Fatalf("the second run gives\n%s\nand not\n%s", second, first)
		}
	})
}

// JSON schemas and values: whatever they are, there is no panic, and no message has
// a text of the value.
func FuzzSchema(f *testing.F) {
	f.Add(`{"type": "object", "properties": {"a": {"type": "string"}}}`, "{a: 1}")
	f.Add(`{"$ref": "#/definitions/a", "definitions": {"a": {"enum": ["x", 1]}}}`, "secretsecret")
	f.Add(`{"allOf": [{"required": ["a"]}, {"not": {"type": "null"}}], "$id": "#"}`, "{b: secretsecret}")
	f.Add(`{"$ref": "#"}`, "x")
	f.Add(`{"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"items": {"$ref": "#"}}}}`, "[[[]]]")
	f.Add(`{"properties": {"a/b": {"minLength": 40}}, "additionalProperties": false}`, "{a/b: secretsecret, c: secretsecret}")
	f.Fuzz(func(t *testing.T, schema, value string) {
		if len(schema) > 1<<12 || strings.Contains(schema, "secretsecret") {
			return
		}
		document, err := values.Parse(value)
		if err != nil || document.Root() == nil {
			return
		}
		typ := &manifest.Type{TypeSpec: manifest.TypeSpec{Ref: manifest.Ref{Path: "cap.type.x", Revision: "0.1.0"}, JSONSchema: manifest.SchemaText{Value: schema}}}
		x, _ := NewIndex(Hub{}, nil)
		found, _ := x.violations(typ, document.Root())
		for _, v := range found {
			if message := v.path + v.Message(); strings.Contains(message, "secretsecret") && !isKey(document.Root(), "secretsecret") {
				t.Errorf("%s has the value %s", message, value)
			}
		}
	})
}

// isKey reports whether a text is in a key of a value, which messages may have.
func isKey(n *yaml.Node, text string) bool {
	n = values.Resolve(n)
	for at, child := range n.Content {
		if n.Kind == yaml.MappingNode && at%2 == 0 && strings.Contains(values.Resolve(child).Value, text) || isKey(child, text) {
			return true
		}
	}
	return false
}
