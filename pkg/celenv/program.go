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

	splitOnce sync.Once
	split     []Term
}

// Evaluate evaluates the program over its variables. Values may be plain Go
// values, or those that [Value] made of them.
//
// The error wraps ErrTooExpensive, or the context's, or says what went wrong in
// the evaluation: a key that is missing, a function that can not take a value.
func (p *Program) Evaluate(ctx context.Context, variables map[string]any) (ref.Val, error) {
	result, _, err := p.executable.ContextEval(ctx, variables)
	if err == nil && types.IsError(result) {
		err = fmt.Errorf("%v", result)
	}
	if err != nil {
		return nil, evaluationError(ctx, err)
	}
	return result, nil
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

// EvaluateString evaluates a program that was compiled as String.
func (p *Program) EvaluateString(ctx context.Context, variables map[string]any) (string, error) {
	result, err := p.Evaluate(ctx, variables)
	if err != nil {
		return "", err
	}
	s, ok := result.(types.String)
	if !ok {
		return "", mistyped(result, String)
	}
	return string(s), nil
}

func mistyped(result ref.Val, want Want) error {
	return fmt.Errorf("the expression yields %s, want %s", result.Type().TypeName(), want)
}

func evaluationError(ctx context.Context, err error) error {
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return fmt.Errorf("%w (%d)", ErrTooExpensive, CostLimit)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.New(oneLine(err.Error()))
}

// Term is one of the expressions that a program joins by `&&`.
type Term struct {
	// Text is the expression, printed anew: its meaning, not its spelling.
	Text    string
	Program *Program
}

// Terms returns what the program joins by `&&` at its top, in order: all have to
// hold for the program to hold. It returns nil when there is only one.
func (p *Program) Terms() []Term {
	p.splitOnce.Do(func() { p.split = p.terms() })
	return p.split
}

func (p *Program) terms() []Term {
	native := p.tree.NativeRep()
	expressions := conjuncts(native.Expr(), nil)
	if len(expressions) < 2 {
		return nil
	}
	terms := make([]Term, 0, len(expressions))
	for _, e := range expressions {
		text, err := cel.ExprToString(e, native.SourceInfo())
		if err != nil {
			return nil
		}
		program, err := p.env.Compile(text, Any)
		if err != nil {
			return nil
		}
		terms = append(terms, Term{text, program})
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
