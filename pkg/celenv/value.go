package celenv

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Value converts a value once, all of it, for evaluations that share it: maps
// with string keys, which are met in their order, lists, strings, numbers, booleans
// and nil, as JSON has them.
func Value(v any) ref.Val {
	switch v := v.(type) {
	case map[string]any:
		return newTextMap(v, Value)
	case []any:
		elements := make([]ref.Val, len(v))
		for i, element := range v {
			elements[i] = Value(element)
		}
		return types.NewRefValList(types.DefaultTypeAdapter, elements)
	case map[string]string:
		return newTextMap(v, func(text string) ref.Val { return types.String(text) })
	default:
		return types.DefaultTypeAdapter.NativeToValue(v)
	}
}
