package celenv

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Value converts a whole value once, for evaluations that share it: maps with
// string keys, lists, strings, numbers, booleans and nil, as JSON has them. Maps
// are iterated in the order of their keys.
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
