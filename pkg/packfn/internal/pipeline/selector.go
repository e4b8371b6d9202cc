package pipeline

import (
	"fmt"
	"path"
	"strings"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Selects reports whether the function gets an item of its package.
func (s *Step) Selects(item *list.Item) (bool, error) {
	count, err := s.Count(item)
	return count > 0, err
}

// Count returns how often the function gets an item of its package: kpt gives it once
// for each selector that chooses it.
func (s *Step) Count(item *list.Item) (int, error) {
	count, _, err := s.choose(item)
	return count, err
}

// Repeated returns the fault that several selectors choose an item of a file.
func (s *Step) Repeated(count int, item *list.Item, file string) error {
	return s.Fault(fmt.Errorf("%d selectors select %s (%s), which kpt rejects; let one select it", count, item.Resource(), file))
}

// choose also returns the field that hides the item from the function.
func (s *Step) choose(item *list.Item) (count int, hiddenBy string, err error) {
	for _, selector := range s.Entry.Selectors {
		ok, err := selected(selector, item)
		if err != nil {
			return 0, "", err
		}
		if ok {
			count++
		}
	}
	if len(s.Entry.Selectors) == 0 {
		count = 1
	}
	if count == 0 {
		return 0, "selectors", nil
	}
	for i, selector := range s.Entry.Exclude {
		ok, err := selected(selector, item)
		if err != nil {
			return 0, "", err
		}
		if ok && !isEmpty(selector) {
			return 0, fmt.Sprintf("exclude[%d]", i), nil
		}
	}
	return count, "", nil
}

// isEmpty reports whether a selector has no condition, so that it chooses everything.
func isEmpty(s kptpackage.Selector) bool {
	return s.APIVersion == "" && s.Kind == "" && s.Name == "" && s.Namespace == "" && len(s.Labels) == 0 && len(s.Annotations) == 0 &&
		(s.ResourceFileRegexp == nil || s.ResourceFileRegexp.String() == "")
}

// selected reports whether a selector chooses an item. It fails for an expression that cannot be
// compiled.
func selected(s kptpackage.Selector, item *list.Item) (bool, error) {
	for _, pair := range [][2]string{
		{s.APIVersion, item.APIVersion()}, {s.Kind, item.Kind()}, {s.Name, item.Name()}, {s.Namespace, item.Namespace()},
	} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false, nil
		}
	}
	if r := s.ResourceFileRegexp; r != nil {
		resource := item.Resource() // its file is in its package, or in the root package
		if !r.MatchString(path.Join(strings.TrimPrefix(resource.PackagePath, "/"), resource.File)) {
			return false, nil
		}
	}
	if len(s.Labels) == 0 && len(s.Annotations) == 0 {
		return true, nil
	}
	labels, annotations, err := item.Metadata()
	if err != nil {
		return false, err
	}
	return contains(labels, s.Labels) && contains(annotations, s.Annotations), nil
}

// contains reports whether labels have all wanted ones.
func contains(all, wanted map[string]string) bool {
	for key, value := range wanted {
		if given, ok := all[key]; !ok || given != value {
			return false
		}
	}
	return true
}
