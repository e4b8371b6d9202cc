package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// name is a variable, a local, a data source, or the name or version of one.
type name struct {
	// key is the name in messages. For the name and version of a data source, it is the key of
	// the data source.
	key string
	// expression is the expression of the value, or nil for a data source.
	expression hclsyntax.Expression
	// value is known if isDone is true and cause is nil.
	value  cty.Value
	isDone bool
	// cause is the reason why there is no value.
	cause *cause
	// data is the block of a data source. hasValues is true if an expression reads the values of
	// its pack.
	data      *hclsyntax.Block
	hasValues bool
}

// packTypes are the types of data sources for packs, and registryTypes the types for registries.
var (
	packTypes     = []string{"spectrocloud_pack", "spectrocloud_pack_simple"}
	registryTypes = []string{"spectrocloud_registry", "spectrocloud_registry_oci", "spectrocloud_registry_helm", "spectrocloud_registry_pack"}
)

// sourceAttributes are the attributes of a data source that are known without Palette.
var sourceAttributes = []string{"name", "version"}

// isKnownType reports whether data sources of a type are names.
func isKnownType(kind string) bool {
	return slices.Contains(packTypes, kind) || slices.Contains(registryTypes, kind)
}

// keyOf returns the name that a traversal reads, such as `var.version`, or "" if there is none.
func keyOf(traversal hcl.Traversal) string {
	parts := []string{traversal.RootName()}
	most := map[string]int{"var": 2, "local": 2, "data": 3}[parts[0]]
	for i := 1; i < min(most, len(traversal)); i++ {
		switch step := traversal[i].(type) {
		case hcl.TraverseAttr:
			parts = append(parts, step.Name)
		case hcl.TraverseIndex:
			if step.Key.Type() == cty.String {
				parts = append(parts, step.Key.AsString())
			}
		}
	}
	if most == 0 || len(parts) < most {
		return ""
	}
	return strings.Join(parts, ".")
}

// attributeOf returns the attribute of a data source that a traversal reads, or "" if it reads
// the whole data source.
func attributeOf(traversal hcl.Traversal) string {
	for _, step := range traversal[3:] {
		if attribute, ok := step.(hcl.TraverseAttr); ok {
			return attribute.Name
		}
	}
	return ""
}

// define finds the names of the module. given are the values of variables that files have.
func (m *module) define(given map[string]*hclsyntax.Attribute) {
	add := func(n *name) {
		if m.names[n.key] == nil {
			m.names[n.key] = n
		}
	}
	for _, block := range m.blocks {
		switch {
		case block.Type == "variable" && len(block.Labels) == 1:
			add(m.variable(block, given[block.Labels[0]]))
		case block.Type == "locals":
			for _, attribute := range slices.SortedFunc(maps.Values(block.Body.Attributes), func(a, b *hclsyntax.Attribute) int {
				return cmp.Or(cmp.Compare(a.SrcRange.Filename, b.SrcRange.Filename), cmp.Compare(a.SrcRange.Start.Byte, b.SrcRange.Start.Byte))
			}) {
				add(&name{key: "local." + attribute.Name, expression: attribute.Expr})
			}
		case block.Type == "data" && len(block.Labels) == 2 && isKnownType(block.Labels[0]):
			m.defineSource("data."+block.Labels[0]+"."+block.Labels[1], block)
		}
	}
}

// defineSource finds a data source with the attributes that are known without Palette.
func (m *module) defineSource(key string, block *hclsyntax.Block) {
	if m.names[key] != nil {
		return
	}
	m.names[key] = &name{key: key, data: block, isDone: true}
	if block.Body.Attributes["for_each"] != nil {
		m.names[key].cause = &cause{key, "has for_each, " + unevaluated}
	}
	for _, attribute := range sourceAttributes {
		n := &name{key: key, cause: m.names[key].cause}
		if given := block.Body.Attributes[attribute]; given != nil {
			n.expression = given.Expr
		} else if n.cause == nil {
			n.cause = &cause{key, "has no " + attribute}
		}
		m.names[key+"."+attribute] = n
	}
}

// variable returns a variable with its value in a file, or else with its default.
func (m *module) variable(block *hclsyntax.Block, given *hclsyntax.Attribute) *name {
	n := &name{key: "var." + block.Labels[0], value: cty.DynamicVal, isDone: true}
	fallback := block.Body.Attributes["default"]
	if m.Unread != "" {
		n.cause = &cause{n.key, "can have a value in " + m.Unread + ", which is not read"}
		return n
	}
	if given == nil {
		given = fallback
	}
	if given == nil {
		n.cause = &cause{n.key, "has no default and no value in terraform.tfvars or *.auto.tfvars"}
		return n
	}
	value, diags := constant(given)
	if nullable, _ := constant(block.Body.Attributes["nullable"]); !diags.HasErrors() && value.IsNull() && fallback != nil && nullable.RawEquals(cty.False) {
		given = fallback
		value, diags = constant(given)
	}
	n.expression = given.Expr
	if diags.HasErrors() {
		n.cause = &cause{n.key, m.fault(given.Expr, diags)}
		return n
	}
	n.value = value
	kind := block.Body.Attributes["type"]
	if kind == nil {
		return n
	}
	to, defaults, diags := typeexpr.TypeConstraintWithDefaults(kind.Expr)
	if diags.HasErrors() {
		n.cause = &cause{n.key, "has a type that cannot be read"}
		return n
	}
	if defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	converted, err := convert.Convert(value, to)
	if n.value = converted; err != nil {
		n.cause = &cause{n.key, "is not a " + to.FriendlyNameForConstraint()}
	}
	return n
}

// constant evaluates an attribute that can read no name and call no function. It is null without
// an attribute.
func constant(attribute *hclsyntax.Attribute) (cty.Value, hcl.Diagnostics) {
	if attribute == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	return attribute.Expr.Value(&hcl.EvalContext{})
}

// value evaluates an expression with the names that it reads.
func (m *module) value(expression hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	return expression.Value(m.context(expression))
}

// resolve evaluates a name after those that it reads, and reports whether it has a value. Names
// that read each other have none.
func (m *module) resolve(n *name) bool {
	if n.isDone || n.cause != nil {
		return n.cause == nil
	}
	if at := slices.Index(m.open, n); at >= 0 {
		why := &cause{n.key, "reads itself"}
		var by []string
		for _, other := range m.open[at+1:] {
			by = append(by, other.key)
		}
		if len(by) > 0 {
			why.what += " by way of " + diag.SomeOf(by)
		}
		for _, other := range m.open[at:] {
			other.cause = cmp.Or(other.cause, why)
		}
		return false
	}
	m.open = append(m.open, n)
	if value, diags := m.value(n.expression); n.cause == nil {
		if n.value = value; diags.HasErrors() {
			n.cause = m.causeOf(n.key, n.expression, diags)
		}
	}
	m.open, n.isDone = m.open[:len(m.open)-1], true
	return n.cause == nil
}

// textOf returns a value as text, if it can be one.
func textOf(value cty.Value) (string, bool) {
	text, err := convert.Convert(value, cty.String)
	if err != nil || text.IsNull() || !text.IsKnown() {
		return "", false
	}
	return text.AsString(), true
}

// context has the names that an expression reads, as far as they have values.
func (m *module) context(expression hclsyntax.Expression) *hcl.EvalContext {
	known := map[string]map[string]cty.Value{"var": {}, "local": {}, "data": {}}
	data := map[string]map[string]cty.Value{}
	for _, traversal := range expression.Variables() {
		key, root := keyOf(traversal), traversal.RootName()
		n := m.names[key]
		switch {
		case key == "": // Terraform does not know locals as a whole, either
			delete(known, root)
		case n == nil || !m.resolve(n) || known[root] == nil:
		case n.data == nil:
			known[root][strings.TrimPrefix(key, root+".")] = n.value
		default:
			types := n.data.Labels
			if data[types[0]] == nil {
				data[types[0]] = map[string]cty.Value{}
			}
			data[types[0]][types[1]] = m.dataValue(n, attributeOf(traversal))
		}
	}
	variables := map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("."), "root": cty.StringVal(".")})}
	for kind, values := range data {
		if known["data"] != nil {
			known["data"][kind] = cty.ObjectVal(values)
		}
	}
	for kind, values := range known {
		variables[kind] = cty.ObjectVal(values)
	}
	return &hcl.EvalContext{Functions: m.functions, Variables: variables}
}

// dataValue returns the known attributes of a data source. It includes the values of the pack
// only if attribute is "values", or an earlier expression has read them.
func (m *module) dataValue(n *name, attribute string) cty.Value {
	known := map[string]cty.Value{}
	for _, attribute := range sourceAttributes {
		if own := m.names[n.key+"."+attribute]; m.resolve(own) {
			known[attribute] = own.value
		}
	}
	if n.hasValues = n.hasValues || attribute == "values"; n.hasValues {
		if p := m.packOf(n); p != nil && p.IsFound {
			known["values"] = cty.StringVal(p.Text)
		}
	}
	if n.data.Body.Attributes["count"] != nil {
		return cty.TupleVal([]cty.Value{cty.ObjectVal(known)})
	}
	return cty.ObjectVal(known)
}

// packOf returns the answer of the sources for the pack of a data source. It returns nil if the
// data source is not a pack, or if its name or version is unknown.
func (m *module) packOf(n *name) *terraform.Answer {
	name, version := m.attribute(n, "name"), m.attribute(n, "version")
	if !slices.Contains(packTypes, n.data.Labels[0]) || name == "" || version == "" {
		return nil
	}
	answer, _ := m.ask(terraform.Ask{Pack: name, Version: version})
	return &answer
}

// attribute returns the name or the version of a data source, or "" if it is unknown.
func (m *module) attribute(of *name, attribute string) (text string) {
	if n := m.names[of.key+"."+attribute]; m.resolve(n) {
		text, _ = textOf(n.value)
	}
	return text
}
