package kustomization

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// Generator is an entry of the field configMapGenerator:
//
//	configMapGenerator:
//	- name: vault
//	  files: [pack.json, values.yaml=vault-values.yaml]
//	  behavior: merge
type Generator struct {
	// Name is the name of the ConfigMap, and Behavior is create, merge or replace.
	Name, Behavior string
	// Keys are the keys in the order of the list, and Paths the files of them in the tree.
	Keys  []string
	Paths map[string]string // by key
	// Annotations are the annotations in the options of the generator.
	Annotations map[string]string
	// HasTexts is true if the kustomization itself contains values (literals), or names a file of
	// variables (envs).
	HasTexts bool
}

// readGenerators reads the generators of a kustomization.
//
//	generatorOptions: {annotations: {owner: web}}
//	configMapGenerator:
//	- name: vault
//	  files: [values.yaml=vault.yaml, schema.yaml]
func (k *File) readGenerators(dir string, root *yaml.Node) {
	all := annotations(values.Field(root, "generatorOptions"))
	for _, entry := range entries(root, "configMapGenerator") {
		g := Generator{Name: values.Text(values.Field(entry, "name")), Behavior: values.Text(values.Field(entry, "behavior")), Paths: map[string]string{}, Annotations: maps.Clone(all)}
		maps.Copy(g.Annotations, annotations(values.Field(entry, "options")))
		for _, file := range entries(entry, "files") {
			key, name, isNamed := strings.Cut(values.Text(file), "=")
			if !isNamed {
				key, name = path.Base(key), key
			}
			g.Keys, g.Paths[key] = append(g.Keys, key), from(dir, name)
		}
		g.HasTexts = len(entries(entry, "envs")) > 0 || values.Field(entry, "env") != nil
		for _, literal := range entries(entry, "literals") {
			key, _, _ := strings.Cut(values.Text(literal), "=")
			g.HasTexts = g.HasTexts || slices.Contains(packdir.FileNames, key)
		}
		k.Generators = append(k.Generators, g)
	}
}

// annotations returns the annotations in the options of a generator.
func annotations(options *yaml.Node) map[string]string {
	all := map[string]string{}
	if n := values.Field(options, "annotations"); n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			all[n.Content[i].Value] = values.Text(n.Content[i+1])
		}
	}
	return all
}
