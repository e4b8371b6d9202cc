package celenv

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	celast "github.com/google/cel-go/common/ast"
)

// Program is a compiled expression. It is safe for concurrent use.
type Program struct {
	env        *Env
	want       Want
	tree       *cel.Ast
	executable cel.Program

	source    string
	splitOnce sync.Once
	split     []term
	texts     []string

	mu sync.Mutex
	// affords says for sizes of data, in bits, whether no limit is needed.
	affords map[int]bool
}

// Evaluate evaluates the program over its variables. Values may be plain Go
// values, or those that [Value] made of them.
//
// The error wraps ErrTooExpensive, or the context's, or says what went wrong in
// the evaluation: a key that is missing, a function that can not take a value.
func (p *Program) Evaluate(ctx context.Context, variables map[string]any) (ref.Val, error) {
	result, _, err := evaluate(ctx, p.executable, variables)
	return result, err
}

// evaluate also returns what the evaluation cost, up to where it failed if it did.
func evaluate(ctx context.Context, executable cel.Program, variables map[string]any) (result ref.Val, cost uint64, err error) {
	result, details, err := executable.ContextEval(ctx, variables)
	if details != nil {
		if counted := details.ActualCost(); counted != nil {
			cost = *counted
		}
	}
	if err == nil && types.IsError(result) {
		err = fmt.Errorf("%v", result)
	}
	if err != nil {
		return nil, cost, evaluationError(ctx, err)
	}
	return result, cost, nil
}

// EvaluateBool evaluates a program that was compiled as Bool.
func (p *Program) EvaluateBool(ctx context.Context, variables map[string]any) (bool, error) {
	result, err := p.Evaluate(ctx, variables)
	if err != nil {
		return false, err
	}
	b, ok := result.(types.Bool)
	if !ok {
		return false, mistyped(result, Bool)
	}
	return bool(b), nil
}

// EvaluateString evaluates a program that was compiled as String. It also returns
// what the evaluation cost, in the units of [CostLimit], so that the cost of many
// can be limited; when it failed, up to there.
func (p *Program) EvaluateString(ctx context.Context, variables map[string]any) (text string, cost uint64, err error) {
	result, cost, err := evaluate(ctx, p.executable, variables)
	if err != nil {
		return "", cost, err
	}
	s, ok := result.(types.String)
	if !ok {
		return "", cost, mistyped(result, String)
	}
	return string(s), cost, nil
}

func mistyped(result ref.Val, want Want) error {
	return fmt.Errorf("the expression yields %s, want %s", result.Type().TypeName(), want)
}

func tooExpensive() error { return fmt.Errorf("%w (%d)", ErrTooExpensive, CostLimit) }

func evaluationError(ctx context.Context, err error) error {
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return tooExpensive()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.New(oneLine(err.Error()))
}

// term is one of the expressions that a program joins by `&&` at its top.
type term struct {
	text string
	// unlimited does not count what it costs.
	limited, unlimited cel.Program
}

// Terms returns what the program joins by `&&` at its top, in order and printed
// anew: all have to hold for the program to hold. Other programs are one term,
// their text.
func (p *Program) Terms() []string {
	p.terms()
	return p.texts
}

// EvaluateTerms evaluates a program that was compiled as Bool term by term (see
// [Program.Terms]), up to the first that does not hold. It returns how many do:
// the program holds when that is all of them. That first one is false, or the
// error says what went wrong in it; all together cost at most [CostLimit].
//
// What is certain to keep within the limit, by the sizes of the data, is not
// counted.
//
// It comes to true exactly where Evaluate does, for about the same cost. What
// Evaluate finds false because a later term is, may be an error here.
func (p *Program) EvaluateTerms(ctx context.Context, d *Data) (held int, holds bool, err error) {
	terms := p.terms()
	free := p.affordable(d.largest)
	total := uint64(0)
	for i, t := range terms {
		holds, cost, err := t.evaluate(ctx, d, free)
		if total += cost; err == nil && total > CostLimit {
			err = tooExpensive()
		}
		if err != nil || !holds {
			return i, false, err
		}
	}
	return len(terms), true, nil
}

// EvaluateTerm evaluates one of the terms.
func (p *Program) EvaluateTerm(ctx context.Context, i int, d *Data) (bool, error) {
	holds, _, err := p.terms()[i].evaluate(ctx, d, p.affordable(d.largest))
	return holds, err
}

func (t term) evaluate(ctx context.Context, d *Data, free bool) (holds bool, cost uint64, err error) {
	executable := t.limited
	if free {
		executable = t.unlimited
	}
	result, cost, err := evaluate(ctx, executable, d.variables)
	if err != nil {
		return false, cost, err
	}
	b, ok := result.(types.Bool)
	if !ok {
		return false, cost, mistyped(result, Bool)
	}
	return bool(b), cost, nil
}

func (p *Program) terms() []term {
	p.splitOnce.Do(func() {
		p.split = p.splitTerms()
		for _, t := range p.split {
			p.texts = append(p.texts, t.text)
		}
	})
	return p.split
}

func (p *Program) splitTerms() []term {
	native := p.tree.NativeRep()
	whole := []term{{p.source, p.executable, p.executable}} // counted, if all else fails
	b, err := p.env.build()
	if err != nil {
		return whole
	}
	plan := func(text string, part *celast.AST) (t term, err error) {
		t.text = text
		if t.limited, err = b.env.PlanProgram(part, b.limited...); err == nil {
			t.unlimited, err = b.env.PlanProgram(part, b.unlimited...)
		}
		return t, err
	}
	expressions := conjuncts(native.Expr(), nil)
	if len(expressions) < 2 {
		if t, err := plan(p.source, native); err == nil {
			whole[0] = t
		}
		return whole
	}
	terms := make([]term, len(expressions))
	for i, e := range expressions {
		text, err := cel.ExprToString(e, native.SourceInfo())
		if err == nil {
			part := celast.NewCheckedAST(celast.NewAST(e, native.SourceInfo()), native.TypeMap(), native.ReferenceMap())
			terms[i], err = plan(text, part)
		}
		if err != nil {
			return whole
		}
	}
	return terms
}

func conjuncts(e celast.Expr, all []celast.Expr) []celast.Expr {
	if e.Kind() == celast.CallKind && e.AsCall().FunctionName() == operators.LogicalAnd {
		for _, argument := range e.AsCall().Args() {
			all = conjuncts(argument, all)
		}
		return all
	}
	return append(all, e)
}
