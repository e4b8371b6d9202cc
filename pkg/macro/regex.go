package macro

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// checkRegex checks a call that finds one match. The time of that is linear in the text,
// as the expressions are RE2's, but not in the expression.
func checkRegex(c *call) *diag.Finding {
	_, reason := patternOf(c)
	return reason
}

// checkRegexes checks a call that finds all matches, whose time is not linear. It counts
// them, as far as the budget allows.
func checkRegexes(c *call) *diag.Finding {
	p, reason := patternOf(c)
	if reason != nil {
		return reason
	}
	text := c.text(1)
	perMatch := product(p.instructions, len(text)) // finding one may read the rest of the text
	if p.longest >= 0 {
		perMatch = product(p.instructions, min(p.longest, len(text)))
	}
	perMatch += 64
	most := c.budget.left() / perMatch
	matches := regexp.MustCompile(c.text(0)).FindAllStringIndex(text, most+1)
	if len(matches) > most {
		reason := refuse("needs more work than a macro may do")
		reason.Action = "shorten the text, or bound the repetitions of the regular expression"
		return reason
	}
	if reason := c.spendProduct(len(matches), perMatch); reason != nil {
		return reason
	}
	if len(c.args) < 3 || !c.args[2].CanInt() {
		return checkExpansion(c, matches)
	}
	if len(matches) >= MaxElements {
		return tooMany()
	}
	return nil
}

// checkExpansion bounds the size of the replacements. Each $ may insert a whole match.
func checkExpansion(c *call, matches [][]int) *diag.Finding {
	replacement, matched := c.text(2), 0
	for _, m := range matches {
		matched += m[1] - m[0]
	}
	return bounded(len(c.text(1)) + product(len(matches), len(replacement)) + product(strings.Count(replacement, "$"), matched))
}

// pattern is the size of a regular expression.
type pattern struct {
	// instructions is the number of instructions of the compiled expression.
	instructions int
	longest      int // bytes of its longest match, or -1 for no bound
}

// patternOf reads the regular expression of a call, its first argument. It rejects one
// that does not compile: some functions of sprig panic then, and for others nothing
// matches. It spends the work of reading the expression, and of finding one match in the text.
func patternOf(c *call) (pattern, *diag.Finding) {
	regex := c.text(0)
	if len(regex) > MaxPattern {
		return pattern{}, refuseGot(fmt.Sprintf("a regular expression of %d bytes", len(regex)), fmt.Sprint("at most ", MaxPattern), "takes a regular expression of at most %d bytes, got %d", MaxPattern, len(regex))
	}
	tree, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		return pattern{}, refuseGot("an invalid regular expression", "the syntax of RE2", "cannot use the regular expression: it must have the syntax of RE2")
	}
	p := sizeOf(tree)
	if p.instructions > MaxInstructions {
		return pattern{}, refuseGot("a regular expression that repeats too much", fmt.Sprintf("at most %d instructions", MaxInstructions),
			"cannot use the regular expression: its repetitions make more than %d instructions", MaxInstructions)
	}
	// Every state of the automaton holds the places of all groups.
	groups := 1 + tree.MaxCap()
	if product(p.instructions, groups) > MaxResult {
		return pattern{}, refuseGot("a regular expression with too many groups", "fewer", "cannot use the regular expression: it has too many groups for its length. Use (?:…) for groups that you do not read")
	}
	p.instructions *= 1 + groups/4
	return p, c.budget.spend(256 + 256*p.instructions + product(p.instructions, len(c.text(1))+64))
}

// sizeOf adds up the instructions of an expression with its repetitions written out,
// as the compiler does.
func sizeOf(tree *syntax.Regexp) pattern {
	switch tree.Op {
	case syntax.OpLiteral:
		return pattern{len(tree.Rune), 4 * len(tree.Rune)}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return pattern{1 + len(tree.Rune)/16, 4}
	case syntax.OpConcat, syntax.OpAlternate:
		sum := pattern{instructions: 1}
		for _, sub := range tree.Sub {
			s := sizeOf(sub)
			sum.instructions = min(sum.instructions+s.instructions+1, 1<<40)
			switch {
			case s.longest < 0 || sum.longest < 0:
				sum.longest = -1
			case tree.Op == syntax.OpConcat:
				sum.longest += s.longest
			default:
				sum.longest = max(sum.longest, s.longest)
			}
		}
		return sum
	case syntax.OpStar, syntax.OpPlus:
		return pattern{sizeOf(tree.Sub[0]).instructions + 1, -1}
	case syntax.OpQuest:
		s := sizeOf(tree.Sub[0])
		return pattern{s.instructions + 1, s.longest}
	case syntax.OpCapture:
		s := sizeOf(tree.Sub[0])
		return pattern{s.instructions + 2, s.longest}
	case syntax.OpRepeat:
		return repeated(sizeOf(tree.Sub[0]), tree.Min, tree.Max)
	}
	return pattern{instructions: 1}
}

// repeated returns the size of an expression that is repeated from least to most times. A negative
// most is no limit.
func repeated(s pattern, least, most int) pattern {
	times := max(least, most, 1)
	out := pattern{product(s.instructions+1, times), -1}
	if most >= 0 && s.longest >= 0 {
		out.longest = product(s.longest, most)
	}
	return out
}
