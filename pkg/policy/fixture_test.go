package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// resource makes a document of Capact's group; spec is in flow or in block style.
func resource(kind, name, spec string) string {
	if strings.Contains(spec, "\n") {
		spec = "\n  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")
	} else {
		spec = " " + spec
	}
	return fmt.Sprintf(`apiVersion: %s
kind: %s
metadata:
  name: %s
spec:%s
`, manifest.GroupVersion, kind, name, spec)
}

// join makes one text of documents.
func join(documents ...string) string { return strings.Join(documents, "---\n") }

// implementation makes an Implementation of cap.interface.db:1.0.0, at
// cap.implementation.NAME:0.1.0 when more does not say otherwise.
func implementation(name, more string) string {
	spec := "path: cap.implementation." + name + `
revision: 0.1.0
implements: [{path: cap.interface.db, revision: 1.0.0}]
`
	for _, field := range []string{"path", "revision", "implements"} {
		if strings.HasPrefix(more, field+":") || strings.Contains(more, "\n"+field+":") {
			lines := strings.Split(spec, "\n")
			for i, line := range lines {
				if strings.HasPrefix(line, field+":") {
					lines = append(lines[:i], lines[i+1:]...)
					break
				}
			}
			spec = strings.Join(lines, "\n")
		}
	}
	return resource("Implementation", name, spec+more+"\n")
}

// instance makes a TypeInstance of a Type in revision 0.1.0.
func instance(id, path string) string {
	return resource("TypeInstance", id, "{typeRef: {path: "+path+", revision: 0.1.0}}")
}

// policyOf makes a policy of a scope, whose name is the scope in lower case.
func policyOf(scope, body string) string {
	return resource("Policy", strings.ToLower(scope), "scope: "+scope+"\n"+body+"\n")
}

// rulesOf are the rules for Interfaces of a policy, in flow style.
func rulesOf(rules ...string) string {
	return "interface: {rules: [" + strings.Join(rules, ", ") + "]}"
}

const (
	dbInterface = `apiVersion: ocf.capact.io/v1alpha1
kind: Interface
metadata:
  name: db
spec:
  path: cap.interface.db
  revision: 1.0.0
  output: {typeInstances: {database: {typeRef: {path: cap.type.db.config, revision: 0.1.0}}}}
`
	anyRule = "{interface: {path: cap.*}, oneOf: [{}]}"
)

// configOf makes a functionConfig with a spec in flow style.
func configOf(spec string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: SelectImplementations, metadata: {name: select}, spec: {" + spec + "}}"
}

// selected is the spec of a selection as its readers see it.
type selected struct {
	Interface      manifest.Ref
	Outcome        Outcome
	Implementation struct{ Path, Revision, Name string }
	Alternatives   []string
	Inject         struct {
		Required []InjectedInstance `yaml:"requiredTypeInstances"`
	}
	Backends []struct{ Output, ID, Via string }
	Rejected []yaml.Node
}

// selectionTexts returns the selections of an output as texts.
func selectionTexts(output string) (all []string) {
	for text := range strings.SplitSeq(functiontest.Documents(output), "---\n") {
		if strings.Contains(text, "kind: "+selectionKind+"\n") {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

// selections reads the selections of an output.
func selections(t testing.TB, output string) (all []selected) {
	t.Helper()
	for _, text := range selectionTexts(output) {
		var s struct{ Spec selected }
		if err := yaml.Unmarshal([]byte(text), &s); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		all = append(all, s.Spec)
	}
	return all
}

// line is a selection on one line: the outcome or the Implementation, what is injected, and how outputs are stored.
func (s selected) line() string {
	line := string(s.Outcome)
	if s.Implementation.Path != "" {
		line = s.Implementation.Path + ":" + s.Implementation.Revision
	}
	for _, i := range s.Inject.Required {
		line += " " + i.Name + "=" + i.ID
	}
	for _, b := range s.Backends {
		line += " " + b.Output + "→" + strings.TrimSpace(b.ID+" "+b.Via)
	}
	return line
}

// only returns the results of a severity.
func only(results []string, severity string) []string {
	var some []string
	for _, r := range results {
		if strings.HasPrefix(r, severity+" ") {
			some = append(some, r)
		}
	}
	return some
}

// stores is the spec of an Implementation that requires a backend, and whose steps name it.
const stores = `requires: {cap.core.type.hub.storage: {anyOf: [{name: cap.type.vault, revision: 0.1.0, alias: store}, {name: neo4j, revision: 0.1.0}]}}
additionalOutput: {typeInstances: {extra: {typeRef: {path: cap.type.db.extra, revision: 0.1.0}}}}
action:
  runnerInterface: argo.run
  args:
    workflow:
      templates:
      - steps:
        - - name: one
            capact-outputTypeInstances: [{name: other, from: x, backend: store}]
        - - name: two
            nested: {deeper: [{capact-outputTypeInstances: [{name: database, from: x, backend: store}, {name: extra, from: y}]}]}
`
