package set

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/variant"
)

// unmatched explains why a target may have matched nothing, and lists the existing labels.
func (e *Expander) unmatched(i int, inventory *Inventory, known *knownLabels) diag.Finding {
	_, kind, name := e.criteria[i].what()
	what := kind.kind
	if name != "" {
		what += fmt.Sprintf(" %q", name)
	}
	space := variant.NamespaceOr(e.set.Namespace)
	there := len(inventory.names(kind, space))
	elsewhere := len(inventory.of(kind)) - there
	reason := fmt.Sprintf("the namespace has %d", there)
	switch {
	case there == 0 && elsewhere == 0:
		reason = fmt.Sprintf("there is no %s of %s", kind.kind, kind.apiVersion)
	case elsewhere > 0:
		reason += fmt.Sprintf(", and other namespaces have %d", elsewhere)
	}
	f := diag.Say("matches no %s in the namespace %s: %s", what, space, reason)
	requirements := e.criteria[i].requirements()
	if there == 0 || len(requirements) == 0 {
		return f
	}
	labels := known.of(kind)
	var pairs []string
	wanted, near := "", ""
	for _, r := range requirements {
		for _, value := range labels[r.Key] {
			pairs = append(pairs, r.Key+"="+value)
		}
		for _, value := range r.Values {
			if r.Operator != metav1.LabelSelectorOpIn || slices.Contains(labels[r.Key], value) || near != "" {
				continue
			}
			wanted = r.Key + "=" + value
			if value := nearest.Name(value, labels[r.Key]); value != "" {
				near = r.Key + "=" + value
			}
		}
	}
	f.Found += ", with the labels " + diag.Names(wanted, pairs)
	f.Nearest = near
	return f
}

// unknownLabel is a requirement on a label that no object has.
type unknownLabel struct {
	diag.Finding
	// path is the path of the requirement in the criterion.
	path string
}

// requirement is one of a selector on a label.
type requirement struct {
	metav1.LabelSelectorRequirement
	// path is the path of the requirement in the criterion.
	path string
}

// requirements returns the requirements of the criterion's selector.
func (s *criterion) requirements() []requirement {
	selector := s.RepositorySelector
	if s.ObjectSelector != nil {
		selector = &s.ObjectSelector.LabelSelector
	}
	if selector == nil {
		return nil
	}
	var all []requirement
	for _, key := range slices.Sorted(maps.Keys(selector.MatchLabels)) {
		in := metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{selector.MatchLabels[key]}}
		all = append(all, requirement{in, "matchLabels." + key})
	}
	for i, r := range selector.MatchExpressions {
		all = append(all, requirement{r, fmt.Sprintf("matchExpressions[%d]", i)})
	}
	return all
}

// unknownLabels are the requirements of a target on labels that no object of its kind has.
// NotIn and DoesNotExist match all objects then, which a misspelt key does in silence. An
// absent label is what DoesNotExist asks for, so that needs a near one.
func (e *Expander) unknownLabels(i int, inventory *Inventory, known *knownLabels) []unknownLabel {
	requirements := e.criteria[i].requirements()
	_, kind, _ := e.criteria[i].what()
	space := variant.NamespaceOr(e.set.Namespace)
	if len(requirements) == 0 || !inventory.has(kind, space) {
		return nil
	}
	labels := known.of(kind)
	names := slices.Sorted(maps.Keys(labels))
	var all []unknownLabel
	for _, r := range requirements {
		if labels[r.Key] != nil {
			continue
		}
		near := nearest.Name(r.Key, names)
		effect := "matches nothing"
		switch r.Operator {
		case metav1.LabelSelectorOpNotIn:
			effect = "matches all of them"
		case metav1.LabelSelectorOpDoesNotExist:
			if near == "" {
				continue
			}
			effect = "matches all of them"
		}
		f := diag.Say("no %s in the namespace %s has the label %q, so this %s", kind.kind, space, r.Key, effect)
		if f.Nearest = near; len(names) > 0 {
			f.Accepted = diag.Names(r.Key, names)
		}
		all = append(all, unknownLabel{f, r.path})
	}
	return all
}

// knownLabels are the labels of objects in the namespace of a set.
type knownLabels struct {
	// inventory has the objects, and space is the namespace.
	inventory *Inventory
	space     string
	// byKind caches the values of each label, by kind and key.
	byKind map[gvk]map[string][]string
}

// of returns the labels of the objects of a kind with their values, in order.
func (k *knownLabels) of(kind gvk) map[string][]string {
	if labels, known := k.byKind[kind]; known {
		return labels
	}
	seen := map[string]map[string]bool{}
	for _, o := range k.inventory.of(kind) {
		if !o.isIn(k.space) {
			continue
		}
		for key, value := range o.Labels {
			if seen[key] == nil {
				seen[key] = map[string]bool{}
			}
			seen[key][value] = true
		}
	}
	labels := map[string][]string{}
	for key, values := range seen {
		labels[key] = slices.Sorted(maps.Keys(values))
	}
	if k.byKind == nil {
		k.byKind = map[gvk]map[string][]string{}
	}
	k.byKind[kind] = labels
	return labels
}
