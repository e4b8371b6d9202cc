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
	further interpreter.ActualCostEstimator
	// patterns has the sizes of compiled patterns.
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
	switch function {
	case operators.Add:
		switch a.(type) {
		case traits.Lister:
			return 1 + min(sizeOf(a), sizeOf(b)), true
		case types.String, types.Bytes:
			return 1 + (sizeOf(a)+sizeOf(b))/10, true
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return 1 + min(sizeOf(a), sizeOf(b))/10, true
	case operators.Equals, operators.NotEquals:
		if isNested(a) && isNested(b) {
			return 1 + equalityCost(a, b, 2*CostLimit), true
		}
	case operators.In:
		list, isList := b.(traits.Lister)
		if !isList {
			break // a map looks it up
		}
		cost = 1 + sizeOf(b)
		for it := list.Iterator(); isNested(a) && it.HasNext() == types.True && cost <= CostLimit; {
			cost += equalityCost(a, it.Next(), CostLimit)
		}
		return cost, true
	case "format": // of the strings extension
		return 1 + (sizeOf(a)+sizeOf(result))/10, true
	}
	return 0, false
}

// sizeOf returns the length of a list, map or text, and 1 for other values.
func sizeOf(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		return uint64(sizer.Size().(types.Int))
	}
	return 1
}

// isNested reports whether a value has elements, so that comparing it costs more than one step.
func isNested(v ref.Val) bool {
	switch v.(type) {
	case traits.Lister, traits.Mapper:
		return true
	}
	return false
}

// equalityCost counts the values that are compared, up to most. A long text counts as
// several.
func equalityCost(a, b ref.Val, most uint64) uint64 {
	sum := uint64(1)
	if isNested(a) && sizeOf(a) != sizeOf(b) {
		return sum
	}
	switch x := a.(type) {
	case traits.Mapper:
		y, ok := b.(traits.Mapper)
		for it := x.Iterator(); ok && it.HasNext() == types.True && sum < most; {
			key := it.Next()
			if value, found := y.Find(key); found {
				sum += equalityCost(x.Get(key), value, most-sum)
			}
		}
	case traits.Lister:
		if y, ok := b.(traits.Lister); ok {
			for it, other := x.Iterator(), y.Iterator(); it.HasNext() == types.True && sum < most; {
				sum += equalityCost(it.Next(), other.Next(), most-sum)
			}
		}
	default:
		sum += min(sizeOf(a), sizeOf(b)) / 10
	}
	return sum
}
