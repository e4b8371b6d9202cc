// Package selector chooses resources of a package by their head and labels, as users
// write it in functionConfigs.
//
//	kind: ConfigMap
//	name: vault
//	labelSelector: {matchLabels: {tier: db}}   # or a string: tier=db,env!=test
package selector

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Selector chooses resources: everything that it names must be equal. A field that
// is empty leaves the choice open.
type Selector struct {
	// APIVersion is the apiVersion of the resources.
	APIVersion string `json:"apiVersion" absent:"any"`
	// Kind is the kind of the resources.
	Kind string `json:"kind" absent:"any"`
	// Name is the name of the resources.
	Name string `json:"name" absent:"any"`
	// Namespace is the namespace of the resources.
	Namespace string `json:"namespace" absent:"any"`
	// LabelSelector selects by labels: a string as for kubectl's -l, or a map with matchLabels
	// and matchExpressions.
	LabelSelector LabelSelector `json:"labelSelector" absent:"any"`
}

// MatchesHead reports whether an item may be chosen, without parsing it: it looks at everything but labels.
func (s *Selector) MatchesHead(item *list.Item) bool {
	return (s.APIVersion == "" || s.APIVersion == item.APIVersion()) &&
		(s.Kind == "" || s.Kind == item.Kind()) &&
		(s.Name == "" || s.Name == item.Name()) &&
		(s.Namespace == "" || s.Namespace == item.Namespace())
}

// MatchesLabels reports whether the labels of a resource, the root of its
// document, are chosen.
func (s *Selector) MatchesLabels(resource *yaml.Node) bool {
	if s.LabelSelector.selector == nil {
		return true
	}
	return s.LabelSelector.selector.Matches(labels.Set(list.Texts(values.Field(resource, "metadata", "labels"))))
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

// LabelSelector selects by labels: a string as for kubectl's -l, or a map with
// matchLabels and matchExpressions. The zero value selects all.
// selector is nil if it selects all.
type LabelSelector struct{ selector labels.Selector }

// labelForm is a LabelSelector as a map.
type labelForm struct {
	// MatchLabels and MatchExpressions are as in Kubernetes.
	MatchLabels      map[string]string `json:"matchLabels"`
	MatchExpressions []struct {
		Key      string   `json:"key" required:"true"`
		Operator string   `json:"operator" required:"true" enum:"In,NotIn,Exists,DoesNotExist"`
		Values   []string `json:"values"`
	} `json:"matchExpressions"`
}

// Form returns the type of the map.
func (*LabelSelector) Form() any { return new(labelForm) }

// DecodeNode reads both forms.
//
//	labelSelector: tier=db,env notin (test)
//	labelSelector:
//	  matchLabels: {tier: db}
//	  matchExpressions: [{key: env, operator: NotIn, values: [test]}]
func (l *LabelSelector) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind == yaml.ScalarNode {
		selector, err := labels.Parse(n.Value)
		if err != nil {
			return []diag.Finding{diag.Say("not a label selector: %v", err).At(path, values.At(n))}
		}
		l.selector = selector
		return nil
	}
	var form labelForm
	findings := decode.Node(n, path, &form)
	if len(findings) > 0 {
		return findings
	}
	l.selector = labels.NewSelector()
	add := func(path, key string, operator selection.Operator, wanted []string) {
		requirement, err := labels.NewRequirement(key, operator, wanted)
		if err != nil {
			findings = append(findings, diag.Say("%v", err).At(path, values.At(n)))
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
	return findings
}
