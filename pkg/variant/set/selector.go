package set

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/krm-packs/functions/pkg/nearest"
)

var operators = map[string]selection.Operator{
	"In": selection.In, "NotIn": selection.NotIn, "Exists": selection.Exists, "DoesNotExist": selection.DoesNotExist,
}

// compile makes the selector of Kubernetes' own libraries, and tells what is
// wrong with it.
func (s *LabelSelector) compile(f *faults, path string) labels.Selector {
	selector := labels.NewSelector()
	add := func(path, key string, operator selection.Operator, values []string) {
		told := faultOfLabel(key)
		for _, value := range values {
			told = cmp.Or(told, faultOfLabelValue(value))
		}
		if told != "" {
			f.invalid(path, "%s", told)
			return
		}
		requirement, err := labels.NewRequirement(key, operator, values)
		if err != nil {
			f.invalid(path, "%s", strings.Join(strings.Fields(err.Error()), " "))
			return
		}
		selector = selector.Add(*requirement)
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		add(path+".matchLabels."+key, key, selection.Equals, []string{s.MatchLabels[key]})
	}
	for i, e := range s.MatchExpressions {
		at := fmt.Sprintf("%s.matchExpressions[%d]", path, i)
		if e.Key == "" {
			f.invalid(at+".key", "is required")
			continue
		}
		operator, ok := operators[e.Operator]
		if !ok {
			f.invalid(at+".operator", "got %q, want In, NotIn, Exists or DoesNotExist%s", e.Operator, nearest.Hint(e.Operator, slices.Sorted(maps.Keys(operators))))
			continue
		}
		switch some := operator == selection.In || operator == selection.NotIn; {
		case some && len(e.Values) == 0:
			f.invalid(at+".values", "is required for the operator %s", e.Operator)
		case !some && len(e.Values) > 0:
			f.invalid(at+".values", "the operator %s takes no values", e.Operator)
		default:
			add(at, e.Key, operator, e.Values)
		}
	}
	return selector
}
