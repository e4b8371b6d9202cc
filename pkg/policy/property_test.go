package policy

import (
	"bytes"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/values"
)

// tree draws a value as selections have them: mappings, lists and texts.
func tree(t *rapid.T, depth int) *yaml.Node {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	style := rapid.SampledFrom([]yaml.Style{0, 0, yaml.FlowStyle}).Draw(t, "style")
	switch {
	case depth > 0 && kind == 0:
		n := &yaml.Node{Kind: yaml.MappingNode, Style: style}
		for _, key := range []string{"name", "oneOf", "code", "value"} {
			if rapid.Bool().Draw(t, key) {
				n.Content = append(n.Content, text(key), tree(t, depth-1))
			}
		}
		return n
	case depth > 0 && kind == 1:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: style}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			n.Content = append(n.Content, tree(t, depth-1))
		}
		return n
	case kind == 2:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: rapid.SampledFrom([]string{"0", "1", "2", "3"}).Draw(t, "number")}
	}
	return text(rapid.SampledFrom([]string{"a", "b", "", "no", "1:30", "two\nlines\n", "x: y", "- a", "# a"}).Draw(t, "text"))
}

// Whatever a selection is edited from, it becomes what is wanted, and the next edit
// changes nothing.
func TestEditProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, want := tree(t, 4), tree(t, 4)
		var input bytes.Buffer
		input.WriteString(`# ours
kind: x
`)
		spec, err := values.Print(map[string]*yaml.Node{"spec": before})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(spec)
		input.WriteString("status: y # theirs\n")
		d, err := values.Parse(input.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, input.String())
		}
		edited, err := d.Sync(values.Change{At: values.Keys("spec"), Want: want, Identity: subject})
		if err != nil {
			t.Fatalf("%v\n%s", err, input.String())
		}
		if got := values.Field(edited.Root(), "spec"); !values.Equal(got, want) {
			t.Fatalf("got\n%s", edited.Text())
		}
		if values.Text(values.Field(edited.Root(), "status")) != "y" {
			t.Fatalf("something else changed:\n%s", edited.Text())
		}
		again, err := edited.Sync(values.Change{At: values.Keys("spec"), Want: want, Identity: subject})
		if err != nil || again != edited {
			t.Fatalf("the second edit: %v\n%s", err, again.Text())
		}
	})
}

// A comment stays with the alternative that it is at, whatever the alternatives before it.
func TestCommentsOfAlternatives(t *testing.T) {
	d, err := values.Parse(`spec:
  alternatives:
  - a:1 # the old one
  - b:1 # ours
`)
	if err != nil {
		t.Fatal(err)
	}
	var want yaml.Node
	if err := want.Encode(map[string][]string{"alternatives": {"b:1", "c:1"}}); err != nil {
		t.Fatal(err)
	}
	edited, err := d.Sync(values.Change{At: values.Keys("spec"), Want: &want, Identity: subject})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := edited.Text(), `spec:
  alternatives:
  - b:1 # ours
  - c:1
`; got != want {
		t.Errorf("got\n%s", got)
	}
}
