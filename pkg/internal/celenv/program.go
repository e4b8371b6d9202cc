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
	// env is the environment, want the type that the expression must yield, tree the parsed
	// expression, and executable what runs.
	env        *Env
	want       Want
	tree       *cel.Ast
	executable cel.Program

	// source is the text, and split are its terms, with their texts, made at the first use.
	source    string
	splitOnce sync.Once
	split     []term
	texts     []string
}

// Evaluate evaluates the program over its variables: plain Go values, or the
// results of [Value].
//
// The error wraps ErrTooExpensive, or the context's, or describes what went wrong
// in the evaluation: a missing key, a value that a function cannot take.
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

// EvaluateString evaluates a program that was compiled as String. It also returns
// what the evaluation cost up to its end or failure, in the units of [CostLimit],
// for the limit on the cost of many.
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
	return &TypeError{result.Type().TypeName(), want.String()}
}

func tooExpensive() error { return fmt.Errorf("%w (%d)", ErrTooExpensive, CostLimit) }

// evaluationError returns an error of an evaluation in our words: the limit of cost, the end of the
// context, or CEL's own message on one line.
func evaluationError(ctx context.Context, err error) error {
	var cancelled interpreter.EvalCancelledError
	if errors.Is(err, ErrTooExpensive) || errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return tooExpensive()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.New(oneLine(err.Error()))
}

// term is one of the expressions that a program joins by `&&` at its top.
type term struct {
	// text is the expression as CEL prints it, and executable what runs.
	text       string
	executable cel.Program
}

// Terms returns what the program joins by `&&` at its top, in order and printed
// in CEL's own format: the program holds if all of them do. Other programs are
// one term, their text.
func (p *Program) Terms() []string {
	p.terms()
	return p.texts
}

// EvaluateTerms evaluates a program that was compiled as Bool term by term (see [Program.Terms]),
// up to the first term that does not hold. It returns the number of terms that hold. If that is the
// number of all terms, the program holds. Otherwise the next term is false, or its evaluation
// returned err. It also returns the cost of the evaluation; all terms together cost at most
// [CostLimit].
//
// The program holds here exactly where it holds as a whole, for about the same
// cost. Where it is false as a whole because a later term is false, there may be
// an error here.
func (p *Program) EvaluateTerms(ctx context.Context, variables map[string]any) (held int, cost uint64, err error) {
	terms := p.terms()
	for i, t := range terms {
		holds, more, err := t.evaluate(ctx, variables)
		if cost += more; err == nil && cost > CostLimit {
			err = tooExpensive()
		}
		if err != nil || !holds {
			return i, cost, err
		}
	}
	return len(terms), cost, nil
}

// EvaluateTerm evaluates one of the terms, and returns what the evaluation cost.
func (p *Program) EvaluateTerm(ctx context.Context, i int, variables map[string]any) (holds bool, cost uint64, err error) {
	return p.terms()[i].evaluate(ctx, variables)
}

// evaluate evaluates the term, which must yield a boolean.
func (t term) evaluate(ctx context.Context, variables map[string]any) (holds bool, cost uint64, err error) {
	result, cost, err := evaluate(ctx, t.executable, variables)
	if err != nil {
		return false, cost, err
	}
	b, ok := result.(types.Bool)
	if !ok {
		return false, cost, mistyped(result, Bool)
	}
	return bool(b), cost, nil
}

// terms returns the terms of the program.
func (p *Program) terms() []term {
	p.splitOnce.Do(func() {
		p.split = p.splitTerms()
		for _, t := range p.split {
			p.texts = append(p.texts, t.text)
		}
	})
	return p.split
}

// splitTerms compiles each term. A program with a single term is its own.
func (p *Program) splitTerms() []term {
	native := p.tree.NativeRep()
	whole := []term{{p.source, p.executable}}
	expressions := conjuncts(native.Expr(), nil)
	if len(expressions) < 2 {
		return whole
	}
	b := p.env.build()
	terms := make([]term, len(expressions))
	for i, e := range expressions {
		var err error
		if terms[i].text, err = cel.ExprToString(e, native.SourceInfo()); err != nil {
			return whole
		}
		part := celast.NewCheckedAST(celast.NewAST(e, native.SourceInfo()), native.TypeMap(), native.ReferenceMap())
		if terms[i].executable, err = b.env.PlanProgram(part, b.options...); err != nil {
			return whole
		}
	}
	return terms
}

// conjuncts appends the operands of `&&` at the top of an expression.
func conjuncts(e celast.Expr, all []celast.Expr) []celast.Expr {
	if e.Kind() == celast.CallKind && e.AsCall().FunctionName() == operators.LogicalAnd {
		for _, argument := range e.AsCall().Args() {
			all = conjuncts(argument, all)
		}
		return all
	}
	return append(all, e)
}
