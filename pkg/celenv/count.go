package celenv

import (
	"regexp/syntax"
	"strings"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// counter counts what calls cost where CEL counts one, or much too little: a call
// whose types are only known when it is made, such as `p.value + p.value`, lists that
// are put together, which are followed each time, equality of what is nested, what
// format makes, and patterns with repetitions. Without it an expression of a few lines
// can take hours, or all memory, for a cost of some hundreds.
type counter struct {
	// further counts the other functions; nil when there is nothing to add.
	further interpreter.ActualCostEstimator
}

// CallCost implements interpreter.ActualCostEstimator.
func (c counter) CallCost(function, overload string, arguments []ref.Val, result ref.Val) *uint64 {
	if c.further != nil {
		if cost := c.further.CallCost(function, overload, arguments, result); cost != nil {
			return cost
		}
	}
	if len(arguments) == 2 {
		if cost, ok := callCost(function, arguments[0], arguments[1], result); ok {
			return &cost
		}
	}
	return nil
}

// callCost is not ok for what CEL counts well itself.
func callCost(function string, a, b, result ref.Val) (cost uint64, ok bool) {
	cost = 1
	switch function {
	case operators.Add:
		switch a.(type) {
		case traits.Lister:
			cost += min(sizeOf(a), sizeOf(b))
		case types.String, types.Bytes:
			cost += (sizeOf(a) + sizeOf(b)) / 10
		default:
			return 0, false
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		cost += min(sizeOf(a), sizeOf(b)) / 10
	case operators.Equals, operators.NotEquals:
		if !isNested(a) || !isNested(b) {
			return 0, false
		}
		cost += equalityCost(a, b)
	case operators.In:
		list, ok := b.(traits.Lister)
		if !ok {
			return cost, true // maps look it up
		}
		cost += sizeOf(b)
		if isNested(a) {
			for it := list.Iterator(); it.HasNext() == types.True && cost <= CostLimit; {
				cost += equalityCost(a, it.Next())
			}
		}
	case "format": // of the strings extension
		cost += (sizeOf(a) + sizeOf(result)) / 10
	case overloads.Matches:
		pattern, ok := b.(types.String)
		if !ok || !strings.Contains(string(pattern), "{") {
			return 0, false
		}
		cost += (sizeOf(a)/10 + 1) * (patternSize(string(pattern))/4 + 1)
	default:
		return 0, false
	}
	return cost, true
}

// sizeOf is the length of a list, map or text, and 1 for all else.
func sizeOf(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		if size, ok := sizer.Size().(types.Int); ok && size >= 0 {
			return uint64(size)
		}
	}
	return 1
}

func isNested(v ref.Val) bool {
	switch v.(type) {
	case traits.Lister, traits.Mapper:
		return true
	}
	return false
}

// equalityCost is a tenth of the shorter text, and of what is nested all that is in
// the smaller one.
func equalityCost(a, b ref.Val) uint64 {
	if !isNested(a) || !isNested(b) {
		return min(sizeOf(a), sizeOf(b)) / 10
	}
	if sizeOf(a) != sizeOf(b) {
		return 1
	}
	const most = 2 * CostLimit
	return contents(b, contents(a, most))
}

// contents counts the values in a value, long texts as several, up to most.
func contents(v ref.Val, most uint64) uint64 {
	sum := uint64(1)
	switch v := v.(type) {
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True && sum < most; {
			if value, found := v.Find(it.Next()); found {
				sum += contents(value, most-sum)
			}
		}
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True && sum < most; {
			sum += contents(it.Next(), most-sum)
		}
	default:
		sum += sizeOf(v) / 10
	}
	return min(sum, most)
}

// patternSize is the number of steps in the program of a pattern, in which
// repetitions are written out; 0 when it is none.
func patternSize(pattern string) uint64 {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return uint64(len(program.Inst))
}
