package pack

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// One list of constraints is read: what has another form, and what is probably a misspelt
// name, is reported with its place, and the rest is read.
func TestReadConstraints(t *testing.T) {
	cases.Table(t, "constraints", func(t *testing.T, c *cases.Case) string {
		document, err := values.Parse(c.Text("pack.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, list := range []string{Dependencies, Resources} {
			fmt.Fprintln(&b, list)
			read := ReadConstraints(document.Root(), list, func(f Field, finding diag.Finding) {
				fmt.Fprintf(&b, "  fault at %s: %s", fieldText(f), finding.Message())
				if finding.Nearest == "" {
					fmt.Fprintf(&b, " (got %s, not %s)", finding.Found, finding.Accepted)
				}
				b.WriteString("\n")
			})
			for _, d := range read.Dependencies {
				fmt.Fprintf(&b, "  entry %s of %s\n", fieldText(d.Field), fieldText(d.PackName))
			}
			for _, r := range read.Resources {
				fmt.Fprintf(&b, "  entry %s of %s, %s, %d components, any %v\n", fieldText(r.Field), fieldText(r.Type), fieldText(r.MinLimit), len(r.Components), r.HasComponents())
			}
		}
		return b.String()
	})
}

// fieldText prints a field with its place.
func fieldText(f Field) string {
	text := fmt.Sprintf("%s %d:%d", f.Path, f.At.Line, f.At.Column)
	if f.Node != nil && f.Node.Kind == yaml.ScalarNode {
		text += fmt.Sprintf(" %q", f.Node.Value)
	}
	if f.IsEmpty() {
		text += " empty"
	}
	if f.IsMisspelt {
		text += " misspelt"
	}
	if f.Options != nil {
		text += " [" + strings.Join(f.Options, " ") + "]"
	}
	return text
}

// What is missing is absent, null or empty, and components that cannot be read are some.
func TestField(t *testing.T) {
	null := Field{Path: "a", Node: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}}
	list := Field{Path: "a", Node: &yaml.Node{Kind: yaml.SequenceNode}}
	for want, f := range map[string]Field{"": {Path: "a"}, "null": null, "empty": list} {
		if m := f.Missing("x"); m.Found != want || m.Accepted != "x" || f.IsEmpty() != (want != "empty") {
			t.Errorf("%s: got %+v", want, m)
		}
	}
	if !(&ResourceEntry{Field: Field{Node: &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "components"}, {Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode}}}}}}}).HasComponents() {
		t.Error("the components that cannot be read are some, and an empty list is none")
	}
}
