package macro

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// regexes are sprig's functions of regular expressions, which are RE2's and so
// linear in the text for one match, but not in its size and not for all
// matches. An expression that does not compile is an error in all of them;
// some of sprig's then say that nothing matches.
func regexes() map[string]any {
	match := regexp.MatchString
	find := func(regex, text string) (string, error) {
		return with(regex, func(r *regexp.Regexp) string { return r.FindString(text) })
	}
	findAll := func(regex, text string, n int) ([]string, error) {
		return with(regex, func(r *regexp.Regexp) []string { return r.FindAllString(text, n) })
	}
	replaceAll := func(regex, text, replacement string) (string, error) {
		return with(regex, func(r *regexp.Regexp) string { return r.ReplaceAllString(text, replacement) })
	}
	replaceLiteral := func(regex, text, replacement string) (string, error) {
		return with(regex, func(r *regexp.Regexp) string { return r.ReplaceAllLiteralString(text, replacement) })
	}
	split := func(regex, text string, n int) ([]string, error) {
		return with(regex, func(r *regexp.Regexp) []string { return r.Split(text, n) })
	}
	return map[string]any{
		"regexMatch": match, "mustRegexMatch": match,
		"regexFind": find, "mustRegexFind": find,
		"regexFindAll": findAll, "mustRegexFindAll": findAll,
		"regexReplaceAll": replaceAll, "mustRegexReplaceAll": replaceAll,
		"regexReplaceAllLiteral": replaceLiteral, "mustRegexReplaceAllLiteral": replaceLiteral,
		"regexSplit": split, "mustRegexSplit": split,
	}
}

func with[T any](regex string, use func(*regexp.Regexp) T) (T, error) {
	r, err := regexp.Compile(regex)
	if err != nil {
		var none T
		return none, err
	}
	return use(r), nil
}

// checkRegex judges a call that looks for one match.
func checkRegex(c *call) string {
	p, reason := patternOf(c)
	if reason != "" {
		return reason
	}
	return c.spendProduct(p.instructions, len(c.text(1))+64)
}

// checkRegexes judges a call that looks for all matches: it counts them, up to
// what the budget allows.
func checkRegexes(c *call) string {
	p, reason := patternOf(c)
	if reason != "" {
		return reason
	}
	text := c.text(1)
	if reason := c.spendProduct(p.instructions, len(text)+64); reason != "" {
		return reason
	}
	perMatch := product(p.instructions, len(text)) // a match can be found by reading all of the rest
	if p.longest >= 0 {
		perMatch = product(p.instructions, min(p.longest, len(text)))
	}
	perMatch += 64
	most := c.budget.left() / perMatch
	matches := regexp.MustCompile(c.text(0)).FindAllStringIndex(text, most+1)
	if len(matches) > most {
		return "needs more work than a macro may do: shorten the text, or bound the repetitions of the regular expression"
	}
	if reason := c.spendProduct(len(matches), perMatch); reason != "" {
		return reason
	}
	if len(c.args) < 3 || !c.args[2].CanInt() {
		return checkExpansion(c, matches)
	}
	if len(matches) >= MaxElements {
		return tooMany
	}
	return ""
}

// checkExpansion bounds what the replacements come to. Each $ can stand for a
// whole match.
func checkExpansion(c *call, matches [][]int) string {
	replacement, matched := c.text(2), 0
	for _, m := range matches {
		matched += m[1] - m[0]
	}
	return bounded(len(c.text(1)) + product(len(matches), len(replacement)) + product(strings.Count(replacement, "$"), matched))
}

// pattern is the size of a regular expression.
type pattern struct {
	instructions int
	longest      int // bytes of its longest match, -1 when that has no bound
}

// patternOf reads the regular expression of a call, its first argument.
func patternOf(c *call) (pattern, string) {
	regex := c.text(0)
	if len(regex) > MaxPattern {
		return pattern{}, "got a regular expression that is too long, want at most 4,096 bytes"
	}
	tree, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		return pattern{}, "got a regular expression that is not valid, want RE2's syntax"
	}
	p := sizeOf(tree)
	if p.instructions > MaxInstructions {
		return pattern{}, "got a regular expression that is too large: its repetitions come to more than 10,000 instructions"
	}
	// Every state of the machine keeps the places of all groups.
	groups := 1 + tree.MaxCap()
	if product(p.instructions, groups) > MaxResult {
		return pattern{}, "got a regular expression that is too large: it has too many groups"
	}
	p.instructions *= 1 + groups/4
	return p, c.budget.spend(256 + 256*p.instructions)
}

// sizeOf adds up the instructions of an expression once its repetitions are
// written out, as the compiler will.
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

func repeated(s pattern, least, most int) pattern {
	times := max(least, most, 1)
	out := pattern{product(s.instructions+1, times), -1}
	if most >= 0 && s.longest >= 0 {
		out.longest = product(s.longest, most)
	}
	return out
}
