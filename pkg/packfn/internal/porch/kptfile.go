package porch

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// merged are the fields of a Kptfile that Porch merges. All others are the package's own.
var merged = [][]string{{"metadata", "annotations"}, {"metadata", "labels"}, {"info"}, {"pipeline"}, {"inventory"}, {"status"}}

// mergeKptfile merges an updated Kptfile into the Kptfile of a package. All sides have a Kptfile,
// because a subpackage that only some sides contain is not merged.
func mergeKptfile(was, is, there *list.Item) error {
	texts := make([]string, sides)
	roots := make([]*yaml.Node, sides)
	for side, item := range []*list.Item{old: was, updated: is, dest: there} {
		d, err := values.Parse(string(item.Text()))
		if err != nil {
			return err
		}
		roots[side] = values.Clone(values.WithComments(d.Root()))
	}
	isUnnamed := true
	for _, root := range roots {
		isUnnamed = isUnnamed && areUnnamed(root)
	}
	for side, root := range roots {
		if isUnnamed {
			eachFunction(root, func(n *yaml.Node) { n.Content = append(n.Content, textNode("name"), textNode(namePrefix+program(n))) })
		}
		text, err := yaml.Marshal(root)
		if err != nil {
			return err
		}
		texts[side] = string(text)
	}
	text, err := merge3.MergeStrings(texts[dest], texts[old], texts[updated], true)
	if err != nil {
		return err
	}
	result, err := values.Parse(text)
	if err != nil {
		return err
	}
	for _, name := range []string{"mutators", "validators"} {
		if n := values.Field(result.Root(), "pipeline", name); n != nil && len(n.Content) == 0 {
			if result, _, err = result.Delete(values.Keys("pipeline", name)); err != nil {
				return err
			}
		}
	}
	outcome := values.Clone(result.Root())
	eachFunction(outcome, func(n *yaml.Node) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == "name" && strings.HasPrefix(n.Content[i+1].Value, namePrefix) {
				n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
				return
			}
		}
	})
	return edit(there, func(d *values.Document) (*values.Document, error) {
		for _, field := range merged {
			value, before := values.Field(outcome, field...), values.Field(d.Root(), field...)
			if values.Equal(value, before) {
				continue
			}
			var err error
			if value == nil {
				d, _, err = d.Delete(values.Keys(field...))
			} else {
				d, err = d.Set(values.Keys(field...), values.Of(value))
			}
			if err != nil {
				return nil, err
			}
		}
		return d, nil
	})
}

// namePrefix begins the names that functions without one get for the merge.
const namePrefix = "_kpt-merge_"

// program is what identifies a function without a name: its program, or its image without
// the tag.
func program(function *yaml.Node) string {
	if exec := values.Text(values.Field(function, "exec")); exec != "" {
		return exec
	}
	image, _, _ := strings.Cut(values.Text(values.Field(function, "image")), ":")
	return image
}

// eachFunction visits the functions of a Kptfile.
func eachFunction(kptfile *yaml.Node, visit func(*yaml.Node)) {
	for _, name := range []string{"mutators", "validators"} {
		functions := values.Field(kptfile, "pipeline", name)
		if functions == nil || functions.Kind != yaml.SequenceNode {
			continue
		}
		for _, n := range functions.Content {
			if n = values.Resolve(n); n.Kind == yaml.MappingNode {
				visit(n)
			}
		}
	}
}

// areUnnamed reports whether no function of a Kptfile has a name, and none of its lists
// has a program twice. Then programs identify them.
func areUnnamed(kptfile *yaml.Node) bool {
	ok := true
	for _, name := range []string{"mutators", "validators"} {
		known := map[string]bool{}
		one := node.Map(textNode("pipeline"), node.Map(textNode(name), values.Field(kptfile, "pipeline", name)))
		eachFunction(one, func(n *yaml.Node) {
			ok = ok && values.Text(values.Field(n, "name")) == "" && !known[program(n)]
			known[program(n)] = true
		})
	}
	return ok
}

// MergeFiles merges the files of packages that contain no resources. Files of the package that
// are unchanged since the old upstream are replaced with the files of the updated upstream.
func MergeFiles(old, updated, local map[string]string) map[string]string {
	merged := map[string]string{}
	for name, text := range local {
		before, known := old[name]
		after, isKept := updated[name]
		switch {
		case !known || before != text:
			merged[name] = text
		case isKept:
			merged[name] = after
		}
	}
	for name, text := range updated {
		if _, there := local[name]; !there {
			merged[name] = text
		}
	}
	return merged
}
