package terraform

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// variable returns a variable with the value that a file gives it, else with its default.
func (e *evaluation) variable(block *hclsyntax.Block, given *hclsyntax.Attribute) *name {
	n := &name{key: "var." + block.Labels[0], value: cty.DynamicVal}
	fallback := block.Body.Attributes["default"]
	if unread := e.module.unread; unread != "" {
		n.cause = &cause{n.key, "can have a value in " + unread + ", which is not read"}
		return n
	}
	if given == nil {
		given = fallback
	}
	if given == nil {
		n.cause = &cause{n.key, "has no default and no value in terraform.tfvars or *.auto.tfvars"}
		return n
	}
	value, diags := e.constant(given.Expr)
	if !diags.HasErrors() && value.IsNull() && given != fallback && fallback != nil && e.isFalse(block.Body.Attributes["nullable"]) {
		given = fallback
		value, diags = e.constant(given.Expr)
	}
	n.expression = given.Expr
	if diags.HasErrors() {
		n.cause = &cause{n.key, e.fault(given.Expr, diags)}
		return n
	}
	n.value = value
	if kind := block.Body.Attributes["type"]; kind != nil {
		n.value, n.cause = e.converted(n.key, value, kind.Expr)
	}
	return n
}

// isFalse reports whether an attribute is there, and is false.
func (e *evaluation) isFalse(attribute *hclsyntax.Attribute) bool {
	if attribute == nil {
		return false
	}
	is, diags := e.constant(attribute.Expr)
	return !diags.HasErrors() && is.Type() == cty.Bool && is.IsKnown() && !is.IsNull() && is.False()
}

// constant evaluates an expression that can read no name and call no function.
func (e *evaluation) constant(expression hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	return e.within(expression, func() *hcl.EvalContext { return &hcl.EvalContext{} })
}

// converted converts the value of a variable to its type.
func (e *evaluation) converted(key string, value cty.Value, expression hclsyntax.Expression) (converted cty.Value, why *cause) {
	if !isPlainType(expression) {
		return value, &cause{key, "has a type that cannot be read"}
	}
	kind, defaults, diags := typeexpr.TypeConstraintWithDefaults(expression)
	if diags.HasErrors() {
		return value, &cause{key, "has a type that cannot be read"}
	}
	defer func() {
		if failure := recover(); failure != nil {
			if e.beyond == nil {
				panic(failure)
			}
			why = &cause{key, "is beyond a limit"}
		}
	}()
	at, before := expression.Range(), e.steps
	e.weigh(value, at)
	parts := e.steps - before
	before = e.steps
	e.weighType(kind, at)
	// Each part of the value can get each attribute of the type, and one type of all elements is
	// made by comparing each with each.
	ofType := float64(e.steps - before)
	e.step(toInt(float64(parts)/8*ofType+float64(parts)*float64(parts)*ofType/8_000), at)
	if defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	if kind == cty.Number && value.Type() == cty.String && !value.IsNull() && isLongNumber(value.AsString()) {
		return value, &cause{key, "is not a number"}
	}
	converted, err := convert.Convert(value, kind)
	if err != nil {
		return value, &cause{key, "is not a " + kind.FriendlyNameForConstraint()}
	}
	return converted, nil
}

// isPlainType reports whether a type has no expression whose evaluation takes long: the
// defaults of optional attributes are evaluated with it.
func isPlainType(expression hclsyntax.Expression) bool {
	isPlain := true
	hclsyntax.VisitAll(expression, func(n hclsyntax.Node) hcl.Diagnostics {
		switch x := n.(type) {
		case *hclsyntax.ScopeTraversalExpr, *hclsyntax.FunctionCallExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr, *hclsyntax.TupleConsExpr, *hclsyntax.LiteralValueExpr, *hclsyntax.ParenthesesExpr:
		case *hclsyntax.TemplateExpr:
			for _, part := range x.Parts {
				_, isLiteral := part.(*hclsyntax.LiteralValueExpr)
				isPlain = isPlain && isLiteral
			}
		default:
			isPlain = false
		}
		return nil
	})
	return isPlain
}
