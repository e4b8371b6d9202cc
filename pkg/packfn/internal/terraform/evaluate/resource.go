package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// resource converts a resource to a profile:
//
//	resource "spectrocloud_cluster_profile" "edge" {
//	  name = "edge"
//	  pack { name = "vault" }
//	}
func (r *reader) resource(block *hclsyntax.Block) *yaml.Node {
	at := block.DefRange()
	root, metadata, spec, template := mapping(at), mapping(at), mapping(at), mapping(at)
	r.addFields(block.Body, metadata, metadataFields)
	if name := values.Field(metadata, "name"); name == nil {
		add(metadata, "name", scalar(block.Labels[1], "!!str", at))
	} else if name.Value == "" {
		name.Value = block.Labels[1]
	}
	if labels := r.labels(block.Body); labels != nil {
		add(metadata, "labels", labels)
	}
	r.addFields(block.Body, spec, specFields)
	r.addFields(block.Body, template, templateFields)
	packs, variables := sequence(at), sequence(at)
	index := -1
	for _, nested := range block.Body.Blocks {
		switch nested.Type {
		case "pack":
			index++
			if one := r.pack(nested); one != nil {
				packs.Content = append(packs.Content, one)
				r.profile.Blocks, r.profile.Origins = append(r.profile.Blocks, index), append(r.profile.Origins, r.originOf(nested.Body.Attributes["values"], values.Field(one, "values")))
			} else {
				r.leftOut("spec.template.packs")
			}
		case "profile_variables":
			for _, inner := range nested.Body.Blocks {
				if inner.Type != "variable" {
					r.note(inner.DefRange(), "the block %s is left out: it is not constant", inner.Type)
					r.leftOut("spec.variables")
				} else if one := r.variable(inner, len(variables.Content)); one != nil {
					variables.Content = append(variables.Content, one)
				} else {
					r.leftOut("spec.variables")
				}
			}
		case "dynamic":
			r.note(nested.DefRange(), "the block %s is left out: it is not constant", strings.Join(slices.Concat([]string{"dynamic"}, nested.Labels), " "))
			r.leftOut("spec.template.packs")
			r.leftOut("spec.variables")
		}
	}
	add(template, "packs", packs)
	add(spec, "template", template)
	if len(variables.Content) > 0 {
		add(spec, "variables", variables)
	}
	add(root, "metadata", metadata)
	add(root, "spec", spec)
	return root
}

// labels makes labels of tags as the provider does: `key:value`, or a tag alone.
func (r *reader) labels(body *hclsyntax.Body) *yaml.Node {
	value, at, reason := r.attribute(body, "tags", cty.List(cty.String))
	if reason != "" {
		r.note(at, "tags %s", reason)
	}
	if reason != "" || value.IsNull() {
		return nil
	}
	labels, seen := mapping(at), map[string]bool{}
	for _, tag := range value.AsValueSlice() {
		if tag.IsNull() {
			continue
		}
		key, text, ok := strings.Cut(tag.AsString(), ":")
		if !ok {
			text = "spectro__tag"
		}
		if !seen[key] {
			seen[key] = true
			add(labels, key, scalar(text, "!!str", at))
		}
	}
	return labels
}

// pack returns a pack of a profile, or nil if it is not constant.
func (r *reader) pack(block *hclsyntax.Block) *yaml.Node {
	at := block.DefRange()
	one := mapping(at)
	all := r.fields(block.Body, one, packFields)
	name, tag := values.Text(values.Field(one, "name")), values.Text(values.Field(one, "tag"))
	version := tag
	if of, attribute := r.dataOf(block.Body.Attributes["uid"]); of != nil && attribute == "id" && r.module.attribute(of, "name") == name {
		version = cmp.Or(r.module.attribute(of, "version"), tag) // Palette finds the pack by its uid
	}
	if !r.hasOwnValues(block, name, version) {
		all = append(all, r.fields(block.Body, one, valuesFields)...)
	}
	manifests := sequence(at)
	for _, nested := range block.Body.Blocks {
		manifest := mapping(nested.DefRange())
		if nested.Type == "manifest" {
			all = append(all, r.fields(nested.Body, manifest, manifestFields)...)
			manifests.Content = append(manifests.Content, manifest)
		} else {
			all = append(all, missing{nested.DefRange(), "the block " + nested.Type + " is not constant"})
		}
	}
	if name == "" && len(all) == 0 {
		all = append(all, missing{at, "it has no name"})
	}
	for _, m := range all {
		r.note(m.at, "the pack %s is left out: %s", cmp.Or(name, fmt.Sprintf("at line %d", at.Start.Line)), m.what)
	}
	if len(all) > 0 {
		return nil
	}
	if version != "" && !strings.HasSuffix(version, ".x") {
		add(one, "version", scalar(version, "!!str", at))
	}
	if registry := r.registry(block, name); len(registry.Content) > 0 {
		outer := mapping(at)
		add(outer, "metadata", registry)
		add(one, "registry", outer)
	}
	if len(manifests.Content) > 0 {
		add(one, "manifests", manifests)
	}
	return one
}

// hasOwnValues reports whether a pack has its own values, which no source has: then nothing more
// is known of them, and nothing is changed.
func (r *reader) hasOwnValues(block *hclsyntax.Block, pack, version string) bool {
	of, attribute := r.dataOf(block.Body.Attributes["values"])
	if of == nil || attribute != "values" || r.module.attribute(of, "name") != pack {
		return false
	}
	p := r.packOf(of)
	if p == nil || p.IsFound || p.Fault != "" {
		return false
	}
	prefix, isRange := strings.CutSuffix(version, ".x")
	return version == "" || version == r.module.attribute(of, "version") || isRange && strings.HasPrefix(r.module.attribute(of, "version"), prefix+".")
}

// dataOf returns the data source of which an attribute is exactly an attribute.
func (r *reader) dataOf(attribute *hclsyntax.Attribute) (*name, string) {
	if attribute == nil {
		return nil, ""
	}
	traversal, ok := innermost(attribute.Expr).(*hclsyntax.ScopeTraversalExpr)
	if !ok || traversal.Traversal.RootName() != "data" {
		return nil, ""
	}
	n := r.names[keyOf(traversal.Traversal)]
	if n == nil || n.cause != nil {
		return nil, ""
	}
	return n, attributeOf(traversal.Traversal)
}

// registry returns the registry of a pack. If a data source finds the registry by name, the
// result contains the name, because only Palette knows the identifier.
func (r *reader) registry(block *hclsyntax.Block, pack string) *yaml.Node {
	registry := mapping(block.DefRange())
	body := block.Body
	if of, attribute := r.dataOf(body.Attributes["registry_uid"]); of != nil && attribute == "id" && r.module.attribute(of, "name") != "" {
		add(registry, "name", scalar(r.module.attribute(of, "name"), "!!str", block.DefRange()))
		return registry
	}
	for _, m := range r.fields(body, registry, registryFields) {
		r.note(m.at, "the pack %s comes without its registry: %s", pack, m.what)
	}
	return registry
}

// leftOut notes that something is left out at a path in the document.
func (r *reader) leftOut(path string) { r.profile.Unknown[path] = true }

// variable returns the i-th variable of a profile, without fields that are not constant. It
// returns nil if the name is not constant.
func (r *reader) variable(block *hclsyntax.Block, i int) *yaml.Node {
	one, options := mapping(block.DefRange()), sequence(block.DefRange())
	for _, m := range r.fields(block.Body, one, variableFields) {
		r.note(m.at, "%s", m.what)
		if name, _, _ := strings.Cut(m.what, " "); name == "default_value" {
			r.leftOut(fmt.Sprintf("spec.variables[%d].defaultValue", i))
		}
	}
	if values.Field(one, "name") == nil {
		return nil
	}
	for _, nested := range block.Body.Blocks {
		if nested.Type == "options" {
			option := mapping(nested.DefRange())
			r.addFields(nested.Body, option, optionFields)
			options.Content = append(options.Content, option)
		}
	}
	if len(options.Content) > 0 {
		add(one, "options", options)
	}
	return one
}
