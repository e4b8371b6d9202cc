package celenv

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/env"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/interpreter"
)

// The limits of expressions.
const (
	// MaxExpression is the length of the longest expression, in bytes.
	MaxExpression = 64 << 10
	// MaxNesting is the deepest nesting of brackets, calls and operators that
	// the parser accepts.
	MaxNesting = 250
	// CostLimit is the highest cost of one evaluation, in CEL's units: about one
	// for each step, and one for each ten characters that are read.
	CostLimit = 1_000_000
	// interruptEvery is the number of loop steps between checks of the context.
	interruptEvery = 100
)

// StepsOfUnit are the steps of a [meter.Meter] that a unit of cost takes. Callers charge them for
// the costs that evaluations return.
const StepsOfUnit = 10

// Env declares what expressions can use, and keeps the programs compiled from them.
// It is safe for concurrent use.
type Env struct {
	// options declare what expressions can use, and build makes the environment at its first use.
	options []Option
	build   func() built

	// mu guards programs.
	mu       sync.Mutex
	programs map[programKey]*compiled
}

// Option adds to what expressions can use. Options are applied when the first
// expression is compiled.
type Option func(*Settings)

// Settings collect the options.
type Settings struct {
	// options are the options of CEL, costs counts calls of our functions, and patterns are the
	// compiled patterns.
	options  []cel.EnvOption
	costs    interpreter.ActualCostEstimator
	patterns *patterns
}

// New returns an environment. Nothing is built until the first Compile.
func New(options ...Option) *Env {
	e := &Env{options: options, programs: map[programKey]*compiled{}}
	e.build = sync.OnceValue(e.make)
	return e
}

// Variable declares a variable by its name and type.
func Variable(name string, t *cel.Type) Option {
	return func(s *Settings) { s.options = append(s.options, cel.Variable(name, t)) }
}

// Library adds functions. They must be pure: no host, no clock, no randomness. This package
// does not import cel-go's extensions itself: they cost time at the start of each program.
func Library(options ...cel.EnvOption) Option {
	return func(s *Settings) { s.options = append(s.options, options...) }
}

// Costs sets the costs of functions that CEL itself counts as 1, whatever the
// length of their arguments. The last Costs option wins.
func Costs(actual interpreter.ActualCostEstimator) Option {
	return func(s *Settings) { s.costs = actual }
}

// built is the environment of CEL with the options of its programs.
type built struct {
	env     *cel.Env
	options []cel.ProgramOption
}

// make makes the environment of CEL: the standard library without matches, and our own.
func (e *Env) make() built {
	s := &Settings{patterns: &patterns{}}
	s.options = []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(env.NewLibrarySubset().AddExcludedFunctions(env.NewFunction(overloads.Matches)))),
		s.patterns.matches(),
		cel.ParserRecursionLimit(MaxNesting),
		cel.ParserExpressionSizeLimit(MaxExpression),
		cel.EnableMacroCallTracking(), // Terms prints expressions
	}
	for _, option := range e.options {
		option(s)
	}
	made, err := cel.NewCustomEnv(s.options...)
	if err != nil {
		panic(fmt.Errorf("make the CEL environment: %w", err)) // the options are fixed by the program
	}
	return built{made, []cel.ProgramOption{
		cel.InterruptCheckFrequency(interruptEvery), cel.CustomDecoratorV2(orderLiterals),
		// Never with OptTrackState, which silently disables the cost limit.
		cel.CostLimit(CostLimit), cel.CostTracking(counter{s.costs, s.patterns}),
	}}
}
