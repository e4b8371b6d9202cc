package jsonschema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// pattern is a regular expression with the number of its instructions, about. A match may
// take all of them for each byte.
type pattern struct {
	*regexp.Regexp
	// size is the number of instructions.
	size int
}

// maxPatternSize bounds the instructions of all patterns of a schema.
const maxPatternSize = 100_000

// patterns are the patterns of a schema, each compiled once.
type patterns struct {
	// compiled are the patterns by their texts, and total is the size of all.
	compiled map[string]pattern
	total    int
}

// compile is the engine of the library.
func (p *patterns) compile(source string) (jsonschema.Regexp, error) {
	if known, ok := p.compiled[source]; ok {
		return known, nil
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("got a pattern that RE2 does not support: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	size := patternSize(tree)
	if p.total += size; p.isTooLarge() {
		return nil, fmt.Errorf("the patterns of the schema have more than %d instructions. Shorten their repetitions", maxPatternSize)
	}
	p.compiled[source] = pattern{regexp.MustCompile(source), size}
	return p.compiled[source], nil
}

// isTooLarge reports whether a pattern was not compiled because of maxPatternSize.
func (p *patterns) isTooLarge() bool { return p.total > maxPatternSize }

// patternSize estimates the instructions of an expression with its repetitions written out,
// as the compiler does.
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
