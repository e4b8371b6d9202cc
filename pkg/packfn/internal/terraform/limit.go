package terraform

import (
	"fmt"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/krm-packs/functions/pkg/values"
)

// The limits of a file. The parser needs memory for each character, stack for each bracket
// that is open and for each operator, and quadratic time for the lines of a heredoc. A
// program cannot recover when its stack is full.
const (
	maxBytes     = 1 << 20
	maxDepth     = 500
	maxOperators = 10_000
	maxLines     = 10_000 // of a heredoc
	maxAllLines  = 50_000 // of all heredocs
	// maxModule and maxFiles are the limits of all files of a module.
	maxModule = 8 << 20
	maxFiles  = 1000
)

// The limits of a run. A profile has at most as much text as its JSON can have.
const (
	maxSteps   = 2_000_000
	maxMade    = values.MaxBytes
	maxRead    = values.MaxBytes
	maxProfile = values.MaxBytes
	// A call of file() or templatefile() takes as long as so many steps.
	callSteps = 500
)

// limited returns a fault for a file, or a template, above the limits.
func limited(path string, text []byte, lex func([]byte, string, hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics)) *Fault {
	if len(text) > maxBytes {
		return &Fault{Path: path, Text: fmt.Sprintf("the file has %d bytes, and a Terraform file can have at most %d; write large values to files of their own, and read them with file()", len(text), maxBytes)}
	}
	beyond := func(token hclsyntax.Token, format string, args ...any) *Fault {
		return &Fault{path, positionOf(token.Range), fmt.Sprintf(format, args...)}
	}
	tokens, _ := lex(text, path, hcl.InitialPos) // the parser reports its faults
	depth, operators, lines, all := 0, 0, 0, 0
	for _, token := range tokens {
		if token.Type == hclsyntax.TokenStringLit || token.Type == hclsyntax.TokenQuotedLit {
			lines++
			all++
		} else {
			lines = 0
		}
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOQuote:
			depth++
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenOHeredoc:
			depth++
			operators++
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth--
		case hclsyntax.TokenNumberLit:
			if isLongNumber(string(token.Bytes)) {
				return beyond(token, "the number has more than 100 digits, or an exponent of more than 3; write it shorter, or as text in quotes")
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit, hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenEqual, hclsyntax.TokenComma, hclsyntax.TokenDot:
		default:
			operators++
		}
		if depth > maxDepth || operators > maxOperators {
			return beyond(token, "nested deeper than %d levels, or more than %d operators; split the file", maxDepth, maxOperators)
		}
		if lines > maxLines || all > maxAllLines {
			return beyond(token, "a heredoc or a template has more than %d lines, or all of them more than %d; write the text to a file of its own, and read it with file()", maxLines, maxAllLines)
		}
	}
	return nil
}

// longNumber is the start of a text that takes long to convert to a number.
var longNumber = regexp.MustCompile(`^[-+]?([0-9.]{101}|[0-9.]+[eEpP][-+]?[0-9]{4})`)

func isLongNumber(text string) bool { return longNumber.MatchString(text) }
