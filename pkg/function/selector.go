package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/krm-packs/functions/pkg/values"
)

// Selector chooses resources of a list: all that it names has to be equal. A
// field that is empty leaves the choice open.
type Selector struct {
	APIVersion    string        `json:"apiVersion"`
	Kind          string        `json:"kind"`
	Name          string        `json:"name"`
	Namespace     string        `json:"namespace"`
	LabelSelector LabelSelector `json:"labelSelector"`
}

// MatchesHead reports whether an item may be chosen, by what is known without
// parsing it: everything but labels.
func (s *Selector) MatchesHead(item *Item) bool {
	return (s.APIVersion == "" || s.APIVersion == item.apiVersion) &&
		(s.Kind == "" || s.Kind == item.kind) &&
		(s.Name == "" || s.Name == item.name) &&
		(s.Namespace == "" || s.Namespace == item.namespace)
}

// MatchesLabels reports whether the labels of a resource, the root of its
// document, are chosen.
func (s *Selector) MatchesLabels(resource *yaml.Node) bool {
	if s.LabelSelector.selector == nil {
		return true
	}
	set := labels.Set{}
	if found := field(field(resource, "metadata"), "labels"); found != nil && found.Kind == yaml.MappingNode {
		for at := 0; at+1 < len(found.Content); at += 2 {
			set[found.Content[at].Value] = values.Resolve(found.Content[at+1]).Value
		}
	}
	return s.LabelSelector.selector.Matches(set)
}

// String describes the selector for messages.
func (s *Selector) String() string {
	var parts []string
	for _, part := range []struct{ name, value string }{
		{"apiVersion", s.APIVersion}, {"kind", s.Kind}, {"name", s.Name}, {"namespace", s.Namespace},
	} {
		if part.value != "" {
			parts = append(parts, part.name+"="+part.value)
		}
	}
	if s.LabelSelector.selector != nil {
		parts = append(parts, "labels "+s.LabelSelector.selector.String())
	}
	if len(parts) == 0 {
		return "every resource"
	}
	return strings.Join(parts, ", ")
}

// LabelSelector chooses by labels: text as after kubectl's -l, or the mapping
// with matchLabels and matchExpressions. The zero value chooses all.
type LabelSelector struct{ selector labels.Selector }

// DecodeNode reads both forms.
func (l *LabelSelector) DecodeNode(n *yaml.Node, path string) []Problem {
	if n.Kind == yaml.ScalarNode {
		selector, err := labels.Parse(n.Value)
		if err != nil {
			return []Problem{{path, fmt.Sprintf("not a label selector: %v", err)}}
		}
		l.selector = selector
		return nil
	}
	var form struct {
		MatchLabels      map[string]string `json:"matchLabels"`
		MatchExpressions []struct {
			Key      string   `json:"key" required:"true"`
			Operator string   `json:"operator" required:"true" enum:"In,NotIn,Exists,DoesNotExist"`
			Values   []string `json:"values"`
		} `json:"matchExpressions"`
	}
	problems := Decode(n, path, &form)
	if len(problems) > 0 {
		return problems
	}
	l.selector = labels.NewSelector()
	add := func(path, key string, operator selection.Operator, values []string) {
		requirement, err := labels.NewRequirement(key, operator, values)
		if err != nil {
			problems = append(problems, Problem{path, oneLineText(err.Error())})
			return
		}
		l.selector = l.selector.Add(*requirement)
	}
	for _, key := range slices.Sorted(maps.Keys(form.MatchLabels)) {
		add(path+".matchLabels."+key, key, selection.Equals, []string{form.MatchLabels[key]})
	}
	operators := map[string]selection.Operator{
		"In": selection.In, "NotIn": selection.NotIn, "Exists": selection.Exists, "DoesNotExist": selection.DoesNotExist,
	}
	for i, e := range form.MatchExpressions {
		add(fmt.Sprintf("%s.matchExpressions[%d]", path, i), e.Key, operators[e.Operator], e.Values)
	}
	return problems
}
