package schema

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// lacking counts the chosen resources that do not have the field of a target. A
// field may well be absent, and is judged as empty values then; but where none
// has it, or one has a field of nearly that name, something is misspelt.
type lacking struct {
	resources int
	// first is the first of them, misspelt what the first has in its place that
	// has nearly the name.
	first, misspelt string
}

func (l *lacking) add(resource function.Resource, root *yaml.Node, path values.Path) {
	if l.resources++; l.resources == 1 {
		l.first = resource.String()
	}
	if step, name := nearestKey(root, path); name != "" && l.misspelt == "" {
		l.misspelt = fmt.Sprintf("%s has no %s, but %s; write it the same in both, or it is judged as empty values", resource, step, name)
	}
}

// message is what there is to say of a target that chose some resources, "" when
// that is nothing.
func (l *lacking) message(path string, chosen int) string {
	switch {
	case l.misspelt != "":
		return l.misspelt
	case l.resources == 0 || l.resources < chosen:
		return ""
	case chosen == 1:
		return fmt.Sprintf("%s, the only resource that is chosen, has no %s, which is judged as empty values", l.first, path)
	}
	return fmt.Sprintf("none of the %d resources that are chosen has %s, which is judged as empty values", chosen, path)
}

// nearestKey returns the first step of a path that is not there, and the key
// that stands there in its place, but for a slip; "" when there is none.
func nearestKey(root *yaml.Node, path values.Path) (step, name string) {
	n := root
	for _, step := range path.Steps() {
		if next := values.Field(n, step); next != nil {
			n = next
			continue
		}
		if n.Kind != yaml.MappingNode {
			return "", ""
		}
		var keys []string
		for at := 0; at+1 < len(n.Content); at += 2 {
			keys = append(keys, n.Content[at].Value)
		}
		// A longer name, valuesFrom, is another field.
		if name := nearest.Name(step, keys); max(len(name), len(step))-min(len(name), len(step)) <= 1 {
			return step, name
		}
		return "", ""
	}
	return "", ""
}
