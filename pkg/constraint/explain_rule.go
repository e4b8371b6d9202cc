package constraint

import (
	"fmt"
	"strings"
)

// whyRule says why no candidate satisfies a rule: the term that does not hold on the
// closest one, or what went wrong there.
func (e *explainer) whyRule(c *Constraint) string {
	if e.alone >= 0 {
		return e.term(c, e.alone)
	}
	s := e.state(c)
	if s.explained == "" {
		s.explained = e.closest(c, s)
	}
	return s.explained
}

func (e *explainer) closest(c *Constraint, s *ruleState) string {
	terms := len(c.program.Terms())
	best := -1
	switch {
	case len(s.near) == 0:
		return "there are no bundles"
	case terms > 1:
		best = e.nearest(c, s)
	case s.failed >= 0: // an error tells more than false
		best = s.failed
	case len(e.candidates) > 1:
		return "none of " + e.count() + " satisfies it"
	default:
		best = 0
	}
	if len(e.candidates) == 1 {
		return fmt.Sprintf("the only one, %s, does not: %s", e.name(best), e.term(c, best))
	}
	if terms == 1 {
		return fmt.Sprintf("none of %s satisfies it. On %s: %s", e.count(), e.name(best), e.term(c, best))
	}
	return fmt.Sprintf("the closest, %s, does not: %s", e.name(best), e.term(c, best))
}

// count says how many candidates there are.
func (e *explainer) count() string {
	n := len(e.candidates)
	switch {
	case e.candidates[n-1].bundle != nil:
		return fmt.Sprintf("%d bundles", n)
	case n == 2:
		return "1 bundle and the cluster"
	}
	return fmt.Sprintf("%d bundles and the cluster", n-1)
}

// nearest returns the candidate on which the most terms hold, of those that come
// near.
func (e *explainer) nearest(c *Constraint, s *ruleState) int {
	best, most := s.near[0], -1
	if len(s.near) == 1 {
		return best
	}
	for _, i := range s.near {
		held := 0
		for at := int(s.most) + 1; at < len(c.program.Terms()); at++ {
			if holds, err := e.evaluateTerm(c, at, i); err == nil && holds {
				held++
			}
		}
		if held > most {
			best, most = i, held
		}
	}
	return best
}

// term says which term of a rule does not hold on a candidate, and why.
func (e *explainer) term(c *Constraint, i int) string {
	terms, v := c.program.Terms(), e.judgeRule(c, i)
	at := min(int(v.held), len(terms)-1)
	text := "the rule"
	if len(terms) > 1 {
		text = quoted(terms[at])
	}
	if v.outcome != failed {
		return text + " is false"
	}
	_, err := e.evaluateTerm(c, at, i)
	if err == nil {
		return text + " is false"
	}
	if len(terms) == 1 {
		return mishap(err)
	}
	return fmt.Sprintf("%s fails: %s", text, mishap(err))
}

// mishap says what went wrong in an evaluation, and how to prevent it.
func mishap(err error) string {
	text := short(err.Error())
	if key, ok := strings.CutPrefix(err.Error(), "no such key: "); ok {
		return fmt.Sprintf("%s (check has(….%s) first)", text, short(key))
	}
	return text + " (check the key with has() and the value with type() first)"
}

// quoted writes an expression into a message.
func quoted(expression string) string {
	const most = 300
	expression = strings.Join(strings.Fields(expression), " ")
	if r := []rune(expression); len(r) > most {
		expression = string(r[:most]) + "…"
	}
	return "`" + expression + "`"
}
