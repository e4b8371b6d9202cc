package language

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// form returns the form of the document at the position, or nil if it has none.
func (c *Query) form() *form {
	forms := &c.forms
	switch t := c.site; t.document {
	case valuesDocument:
		return c.snapshot.of(c.pack).form
	case releaseDocument:
		return c.chartOf(t.layer.Released).form
	case PresetsDocument:
		entries := forms.of("presets.json")
		return &form{Properties: map[string]*form{"presets": entries}, Items: entries.at([]values.Step{values.Element(0)})}
	case metadataDocument:
		return forms.of("packjson.json")
	case kptfileDocument:
		if options := c.options(); options != nil { // only for the function at the position
			return formAt(t.path[:3], &form{Properties: map[string]*form{"configMap": options}})
		}
		return forms.of("kptfile.json")
	case configDocument:
		return forms.of("packfnconfig.json")
	case resourceDocument:
		return c.resourceForm()
	}
	return nil
}

// annotations returns the annotations that users write, with their descriptions.
func annotations() map[string]*form {
	return map[string]*form{
		function.AcceptAnnotation:  {Description: "Accepts findings on this resource: `RULE[ KEY]: reason`, one in a line."},
		pack.ValuesOfAnnotation:    {Description: "Makes the ConfigMap with the key values.yaml an override for the pack of this name."},
		injection.Annotation:       {Description: "The resource is pending until a PackageVariant injects its content.", Enum: enumOf(injection.Modes())},
		list.LocalConfigAnnotation: {Description: "kpt does not apply the resource to a cluster.", Enum: []any{"true"}},
	}
}

// enumOf returns names as the values of an enum.
func enumOf(names []string) []any {
	var all []any
	for _, name := range names {
		all = append(all, name)
	}
	return all
}

// resourceForm returns the form of a resource: the form of its kind, and the fields that all
// resources have.
func (c *Query) resourceForm() *form {
	h := c.site.head
	made := &form{Properties: map[string]*form{}}
	if of := c.forms.kind(h.apiVersion, h.kind); of != nil {
		maps.Copy(made.Properties, of.Properties)
	} else {
		var kinds, versions []any
		for _, k := range c.forms.all() {
			if h.apiVersion == "" || k.apiVersion == h.apiVersion {
				kinds = append(kinds, k.name)
			}
			if (h.kind == "" || k.name == h.kind) && !slices.Contains(versions, any(k.apiVersion)) {
				versions = append(versions, k.apiVersion)
			}
		}
		made.Properties["kind"], made.Properties["apiVersion"] = &form{Enum: kinds}, &form{Enum: versions}
		if options := c.options(); options != nil {
			made.Properties["data"] = options
		} else if h.kind == "ConfigMap" {
			made.Properties["data"] = c.dataForm()
		}
	}
	made.Properties["metadata"] = &form{Properties: map[string]*form{
		"name": {Description: "The name of the resource."}, "namespace": {}, "labels": {Type: oneOrMore{"object"}},
		"annotations": {Type: oneOrMore{"object"}, Properties: annotations()},
	}}
	return made
}

// dataForm returns the form of the data of a ConfigMap: the files of a pack, or the values of an
// override.
func (c *Query) dataForm() *form {
	f := &form{Type: oneOrMore{"object"}, Properties: map[string]*form{}}
	for _, name := range packdir.FileNames {
		if c.site.head.valuesOf == "" || name == valuesDocument {
			f.Properties[name] = &form{Description: "The pack's " + name + "."}
		}
	}
	return f
}

// keys returns the keys that are allowed at the position.
func (c *Query) keys() []candidate {
	t := c.site
	if t.document == schemaDocument {
		switch len(t.path) {
		case 0:
			return c.valuePaths()
		case 1:
			return []candidate{{text: "schema", kind: protocol.CompletionField, documentation: "The constraint of the value: `'{{ required | format \"${string}\" }}'`."}}
		}
		return nil
	}
	at, all := c.form().at(t.path), []candidate(nil)
	for _, key := range at.keys() {
		property := at.Properties[key]
		one := candidate{text: key, kind: protocol.CompletionField, detail: property.detail(slices.Contains(at.Required, key)), documentation: property.documentation(), isCollection: property.isCollection()}
		if t.document == valuesDocument {
			if readers := readersOf(c.snapshot.of(c.pack).facts, values.Below(t.path, values.Key(key))); len(readers) > 0 {
				one.documentation = strings.TrimPrefix(one.documentation+"\n\nRead by "+diag.AllOf(readers)+".", "\n\n")
			}
		}
		all = append(all, one)
	}
	if t.text() == "spec.severity" || t.document == configDocument && t.text() == "severity" {
		all = append(all, c.rules()...)
	}
	if object, ok := strings.CutPrefix(t.text()+".", "spec.system."); ok && t.head.kind == pack.ClusterContextKind {
		all = append(all, systemKeys(object)...)
	}
	return all
}

// documentation returns the description of a value in Markdown.
func (f *form) documentation() string {
	parts := []string{}
	if f.Description != "" {
		parts = append(parts, strings.ReplaceAll(f.Description, "\n", "\n\n"))
	}
	if f.Default != nil {
		parts = append(parts, fmt.Sprintf("Default: `%s`", f.Default))
	}
	return strings.Join(parts, "\n\n")
}

// systemKeys returns the next keys of system names below an object. object is the name of the
// object with a trailing dot, or "" for the top level.
func systemKeys(object string) []candidate {
	var all []candidate
	for _, name := range pack.SystemNames() {
		below, ok := strings.CutPrefix(name, object)
		step, _, isObject := strings.Cut(below, ".")
		if !ok || slices.ContainsFunc(all, func(a candidate) bool { return a.text == step }) {
			continue
		}
		one := candidate{text: step, kind: protocol.CompletionField, isCollection: isObject}
		if !isObject {
			one.documentation = "The fact that `" + systemPrefix + name + "` reads."
		}
		all = append(all, one)
	}
	return all
}

// values returns the values that are allowed at the position.
func (c *Query) values() []candidate {
	t := c.site
	if named := c.names(); named != nil {
		return named
	}
	if t.document == schemaDocument && len(t.path) == 2 && t.path[1].Key == "schema" {
		return c.template()
	}
	var all []candidate
	at := c.form().at(t.path)
	for _, option := range at.options() {
		_, isText := option.(string)
		one := candidate{text: scalarText(option), kind: protocol.CompletionEnum, isPlain: !isText, documentation: at.documentation()}
		if t.document == resourceDocument && t.text() == "kind" {
			if of := c.forms.kind(t.head.apiVersion, one.text); of != nil {
				one.documentation = of.Description
			}
		}
		all = append(all, one)
	}
	if len(all) == 0 && at != nil {
		one := candidate{kind: protocol.CompletionValue, detail: "default", documentation: at.documentation()}
		if json.Unmarshal(at.Default, &one.text) != nil {
			one.text, one.isPlain = string(at.Default), true
		}
		if one.text != "" && !strings.ContainsAny(one.text, "{[\n") {
			all = append(all, one)
		}
	}
	return all
}

// rules returns the ids of the rules whose severity can be set at the position.
func (c *Query) rules() []candidate {
	all := []candidate{}
	name := ""
	for _, f := range c.functions {
		if f.Kind == c.site.head.kind {
			name = f.Name
		}
	}
	for _, r := range rule.All() {
		if !r.Fixed && (name == "" || r.IsBy(name)) {
			all = append(all, candidate{text: r.ID, kind: protocol.CompletionField, detail: string(r.Severity), documentation: r.Plain() + "."})
		}
	}
	return all
}

// acceptances returns completions for a line of the annotation that accepts findings: the ids of
// rules at the beginning of the line, and the paths of values after an id.
func (c *Query) acceptances() []candidate {
	t := c.site
	before := t.context.Prefix()
	before = before[strings.LastIndexByte(before, '\n')+1:]
	var all []candidate
	switch {
	case strings.Contains(before, ":"):
		return []candidate{}
	case strings.Contains(strings.TrimLeft(before, " "), " "): // after an id
		all = c.valuePaths()
	default:
		all = c.rules()
	}
	for i := range all {
		all[i].kind = protocol.CompletionModule
	}
	return all
}

// valuePaths returns the paths of the values of the pack.
func (c *Query) valuePaths() []candidate {
	all := []candidate{}
	of, isSchema := c.snapshot.of(c.pack), c.site.document == schemaDocument
	var add func(f *form, path string)
	add = func(f *form, path string) {
		for _, key := range f.keys() {
			below, at := diag.Join(path, key), f.Properties[key]
			switch {
			case len(at.Properties) > 0:
				add(at, below)
			case !isSchema || !of.entries.Has(below):
				all = append(all, candidate{text: below, kind: protocol.CompletionField, detail: at.detail(false), documentation: at.documentation(), isCollection: isSchema})
			}
		}
	}
	add(of.form, "")
	return all
}

// template returns the keywords of the template language of schema.yaml.
func (c *Query) template() []candidate {
	if c.site.context.Word() == "" && c.site.context.Quote == 0 {
		return []candidate{{text: `'{{ required | format "${string}" }}'`, kind: protocol.CompletionValue, isPlain: true}}
	}
	var all []candidate
	for _, word := range [][2]string{
		{`format "${boolean}"`, "true or false."},
		{`format "${ipv4}"`, "An IPv4 address."},
		{`format "${list:[a,b]}"`, "One of the options."},
		{`format "${number:[1-10]}"`, "A number in a range."},
		{`format "${password}"`, "A string that is a secret."},
		{`format "${string:/^[a-z]+$/}"`, "A string that a regular expression matches."},
		{`format "${string}"`, "A text."},
		{`format "${version}"`, "A semantic version."},
		{`hints ""`, "What users are told about the value."},
		{"readonly", "The value must be that of the pack."},
		{"required", "The value must be there, and not be empty."},
	} {
		all = append(all, candidate{text: word[0], kind: protocol.CompletionModule, documentation: word[1]})
	}
	return all
}
