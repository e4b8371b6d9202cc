package macro

import (
	"strings"
)

// checks judges the calls of functions that can make much out of little, by
// their arguments. All others return at most a small multiple of what they
// get, which is bounded already.
func checks() map[string]func(*call) string {
	trim := func(c *call) string { return c.spendProduct(len(c.text(0)), len(c.text(1))/16) }
	version := func(c *call) string {
		for i := range c.args {
			if len(c.text(i)) > maxVersion {
				return "got a text that is too long for a version or a constraint, want at most 1,024 bytes"
			}
			if reason := c.budget.spend(1024 + 256*len(c.text(i))); reason != "" {
				return reason
			}
		}
		return ""
	}
	uniq := func(c *call) string { return c.spendProduct(c.results[0].size.elements, c.results[0].size.cost()/16) }
	without := func(c *call) string { return c.spendProduct(len(c.args), c.results[0].size.cost()/16) }
	decimals := func(c *call) string {
		if len(c.args) > 100 {
			return "takes at most 100 arguments"
		}
		return c.budget.spend(1000 * len(c.args) * len(c.args))
	}
	chunk := func(c *call) string {
		if c.number(0) < 1 {
			return "got a size below 1, want at least 1"
		}
		return ""
	}
	return map[string]func(*call) string{
		"repeat":    func(c *call) string { return bounded(product(c.number(0), len(c.text(1)))) },
		"indent":    checkIndent,
		"nindent":   checkIndent,
		"replace":   checkReplace,
		"join":      checkJoin,
		"wrapWith":  checkWrap,
		"until":     func(c *call) string { return count(0, c.number(0), 1) },
		"untilStep": func(c *call) string { return count(c.number(0), c.number(1), c.number(2)) },
		"seq":       checkSeq,
		"split":     checkSplit,
		"splitn":    checkSplit,
		"splitList": checkSplit,
		"trimAll":   trim, "trimall": trim,
		"uniq": uniq, "mustUniq": uniq,
		"without": without, "mustWithout": without,
		"chunk": chunk, "mustChunk": chunk,
		"fromJson": checkJSON, "mustFromJson": checkJSON,
		"semver": version, "semverCompare": version,
		"addf": decimals, "subf": decimals, "mulf": decimals, "divf": decimals, "add1f": decimals,
		"printf":     checkFormat,
		"regexMatch": checkRegex, "mustRegexMatch": checkRegex, "regexFind": checkRegex, "mustRegexFind": checkRegex,
		"regexFindAll": checkRegexes, "mustRegexFindAll": checkRegexes, "regexSplit": checkRegexes, "mustRegexSplit": checkRegexes,
		"regexReplaceAll": checkRegexes, "mustRegexReplaceAll": checkRegexes,
		"regexReplaceAllLiteral": checkRegexes, "mustRegexReplaceAllLiteral": checkRegexes,
	}
}

func (c *call) text(i int) string { return c.args[i].String() }

func (c *call) number(i int) int { return int(c.args[i].Int()) }

func (c *call) spendProduct(a, b int) string { return c.budget.spend(product(a, b)) }

func bounded(bytes int) string {
	if bytes > MaxResult {
		return tooLarge
	}
	return ""
}

func checkIndent(c *call) string {
	lines := strings.Count(c.text(1), "\n") + 1
	return bounded(product(c.number(0), lines) + len(c.text(1)))
}

func checkReplace(c *call) string {
	old, replacement, text := c.text(0), c.text(1), c.text(2)
	return bounded(len(text) + product(strings.Count(text, old), len(replacement)-len(old)))
}

func checkJoin(c *call) string {
	list := c.results[1].size
	return bounded(list.bytes + product(list.elements, len(c.text(0))))
}

func checkWrap(c *call) string {
	text := c.text(2)
	breaks := strings.Count(text, " ") + len(text)/max(1, c.number(0)) + 1
	return bounded(len(text) + product(breaks, max(1, len(c.text(1)))))
}

func checkSplit(c *call) string {
	if strings.Count(c.text(len(c.args)-1), c.text(0)) >= MaxElements {
		return tooMany
	}
	return ""
}

// maxCounted keeps counting loops far from where numbers overflow.
const maxCounted = 1 << 60

// count judges a loop from start to stop.
func count(start, stop, step int) string {
	for _, n := range []int{start, stop, step} {
		if n > maxCounted || n < -maxCounted {
			return "got a number that is too large, want at most 2^60"
		}
	}
	if step == 0 {
		return "" // the functions take it for no steps
	}
	if span := (stop - start) / step; span > MaxElements || step == 1 && -span > MaxElements {
		return tooMany // a span the other way is none, but for until's
	}
	return ""
}

func checkSeq(c *call) string {
	switch len(c.args) {
	case 1:
		return count(1, c.number(0), 1)
	case 2:
		return count(c.number(0), c.number(1), 1)
	case 3:
		return count(c.number(0), c.number(2), c.number(1))
	}
	return ""
}

// checkJSON bounds the elements and the depth of a JSON text before it is
// decoded.
func checkJSON(c *call) string {
	text, quoted := c.text(0), false
	elements, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			elements++
			if depth++; depth > MaxDepth {
				return "would make lists and maps nested more than 100 deep"
			}
		case b == ']' || b == '}':
			depth--
		case b == ',':
			elements++
		}
		if elements > MaxElements {
			return tooMany
		}
	}
	return ""
}
