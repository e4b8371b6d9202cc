// Package terraform reads cluster profiles of Palette that are written in Terraform's
// language. It evaluates what is constant in one file: literals, heredocs, locals and file().
// Nothing is run: no provider, no state, no other module.
//
//	profile, err := terraform.Read("main.tf", text, terraform.Options{})
//	profile.Document // the profile as Palette exports it
//	profile.Notes    // main.tf:12:14: pack "kubernetes" is left out: values reads data.…
package terraform

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/values"
)

// resourceType is the type of the resources that are profiles.
const resourceType = "spectrocloud_cluster_profile"

// Profile is a cluster profile.
type Profile struct {
	// Document is the profile in the form in which Palette exports it. Its places are those
	// of the file.
	Document *values.Document
	// Notes say what is left out because it is not constant, one line each.
	Notes []string
}

// Read reads the profile of a file. name is the label of its resource, or "" for the only
// one. An error has a line for each fault, with its place.
func Read(path string, text []byte, name string) (*Profile, error) {
	if err := limited(path, text); err != nil {
		return nil, err
	}
	file, diags := hclsyntax.ParseConfig(text, path, hcl.InitialPos)
	if diags.HasErrors() {
		var faults []error
		for _, d := range diags {
			faults = append(faults, fmt.Errorf("%s:%d:%d: %s", path, d.Subject.Start.Line, d.Subject.Start.Column, diag.OneLine(d.Summary+": "+d.Detail)))
		}
		return nil, errors.Join(faults...)
	}
	r := &reader{path: path, profile: &Profile{}}
	body := file.Body.(*hclsyntax.Body)
	block, err := r.choose(body, name)
	if err != nil {
		return nil, err
	}
	r.context = &hcl.EvalContext{
		Variables: map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(".")})},
		Functions: map[string]function.Function{"file": fileFunction(filepath.Dir(path))},
	}
	r.locals(body)
	root, packs := r.resource(block)
	if packs == 0 {
		faults := []error{fmt.Errorf("%s: no pack of %s can be imported", path, block.Labels[1])}
		for _, note := range r.profile.Notes {
			faults = append(faults, errors.New(note))
		}
		return nil, errors.Join(faults...)
	}
	r.profile.Document = values.Of(root)
	return r.profile, nil
}

type reader struct {
	path    string
	context *hcl.EvalContext
	profile *Profile
}

// choose finds the resource of a profile.
func (r *reader) choose(body *hclsyntax.Body, name string) (*hclsyntax.Block, error) {
	var found *hclsyntax.Block
	var names []string
	for _, block := range body.Blocks {
		if block.Type != "resource" || len(block.Labels) != 2 || block.Labels[0] != resourceType {
			continue
		}
		names = append(names, block.Labels[1])
		if name == "" || block.Labels[1] == name {
			found = block
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("%s has no resource %q", r.path, resourceType)
	case found == nil:
		f := diag.NotFound("profile", name, names)
		return nil, fmt.Errorf("--profile: %s", f.Message())
	case name == "" && len(names) > 1:
		return nil, fmt.Errorf("%s has %d profiles: %s; name one with --profile", r.path, len(names), diag.AllOf(names))
	}
	return found, nil
}

// fileFunction is file() for the files of a folder.
func fileFunction(dir string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (value cty.Value, err error) {
			name := filepath.Clean(filepath.FromSlash(args[0].AsString()))
			if !filepath.IsLocal(name) {
				return value, fmt.Errorf("%s is not below the folder of the file", name)
			}
			files, err := folder.Open(dir)
			if err != nil {
				return value, err
			}
			defer files.Close()
			text, err := files.ReadText(name)
			return cty.StringVal(string(text)), err
		},
	})
}

// locals evaluates the locals that are constant.
func (r *reader) locals(body *hclsyntax.Body) {
	known := map[string]cty.Value{}
	for more := true; more; {
		more = false
		r.context.Variables["local"] = cty.ObjectVal(known)
		for _, block := range body.Blocks {
			for name, attribute := range block.Body.Attributes {
				if _, done := known[name]; done || block.Type != "locals" {
					continue
				}
				if value, diags := attribute.Expr.Value(r.context); !diags.HasErrors() {
					known[name], more = value, true
				}
			}
		}
	}
}

func (r *reader) note(at hcl.Range, format string, args ...any) {
	r.profile.Notes = append(r.profile.Notes, fmt.Sprintf("%s:%d:%d: ", r.path, at.Start.Line, at.Start.Column)+fmt.Sprintf(format, args...))
}

// value evaluates an attribute; reason says why it is not constant, or not of the type. The
// value is null if the attribute is absent.
func (r *reader) value(body *hclsyntax.Body, name string, kind cty.Type) (value cty.Value, at hcl.Range, reason string) {
	attribute, ok := body.Attributes[name]
	if !ok {
		return cty.NullVal(kind), at, ""
	}
	at = attribute.Expr.Range()
	value, diags := attribute.Expr.Value(r.context)
	if !diags.HasErrors() {
		if value, err := convert.Convert(value, kind); err == nil {
			return value, at, ""
		}
		return value, at, "is not a " + kind.FriendlyName()
	}
	for _, traversal := range attribute.Expr.Variables() {
		var steps []string
		for _, step := range traversal {
			switch s := step.(type) {
			case hcl.TraverseRoot:
				steps = append(steps, s.Name)
			case hcl.TraverseAttr:
				steps = append(steps, s.Name)
			}
		}
		if _, diags := traversal.TraverseAbs(r.context); diags.HasErrors() {
			return value, at, "reads " + strings.Join(steps, ".")
		}
	}
	return value, at, "cannot be evaluated: " + strings.TrimSuffix(diag.OneLine(strings.ToLower(diags[0].Summary)+": "+diags[0].Detail), ".")
}

// field is a field of an exported profile, and the attribute that it is.
type field struct {
	attribute, name string
	kind            cty.Type
	// fallback is the value that Terraform's provider has for an absent one.
	fallback string
}

// missing is a place that is not constant, and why.
type missing struct {
	at   hcl.Range
	what string
}

// read adds fields to a mapping, and notes those that are not constant.
func (r *reader) read(body *hclsyntax.Body, into *yaml.Node, fields []field) {
	for _, m := range r.fields(body, into, fields) {
		r.note(m.at, "%s", m.what)
	}
}

// fields adds fields to a mapping, and returns those that are not constant.
func (r *reader) fields(body *hclsyntax.Body, into *yaml.Node, fields []field) (all []missing) {
	for _, f := range fields {
		switch value, at, reason := r.value(body, f.attribute, f.kind); {
		case reason != "":
			all = append(all, missing{at, f.attribute + " " + reason})
		case value.IsNull() && f.fallback == "":
		case value.IsNull():
			add(into, f.name, scalar(f.fallback, "!!str", at))
		case f.kind == cty.Bool:
			add(into, f.name, scalar(fmt.Sprint(value.True()), "!!bool", at))
		default:
			add(into, f.name, scalar(value.AsString(), "!!str", at))
		}
	}
	return all
}

func scalar(text, tag string, at hcl.Range) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text, Line: at.Start.Line, Column: at.Start.Column}
}

func collection(kind yaml.Kind, at hcl.Range) *yaml.Node {
	return &yaml.Node{Kind: kind, Line: at.Start.Line, Column: at.Start.Column}
}

func mapping(at hcl.Range) *yaml.Node { return collection(yaml.MappingNode, at) }

func sequence(at hcl.Range) *yaml.Node { return collection(yaml.SequenceNode, at) }

// add adds a field to a mapping.
func add(into *yaml.Node, name string, n *yaml.Node) {
	into.Content = append(into.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: n.Line, Column: n.Column}, n)
}

var (
	metadataFields = []field{{"name", "name", cty.String, ""}, {"description", "description", cty.String, ""}}
	templateFields = []field{{"type", "type", cty.String, "add-on"}, {"cloud", "cloudType", cty.String, "all"}}
	specFields     = []field{{"version", "version", cty.String, "1.0.0"}}
	packFields     = []field{{"name", "name", cty.String, ""}, {"type", "type", cty.String, "spectro"}, {"tag", "tag", cty.String, ""}, {"values", "values", cty.String, ""}}
	registryFields = []field{{"registry_uid", "uid", cty.String, ""}, {"registry_name", "name", cty.String, ""}}
	manifestFields = []field{{"name", "name", cty.String, ""}, {"content", "content", cty.String, ""}}
	variableFields = []field{
		{"name", "name", cty.String, ""}, {"display_name", "displayName", cty.String, ""}, {"description", "description", cty.String, ""},
		{"format", "format", cty.String, "string"}, {"default_value", "defaultValue", cty.String, ""}, {"regex", "regex", cty.String, ""},
		{"required", "required", cty.Bool, ""}, {"immutable", "immutable", cty.Bool, ""}, {"hidden", "hidden", cty.Bool, ""},
		{"is_sensitive", "isSensitive", cty.Bool, ""}, {"input_type", "inputType", cty.String, "text"},
	}
	optionFields = []field{{"value", "value", cty.String, ""}, {"label", "label", cty.String, ""}, {"description", "description", cty.String, ""}}
)

// resource makes the profile of a resource, and returns the number of its packs.
func (r *reader) resource(block *hclsyntax.Block) (*yaml.Node, int) {
	at := block.DefRange()
	root, metadata, spec, template := mapping(at), mapping(at), mapping(at), mapping(at)
	r.read(block.Body, metadata, metadataFields)
	if name := values.Field(metadata, "name"); name == nil {
		add(metadata, "name", scalar(block.Labels[1], "!!str", at))
	} else if name.Value == "" {
		name.Value = block.Labels[1]
	}
	if labels := r.labels(block.Body); labels != nil {
		add(metadata, "labels", labels)
	}
	r.read(block.Body, spec, specFields)
	r.read(block.Body, template, templateFields)
	packs, variables := sequence(at), sequence(at)
	for _, nested := range block.Body.Blocks {
		switch nested.Type {
		case "pack":
			if one := r.pack(nested); one != nil {
				packs.Content = append(packs.Content, one)
			}
		case "profile_variables":
			for _, inner := range nested.Body.Blocks {
				if inner.Type == "variable" {
					variables.Content = append(variables.Content, r.variable(inner))
				} else {
					r.note(inner.DefRange(), "the block %s is left out: it is not constant", inner.Type)
				}
			}
		case "dynamic":
			r.note(nested.DefRange(), "the block %s is left out: it is not constant", strings.Join(slices.Concat([]string{"dynamic"}, nested.Labels), " "))
		}
	}
	add(template, "packs", packs)
	add(spec, "template", template)
	if len(variables.Content) > 0 {
		add(spec, "variables", variables)
	}
	add(root, "metadata", metadata)
	add(root, "spec", spec)
	return root, len(packs.Content)
}

// labels makes labels of tags as the provider does: `key:value`, or a tag alone.
func (r *reader) labels(body *hclsyntax.Body) *yaml.Node {
	value, at, reason := r.value(body, "tags", cty.List(cty.String))
	if reason != "" {
		r.note(at, "tags %s", reason)
	}
	if reason != "" || value.IsNull() {
		return nil
	}
	labels := mapping(at)
	for _, tag := range value.AsValueSlice() {
		if tag.IsNull() {
			continue
		}
		key, text, ok := strings.Cut(tag.AsString(), ":")
		if !ok {
			text = "spectro__tag"
		}
		if values.Field(labels, key) == nil {
			add(labels, key, scalar(text, "!!str", at))
		}
	}
	return labels
}

// pack makes a pack of a profile, nil if it is not constant.
func (r *reader) pack(block *hclsyntax.Block) *yaml.Node {
	at := block.DefRange()
	one, registry := mapping(at), mapping(at)
	all := append(r.fields(block.Body, one, packFields), r.fields(block.Body, registry, registryFields)...)
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
	name := values.Text(values.Field(one, "name"))
	if name == "" && len(all) == 0 {
		all = append(all, missing{at, "it has no name"})
	}
	for _, m := range all {
		r.note(m.at, "the pack %s is left out: %s", cmp.Or(name, fmt.Sprintf("at line %d", at.Start.Line)), m.what)
	}
	if len(all) > 0 {
		return nil
	}
	if tag := values.Text(values.Field(one, "tag")); tag != "" && !strings.HasSuffix(tag, ".x") {
		add(one, "version", scalar(tag, "!!str", at))
	}
	if len(registry.Content) > 0 {
		outer := mapping(at)
		add(outer, "metadata", registry)
		add(one, "registry", outer)
	}
	if len(manifests.Content) > 0 {
		add(one, "manifests", manifests)
	}
	return one
}

// variable makes a variable of a profile, without what is not constant.
func (r *reader) variable(block *hclsyntax.Block) *yaml.Node {
	one, options := mapping(block.DefRange()), sequence(block.DefRange())
	r.read(block.Body, one, variableFields)
	for _, nested := range block.Body.Blocks {
		if nested.Type == "options" {
			option := mapping(nested.DefRange())
			r.read(nested.Body, option, optionFields)
			options.Content = append(options.Content, option)
		}
	}
	if len(options.Content) > 0 {
		add(one, "options", options)
	}
	return one
}
