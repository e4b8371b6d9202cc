package celenv

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
)

// The limits of expressions.
const (
	// MaxExpression is the length of the longest expression, in bytes.
	MaxExpression = 64 << 10
	// MaxNesting is the deepest nesting of brackets, calls and operators that
	// the parser follows.
	MaxNesting = 250
	// CostLimit is what one evaluation may cost, in CEL's units: about one for
	// each step, and one for each ten characters that are looked at.
	CostLimit = 1_000_000
	// interruptEvery is the number of loop steps between looks at the context.
	interruptEvery = 100
)

// Env says what expressions may use, and keeps the programs compiled from them.
// It is safe for concurrent use.
type Env struct {
	options []Option
	build   func() (built, error)

	mu       sync.Mutex
	programs map[programKey]*compiled
}

// Option adds to what expressions may use. Options are applied when the first
// expression is compiled.
type Option func(*Settings)

// Settings are what options add to.
type Settings struct {
	options   []cel.EnvOption
	variables []string
	costs     interpreter.ActualCostEstimator
	callCost  CallEstimate
}

// New returns an environment. Nothing is built until the first Compile.
func New(options ...Option) *Env {
	e := &Env{options: options, programs: map[programKey]*compiled{}}
	e.build = sync.OnceValues(e.make)
	return e
}

// Variable declares a variable by its name and type.
func Variable(name string, t *cel.Type) Option {
	return func(s *Settings) {
		s.options = append(s.options, cel.Variable(name, t))
		s.variables = append(s.variables, name)
	}
}

// Strings adds the functions of cel-go's strings extension: split, replace,
// lowerAscii, format and the like.
func Strings() Option {
	return func(s *Settings) { s.options = append(s.options, ext.Strings()) }
}

// Library adds functions. They must be pure: no host, no clock, no randomness.
func Library(options ...cel.EnvOption) Option {
	return func(s *Settings) { s.options = append(s.options, options...) }
}

// Costs says what calls cost that CEL itself counts as one, however long their
// arguments are, and what they cost at the most; nil when that is not known. The
// last ones count.
func Costs(actual interpreter.ActualCostEstimator, most CallEstimate) Option {
	return func(s *Settings) { s.costs, s.callCost = actual, most }
}

type built struct {
	env *cel.Env
	// limited programs count what they cost, and unlimited ones do not.
	limited, unlimited []cel.ProgramOption

	variables []string
	callCost  CallEstimate
}

func (e *Env) make() (built, error) {
	s := &Settings{options: []cel.EnvOption{
		cel.ParserRecursionLimit(MaxNesting),
		cel.ParserExpressionSizeLimit(MaxExpression),
		cel.EnableMacroCallTracking(), // Terms prints expressions again
	}}
	for _, option := range e.options {
		option(s)
	}
	env, err := cel.NewEnv(s.options...)
	if err != nil {
		return built{}, fmt.Errorf("make the CEL environment: %w", err)
	}
	b := built{env: env, variables: s.variables, callCost: s.callCost}
	b.unlimited = []cel.ProgramOption{cel.InterruptCheckFrequency(interruptEvery), cel.CustomDecoratorV2(orderLiterals)}
	// Never with OptTrackState, which silently disables the cost limit.
	b.limited = append(slices.Clone(b.unlimited), cel.CostLimit(CostLimit), cel.CostTracking(counter{s.costs}))
	if s.costs != nil && s.callCost == nil { // no estimate is certain
		b.callCost = func(string, []uint64) (uint64, bool) { return math.MaxUint64, true }
	}
	return b, nil
}
