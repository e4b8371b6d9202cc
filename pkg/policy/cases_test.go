package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

// A case has resources, and a functionConfig if there is one. The outcome is what the function says, and what it
// selects. No message shows the value hunter2, or five.
func TestMessages(t *testing.T) {
	cases.Table(t, "messages", func(t *testing.T, c *cases.Case) string {
		input := functiontest.List(c.Text("config.yaml"), c.Text("resources.yaml"))
		output, first := functiontest.Evaluate(t, Function(), input)
		if !c.Has("config.yaml") {
			functiontest.Noted(first.Findings)
		}
		stable(t, output, first)
		var b strings.Builder
		for i, message := range functiontest.Messages(first) {
			f := first.Findings[i]
			if all := message + fmt.Sprint(f); strings.Contains(all, "hunter2") || strings.Contains(all, "five") {
				t.Errorf("a value is in the finding %s", all)
			}
			fmt.Fprintln(&b, message)
			if f.Action != "" && !strings.Contains(strings.ToLower(message), strings.ToLower(f.Action)) {
				fmt.Fprintf(&b, "  action: %s\n", f.Action)
			}
		}
		for _, s := range selections(t, output) {
			fmt.Fprintf(&b, "selection for %s: %s\n", s.Interface, s.line())
			if s.Implementation.Name != "" {
				fmt.Fprintf(&b, "  by %s\n", s.Implementation.Name)
			}
			for _, other := range s.Alternatives {
				fmt.Fprintf(&b, "  alternative: %s\n", other)
			}
		}
		return b.String()
	})
}

// A case has a policy over the manifests of the public hub. The outcome is what is selected for each Interface, with
// what is injected and how each output is stored. A warning is reported where nothing is selected, and nowhere else.
func TestHub(t *testing.T) {
	hub := strings.Join(manifests(t), "---\n")
	cases.Table(t, "hub", func(t *testing.T, c *cases.Case) string {
		output, results := evaluateUnnoted(t, functiontest.List(c.Text("config.yaml"), hub+"---\n"+c.Text("policy.yaml")))
		var b strings.Builder
		for _, s := range selections(t, output) {
			fmt.Fprintf(&b, "%s: %s\n", s.Interface, s.line())
			reported := 0
			for _, r := range results {
				if strings.Contains(r, s.Interface.String()) && strings.HasPrefix(r, "warning") {
					reported++
				}
			}
			if (reported > 0) != (s.Outcome == Unsatisfied) {
				t.Errorf("%s is %s, but %d warnings are reported", s.Interface, s.Outcome, reported)
			}
		}
		return b.String()
	})
}

// A case is a JSON schema and a value. The outcome is the faults of the schema and what it does not allow in the
// value, the same each time.
func TestSchemas(t *testing.T) {
	cases.Table(t, "schemas/*", func(t *testing.T, c *cases.Case) string {
		schema, value := strings.TrimSuffix(c.Text("schema.json"), "\n"), c.Text("value.yaml")
		all := violationsOf(t, schema, value)
		for range 20 {
			if diff := cmp.Diff(all, violationsOf(t, schema, value)); diff != "" {
				t.Fatalf("others are reported each time: %s", diff)
			}
		}
		return strings.Join(all, "\n")
	})
}
