package upgrades

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const guide = "../../docs/presets.md"

// rule matches a finding in testdata.
var rule = regexp.MustCompile(`(?m)^    ([a-z-]+)\((info|warning)\)`)

// TestTable compares the table in the guide with the outcomes, and those with macros with
// those without. UPDATE=1 writes the table.
func TestTable(t *testing.T) {
	outcomes := map[string]string{}
	for _, one := range regexp.MustCompile(`(?m)^kpt, `).Split(readFile(t, filepath.Join("testdata", "kpt.txt")), -1)[1:] {
		name, outcome, _ := strings.Cut(one, "\n")
		outcomes[name] = outcome
	}
	var rows strings.Builder
	for _, u := range upstreams {
		for _, e := range edits {
			columns := []string{u.name, e.name}
			for _, form := range forms {
				name := func(macros string) string {
					return fmt.Sprintf("%s, %s | upstream: %s | user: %s", form, macros, u.name, e.name)
				}
				outcome := outcomes[name("plain")]
				if resolved := strings.ReplaceAll(outcomes[name("macros")], "east-large", "cache-large"); outcome == "" || resolved != outcome {
					t.Errorf("%s: with macros %q, without %q", name("plain"), resolved, outcome)
				}
				columns = append(columns, cell(e.name, outcome))
			}
			fmt.Fprintf(&rows, "| %s |\n", strings.Join(columns, " | "))
		}
	}
	text := readFile(t, guide)
	head := "| upstream changes | you edited | values in a text | values as YAML |\n|---|---|---|---|\n"
	before, after, found := strings.Cut(text, head)
	end := strings.Index(after, "\n\n") + 1
	if !found || end == 0 {
		t.Fatalf("%s has no table", guide)
	}
	if os.Getenv("UPDATE") != "" {
		write(t, filepath.Dir(guide), map[string]string{filepath.Base(guide): before + head + rows.String() + after[end:]})
	} else if after[:end] != rows.String() {
		t.Errorf("the table of %s is\n%s\nwant (UPDATE=1 writes it)\n%s", guide, after[:end], rows.String())
	}
}

// cell is the outcome of a form in the table.
func cell(edit, outcome string) string {
	text := "`replicas: " + regexp.MustCompile(`replicas (\d)`).FindStringSubmatch(outcome)[1] + "`"
	switch {
	case edit != "another key":
	case strings.Contains(outcome, "log debug"):
		text += ", your edit is kept"
	default:
		text += ", your edit is lost"
	}
	var rules []string
	for _, found := range rule.FindAllStringSubmatch(outcome, -1) {
		name := "`preset/" + found[1] + "`"
		if found[2] == "warning" {
			name = "**" + name + "**"
		}
		rules = append(rules, name)
	}
	if len(rules) > 0 {
		text += ": " + strings.Join(rules, ", ")
	}
	return text
}
