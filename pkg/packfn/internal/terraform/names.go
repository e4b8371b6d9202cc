package terraform

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/krm-packs/functions/pkg/diag"
)

// name is a variable, a local or a data source of a module.
type name struct {
	key string
	// expression is that of its value, nil for a data source.
	expression hclsyntax.Expression
	// value is known if cause is nil.
	value cty.Value
	cause *cause
	// data is the block of a data source, and causes say which of its attributes are unknown.
	data    *hclsyntax.Block
	causes  map[string]*cause
	reads   []hcl.Traversal
	open    int // names that it reads and that have no value yet
	readers []*name
}

// cause says why a name has no value.
type cause struct{ key, what string }

// unevaluated is what is said of expressions that only Terraform can evaluate.
const unevaluated = "which packfn does not evaluate"

// packTypes are the types of data sources that are packs, and registryTypes those that are
// registries.
var (
	packTypes     = []string{"spectrocloud_pack", "spectrocloud_pack_simple"}
	registryTypes = []string{"spectrocloud_registry", "spectrocloud_registry_oci", "spectrocloud_registry_helm", "spectrocloud_registry_pack"}
)

// keyOf returns the name that is read, "" for none.
func keyOf(traversal hcl.Traversal) string {
	root := traversal.RootName()
	if len(traversal) < 2 || root != "var" && root != "local" && root != "data" {
		return ""
	}
	first, ok := stepOf(traversal[1])
	switch {
	case !ok:
		return ""
	case root != "data":
		return root + "." + first
	case len(traversal) < 3:
		return ""
	}
	if second, ok := stepOf(traversal[2]); ok {
		return root + "." + first + "." + second
	}
	return ""
}

func stepOf(step hcl.Traverser) (string, bool) {
	switch step := step.(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// typeOf is the type of the data source that is read.
func typeOf(traversal hcl.Traversal) string {
	kind, _ := stepOf(traversal[1])
	return kind
}

// attributeOf returns the attribute of a data source that is read, "" for the whole.
func attributeOf(traversal hcl.Traversal) string {
	for _, step := range traversal[3:] {
		if attribute, ok := step.(hcl.TraverseAttr); ok {
			return attribute.Name
		}
	}
	return ""
}

// define finds the names of the module, and evaluates each once, after those that it reads.
// given are the values of variables that files have.
func (e *evaluation) define(given map[string]*hclsyntax.Attribute) {
	var order []*name
	add := func(n *name) {
		if e.names[n.key] == nil {
			e.names[n.key] = n
			order = append(order, n)
		}
	}
	for _, block := range e.module.blocks {
		switch {
		case block.Type == "variable" && len(block.Labels) == 1:
			if n := e.variable(block, given[block.Labels[0]]); e.names[n.key] == nil {
				e.names[n.key] = n
			}
		case block.Type == "locals":
			for _, attribute := range inOrder(block.Body.Attributes) {
				add(&name{key: "local." + attribute.Name, expression: attribute.Expr, reads: attribute.Expr.Variables()})
			}
		case block.Type == "data" && len(block.Labels) == 2 && (slices.Contains(packTypes, block.Labels[0]) || slices.Contains(registryTypes, block.Labels[0])):
			n := &name{key: "data." + block.Labels[0] + "." + block.Labels[1], data: block, causes: map[string]*cause{}}
			for _, attribute := range []string{"name", "version"} {
				if a := block.Body.Attributes[attribute]; a != nil {
					n.reads = append(n.reads, a.Expr.Variables()...)
				}
			}
			add(n)
		}
	}
	var ready []*name
	for _, n := range order {
		for _, traversal := range n.reads {
			if other := e.names[keyOf(traversal)]; other != nil && !strings.HasPrefix(other.key, "var.") {
				n.open++
				other.readers = append(other.readers, n)
			}
		}
		if n.open == 0 {
			ready = append(ready, n)
		}
	}
	for i := 0; i < len(ready) && e.beyond == nil; i++ {
		e.evaluate(ready[i])
		for _, reader := range ready[i].readers {
			if reader.open--; reader.open == 0 {
				ready = append(ready, reader)
			}
		}
	}
	if e.beyond == nil {
		e.findCycles(order)
	}
}

func inOrder(attributes hclsyntax.Attributes) []*hclsyntax.Attribute {
	return slices.SortedFunc(maps.Values(attributes), func(a, b *hclsyntax.Attribute) int {
		return cmp.Or(cmp.Compare(a.SrcRange.Filename, b.SrcRange.Filename), cmp.Compare(a.SrcRange.Start.Byte, b.SrcRange.Start.Byte))
	})
}

// evaluate evaluates a local or a data source.
func (e *evaluation) evaluate(n *name) {
	if n.data == nil {
		value, diags := e.value(n.expression)
		if n.value = value; diags.HasErrors() {
			n.cause = e.causeOf(n.key, n.expression, n.reads, diags)
		}
		return
	}
	if n.data.Body.Attributes["for_each"] != nil {
		n.cause = &cause{n.key, "has for_each, " + unevaluated}
		return
	}
	attributes := map[string]cty.Value{}
	for _, name := range []string{"name", "version"} {
		attribute := n.data.Body.Attributes[name]
		if attribute == nil {
			n.causes[name] = &cause{n.key, "has no " + name}
			continue
		}
		reads := attribute.Expr.Variables()
		value, diags := e.value(attribute.Expr)
		if !diags.HasErrors() {
			if value, ok := textOf(value); ok {
				attributes[name] = cty.StringVal(value)
				continue
			}
		}
		n.causes[name] = e.causeOf(n.key, attribute.Expr, reads, diags)
	}
	n.value = cty.ObjectVal(attributes)
}

// findCycles gives a cause to the names that read each other, and to those that read them.
func (e *evaluation) findCycles(order []*name) {
	seen := map[*name]int{}
	for i, n := range order {
		var path []*name
		for n.open > 0 && seen[n] == 0 && n.cause == nil {
			seen[n] = i + 1
			path = append(path, n)
			for _, traversal := range n.reads {
				if other := e.names[keyOf(traversal)]; other != nil && other.open > 0 {
					n = other
					break
				}
			}
		}
		why := n.cause
		if at := slices.Index(path, n); at >= 0 {
			var by []string
			for _, other := range path[at+1:] {
				by = append(by, other.key)
			}
			why = &cause{n.key, "reads itself"}
			if len(by) > 0 {
				why.what += " by way of " + diag.SomeOf(by)
			}
		}
		for _, other := range path {
			other.cause = why
		}
	}
}

// context has the names that an expression reads, as far as they have values.
func (e *evaluation) context(expression hclsyntax.Expression) *hcl.EvalContext {
	root := map[string]map[string]cty.Value{"var": {}, "local": {}}
	data := map[string]map[string]cty.Value{}
	whole := map[string]bool{}
	for _, traversal := range expression.Variables() {
		key := keyOf(traversal)
		n := e.names[key]
		kind := traversal.RootName()
		switch {
		case key == "": // Terraform does not know locals as a whole, either
			whole[kind] = true
		case n == nil || n.cause != nil || n.open > 0:
		case n.data != nil:
			types := n.data.Labels
			if data[types[0]] == nil {
				data[types[0]] = map[string]cty.Value{}
			}
			data[types[0]][types[1]] = e.dataValue(n, attributeOf(traversal), expression.Range())
		default:
			root[kind][strings.TrimPrefix(key, kind+".")] = n.value
		}
	}
	variables := map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("."), "root": cty.StringVal(".")})}
	for kind, values := range root {
		if !whole[kind] {
			variables[kind] = cty.ObjectVal(values)
		}
	}
	if !whole["data"] && len(data) > 0 {
		types := map[string]cty.Value{}
		for kind, values := range data {
			types[kind] = cty.ObjectVal(values)
		}
		variables["data"] = cty.ObjectVal(types)
	}
	return &hcl.EvalContext{Functions: e.functions, Variables: variables}
}

// dataValue is a data source with what the sources have of its pack, if that is read.
func (e *evaluation) dataValue(n *name, attribute string, at hcl.Range) cty.Value {
	if attribute == "values" && !n.value.Type().HasAttribute(attribute) {
		if p := e.packOf(n, at); p != nil && p.ok {
			attributes := n.value.AsValueMap()
			attributes[attribute] = p.value
			n.value = cty.ObjectVal(attributes)
		}
	}
	if n.data.Body.Attributes["count"] != nil {
		return cty.TupleVal([]cty.Value{n.value})
	}
	return n.value
}

// packOf returns what the sources have of the pack of a data source; nil if that is no pack, or
// has no name and version.
func (e *evaluation) packOf(n *name, at hcl.Range) *packText {
	if !slices.Contains(packTypes, n.data.Labels[0]) || n.cause != nil || len(n.causes) > 0 {
		return nil
	}
	return e.pack(n.attribute("name"), n.attribute("version"), at)
}

// attribute is an attribute of a data source, "" if it is unknown.
func (n *name) attribute(name string) string {
	if n.value.IsNull() || !n.value.Type().HasAttribute(name) {
		return ""
	}
	text, _ := textOf(n.value.GetAttr(name))
	return text
}
