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
	size int
}

// maxPatternSize bounds the instructions of all patterns of a schema.
const maxPatternSize = 100_000

// newPatterns returns the engine of the library for the patterns of a schema, each compiled
// once.
func newPatterns() jsonschema.RegexpEngine {
	compiled, total := map[string]pattern{}, 0
	return func(source string) (jsonschema.Regexp, error) {
		if known, ok := compiled[source]; ok {
			return known, nil
		}
		tree, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("got a pattern that RE2 does not support: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		size := patternSize(tree)
		if total += size; total > maxPatternSize {
			return nil, fmt.Errorf("the patterns of the schema have more than %d instructions. Shorten their repetitions", maxPatternSize)
		}
		compiled[source] = pattern{regexp.MustCompile(source), size}
		return compiled[source], nil
	}
}

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
