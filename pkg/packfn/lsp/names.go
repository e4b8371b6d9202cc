package lsp

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
)

// names returns the names of what a value refers to, nil for a value that is no reference.
func (c *completer) names() []candidate {
	t := c.site
	path := t.text()
	switch {
	case t.document == resourceDocument && (path == "spec.packRef.name" || path == "metadata.annotations."+pack.ValuesOfAnnotation || path == "spec.packs[]" || path == "spec.presets[].pack" && t.head.kind == "ApplyPreset"),
		t.head.kind == "ClusterProfile" && path == "spec.packs[].name", t.document == metadataDocument && path == "constraints.dependencies[].packName":
		return c.packs()
	case t.document == resourceDocument && path == "metadata.annotations."+function.AcceptAnnotation:
		return c.acceptances()
	case t.head.kind == "ApplyPreset" && path == "spec.presets[].name":
		return c.presets(c.known.pack(t.beside("pack")))
	case t.head.kind == "ApplyPreset" && path == "spec.presets[].into":
		return c.resources(func(apiVersion, kind string) bool { return kind == "PackValues" })
	case t.document == resourceDocument && path == "spec.clusterContext":
		return c.resources(func(apiVersion, kind string) bool { return kind == "ClusterContext" })
	case t.document == resourceDocument && path == "spec.machinePools[].instanceType":
		return c.instanceTypes()
	case t.document == metadataDocument && strings.HasPrefix(path, "constraints.resources[].components[].") && strings.HasSuffix(path, "ParamRef"), t.document == presetsDocument && strings.HasSuffix(path, "[].remove[]"):
		return c.valuePaths()
	case strings.HasPrefix(path, "spec.severity.") && t.document == resourceDocument, strings.HasPrefix(path, "severity.") && t.document == configDocument:
		return words(completionEnum, string(diag.Error), string(diag.Warning), string(diag.Info), string(diag.Off))
	case t.document == kptfileDocument && strings.HasPrefix(path, "pipeline."):
		return c.pipeline(path)
	}
	return nil
}

func words(kind int, texts ...string) []candidate {
	all := []candidate{}
	for _, text := range texts {
		all = append(all, candidate{text: text, kind: kind})
	}
	return all
}

func (c *completer) packs() []candidate {
	all := []candidate{}
	for _, p := range c.known.set.Packs {
		if !slices.ContainsFunc(all, func(a candidate) bool { return a.text == p.Name }) {
			all = append(all, candidate{text: p.Name, kind: completionValue, detail: strings.TrimSpace("pack " + p.Version)})
		}
	}
	return all
}

func (c *completer) presets(p *pack.Pack) []candidate {
	all := []candidate{}
	if p == nil {
		return all
	}
	presets, _ := p.ReadPresets()
	for _, one := range presets {
		all = append(all, candidate{text: one.Name, kind: completionValue, detail: strings.TrimSuffix("preset of group "+one.Group, " of group "), documentation: presetText(one)})
	}
	return all
}

// presetText says what a preset does, without values.
func presetText(p pack.Preset) string {
	var parts []string
	if p.DisplayName != "" {
		parts = append(parts, diag.OneLine(p.DisplayName))
	}
	if p.Add != nil {
		if keys := leafPaths(p.Add.Root(), ""); len(keys) > 0 {
			parts = append(parts, "Sets "+diag.SomeOf(keys)+".")
		}
	}
	var removed []string
	for _, path := range p.Remove {
		removed = append(removed, path.String())
	}
	if len(removed) > 0 {
		parts = append(parts, "Removes "+diag.SomeOf(removed)+".")
	}
	return strings.Join(parts, "\n\n")
}

func (c *completer) resources(is func(apiVersion, kind string) bool) []candidate {
	all := []candidate{}
	for _, path := range slices.Sorted(maps.Keys(c.known.files)) {
		for _, item := range c.known.files[path].items {
			if is(item.APIVersion(), item.Kind()) {
				all = append(all, candidate{text: item.Name(), kind: completionValue, detail: item.Kind(), documentation: c.known.files[path].name})
			}
		}
	}
	return all
}

func (c *completer) instanceTypes() []candidate {
	all := []candidate{}
	if c.known.cluster != nil {
		for _, one := range c.known.cluster.InstanceTypes {
			of := one.Capacity
			all = append(all, candidate{text: one.Name, kind: completionValue, detail: fmt.Sprintf("cpu %s, memory %s", cmp.Or(of.CPU, "?"), cmp.Or(of.Memory, "?"))})
		}
	}
	return all
}

// pipeline returns the names of functions and files.
func (c *completer) pipeline(path string) []candidate {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "exec":
		all := []candidate{}
		for _, f := range c.server.functions() {
			one := candidate{text: f.Name, kind: completionValue}
			if of := c.server.forms.kind(function.ConfigGroupVersion, f.Kind); of != nil {
				one.detail = "functionConfig: " + f.Kind
			}
			all = append(all, one)
		}
		return all
	case "configPath":
		all := []candidate{}
		for _, at := range slices.Sorted(maps.Keys(c.known.files)) {
			if name, err := filepath.Rel(filepath.Dir(c.site.file), at); err == nil && !strings.HasPrefix(name, "..") && filepath.Base(at) != kptfileDocument {
				all = append(all, candidate{text: filepath.ToSlash(name), kind: completionValue})
			}
		}
		return all
	}
	return nil
}
