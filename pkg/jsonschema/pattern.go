package jsonschema

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression with the number of its instructions, about. A
// match may take all of them for each byte.
type pattern struct {
	*regexp.Regexp
	size int
}

// maxPatternSize bounds the instructions of all patterns of a schema.
const maxPatternSize = 100_000

// compilePattern compiles a regular expression. It is a fault if that is not possible.
func (k keyword) compilePattern(source string) pattern {
	var p pattern
	tree, err := syntax.Parse(source, syntax.Perl)
	if err == nil {
		p.size = patternSize(tree)
		if k.c.patternSize += p.size; k.c.patternSize > maxPatternSize {
			k.addFault("the patterns of the schema have more than %d instructions. Shorten their repetitions", maxPatternSize)
			return p
		}
		p.Regexp, err = regexp.Compile(source)
	}
	if err != nil {
		k.addFault("got a pattern that RE2 does not support: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return p
}

// patternSize estimates the instructions of an expression with its repetitions
// written out, as the compiler does.
func patternSize(tree *syntax.Regexp) int {
	size := 1 + len(tree.Rune)
	for _, sub := range tree.Sub {
		size += patternSize(sub)
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(tree.Min, tree.Max, 1)
	}
	return min(size, maxPatternSize+1)
}
