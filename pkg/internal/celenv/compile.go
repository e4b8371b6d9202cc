package celenv

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// Want is the type that an expression must have.
type Want int

const (
	// Any accepts every type.
	Any Want = iota
	// Bool accepts expressions whose type is bool before they are evaluated, as
	// OLM does: a value of unknown type is rejected.
	Bool
	// String accepts strings, and values of unknown type, which are checked when
	// they are evaluated.
	String
)

// String returns the name of the type in CEL.
func (w Want) String() string {
	switch w {
	case Bool:
		return "bool"
	case String:
		return "string"
	default:
		return "any"
	}
}

// programKey identifies a compiled expression: its text and the type that it must yield.
type programKey struct {
	expression string
	want       Want
}

// compiled is the program of an expression, or the error of compiling it.
type compiled struct {
	program *Program
	err     error
}

// Compile returns the program of an expression. Each distinct text and wanted
// type is compiled once, also if it fails.
//
// A *CompileError lists all faults of the expression, with CEL's own positions.
func (e *Env) Compile(expression string, want Want) (*Program, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := programKey{expression, want}
	if c, ok := e.programs[key]; ok {
		return c.program, c.err
	}
	program, err := e.compile(expression, want)
	e.programs[key] = &compiled{program, err}
	return program, err
}

// compile compiles an expression within the limits of length and nesting, and checks its type.
func (e *Env) compile(expression string, want Want) (*Program, error) {
	if len(expression) > MaxExpression {
		return nil, fault(fmt.Sprintf("the expression has %d bytes; at most %d are accepted", len(expression), MaxExpression))
	}
	b := e.build()
	tree, issues := b.env.Compile(expression)
	if issues.Err() != nil {
		return nil, compileError(issues)
	}
	got := tree.OutputType()
	accepted := want == Any ||
		want == Bool && got.IsExactType(cel.BoolType) ||
		want == String && (got.IsExactType(cel.StringType) || got.Kind() == types.DynKind || got.Kind() == types.AnyKind)
	if !accepted {
		mistyped := &TypeError{got.String(), want.String()}
		return nil, &CompileError{Issues: []Issue{{Message: mistyped.Error(), Type: mistyped}}}
	}
	executable, err := b.env.Program(tree, b.options...)
	if err != nil {
		return nil, fault(err.Error())
	}
	return &Program{env: e, want: want, source: expression, tree: tree, executable: executable}, nil
}
