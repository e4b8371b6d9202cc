package evaluate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/values"
)

// reader converts a resource to a profile.
type reader struct {
	*module
	profile *terraform.Profile
	// bytes is the total length of its strings.
	bytes int
}

// profile returns the profile of a resource, or nil if it is too large, which is a fault.
func (m *module) profile(block *hclsyntax.Block) *terraform.Profile {
	r := &reader{module: m, profile: &terraform.Profile{
		Path: block.TypeRange.Filename, Label: block.Labels[1], At: positionOf(block.DefRange()), Unknown: map[string]bool{},
	}}
	if r.profile.Root = r.resource(block); r.bytes > values.MaxBytes {
		return nil
	}
	return r.profile
}

// note adds a note with its place, `main.tf:3:5: …`.
func (r *reader) note(at hcl.Range, format string, args ...any) {
	r.profile.Notes = append(r.profile.Notes, fmt.Sprintf("%s:%d:%d: ", at.Filename, at.Start.Line, at.Start.Column)+fmt.Sprintf(format, args...))
}

// attribute evaluates an attribute. reason explains why it is not constant, or not of the type.
// The value is null if the attribute is absent.
func (r *reader) attribute(body *hclsyntax.Body, name string, kind cty.Type) (value cty.Value, at hcl.Range, reason string) {
	attribute, ok := body.Attributes[name]
	if !ok {
		return cty.NullVal(kind), at, ""
	}
	at = attribute.Expr.Range()
	value, diags := r.value(attribute.Expr)
	if diags.HasErrors() {
		return value, at, r.reason(attribute.Expr, diags)
	}
	if value, err := convert.Convert(value, kind); err == nil && value.IsWhollyKnown() {
		return value, at, ""
	}
	return value, at, "is not a " + kind.FriendlyName()
}

// field is a field of an exported profile, and the attribute that it is.
type field struct {
	// attribute is the name in Terraform, name the name in the exported profile, and kind its type.
	attribute, name string
	kind            cty.Type
	// fallback is the value that Terraform's provider has for an absent one.
	fallback string
}

// missing is a place that is not constant, and why.
type missing struct {
	// at is the place, and what the reason.
	at   hcl.Range
	what string
}

// addFields adds fields to a mapping, and notes those that are not constant.
func (r *reader) addFields(body *hclsyntax.Body, into *yaml.Node, fields []field) {
	for _, m := range r.fields(body, into, fields) {
		r.note(m.at, "%s", m.what)
	}
}

// fields adds fields to a mapping, and returns those that are not constant.
func (r *reader) fields(body *hclsyntax.Body, into *yaml.Node, fields []field) (all []missing) {
	for _, f := range fields {
		switch value, at, reason := r.attribute(body, f.attribute, f.kind); {
		case reason != "":
			all = append(all, missing{at, f.attribute + " " + reason})
		case value.IsNull() && f.fallback == "":
		case value.IsNull():
			n := scalar(f.fallback, "!!str", at)
			n.Line, n.Column = into.Line, into.Column
			add(into, f.name, n)
		case f.kind == cty.Bool:
			add(into, f.name, scalar(fmt.Sprint(value.True()), "!!bool", at))
		default:
			n := scalar(value.AsString(), "!!str", at)
			if r.bytes += len(n.Value); r.bytes > values.MaxBytes && r.bytes-len(n.Value) <= values.MaxBytes {
				r.result.Faults = append(r.result.Faults, &terraform.Fault{Path: at.Filename, At: positionOf(at), Text: fmt.Sprintf("the profile has more than %d bytes with this %s; import fewer packs at a time", values.MaxBytes, f.attribute)})
			}
			if at.Filename != r.profile.Path { // an override has it
				n.Line, n.Column = into.Line, into.Column
			}
			add(into, f.name, n)
		}
	}
	return all
}

// scalar returns a scalar that has the place of an expression, so that findings about it lead there.
func scalar(text, tag string, at hcl.Range) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text, Line: at.Start.Line, Column: at.Start.Column}
}

// collection returns an empty map or list that has the place of an expression.
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
	packFields     = []field{{"name", "name", cty.String, ""}, {"type", "type", cty.String, "spectro"}, {"tag", "tag", cty.String, ""}}
	valuesFields   = []field{{"values", "values", cty.String, ""}}
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
