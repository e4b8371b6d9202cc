package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/explain"
)

var ruleRow = regexp.MustCompile("(?m)^\\| `([a-z-]+(?:/[a-z-]+)?)` \\| (error|warning|info) \\| (.*) \\|$")

// docs/rules.md has every rule as the READMEs of the functions and pkg/explain say it.
func TestRules(t *testing.T) {
	type rule struct {
		severity, meaning string
		functions         []string
	}
	rules := map[string]*rule{}
	programs := []string{"packfn"}
	for _, f := range suite.All() {
		programs = append(programs, f.Name)
	}
	for _, program := range programs {
		for _, row := range ruleRow.FindAllStringSubmatch(string(functions.Docs(program).Readme), -1) {
			r := rules[row[1]]
			if r == nil {
				r = &rule{severity: row[2], meaning: row[3]}
				rules[row[1]] = r
			}
			link := fmt.Sprintf("[`%[1]s`](../functions/%[1]s)", program)
			r.functions = append(r.functions, link)
		}
	}
	b := &strings.Builder{}
	b.WriteString(`# Rules

Each finding ends with the id of its rule in brackets. This page has every rule: what it
means, an example that breaks it, and what to do. ` + "`packfn explain RULE`" + ` prints the same.

A functionConfig changes the severity of a rule, see the README of the function:

` + "```yaml" + `
spec:
  severity:
    values/unknown-format: error   # error, warning, info or off
` + "```" + `

An annotation accepts a finding on one resource, with the reason:

` + "```yaml" + `
metadata:
  annotations:
    packs.kpt.dev/accept: "resources/suspicious-unit server.memory: measured in production"
` + "```" + `

`)
	details := &strings.Builder{}
	b.WriteString("| rule | severity | meaning |\n|---|---|---|\n")
	for _, id := range explain.IDs() {
		r := rules[id]
		if r == nil {
			t.Errorf("%s is in no README", id)
			continue
		}
		// A link to a heading has neither slashes nor backquotes.
		fmt.Fprintf(b, "| [`%s`](#%s) | %s | %s |\n", id, strings.ReplaceAll(id, "/", ""), r.severity, r.meaning)
		reporters := strings.Join(slices.Compact(r.functions), ", ")
		if len(r.functions) == len(suite.All()) {
			reporters = "every function"
		}
		about, _ := explain.Of(id)
		fmt.Fprintf(details, "\n## `%s`\n\n%s%s.\n\nSeverity %s, reported by %s.\n\n```yaml\n%s\n```\n\n%s\n", id,
			strings.ToUpper(r.meaning[:1]), strings.TrimSuffix(r.meaning[1:], "."), r.severity, reporters, strings.TrimSpace(about.Breaks), about.Fix)
	}
	b.WriteString(details.String())
	want := b.String()
	name := filepath.Join(root, "docs", "rules.md")
	got, err := os.ReadFile(name)
	if string(got) == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("docs/rules.md is not current, %v: UPDATE=1 writes it", err)
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
