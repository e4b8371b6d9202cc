package language

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
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/variant"
)

// The things that a value can refer to.
const (
	toNothing = iota
	toPack
	toPreset
	toOverride
	toCluster
	toInstanceType
	toRequirement
	toValue
	toFile
	toUpstream
)

// refersTo returns the kind of thing that the value at a position refers to by name.
func refersTo(t *site) int {
	path := t.text()
	switch t.document {
	case metadataDocument:
		switch {
		case path == "constraints.dependencies[].packName":
			return toRequirement
		case strings.HasSuffix(path, "ParamRef"):
			return toValue
		}
	case PresetsDocument:
		if strings.HasSuffix(path, "[].remove[]") {
			return toValue
		}
	case kptfileDocument:
		if strings.HasSuffix(path, ".configPath") {
			return toFile
		}
	case resourceDocument:
		switch path {
		case "spec.packRef.name", "metadata.annotations." + pack.ValuesOfAnnotation, "spec.packs[]":
			return toPack
		case "spec.clusterContext":
			return toCluster
		case "spec.machinePools[].instanceType":
			return toInstanceType
		case "spec.packs[].name":
			if t.head.kind == "ClusterProfile" {
				return toPack
			}
		}
		if strings.HasPrefix(t.head.kind, variant.Kind) && strings.HasPrefix(path, "spec.upstream.") {
			return toUpstream
		}
		if t.head.kind == "ApplyPreset" {
			return map[string]int{"spec.presets[].pack": toPack, "spec.presets[].name": toPreset, "spec.presets[].into": toOverride}[path]
		}
	}
	return toNothing
}

// names returns the names that are allowed for the value at the position, or nil if it is not a
// name.
func (c *Query) names() []candidate {
	t := c.site
	path := t.text()
	switch refersTo(t) {
	case toPack, toRequirement:
		return c.packs()
	case toPreset:
		return c.presets(c.snapshot.pack(t.beside("pack")))
	case toOverride:
		return c.resources(pack.PackValuesKind)
	case toCluster:
		return c.resources(pack.ClusterContextKind)
	case toInstanceType:
		return c.instanceTypes()
	case toValue:
		return c.valuePaths()
	case toFile:
		return c.configFiles()
	}
	switch {
	case t.document == resourceDocument && path == "metadata.annotations."+function.AcceptAnnotation:
		return c.acceptances()
	case strings.HasPrefix(path, "spec.severity.") && t.document == resourceDocument, strings.HasPrefix(path, "severity.") && t.document == configDocument:
		return words(diag.Severities...)
	case strings.HasPrefix(t.head.kind, variant.Kind) && strings.HasSuffix(path, ".adoptionPolicy"):
		return words(variant.AdoptionPolicies...)
	case strings.HasPrefix(t.head.kind, variant.Kind) && strings.HasSuffix(path, ".deletionPolicy"):
		return words(variant.DeletionPolicies...)
	case t.document == kptfileDocument && strings.HasPrefix(path, "pipeline.") && strings.HasSuffix(path, ".exec"):
		return c.programs()
	}
	return nil
}

// words returns candidates without descriptions, such as the members of an enum.
func words(texts ...string) []candidate {
	all := []candidate{}
	for _, text := range texts {
		all = append(all, candidate{text: text, kind: protocol.CompletionEnum})
	}
	return all
}

// packs returns the names of the packs, each once, with their versions.
func (c *Query) packs() []candidate {
	all := []candidate{}
	for _, p := range c.snapshot.set.Packs {
		if !slices.ContainsFunc(all, func(a candidate) bool { return a.text == p.Name }) {
			all = append(all, candidate{text: p.Name, kind: protocol.CompletionValue, detail: strings.TrimSpace("pack " + p.Version)})
		}
	}
	return all
}

// presets returns the presets of a pack.
func (c *Query) presets(p *pack.Pack) []candidate {
	all := []candidate{}
	for _, one := range presetsOf(p) {
		all = append(all, candidate{text: one.Name, kind: protocol.CompletionValue, detail: strings.TrimSuffix("preset of group "+one.Group, " of group "), documentation: presetText(one)})
	}
	return all
}

// presetText returns a description of the keys that a preset sets and removes, without values.
func presetText(p pack.Preset) string {
	var parts []string
	if p.DisplayName != "" {
		parts = append(parts, diag.OneLine(p.DisplayName))
	}
	if keys := preset.Added(p); len(keys) > 0 {
		parts = append(parts, "Sets "+diag.SomeOf(keys)+".")
	}
	var removed []string
	for _, path := range p.Remove {
		if !slices.Contains(removed, path.String()) {
			removed = append(removed, path.String())
		}
	}
	if len(removed) > 0 {
		parts = append(parts, "Removes "+diag.SomeOf(removed)+".")
	}
	return strings.Join(parts, "\n\n")
}

// resources returns the names of the resources with a kind.
func (c *Query) resources(kind string) []candidate {
	all := []candidate{}
	for _, item := range c.snapshot.items {
		if item.Kind() == kind && item.Name() != "" {
			all = append(all, candidate{text: item.Name(), kind: protocol.CompletionValue, detail: kind, documentation: item.Resource().File})
		}
	}
	return all
}

// instanceTypes returns the instance types of the ClusterContext with their capacities.
func (c *Query) instanceTypes() []candidate {
	all := []candidate{}
	if c.snapshot.cluster != nil {
		for _, one := range c.snapshot.cluster.InstanceTypes {
			of := one.Capacity
			all = append(all, candidate{text: one.Name, kind: protocol.CompletionValue, detail: fmt.Sprintf("cpu %s, memory %s", cmp.Or(of.CPU, "?"), cmp.Or(of.Memory, "?"))})
		}
	}
	return all
}

// programs returns the names of the functions.
func (c *Query) programs() []candidate {
	all := []candidate{}
	for _, f := range c.functions {
		all = append(all, candidate{text: f.Name, kind: protocol.CompletionValue, detail: "functionConfig: " + f.Kind})
	}
	return all
}

// configFiles returns the files that may contain a functionConfig.
func (c *Query) configFiles() []candidate {
	all := []candidate{}
	for _, at := range slices.Sorted(maps.Keys(c.snapshot.files)) {
		if name, _ := filepath.Rel(filepath.Dir(c.site.file), at); !strings.HasPrefix(name, "..") && filepath.Base(at) != kptfileDocument {
			all = append(all, candidate{text: filepath.ToSlash(name), kind: protocol.CompletionValue})
		}
	}
	return all
}
