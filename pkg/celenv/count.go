package celenv

import (
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// counter counts the calls for which CEL counts 1 or far too little: calls of
// values of unknown type, such as `p.value + p.value`, concatenated lists, which
// are followed each time, equality of nested values, results of format, and
// patterns. Without it an expression of a few lines can take hours, or all memory,
// for a cost of some hundreds.
type counter struct {
	// further counts the other functions. It may be nil.
	further  interpreter.ActualCostEstimator
	patterns *patterns
}

// CallCost implements interpreter.ActualCostEstimator.
func (c counter) CallCost(function, overload string, arguments []ref.Val, result ref.Val) *uint64 {
	if cost, ok := c.patterns.searchCost(function, arguments); ok {
		return &cost
	}
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

// callCost is not ok for calls that CEL counts well itself.
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
	default:
		return 0, false
	}
	return cost, true
}

// sizeOf returns the length of a list, map or text, and 1 for other values.
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

// equalityCost is a tenth of the length of the shorter text, and for nested values
// the number of values in the smaller one.
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

// contents counts the values in a value, up to most. A long text counts as
// several.
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
