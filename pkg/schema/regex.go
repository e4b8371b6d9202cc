package schema

import (
	"regexp"
	"regexp/syntax"
)

// expression is the regex of a placeholder.
type expression struct {
	*regexp.Regexp
	// instructions is the size of the compiled regex. A match takes at most so
	// many steps for each byte.
	instructions int
	// looksBehind and looksAhead report conditions on the characters before and
	// after a place: ^ and $ are one each, \b is both.
	looksBehind, looksAhead bool
}

// newExpression compiles a pattern from which tree was parsed. The expression
// has no Regexp if it is larger than MaxRegexInstructions.
func newExpression(pattern string, tree *syntax.Regexp) *expression {
	e := &expression{instructions: characters(tree)}
	if e.instructions > MaxRegexInstructions {
		return e
	}
	program, _ := syntax.Compile(tree.Simplify()) // has no error to return
	e.instructions = len(program.Inst)
	if e.instructions > MaxRegexInstructions {
		return e
	}
	const (
		word   = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
		behind = syntax.EmptyBeginLine | syntax.EmptyBeginText | word
		ahead  = syntax.EmptyEndLine | syntax.EmptyEndText | word
	)
	for i := range program.Inst {
		if inst := &program.Inst[i]; inst.Op == syntax.InstEmptyWidth {
			e.looksBehind = e.looksBehind || syntax.EmptyOp(inst.Arg)&behind != 0
			e.looksAhead = e.looksAhead || syntax.EmptyOp(inst.Arg)&ahead != 0
		}
	}
	e.Regexp = regexp.MustCompile(pattern)
	return e
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
