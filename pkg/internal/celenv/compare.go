package celenv

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Excluded returns the texts that a program compares with a field of a variable, if it holds only
// (or sooner) when they differ: `!l.exists(v, v.field == "text")`, `l.all(v, v.field != "text")`.
// isNegated reports whether the program itself is negated.
func (p *Program) Excluded(field string, isNegated bool) []string {
	var texts []string
	var visit func(e ast.NavigableExpr, isNegated bool)
	visit = func(e ast.NavigableExpr, isNegated bool) {
		if e.Kind() == ast.CallKind {
			switch call := e.AsCall(); call.FunctionName() {
			case operators.LogicalNot:
				isNegated = !isNegated
			case operators.NotEquals, operators.Equals, operators.In:
				if isNegated != (call.FunctionName() == operators.NotEquals) {
					texts = append(texts, compared(call.Args(), field)...)
				}
			}
		}
		for _, child := range e.Children() {
			visit(child, isNegated)
		}
	}
	visit(ast.NavigateAST(p.tree.NativeRep()), isNegated)
	return texts
}

// compared returns the texts among the operands of a comparison with a field.
func compared(operands []ast.Expr, field string) (texts []string) {
	isField := false
	for _, e := range operands {
		switch e.Kind() {
		case ast.SelectKind:
			s := e.AsSelect()
			isField = isField || s.FieldName() == field && s.Operand().Kind() == ast.IdentKind
		case ast.LiteralKind:
			texts = append(texts, literal(e)...)
		case ast.ListKind:
			for _, element := range e.AsList().Elements() {
				texts = append(texts, literal(element)...)
			}
		}
	}
	if !isField {
		return nil
	}
	return texts
}

// literal returns the text of a literal, none of another expression.
func literal(e ast.Expr) []string {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	if text, ok := e.AsLiteral().(types.String); ok {
		return []string{string(text)}
	}
	return nil
}
