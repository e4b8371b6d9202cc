package celenv

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

const (
	// maxProgram is the number of steps of the largest program of a pattern.
	maxProgram = 100_000
	// maxKept is the number of steps of all programs that an environment keeps.
	maxKept = 500_000
)

// maxQuoted is the length of the longest part of a pattern that an error quotes.
const maxQuoted = 100

// patterns are the compiled patterns of an environment. It is safe for concurrent
// use.
type patterns struct {
	// mu guards the other fields.
	mu sync.Mutex
	// byText are the patterns by their texts, and kept is the size of all of them.
	byText map[string]*pattern
	kept   uint64
}

// pattern is a regular expression, which is compiled when it is first needed.
type pattern struct {
	// err is the reason why the text is no pattern.
	err error
	// size is the number of steps of the compiled program, with repetitions
	// written out.
	size     uint64
	compiled func() (*regexp.Regexp, error)
}

// get returns the pattern of a text. All patterns are dropped when they are too large together.
func (p *patterns) get(text string) *pattern {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.byText[text]
	if known == nil {
		known = newPattern(text)
		if p.kept += known.size + uint64(len(text)); p.byText == nil || p.kept > maxKept {
			p.byText, p.kept = map[string]*pattern{}, known.size
		}
		p.byText[text] = known
	}
	return known
}

// newPattern parses a pattern, and computes its size without compiling it.
func newPattern(text string) *pattern {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if fault := (*syntax.Error)(nil); errors.As(err, &fault) && len(fault.Expr) > maxQuoted {
		err = errors.New("error parsing regexp: " + fault.Code.String())
	}
	if err != nil {
		return &pattern{err: err}
	}
	return &pattern{size: programSize(parsed), compiled: sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(text) })}
}

// programSize returns the number of steps in the program of a pattern, without
// compiling it: a short pattern may have millions.
func programSize(r *syntax.Regexp) uint64 {
	size := uint64(1)
	if r.Op == syntax.OpLiteral {
		size = uint64(len(r.Rune))
	}
	for _, sub := range r.Sub {
		size += programSize(sub)
	}
	if r.Op == syntax.OpRepeat {
		size *= uint64(max(r.Min, r.Max, 1))
	}
	return size
}

// cost returns the cost of a search in a text: CEL's own formula, with the size of
// the program instead of the length of the pattern.
func (p *pattern) cost(text string) uint64 {
	if p.size > maxProgram {
		return 2 * CostLimit
	}
	return (uint64(len(text))/10 + 1) * (p.size/4 + 1)
}

// search returns the compiled pattern for a search in a text. It fails before
// anything is compiled if the search alone exceeds [CostLimit].
func (p *patterns) search(text, expression string) (*regexp.Regexp, error) {
	pattern := p.get(expression)
	if pattern.err != nil {
		return nil, pattern.err
	}
	if pattern.cost(text) > CostLimit {
		return nil, ErrTooExpensive
	}
	return pattern.compiled()
}

// searching makes the binding of a function from what it does with a text and the
// compiled pattern.
func (p *patterns) searching(function func(text string, compiled *regexp.Regexp, limit int) ref.Val) func(...ref.Val) ref.Val {
	return func(arguments ...ref.Val) ref.Val {
		text, isText := arguments[0].(types.String)
		expression, isPattern := arguments[1].(types.String)
		limit, isLimit := types.Int(-1), true
		if len(arguments) > 2 {
			limit, isLimit = arguments[2].(types.Int)
		}
		if !isText || !isPattern || !isLimit {
			return types.MaybeNoSuchOverloadErr(arguments[0])
		}
		compiled, err := p.search(string(text), string(expression))
		if err != nil {
			return types.WrapErr(err)
		}
		return function(string(text), compiled, int(limit))
	}
}

// matches declares CEL's function with a limit that holds before the call.
func (p *patterns) matches() cel.EnvOption {
	arguments := []*cel.Type{cel.StringType, cel.StringType}
	binding := p.searching(func(text string, compiled *regexp.Regexp, _ int) ref.Val {
		return types.Bool(compiled.MatchString(text))
	})
	return cel.Function(overloads.Matches,
		cel.Overload(overloads.Matches, arguments, cel.BoolType),
		cel.MemberOverload(overloads.MatchesString, arguments, cel.BoolType),
		cel.SingletonFunctionBinding(binding))
}

const (
	findFunction    = "find"
	findAllFunction = "findAll"
)

// Regex adds the functions find and findAll of Kubernetes' regex library, with a
// limit that holds before the call.
func Regex() Option {
	return func(s *Settings) {
		arguments := []*cel.Type{cel.StringType, cel.StringType}
		all := cel.FunctionBinding(s.patterns.searching(func(text string, compiled *regexp.Regexp, limit int) ref.Val {
			return types.NewStringList(types.DefaultTypeAdapter, compiled.FindAllString(text, limit))
		}))
		list := cel.ListType(cel.StringType)
		s.options = append(s.options,
			cel.Function(findFunction, cel.MemberOverload("string_find_string", arguments, cel.StringType,
				cel.FunctionBinding(s.patterns.searching(func(text string, compiled *regexp.Regexp, _ int) ref.Val {
					return types.String(compiled.FindString(text))
				})))),
			cel.Function(findAllFunction,
				cel.MemberOverload("string_find_all_string", arguments, list, all),
				cel.MemberOverload("string_find_all_string_int", append(arguments, cel.IntType), list, all)))
	}
}

// searchCost is not ok for functions that search for no pattern.
func (p *patterns) searchCost(function string, arguments []ref.Val) (cost uint64, ok bool) {
	switch function {
	case overloads.Matches, findFunction, findAllFunction:
	default:
		return 0, false
	}
	text, isText := arguments[0].(types.String)
	expression, isPattern := arguments[1].(types.String)
	if !isText || !isPattern {
		return 0, false
	}
	return p.get(string(expression)).cost(string(text)), true
}
