package check

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// mostGenerated bounds the bytes of the ConfigMaps that kustomizations generate, and manifoldBytes how
// often a file is in one.
const (
	mostGenerated = 64 << 20
	manifoldBytes = 4
)

// generator makes a ConfigMap.
type generator struct {
	name, behavior string
	keys           []string
	paths          map[string]string // by their keys
	annotations    map[string]string
	// hasTexts says that the kustomization itself has values, or that they are in a file of
	// variables.
	hasTexts bool
}

// generated is a file that a generator reads, or why it cannot be read.
type generated struct {
	text []byte
	why  string
}

// readGenerators reads the generators of a kustomization.
func (k *kustomization) readGenerators(dir string, root *yaml.Node) {
	all := annotations(values.Field(root, "generatorOptions"))
	for _, entry := range entries(root, "configMapGenerator") {
		g := generator{name: values.Text(values.Field(entry, "name")), behavior: values.Text(values.Field(entry, "behavior")), paths: map[string]string{}, annotations: maps.Clone(all)}
		maps.Copy(g.annotations, annotations(values.Field(entry, "options")))
		for _, file := range entries(entry, "files") {
			key, name, isNamed := strings.Cut(values.Text(file), "=")
			if !isNamed {
				key, name = path.Base(key), key
			}
			g.keys, g.paths[key] = append(g.keys, key), from(dir, name)
		}
		g.hasTexts = len(entries(entry, "envs")) > 0 || values.Field(entry, "env") != nil
		for _, literal := range entries(entry, "literals") {
			key, _, _ := strings.Cut(values.Text(literal), "=")
			g.hasTexts = g.hasTexts || slices.Contains(packdir.FileNames, key)
		}
		k.generators = append(k.generators, g)
	}
}

func annotations(options *yaml.Node) map[string]string {
	all := map[string]string{}
	if n := values.Field(options, "annotations"); n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			all[n.Content[i].Value] = values.Text(n.Content[i+1])
		}
	}
	return all
}

// generate makes a ConfigMap, or adds to one that was made.
func (w *kustomizing) generate(made map[string]*joined, k *kustomization, g generator) {
	if w.left -= 1 + len(g.keys); w.left < 0 {
		return
	}
	isOfPack := slices.ContainsFunc(g.keys, func(key string) bool { return slices.Contains(packdir.FileNames, key) })
	j := made[g.name]
	switch {
	case j == nil && (g.behavior == "merge" || g.behavior == "replace") && (isOfPack || g.hasTexts): // of a resource
		k.changes["configMapGenerator "+g.name] = []string{"ConfigMap"}
	case j != nil && g.hasTexts:
		k.changes["configMapGenerator "+g.name] = []string{"ConfigMap"}
	}
	if j == nil || g.behavior != "merge" {
		j = &joined{Pack: &packdir.Pack{Name: g.name}, file: k.file + "#" + g.name, paths: map[string]string{}, annotations: map[string]string{}}
		made[g.name] = j
	}
	maps.Copy(j.annotations, g.annotations)
	for _, key := range g.keys {
		if !slices.Contains(packdir.FileNames, key) {
			continue
		}
		file := w.generating(g.paths[key])
		if file.why != "" {
			w.addAbsent(k, g.paths[key], file.why)
			continue
		}
		if key == packdir.Metadata {
			j.Dir = w.onDisk(path.Dir(g.paths[key]))
		}
		j.Files = slices.DeleteFunc(j.Files, func(f packdir.File) bool { return f.Name == key })
		j.Files, j.paths[key] = append(j.Files, packdir.File{Name: key, Text: file.text}), g.paths[key]
		w.size += len(file.text)
	}
}

// generating returns a file that a generator reads.
func (w *kustomizing) generating(name string) generated {
	if one, ok := w.texts[name]; ok {
		return one
	}
	one := generated{}
	if one.why = w.tree.absent(name); one.why == "" {
		text, err := w.read(name)
		switch {
		case errors.Is(err, folder.ErrOutside):
			one.why = "is a symbolic link out of the folder"
		case err != nil:
			one.why = "cannot be read: " + folder.Reason(err)
		}
		one.text = text
	}
	w.isGenerating[w.onDisk(name)] = true
	w.distinct += len(one.text)
	w.texts[name] = one
	return one
}
