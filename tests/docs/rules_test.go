package docs

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/rule"
)

// docs/rules.md has every row.
func TestRules(t *testing.T) {
	b := &strings.Builder{}
	b.WriteString(`# Rules

Each message of a finding ends with the id of its rule in brackets. This page lists every rule with its
meaning, an example that breaks it, and what to do. ` + "`packfn explain RULE`" + ` prints the same for one rule.

## Change the severity of a rule

The functionConfig of a function can change the severity of the rules that the function reports:

` + "```yaml" + `
spec:
  severity:
    values/unknown-format: error   # error, warning, info or off
` + "```" + `

For ` + "`packfn check`" + `, the flag ` + "`--severity`" + ` and the key ` + "`severity`" + ` in [packfn.yaml](configuration.md) do the
same: see [The severity of a rule](control.md#the-severity-of-a-rule). The severities of ` + "`input/invalid`" + `,
` + "`config/invalid` and `internal/panic`" + ` cannot be changed.

## Accept a finding

An annotation accepts findings about its resource. They become infos that show the reason, and no longer
change the exit code. Each line of the annotation is ` + "`RULE: REASON`" + ` or ` + "`RULE KEY: REASON`" + `:

` + "```yaml" + `
metadata:
  annotations:
    packs.kpt.dev/accept: "resources/suspicious-unit server.memory: measured in production"
` + "```" + `

Put the annotation on the resource that the finding names. A finding about the pipeline names the Kptfile, and
a finding about the options of a function names its functionConfig. If a line accepts nothing, the warning
` + "`accept/unused`" + ` says so. Findings of ` + "`input/invalid`, `config/invalid` and `internal/panic`" + ` cannot be
accepted.

## All rules

`)
	details := &strings.Builder{}
	b.WriteString("| rule | severity | meaning |\n|---|---|---|\n")
	for _, r := range rule.All() {
		// A link to a heading has neither slashes nor backquotes.
		fmt.Fprintf(b, "| [`%s`](#%s) | %s | %s |\n", r.ID, strings.ReplaceAll(r.ID, "/", ""), r.Severity, r.Meaning)
		var programs []string
		for _, by := range r.Reporters() {
			program, _, _ := strings.Cut(by, " ") // a command of packfn
			programs = append(programs, fmt.Sprintf("[`%[1]s`](../functions/%[1]s)", program))
		}
		reporters := strings.Join(slices.Compact(programs), ", ")
		if r.By == "" {
			reporters = "every function"
		}
		fmt.Fprintf(details, "\n## `%s`\n\n%s%s.\n\nSeverity %s, reported by %s.\n\n```yaml\n%s\n```\n\n%s\n",
			r.ID, strings.ToUpper(r.Meaning[:1]), r.Meaning[1:], r.Severity, reporters, r.Breaks, r.Fix)
	}
	b.WriteString(details.String())
	compare(t, filepath.Join(root, "docs", "rules.md"), b.String())
}

// The READMEs of the programs, which are what --help prints, have a row for each rule that
// the program reports. The author chooses the order: a new row comes after those of its
// family, or after the last one.
func TestReadmes(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root, "functions", "*", "README.md"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		program := filepath.Base(filepath.Dir(name))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var missing []rule.Rule
		for _, r := range rule.All() {
			// packfn runs the functions, and lists its own rules.
			if r.IsBy(program) && (program != "packfn" || r.By != "") {
				missing = append(missing, r)
			}
		}
		lines := strings.Split(string(text), "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool {
			id := rowID(line)
			at := slices.IndexFunc(missing, func(r rule.Rule) bool { return r.ID == id })
			if at >= 0 {
				missing = slices.Delete(missing, at, at+1)
			}
			return id != "" && at < 0
		})
		for _, r := range missing {
			lines = slices.Insert(lines, placeOf(r.ID, lines)+1, fmt.Sprintf("| `%s` |", r.ID))
		}
		for i, line := range lines {
			if id := rowID(line); id != "" {
				r := rule.Of(id)
				lines[i] = fmt.Sprintf("| `%s` | %s | %s |", id, r.Severity, meaningIn(r, program))
			}
		}
		compare(t, name, strings.Join(lines, "\n"))
	}
}

// meaningIn returns what a rule means in a program.
func meaningIn(r rule.Rule, program string) string {
	for _, own := range r.Own {
		if own.Function == program {
			return own.Meaning
		}
	}
	return r.Meaning
}

var ruleRow = regexp.MustCompile("^\\| `([a-z0-9-]+(?:/[a-z0-9-]+)?)` \\|( (error|warning|info) \\| .* \\|)?$")

// rowID returns the id of a row, "" for another line.
func rowID(line string) string {
	if found := ruleRow.FindStringSubmatch(line); found != nil {
		return found[1]
	}
	return ""
}

// placeOf returns the line after which the row of a rule belongs.
func placeOf(id string, lines []string) int {
	family, _, _ := strings.Cut(id, "/")
	var ofFamily, last int
	for i, line := range lines {
		if known := rowID(line); known != "" {
			last = i
			if strings.HasPrefix(known, family+"/") {
				ofFamily = i
			}
		}
	}
	return cmp.Or(ofFamily, last)
}

// compare compares a file with what it must be.
func compare(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("%s is not current: UPDATE=1 writes it, see \"Add a rule\" of CONTRIBUTING.md", name)
		return
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
