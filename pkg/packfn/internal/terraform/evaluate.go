package terraform

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// evaluation evaluates the expressions of a module within the budget of a run. HCL has no
// limits: each expression within an expression is replaced by one that asks the budget first,
// and is charged for its value.
type evaluation struct {
	*Run
	module *Module
	// names are the variables, locals and data sources of the module, by `var.NAME`,
	// `local.NAME` and `data.TYPE.NAME`.
	names     map[string]*name
	functions map[string]function.Function
	// templates are the files that templatefile() has read last, by their names.
	templates map[string]*template
	// at is the last expression that had a value.
	at hcl.Range
}

func newEvaluation(m *Module, run *Run) *evaluation {
	e := &evaluation{Run: run, module: m, names: map[string]*name{}, templates: map[string]*template{}}
	e.functions = e.allFunctions()
	return e
}

// take spends of a limit, or ends the evaluation.
func (e *evaluation) take(l *limit, n int, at hcl.Range) {
	if !e.spend(l, n, at) {
		panic(errBeyond)
	}
}

func (e *evaluation) step(n int, at hcl.Range) { e.take(&stepLimit, n, at) }

func (e *evaluation) make(n int, at hcl.Range) { e.take(&madeLimit, n, at) }

// value evaluates an expression with the names that it reads.
func (e *evaluation) value(expression hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	return e.within(expression, func() *hcl.EvalContext { return e.context(expression) })
}

// within evaluates an expression. It fails at the first fault, and at a limit.
func (e *evaluation) within(expression hclsyntax.Expression, context func() *hcl.EvalContext) (value cty.Value, diags hcl.Diagnostics) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case hcl.Diagnostics:
			value, diags = cty.DynamicVal, failure
		default:
			if e.beyond == nil {
				panic(failure)
			}
			value, diags = cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: e.beyond.Error()}}
		}
	}()
	e.step(1, expression.Range())
	names := context() // before the expression changes
	return e.bound(expression).Value(names)
}

// bounded is an expression within a budget.
type bounded struct {
	hclsyntax.Expression
	run *evaluation
	// isPart says that the value becomes a part of a text.
	isPart bool
	// isNumber says that the value is converted to a number, if it can be.
	isNumber bool
	// size is the length of the literal parts of a template.
	size int
	// value is the last one.
	value cty.Value
}

func (b *bounded) UnwrapExpression() hclsyntax.Expression { return b.Expression }

// Value panics with the diagnostics of the first fault: what is behind it is not evaluated.
func (b *bounded) Value(context *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	at := b.Range()
	b.run.step(1, at)
	b.run.make(b.size, at)
	value, diags := b.Expression.Value(context)
	if b.run.beyond != nil { // a function cannot panic
		panic(errBeyond)
	}
	if diags.HasErrors() {
		panic(diags)
	}
	b.run.weigh(value, at)
	b.value, b.run.at = value, at
	if value.Type() == cty.String && value.IsKnown() && !value.IsNull() {
		text := value.AsString()
		if b.isNumber && isLongNumber(text) {
			panic(longNumberFault(at))
		}
		if b.isPart {
			b.run.make(len(text), at)
		}
	} else if b.isPart {
		b.run.make(1, at)
	}
	return value, diags
}

func longNumberFault(at hcl.Range) hcl.Diagnostics {
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Number is too long", Detail: "It has more than 100 digits, or an exponent of more than 3.", Subject: &at}}
}

// maxExponent is that of 1e999, and of what is made of such numbers.
const maxExponent = 1 << 14

// weigh takes steps for each part of a value: others walk over all of it again. A part that
// several parts share is walked over as often.
func (e *evaluation) weigh(value cty.Value, at hcl.Range) {
	e.step(1, at)
	e.weighType(value.Type(), at)
	if value.IsNull() || !value.IsKnown() {
		return
	}
	switch kind := value.Type(); {
	case kind == cty.String:
		e.step(len(value.AsString())/256, at)
	case kind == cty.Number:
		exponent := value.AsBigFloat().MantExp(nil)
		if exponent = max(exponent, -exponent); exponent > maxExponent {
			panic(longNumberFault(at))
		}
		e.step(exponent/32, at) // it can become a text
	case value.CanIterateElements():
		for elements := value.ElementIterator(); elements.Next(); {
			key, element := elements.Element()
			if key.Type() == cty.String {
				e.make(len(key.AsString())/16, at)
			}
			e.weigh(element, at)
		}
	}
}

// weighType takes steps for each part of a type.
func (e *evaluation) weighType(kind cty.Type, at hcl.Range) {
	e.step(1, at)
	switch {
	case kind.IsTupleType():
		for _, element := range kind.TupleElementTypes() {
			e.weighType(element, at)
		}
	case kind.IsObjectType():
		for _, element := range kind.AttributeTypes() {
			e.weighType(element, at)
		}
	case kind.IsCollectionType():
		e.weighType(kind.ElementType(), at)
	}
}

// choice is a condition with two values. HCL evaluates both, and makes one type of theirs,
// which takes quadratic time.
type choice struct{ *hclsyntax.ConditionalExpr }

func (c *choice) Value(context *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	condition, _ := c.Condition.Value(context)
	is, err := convert.Convert(condition, cty.Bool)
	if err != nil || is.IsNull() {
		return cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Incorrect condition type", Detail: "The condition is neither true nor false.", Subject: c.Condition.Range().Ptr()}}
	}
	if !is.IsKnown() { // HCL tries a condition of `for` before there are values
		return cty.DynamicVal, nil
	}
	if is.True() {
		return c.TrueResult.Value(context)
	}
	return c.FalseResult.Value(context)
}

// bound replaces the expressions within an expression, and the expression.
func (e *evaluation) bound(expression hclsyntax.Expression) hclsyntax.Expression {
	b := &bounded{Expression: expression, run: e}
	switch x := expression.(type) {
	case nil, *hclsyntax.AnonSymbolExpr:
		return expression
	case *hclsyntax.ScopeTraversalExpr:
		e.checkSteps(x.Traversal, x.SrcRange)
	case *hclsyntax.RelativeTraversalExpr:
		e.checkSteps(x.Traversal, x.SrcRange)
		x.Source = e.bound(x.Source)
	case *hclsyntax.FunctionCallExpr:
		e.boundAll(x.Args)
	case *hclsyntax.ConditionalExpr:
		x.Condition, x.TrueResult, x.FalseResult = e.bound(x.Condition), e.bound(x.TrueResult), e.bound(x.FalseResult)
		b.Expression = &choice{x}
	case *hclsyntax.BinaryOpExpr:
		number := x.Op.Impl.Params()[0].Type == cty.Number
		x.LHS, x.RHS = e.boundAs(x.LHS, false, number), e.boundAs(x.RHS, false, number)
	case *hclsyntax.UnaryOpExpr:
		x.Val = e.boundAs(x.Val, false, true)
	case *hclsyntax.IndexExpr:
		x.Collection, x.Key = e.bound(x.Collection), e.boundAs(x.Key, false, true)
	case *hclsyntax.TupleConsExpr:
		e.boundAll(x.Exprs)
	case *hclsyntax.ObjectConsExpr:
		for i := range x.Items {
			x.Items[i].KeyExpr, x.Items[i].ValueExpr = e.bound(x.Items[i].KeyExpr), e.bound(x.Items[i].ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if _, isName := x.Wrapped.(*hclsyntax.ScopeTraversalExpr); !isName || x.ForceNonLiteral {
			x.Wrapped = e.bound(x.Wrapped)
		}
	case *hclsyntax.ForExpr:
		x.CollExpr, x.KeyExpr, x.ValExpr, x.CondExpr = e.bound(x.CollExpr), e.bound(x.KeyExpr), e.bound(x.ValExpr), e.bound(x.CondExpr)
	case *hclsyntax.SplatExpr:
		x.Source, x.Each = e.bound(x.Source), e.bound(x.Each)
	case *hclsyntax.ParenthesesExpr:
		x.Expression = e.bound(x.Expression)
	case *hclsyntax.TemplateWrapExpr:
		x.Wrapped = e.bound(x.Wrapped)
	case *hclsyntax.TemplateExpr:
		for i, part := range x.Parts {
			if literal, ok := part.(*hclsyntax.LiteralValueExpr); ok && literal.Val.Type() == cty.String {
				b.size += len(literal.Val.AsString())
			} else {
				x.Parts[i] = e.boundAs(part, true, false)
			}
		}
	case *hclsyntax.TemplateJoinExpr:
		each, isEach := x.Tuple.(*hclsyntax.ForExpr)
		x.Tuple = e.bound(x.Tuple)
		if isEach {
			each.ValExpr = &bounded{Expression: each.ValExpr, run: e, isPart: true}
		}
	}
	return b
}

func (e *evaluation) boundAll(all []hclsyntax.Expression) {
	for i := range all {
		all[i] = e.bound(all[i])
	}
}

func (e *evaluation) boundAs(expression hclsyntax.Expression, isPart, isNumber bool) hclsyntax.Expression {
	within := e.bound(expression)
	if b, ok := within.(*bounded); ok {
		b.isPart, b.isNumber = isPart, isNumber
		return b
	}
	return &bounded{Expression: within, run: e, isPart: isPart, isNumber: isNumber}
}

// checkSteps fails at an index that takes long to convert to a number.
func (e *evaluation) checkSteps(traversal hcl.Traversal, at hcl.Range) {
	for _, step := range traversal {
		if index, ok := step.(hcl.TraverseIndex); ok && index.Key.Type() == cty.String && isLongNumber(index.Key.AsString()) {
			panic(longNumberFault(at))
		}
	}
}
