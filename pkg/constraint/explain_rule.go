package constraint

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// whyRule explains why no candidate satisfies a rule: the term that does not hold on the closest
// candidate, with the properties found there, or the error of the evaluation.
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

// closest explains a rule on the candidate on which most of its terms hold.
func (e *explainer) closest(c *Constraint, s *ruleState) string {
	best := -1
	switch {
	case len(s.near) == 0:
		return "there are no bundles"
	case len(c.program.Terms()) > 1:
		best = e.nearest(c, s)
	case s.failed >= 0: // an error says more than false
		best = s.failed
	case len(e.candidates) == 1:
		best = 0
	default:
		if best = e.having(typesIn(c.Rule)); best < 0 {
			return "none of " + e.count() + " satisfies it" + e.noType(c.Rule)
		}
	}
	if len(e.candidates) == 1 {
		return fmt.Sprintf("the only one, %s, does not: %s", e.name(best), e.term(c, best))
	}
	return fmt.Sprintf("the closest, %s, does not: %s", e.name(best), e.term(c, best))
}

// typeComparison matches a comparison of the type of a property in a rule.
var typeComparison = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.type\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)')`)
})

// typesIn returns the types of properties that a rule looks for.
func typesIn(rule string) []string {
	var types []string
	for _, match := range typeComparison().FindAllStringSubmatch(rule, -1) {
		types = append(types, cmp.Or(match[1], match[2]))
	}
	return types
}

// typesOfProperties returns the types of all properties, and for each the first candidate
// with one.
func (j *evaluator) typesOfProperties() map[string]int {
	if j.firstWith == nil {
		j.firstWith = map[string]int{}
		for i, c := range j.candidates {
			for _, p := range c.properties() {
				if _, known := j.firstWith[p.kind]; !known {
					j.firstWith[p.kind] = i
				}
			}
		}
	}
	return j.firstWith
}

// having returns the first candidate that has a property of one of the types, or -1 if there is
// none.
func (e *explainer) having(types []string) int {
	first := e.typesOfProperties()
	for _, kind := range types {
		if i, ok := first[kind]; ok {
			return i
		}
	}
	return -1
}

// noType names the first type of a rule if no candidate has any of its types.
func (e *explainer) noType(rule string) string {
	kinds := typesIn(rule)
	if len(kinds) == 0 {
		return ""
	}
	text := fmt.Sprintf(": none has a property of type %q", kinds[0])
	if len(e.firstWith) <= maxAPIs {
		text += nearest.Hint(kinds[0], slices.Sorted(maps.Keys(e.firstWith)))
	}
	return text
}

// property is a property as rules see it.
type property struct {
	// kind is the type of the property, and value its value in CEL.
	kind  string
	value ref.Val
}

// properties returns the properties of a candidate.
func (c *candidate) properties() []property {
	var all []property
	for _, p := range c.ruleProperties() {
		if m, ok := p.(traits.Mapper); ok {
			kind, _ := m.Find(types.String("type"))
			value, _ := m.Find(types.String("value"))
			if text, ok := kind.(types.String); ok {
				all = append(all, property{string(text), value})
			}
		}
	}
	return all
}

// has lists the properties of a candidate whose types occur in a term.
func (e *explainer) has(term string, i int) string {
	const most = 3
	var texts []string
	wanted := typesIn(term)
	for _, p := range e.candidates[i].properties() {
		if slices.Contains(wanted, p.kind) && len(texts) < most {
			texts = append(texts, fmt.Sprintf("%s %s", p.kind, short(valueText(p.value, 3))))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return " (it has " + strings.Join(texts, ", ") + ")"
}

// count returns the number of candidates for a message.
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

// term names the term of a rule that does not hold on a candidate, and explains why.
func (e *explainer) term(c *Constraint, i int) string {
	terms, v := c.program.Terms(), e.evaluateRule(c, i)
	at := min(int(v.held), len(terms)-1)
	text := "the rule"
	if len(terms) > 1 {
		text = quoted(terms[at])
	}
	var err error
	if v.outcome == failed {
		_, err = e.evaluateTerm(c, at, i)
	}
	switch {
	case err == nil:
		return text + " is false" + e.has(terms[at], i)
	case len(terms) == 1:
		return e.mishap(err, i)
	}
	return fmt.Sprintf("%s fails: %s", text, e.mishap(err, i))
}

// mishap describes the error of an evaluation on a candidate, and how to prevent it.
func (e *explainer) mishap(err error, i int) string {
	text := short(err.Error())
	if key, ok := strings.CutPrefix(err.Error(), "no such key: "); ok {
		others := e.candidates[:min(len(e.candidates), maxAPIs)]
		if e.alone >= 0 {
			others = nil
		}
		for _, candidate := range append([]*candidate{e.candidates[i]}, others...) {
			if near := nearest.Name(key, candidate.keys()); near != "" && near != key {
				return text + nearest.Ask(near)
			}
		}
		if !celenv.IsName(key) {
			return fmt.Sprintf("%s (check %q in … first)", text, short(key))
		}
		return fmt.Sprintf("%s (check has(….%s) first)", text, short(key))
	}
	if strings.HasPrefix(text, "index out of bounds") {
		return text + " (check size() first)"
	}
	return text + " (check the value with type() first)"
}

// keys returns the keys in the properties of a candidate.
func (c *candidate) keys() []string {
	found := map[string]bool{"type": true, "value": true}
	var visit func(v ref.Val)
	visit = func(v ref.Val) {
		m, isMap := v.(traits.Mapper)
		l, isList := v.(traits.Lister)
		switch {
		case isMap:
			for it := m.Iterator(); it.HasNext() == types.True && len(found) < maxAPIs; {
				key := it.Next()
				found[fmt.Sprint(key.Value())] = true
				visit(m.Get(key))
			}
		case isList:
			for it := l.Iterator(); it.HasNext() == types.True && len(found) < maxAPIs; {
				visit(it.Next())
			}
		}
	}
	for _, p := range c.properties() {
		visit(p.value)
	}
	return slices.Sorted(maps.Keys(found))
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

// valueText writes a value of a property for a message, a few levels of it.
func valueText(v ref.Val, levels int) string {
	m, isMap := v.(traits.Mapper)
	l, isList := v.(traits.Lister)
	var parts []string
	switch {
	case v == nil || v == types.NullValue:
		return "null"
	case (isMap || isList) && levels == 0:
		return "…"
	case isMap:
		for it := m.Iterator(); it.HasNext() == types.True && len(parts) < mostNamed; {
			key := it.Next()
			parts = append(parts, fmt.Sprintf("%v: %s", key.Value(), valueText(m.Get(key), levels-1)))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case isList:
		for it := l.Iterator(); it.HasNext() == types.True && len(parts) < mostNamed; {
			parts = append(parts, valueText(it.Next(), levels-1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if text, ok := v.(types.String); ok {
		return `"` + short(string(text)) + `"`
	}
	return fmt.Sprint(v.Value())
}

// requires is a sentence with why, for the one that has the constraint.
func (e *explainer) requires(of any, c *Constraint) string {
	text := e.why(c)
	if absent, ok := strings.CutPrefix(text, absence); ok {
		return fmt.Sprintf("%s conflicts with %s", of, strings.ReplaceAll(absent, ", and "+absence, ", and with "))
	}
	return fmt.Sprintf("%s requires %s", of, text)
}

const absence = "the absence of "
