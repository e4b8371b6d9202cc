package set

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// conditions are those that Porch sets on a set that was expanded.
var conditions = [][]Entry{
	{{"type", "Stalled"}, {"status", "False"}, {"reason", "Valid"}, {"message", "all validation checks passed"}},
	{{"type", "Ready"}, {"status", "True"}, {"reason", "NoErrors"}, {"message", "all PackageVariants of the set are up to date"}},
}

// WriteStatus sets the conditions of an expanded set in its text. When they last
// changed is not known here: lastTransitionTime stays where it is, and is left
// out otherwise.
func WriteStatus(d *values.Document) (*values.Document, error) {
	at := values.Keys("status", "conditions")
	for _, c := range conditions {
		wanted := mappingOf(c)
		index, found := 0, false
		have := valueAt(d.Root(), at)
		if have != nil && have.Kind == yaml.SequenceNode {
			for ; index < len(have.Content); index++ {
				if found = values.Text(values.Field(have.Content[index], "type")) == c[0].Value; found {
					break
				}
			}
		}
		var err error
		condition := step(at, values.Step{Index: index, IsIndex: true})
		switch {
		case found:
			for n := 0; n+1 < len(wanted.Content) && err == nil; n += 2 {
				d, err = synchronize(d, wanted.Content[n+1], step(condition, values.Step{Key: wanted.Content[n].Value})...)
			}
		case index > 0:
			d, err = d.Set(condition, values.Of(wanted))
		default:
			d, err = d.Set(at, values.Of(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{wanted}}))
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// mappingOf is a mapping of texts.
func mappingOf(entries []Entry) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, e := range entries {
		n.Content = append(n.Content, text(e.Key), text(e.Value))
	}
	return n
}

func text(value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if values.Quote(value) != value {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
