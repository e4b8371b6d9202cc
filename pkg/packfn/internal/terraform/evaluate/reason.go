package evaluate

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/krm-packs/functions/pkg/diag"
)

// cause is the reason why a name has no value.
// key is the name at fault, and what the reason.
type cause struct{ key, what string }

// unevaluated is the part of a message about expressions that only Terraform can evaluate.
const unevaluated = "which packfn does not evaluate"

// causeOf returns the reason why the expression of a name has no value: the cause of the first
// name without a value that it reads, or else the fault of the expression itself.
func (m *module) causeOf(key string, expression hclsyntax.Expression, diags hcl.Diagnostics) *cause {
	for _, traversal := range expression.Variables() {
		if read, why := m.unknown(traversal); why != nil {
			return why
		} else if read != "" {
			return &cause{key, "reads " + read}
		}
	}
	return &cause{key, m.fault(expression, diags)}
}

// reason returns the reason why an expression has no value, for a sentence that starts with its
// attribute.
func (m *module) reason(expression hclsyntax.Expression, diags hcl.Diagnostics) string {
	for _, traversal := range expression.Variables() {
		switch read, why := m.unknown(traversal); {
		case why != nil && why.key == keyOf(traversal):
			return "reads " + why.key + ", which " + why.what
		case why != nil:
			return fmt.Sprintf("reads %s, but %s %s", dotted(traversal), why.key, why.what)
		case read != "":
			return "reads " + read
		}
	}
	return m.fault(expression, diags)
}

// unknown returns the reason why a traversal has no value: the cause of the name that it reads,
// or else a phrase about what it reads. Both are empty if the traversal has a value.
func (m *module) unknown(traversal hcl.Traversal) (read string, why *cause) {
	key, root := keyOf(traversal), traversal.RootName()
	n := m.names[key]
	switch read = dotted(traversal); {
	case read == "path.module" || read == "path.root":
		return "", nil
	case n == nil && key != "" && (root != "data" || isKnownType(strings.Split(key, ".")[1])):
		if m.IsPartial || len(m.result.Faults) > 0 {
			return read + ", which no file that can be read defines", nil
		}
		return read + ", which no file of the module defines", nil
	case n == nil:
		return read + ", " + unevaluated, nil
	case n.cause != nil || n.data == nil:
		return "", n.cause
	}
	attribute := attributeOf(traversal)
	if own := m.names[key+"."+attribute]; own != nil {
		return "", own.cause
	}
	if attribute != "values" {
		return read + ", which only Palette knows", nil
	}
	p := m.packOf(n)
	switch {
	case p == nil:
		for _, attribute := range sourceAttributes {
			if own := m.names[key+"."+attribute]; own.cause != nil {
				return "", own.cause
			}
		}
		return read + ", " + unevaluated, nil
	case p.Fault != "":
		return read + ": " + diag.OneLine(p.Fault), nil
	case !p.IsFound:
		return fmt.Sprintf("%s, and no source has %s %s: name the folder of its directory with --source", read, m.attribute(n, "name"), m.attribute(n, "version")), nil
	}
	return "", nil
}

// fault returns the fault of an expression whose names all have values.
func (m *module) fault(expression hclsyntax.Expression, diags hcl.Diagnostics) string {
	missing := ""
	hclsyntax.VisitAll(expression, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && missing == "" {
			if _, ok := m.functions[call.Name]; !ok {
				missing = call.Name
			}
		}
		return nil
	})
	switch {
	case len(diags) == 0:
		return "is not a string"
	case missing != "":
		return fmt.Sprintf("calls %s(), %s", missing, unevaluated)
	}
	return "cannot be evaluated: " + strings.TrimSuffix(diag.OneLine(strings.ToLower(diags[0].Summary)+": "+diags[0].Detail), ".")
}

// dotted returns the source text of a traversal, such as `var.packs.vault`.
func dotted(traversal hcl.Traversal) string {
	var b strings.Builder
	for _, step := range traversal {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.Number {
				b.WriteString("[" + s.Key.AsBigFloat().Text('f', 0) + "]")
			}
		}
	}
	return b.String()
}
