package hydration

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Results returns a copy of want, which contains values of [Sources.Values] and others, with the
// results in place of their sources. A value has the result of a source if both are equal and at
// the same place, or in a list of another order. A collection in flow style has one comment, so it
// is compared as a whole.
func (s *Sources) Results(want *yaml.Node) *yaml.Node {
	if len(s.results) == 0 {
		return want
	}
	return s.resultsOf(want, s.Values(), values.Follow(s.document.Root(), s.at))
}

// resultsOf returns wanted values with results in the places of the sources that are equal.
func (s *Sources) resultsOf(want, source, result *yaml.Node) *yaml.Node {
	want, source, result = values.Resolve(want), values.Resolve(source), values.Resolve(result)
	switch {
	case want == nil || source == nil || source == result: // no source is below
		return want
	case values.Equal(want, source):
		return result
	case want.Kind != source.Kind || want.Kind == yaml.ScalarNode || result.Style&yaml.FlowStyle != 0:
		return want
	}
	with := *want
	with.Content = append([]*yaml.Node(nil), want.Content...)
	if want.Kind == yaml.SequenceNode {
		s.elements(with.Content, source, result)
		return &with
	}
	sources, results := values.ByName(source), values.ByName(result)
	for i := 0; i+1 < len(with.Content); i += 2 {
		name := values.Resolve(want.Content[i]).Value
		with.Content[i+1] = s.resultsOf(want.Content[i+1], sources[name], results[name])
	}
	return &with
}

// elements puts results into the places of the elements of a list that are equal to their
// sources.
func (s *Sources) elements(want []*yaml.Node, source, result *yaml.Node) {
	left := map[string][]int{} // the elements with a source, by their content
	for i, element := range source.Content {
		if element != result.Content[i] {
			text, _ := values.JSON(element)
			left[text] = append(left[text], i)
		}
	}
	for i, element := range want {
		text, _ := values.JSON(element)
		if same := left[text]; len(same) > 0 {
			want[i], left[text] = result.Content[same[0]], same[1:]
		}
	}
}

// Prune removes the comments of values of an edited document that do not come from their
// sources any more. want are the values with their sources.
//
// For example, a preset sets replicas to 5, so the comment no longer explains the value:
//
//	replicas: 3 # kpt-macro: {{ .spectro.var.REPLICAS }}     replicas: 5
func Prune(d *values.Document, at []values.Step, want *yaml.Node) (*values.Document, error) {
	s := Read(d, at, Partly)
	if len(s.lines) == 0 {
		return d, nil
	}
	p := pruner{Sources: s}
	if s.flow != nil {
		if l := s.lines[s.flow]; !values.Equal(s.Values(), want) || l.source == nil {
			p.remove(s.flow, l)
		}
	} else {
		p.value(values.Follow(d.Root(), at), want)
	}
	return d.Rewrite(nil, p.comments)
}

// pruner removes comments whose sources no longer fit their values.
type pruner struct {
	*Sources
	// comments are the edits.
	comments []values.CommentEdit
}

func (p *pruner) remove(n *yaml.Node, l *line) {
	p.comments = append(p.comments, values.CommentEdit{Node: n, Text: l.others})
}

// value looks at a value and those below it. want is the value as it will be.
func (p *pruner) value(n, want *yaml.Node) {
	if n == nil || n.Kind == yaml.AliasNode {
		return
	}
	want = values.Resolve(want)
	if l := p.lines[n]; l != nil {
		if l.source == nil || !values.Equal(l.source, want) || values.Equal(n, want) {
			p.remove(n, l)
		}
		return
	}
	wants := values.ByName(want)
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 1:
			p.value(child, wants[values.Resolve(n.Content[i-1]).Value])
		case n.Kind == yaml.SequenceNode && want != nil && i < len(want.Content):
			p.value(child, want.Content[i])
		}
	}
}

// Carry returns another document with the results of the sources that it contains at the same
// places, or in a list of another order. It returns the error of [values.Document.Rewrite].
func (s *Sources) Carry(d *values.Document, at []values.Step) (*values.Document, error) {
	to, results := Read(d, at, Partly), map[*yaml.Node]Result{}
	if len(s.results) > 0 {
		s.carry(to.Values(), s.Values(), results)
	}
	edits := to.Edits(results, Renew)
	return d.Rewrite(edits.Scalars, edits.Comments)
}

// carry finds sources in another document, and notes the results that they have here.
func (s *Sources) carry(to, source *yaml.Node, results map[*yaml.Node]Result) {
	to, source = values.Resolve(to), values.Resolve(source)
	switch {
	case to == nil || source == nil || to.Kind != source.Kind:
	case to.Kind == yaml.ScalarNode:
		if result := s.results[source]; result != nil && to.Value == source.Value {
			results[to] = Result{Text: result.Value}
		}
	case to.Kind == yaml.MappingNode:
		sources := values.ByName(source)
		for i := 0; i+1 < len(to.Content); i += 2 {
			s.carry(to.Content[i+1], sources[values.Resolve(to.Content[i]).Value], results)
		}
	default:
		left := map[string][]*yaml.Node{}
		for _, element := range source.Content {
			text, _ := values.JSON(element)
			left[text] = append(left[text], element)
		}
		for i, element := range to.Content {
			text, _ := values.JSON(element)
			if same := left[text]; len(same) > 0 {
				left[text] = same[1:]
				s.carry(element, same[0], results)
			} else if i < len(source.Content) {
				s.carry(element, source.Content[i], results)
			}
		}
	}
}
