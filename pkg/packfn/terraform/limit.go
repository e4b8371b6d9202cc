package terraform

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The limits of a file. The parser needs stack for each bracket that is open, and for each
// operator, and a program cannot recover when its stack is full.
const (
	maxDepth     = 500
	maxOperators = 10_000
)

// limited returns an error for a file above the limits.
func limited(path string, text []byte) error {
	tokens, _ := hclsyntax.LexConfig(text, path, hcl.InitialPos) // the parser reports its faults
	depth, operators := 0, 0
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOQuote:
			depth++
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenOHeredoc:
			depth++
			operators++
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth--
		case hclsyntax.TokenIdent, hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit, hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenEqual, hclsyntax.TokenNumberLit, hclsyntax.TokenComma, hclsyntax.TokenDot:
		default:
			operators++
		}
		if depth > maxDepth || operators > maxOperators {
			return fmt.Errorf("%s:%d: nested deeper than %d levels, or more than %d operators; split the file", path, token.Range.Start.Line, maxDepth, maxOperators)
		}
	}
	return nil
}
