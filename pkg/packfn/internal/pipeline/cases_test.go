package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

// A case has the files of a package. The outcome is the steps of its pipelines, in the order of kpt, with what they
// choose and hide if they have selectors, their faults, and what a check of the Kptfiles says.
func TestPackages(t *testing.T) {
	cases.Table(t, "packages", func(t *testing.T, c *cases.Case) string {
		p := read(t, c.Files("want"))
		var items, kptfiles []*list.Item
		resources := map[string]diag.Resource{}
		for _, file := range p.Files {
			items = append(items, file.Items()...)
			if strings.HasSuffix(file.Path, "Kptfile") {
				kptfiles = append(kptfiles, file.Items()...)
				resources[file.Package] = file.Items()[0].Resource()
			}
		}
		var b strings.Builder
		steps, faults := Steps(p, functions)
		checker := Checker{Kptfiles: p.Kptfiles, Resources: resources, Steps: steps, Functions: functions}
		for i := range steps {
			s := &steps[i]
			b.WriteString(described(s))
			if len(s.Entry.Selectors)+len(s.Entry.Exclude) > 0 {
				b.WriteString(chosen(t, s, items))
			}
			checker.Hidden = append(checker.Hidden, s.Hides(items)...)
		}
		for _, fault := range faults {
			fmt.Fprintln(&b, "fault:", strings.ReplaceAll(fault.Error(), p.Dir+"/", ""))
		}
		for _, h := range checker.Hidden {
			fmt.Fprintf(&b, "hidden by %s\n", h.by)
		}
		if isWork := checker.HasWork(); isWork || len(faults) == 0 && slices.ContainsFunc(steps, func(s Step) bool { return s.Meant(functions) != "" }) {
			b.WriteString(checked(checker, kptfiles))
		}
		return b.String()
	})
}

// described prints a step.
func described(s *Step) string {
	kind := "a validator"
	if s.Mutator {
		kind = "a mutator"
	}
	text := fmt.Sprintf("%s %s: %s, %s", s.Package, s.Field, s.Function.Name, kind)
	if s.Config != nil {
		text += fmt.Sprintf(", configured by %s in %q at %d", values.Text(values.Field(s.Config, "kind")), s.ConfigFile, s.ConfigIndex)
	}
	if arguments := s.Arguments(); len(arguments) > 0 {
		text += fmt.Sprintf(", with the arguments %q", arguments)
	}
	if meant := s.Meant(functions); meant != "" {
		text += ", meant as " + meant
	}
	return text + "\n"
}

// chosen prints how often a step gets each resource.
func chosen(t *testing.T, s *Step, items []*list.Item) string {
	t.Helper()
	text := ""
	for _, item := range items {
		count, err := s.Count(item)
		isChosen, err2 := s.Selects(item)
		if err != nil || err2 != nil || isChosen != (count > 0) {
			t.Errorf("%s: %v, %v: %d and %v", s.Field, err, err2, count, isChosen)
		}
		if r := item.Resource(); r.Kind != "Kptfile" {
			text += fmt.Sprintf("  gets %s of %s %d times\n", r.String(), r.File, count)
		}
	}
	return text
}

// checked prints what a check says.
func checked(checker Checker, kptfiles []*list.Item) string {
	outcome, _ := Run(checker.Function(), nil, kptfiles)
	said := fmt.Sprintf("the check failed: %t\n", outcome.Failed)
	for i, message := range functiontest.Messages(outcome) {
		said += message
		for _, e := range functiontest.Noted(outcome.Findings)[i].Edits {
			said += fmt.Sprintf(" (write %s at %d:%d)", e.New, e.At.Line, e.At.Column)
		}
		said += "\n"
	}
	return said
}

// A case has resources and expressions of when, one in a line. The outcome is whether a step with each runs, or the
// error that ends kpt's render. No resource changes.
func TestWhen(t *testing.T) {
	cases.Table(t, "when", func(t *testing.T, c *cases.Case) string {
		items := list.FileItems([]byte(c.Text("resources.yaml")), "dir/a.yaml")
		var b strings.Builder
		for line := range strings.Lines(c.Text("expressions")) {
			line = strings.TrimSuffix(line, "\n")
			step := Step{Entry: kptpackage.Function{When: line}}
			runs, err := step.Runs(items)
			switch {
			case err != nil && (runs || !strings.HasPrefix(err.Error(), "when: ")):
				t.Errorf("%s: %v, %v", line, runs, err)
			case err != nil:
				fmt.Fprintf(&b, "%s\n  %s\n", line, strings.ReplaceAll(err.Error(), "\n", "\n  "))
			default:
				fmt.Fprintf(&b, "%s\n  %t\n", line, runs)
			}
		}
		for _, item := range items {
			if _, changed := item.Edited(); changed || strings.Contains(string(item.Text()), "path") {
				t.Error("an item has changed")
			}
		}
		return b.String()
	})
}
