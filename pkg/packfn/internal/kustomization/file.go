package kustomization

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// File holds what a kustomization names, and what it changes:
//
//	resources: [../base, vault.yaml]
//	namePrefix: dev-
//	transformers: [apply-preset.yaml]
type File struct {
	// Path is the path of the kustomization in the tree.
	Path string
	// Names are the paths in the kustomization, and Remote the addresses in it.
	Names, Remote []string
	// Functions are the paths of generators, transformers and validators.
	Functions []string
	// IsComponent is true for the kind Component, which is no set of its own.
	IsComponent bool
	// Generators are the entries of configMapGenerator.
	Generators []Generator
	// Changes maps each field that changes resources to the kinds that it changes; "" means any
	// kind.
	Changes map[string][]string
}

// addressed are substrings of entries that are addresses, not paths.
var addressed = []string{"://", "github.com", "?ref=", "git@", "git::"}

// Parse reads a kustomization. Of one that cannot be parsed only the path is known. isCheck reports whether an item is
// the functionConfig of a function that changes nothing.
func Parse(file string, text []byte, isCheck func(*list.Item) bool) (*File, error) {
	dir := path.Dir(file)
	one := &File{Path: file, Changes: map[string][]string{}}
	document, err := values.Parse(string(text))
	if err != nil {
		return one, err
	}
	root := document.Root()
	one.IsComponent = values.Text(values.Field(root, "kind")) == "Component"
	for _, field := range []string{"resources", "bases", "components", "crds", "generators", "transformers", "validators"} {
		for _, entry := range entries(root, field) {
			name := values.Text(entry)
			switch {
			case strings.Contains(name, "\n"): // an inline resource instead of a path
				if slices.ContainsFunc(list.FileItems([]byte(name), "function"), func(item *list.Item) bool { return !isCheck(item) }) {
					one.Changes[field] = []string{""}
				}
			case slices.ContainsFunc(addressed, func(part string) bool { return strings.Contains(name, part) }):
				one.Remote = append(one.Remote, name)
			case name != "":
				one.Names = append(one.Names, from(dir, name))
				if slices.Contains([]string{"generators", "transformers", "validators"}, field) {
					one.Functions = append(one.Functions, from(dir, name))
				}
			}
		}
	}
	for _, field := range []string{"namePrefix", "nameSuffix"} {
		if values.Text(values.Field(root, field)) != "" {
			one.Changes[field] = []string{""}
		}
	}
	for _, field := range []string{"patches", "patchesStrategicMerge", "patchesJson6902", "replacements"} {
		for _, entry := range entries(root, field) {
			one.Changes[field] = append(one.Changes[field], targets(entry)...)
		}
	}
	one.readGenerators(dir, root)
	return one, nil
}

// from resolves a path in a kustomization against the directory of the kustomization.
func from(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// entries returns the elements of a list field.
func entries(n *yaml.Node, field string) (entries []*yaml.Node) {
	list := values.Field(n, field)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, entry := range list.Content {
		entries = append(entries, values.Resolve(entry))
	}
	return entries
}

// targets returns the kinds that a patch or a replacement changes; "" means any kind:
//
//	patches:
//	- target: {kind: ConfigMap}
//	  patch: …
func targets(entry *yaml.Node) (kinds []string) {
	if kind := values.Text(values.Field(entry, "target", "kind")); kind != "" {
		return []string{kind}
	}
	for _, target := range entries(entry, "targets") {
		kinds = append(kinds, values.Text(values.Field(target, "select", "kind")))
	}
	text := values.Text(values.Field(entry, "patch"))
	if entry.Kind == yaml.ScalarNode {
		text = entry.Value
	}
	for _, item := range list.FileItems([]byte(text), "patch") {
		if item.Kind() != "" {
			kinds = append(kinds, item.Kind())
		}
	}
	if kinds == nil {
		kinds = []string{""}
	}
	return kinds
}
