package macro

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// checks returns the checks of functions whose result may be much larger than their
// arguments. All other functions return at most a small multiple of their arguments,
// which are bounded already.
func checks() map[string]func(*call) *diag.Finding {
	trim := func(c *call) *diag.Finding { return c.spendProduct(len(c.text(0)), len(c.text(1))/16) }
	version := func(c *call) *diag.Finding {
		for i := range c.args {
			if len(c.text(i)) > maxVersion {
				return refuseGot(fmt.Sprintf("a version or constraint of %d bytes", len(c.text(i))), fmt.Sprint("at most ", maxVersion), "takes a version or constraint of at most %d bytes, got %d", maxVersion, len(c.text(i)))
			}
			if reason := c.budget.spend(1024 + 256*len(c.text(i))); reason != nil {
				return reason
			}
		}
		return nil
	}
	uniq := func(c *call) *diag.Finding {
		return c.spendProduct(c.results[0].size.elements, c.results[0].size.cost()/16)
	}
	without := func(c *call) *diag.Finding { return c.spendProduct(len(c.args), c.results[0].size.cost()/16) }
	decimals := func(c *call) *diag.Finding {
		if len(c.args) > 100 {
			return refuseGot(fmt.Sprintf("%d arguments", len(c.args)), "at most 100", "takes at most 100 arguments, got %d", len(c.args))
		}
		return c.budget.spend(1000 * len(c.args) * len(c.args))
	}
	chunk := func(c *call) *diag.Finding {
		if c.number(0) < 1 {
			return refuseGot("a size below 1", "at least 1", "takes a size of at least 1")
		}
		return nil
	}
	return map[string]func(*call) *diag.Finding{
		"repeat":    func(c *call) *diag.Finding { return bounded(product(c.number(0), len(c.text(1)))) },
		"indent":    checkIndent,
		"nindent":   checkIndent,
		"replace":   checkReplace,
		"join":      checkJoin,
		"wrapWith":  checkWrap,
		"until":     func(c *call) *diag.Finding { return count(0, c.number(0), 1) },
		"untilStep": func(c *call) *diag.Finding { return count(c.number(0), c.number(1), c.number(2)) },
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

func (c *call) spendProduct(a, b int) *diag.Finding { return c.budget.spend(product(a, b)) }

// bounded returns a finding if a result would have more bytes than allowed.
func bounded(bytes int) *diag.Finding {
	if bytes > MaxResult {
		return tooLarge()
	}
	return nil
}

// checkIndent bounds the result of indent before it is made: each line gets the same number of blanks.
func checkIndent(c *call) *diag.Finding {
	lines := strings.Count(c.text(1), "\n") + 1
	return bounded(product(c.number(0), lines) + len(c.text(1)))
}

// checkReplace bounds the result of replace before it is made: each occurrence changes the length by
// the same number.
func checkReplace(c *call) *diag.Finding {
	old, replacement, text := c.text(0), c.text(1), c.text(2)
	return bounded(len(text) + product(strings.Count(text, old), len(replacement)-len(old)))
}

// checkJoin bounds the result of join before it is made: all elements, with a separator for each.
func checkJoin(c *call) *diag.Finding {
	list := c.results[1].size
	return bounded(list.bytes + product(list.elements, len(c.text(0))))
}

// checkWrap bounds wrapWith, which puts a text between the lines.
func checkWrap(c *call) *diag.Finding {
	text := c.text(2)
	breaks := strings.Count(text, " ") + len(text)/max(1, c.number(0)) + 1
	return bounded(len(text) + product(breaks, max(1, len(c.text(1)))))
}

// checkSplit bounds the number of parts.
func checkSplit(c *call) *diag.Finding {
	if strings.Count(c.text(len(c.args)-1), c.text(0)) >= MaxElements {
		return tooMany()
	}
	return nil
}

// maxCounted keeps loops far from the numbers that overflow.
const maxCounted = 1 << 60

// count checks a loop from start to stop.
func count(start, stop, step int) *diag.Finding {
	for _, n := range []int{start, stop, step} {
		if n > maxCounted || n < -maxCounted {
			return refuseGot("a number that is too large", "at most 2^60", "takes numbers of at most 2^60")
		}
	}
	if step == 0 {
		return nil // the functions count nothing then
	}
	if span := (stop - start) / step; span > MaxElements || step == 1 && -span > MaxElements {
		return tooMany() // only until counts in the other direction
	}
	return nil
}

// checkSeq bounds seq, with one, two or three arguments: an end, a start and an end, or also a step
// between them.
func checkSeq(c *call) *diag.Finding {
	switch len(c.args) {
	case 1:
		return count(1, c.number(0), 1)
	case 2:
		return count(c.number(0), c.number(1), 1)
	case 3:
		return count(c.number(0), c.number(2), c.number(1))
	}
	return nil
}

// checkJSON bounds the elements and the depth of a JSON text before it is
// decoded.
func checkJSON(c *call) *diag.Finding {
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
				return tooDeep()
			}
		case b == ']' || b == '}':
			depth--
		case b == ',':
			elements++
		}
		if elements > MaxElements {
			return tooMany()
		}
	}
	return nil
}
