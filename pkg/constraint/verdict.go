package constraint

import (
	"context"
	"errors"
	"math"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

const (
	// mostOverruns is how often one rule may exceed its cost limit; then it is not
	// evaluated any more, so that one bad rule cannot delay a large package.
	mostOverruns = 10
	// mostNear is how many of the candidates that come close to satisfying a rule
	// are looked at in full: so explanations cost little, however long the list.
	mostNear = 20
)

// outcome is the result of a rule.
type outcome uint8

const (
	unknown outcome = iota
	isTrue
	isFalse
	failed  // the evaluation went wrong, which counts as false
	overran // the evaluation exceeded its cost limit
)

// verdict is the result of a rule on one candidate.
type verdict struct {
	// outcome is the result.
	outcome outcome
	// held is how many of the terms of the rule hold before the first that does
	// not.
	held uint16
}

// ruleState holds the results of evaluating a rule.
type ruleState struct {
	// verdicts are the results by the index of the candidate.
	verdicts []verdict
	// overruns are the candidates on which it exceeded its cost limit.
	overruns []int
	// near are the first candidates that do not satisfy the rule, among those with the highest
	// number of leading terms that hold, which is most. failed is the first candidate on which the
	// evaluation failed, or -1 if there is none.
	near   []int
	most   uint16
	failed int
	// done reports whether the candidates were tried up to the first one that satisfies the rule.
	// That one is first, or -1 if none does.
	done  bool
	first int
	// explained is the reason why no candidate satisfies it.
	explained string
}

// state returns the results of a rule so far.
func (j *evaluator) state(c *Constraint) *ruleState {
	s := j.rules[c.Rule]
	if s == nil {
		s = &ruleState{verdicts: make([]verdict, len(j.candidates)), failed: -1}
		j.rules[c.Rule] = s
	}
	return s
}

// rule returns what a rule comes to on a candidate.
func (j *evaluator) rule(c *Constraint, i int) outcome { return j.evaluateRule(c, i).outcome }

// evaluateRule evaluates a rule on a candidate once. It does not evaluate a rule that exceeded its
// limit too often, or when the budget of the run is spent.
func (j *evaluator) evaluateRule(c *Constraint, i int) verdict {
	s := j.state(c)
	if s.verdicts[i].outcome != unknown {
		return s.verdicts[i]
	}
	if len(s.overruns) >= mostOverruns {
		return verdict{outcome: overran}
	}
	if j.overspent() {
		s.overruns = append(s.overruns, i)
		return verdict{outcome: overran}
	}
	v := verdict{outcome: isFalse}
	held, cost, err := c.program.EvaluateTerms(context.Background(), j.candidates[i].data())
	j.spend(cost)
	v.held = uint16(min(held, math.MaxUint16))
	switch {
	case errors.Is(err, celenv.ErrTooExpensive):
		v.outcome = overran
		s.overruns = append(s.overruns, i)
	case err != nil:
		v.outcome = failed
	case held == len(c.program.Terms()):
		v.outcome = isTrue
	}
	s.verdicts[i] = v
	s.note(i, v)
	return v
}

// stepsOfCandidate is what the budget of a run grows by with each candidate. It is enough for some
// fifty rules over a hundred properties.
const stepsOfCandidate = celenv.StepsOfUnit * celenv.CostLimit / 20

// spend takes the cost of an evaluation.
func (j *evaluator) spend(cost uint64) { j.meter.Spend(celenv.StepsOfUnit * int(cost)) }

// overspent reports whether all evaluations together took the budget of a run.
func (j *evaluator) overspent() bool { return j.meter.Left() == 0 }

// evaluateTerm evaluates one term of a rule on a candidate.
func (j *evaluator) evaluateTerm(c *Constraint, term, i int) (bool, error) {
	if j.overspent() {
		return false, celenv.ErrTooExpensive
	}
	holds, cost, err := c.program.EvaluateTerm(context.Background(), term, j.candidates[i].data())
	j.spend(cost)
	return holds, err
}

// note remembers who comes close.
func (s *ruleState) note(i int, v verdict) {
	if v.outcome != isFalse && v.outcome != failed {
		return
	}
	if v.outcome == failed && s.failed < 0 {
		s.failed = i
	}
	if v.held > s.most {
		s.near, s.most = s.near[:0], v.held
	}
	if v.held == s.most && len(s.near) < mostNear {
		s.near = append(s.near, i)
	}
}

// firstOf returns the first candidate that satisfies a rule, or -1 if there is none.
func (j *evaluator) firstOf(c *Constraint) int {
	s := j.state(c)
	if s.done {
		return s.first
	}
	s.done, s.first = true, -1
	for i := range j.candidates {
		if j.rule(c, i) == isTrue {
			s.first = i
			break
		}
	}
	return s.first
}

// tooExpensive returns the first rule of a constraint that no candidate satisfies
// while one exceeded the limit: whether it holds is not known.
func (j *evaluator) tooExpensive(c *Constraint) *Constraint {
	if c.Kind == KindCEL && j.firstOf(c) < 0 && len(j.state(c).overruns) > 0 {
		return c
	}
	for _, child := range c.Children {
		if leaf := j.tooExpensive(child); leaf != nil {
			return leaf
		}
	}
	return nil
}

// tooExpensiveOn is tooExpensive for one candidate alone.
func (j *evaluator) tooExpensiveOn(c *Constraint, i int) *Constraint {
	if c.Kind == KindCEL && j.rule(c, i) == overran {
		return c
	}
	for _, child := range c.Children {
		if leaf := j.tooExpensiveOn(child, i); leaf != nil {
			return leaf
		}
	}
	return nil
}

// overrunning returns the first rule of a constraint that exceeded the limit
// somewhere.
func overrunning(j *evaluator, c *Constraint) *Constraint {
	if s := j.rules[c.Rule]; c.Kind == KindCEL && s != nil && len(s.overruns) > 0 {
		return c
	}
	for _, child := range c.Children {
		if leaf := overrunning(j, child); leaf != nil {
			return leaf
		}
	}
	return nil
}
