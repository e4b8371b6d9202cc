package evaluate

import (
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// originOf returns where the text of an attribute is written.
func (r *reader) originOf(attribute *hclsyntax.Attribute, text *yaml.Node) []terraform.Piece {
	if attribute == nil || text == nil {
		return nil
	}
	return r.pieces(attribute.Expr, text.Value)
}

// pieces returns where the text that an expression makes is written.
func (m *module) pieces(expression hclsyntax.Expression, text string) []terraform.Piece {
	switch x := innermost(expression).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if n := m.names[keyOf(x.Traversal)]; n != nil && n.expression != nil && len(x.Traversal) == 2 {
			return m.pieces(n.expression, text)
		}
	case *hclsyntax.FunctionCallExpr:
		if x.Name != "file" && x.Name != "templatefile" {
			return nil
		}
		value, _ := m.value(x.Args[0])
		path, _ := textOf(value)
		if x.Name == "file" {
			return []terraform.Piece{{File: m.path(path), At: diag.Position{Line: 1, Column: 1}, HasLines: true}}
		}
		if t := m.templates[clean(path)]; t != nil {
			return t.pieces(text)
		}
	case *hclsyntax.TemplateExpr:
		path := x.SrcRange.Filename
		return (&template{m.texts[path], path, x, m.context(x)}).pieces(text)
	}
	return nil
}

// pieces returns where the pieces of the text of a template are written.
func (t *template) pieces(text string) (all []terraform.Piece) {
	x, ok := innermost(t.expression).(*hclsyntax.TemplateExpr)
	if !ok {
		return nil
	}
	offset := 0
	for _, part := range x.Parts {
		value, _ := part.Value(t.context)
		made, _ := textOf(value)
		at := part.Range()
		one := terraform.Piece{From: offset, File: t.path, At: positionOf(at)}
		if _, isLiteral := part.(*hclsyntax.LiteralValueExpr); isLiteral && at.Start.Line < at.End.Line {
			// A directive such as %{ endfor ~} removes the blanks behind it.
			written := t.text[at.Start.Byte:at.End.Byte]
			one.At = diag.Position{Line: one.At.Line + blankLines(written) - blankLines(made)}
			one.HasLines = true
		}
		all = append(all, one)
		offset += len(made)
	}
	if offset != len(text) { // the text is normalized, or another one
		return nil
	}
	return all
}

// blankLines is the number of line breaks before the text.
func blankLines(text string) int {
	return strings.Count(text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsSpace))], "\n")
}

// innermost is an expression without parentheses and without a template around it.
func innermost(expression hclsyntax.Expression) hclsyntax.Expression {
	for {
		switch x := expression.(type) {
		case *hclsyntax.ParenthesesExpr:
			expression = x.Expression
		case *hclsyntax.TemplateWrapExpr:
			expression = x.Wrapped
		default:
			return expression
		}
	}
}
