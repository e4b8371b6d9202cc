package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// expression is the regex of a placeholder.
type expression struct {
	*regexp.Regexp
	// instructions is the size of the compiled regex. A match takes at most so
	// many steps for each byte.
	instructions int
}

// newExpression compiles a pattern. The reason explains why RE2 does not have it. The expression
// has no Regexp if it is larger than MaxRegexInstructions.
func newExpression(pattern string) (e *expression, reason string) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, oneLine(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	e = &expression{instructions: characters(tree)}
	if e.instructions > MaxRegexInstructions {
		return e, ""
	}
	program, _ := syntax.Compile(tree.Simplify()) // has no error to return
	if e.instructions = len(program.Inst); e.instructions <= MaxRegexInstructions {
		e.Regexp = regexp.MustCompile(pattern)
	}
	return e, ""
}

// tooLarge returns the finding about a regex that compiles to too many instructions.
func tooLarge() diag.Finding {
	return diag.Got(fmt.Sprintf("a regex of more than %d instructions", MaxRegexInstructions), "fewer counted repetitions")
}

// characters counts the characters that a regex spells out with its counted
// repetitions unrolled. It is a lower limit of the compiled size, known without
// compiling: a few characters can make a regex huge.
func characters(tree *syntax.Regexp) int {
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	}
	n := 0
	for _, sub := range tree.Sub {
		n += characters(sub)
	}
	switch {
	case tree.Op != syntax.OpRepeat:
		return n
	case tree.Max >= 0:
		return n * tree.Max
	}
	return n * max(tree.Min, 1)
}
