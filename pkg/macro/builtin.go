package macro

import (
	"encoding/base32"
	"encoding/base64"
	"errors"
	"maps"
	"reflect"
	"slices"
)

// errArguments is the error of all functions of this package. The caller makes the
// message.
var errArguments = errors.New("unusable arguments")

// comparison orders two numbers or two texts. ok is false for values without an order.
func comparison(a, b any) (order int, ok bool) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case x.Kind() == reflect.String && y.Kind() == reflect.String:
		return ordered(x.String(), y.String()), true
	case x.IsValid() && y.IsValid() && x.CanInt() && y.CanInt():
		return ordered(x.Int(), y.Int()), true
	}
	f, isNumber := number(x)
	g, alsoNumber := number(y)
	return ordered(f, g), isNumber && alsoNumber
}

// ordered returns -1, 0 or 1.
func ordered[T string | int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// number returns the value of an integer or a float.
func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// equal is Go's eq: whether the first argument equals one of the others.
func equal(a any, others ...any) (bool, error) {
	if len(others) == 0 {
		return false, errArguments
	}
	for _, b := range others {
		same, err := same(a, b)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// same reports whether two values are equal, as eq of Go templates compares them. Values of different
// kinds are an error.
func same(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b == nil, nil
	}
	if x, ok := a.(bool); ok {
		y, ok := b.(bool)
		if !ok {
			return false, errArguments
		}
		return x == y, nil
	}
	if order, ok := comparison(a, b); ok {
		return order == 0, nil
	}
	if x, ok := a.(Version); ok {
		if y, ok := b.(Version); ok {
			return x.String() == y.String(), nil
		}
	}
	return false, errArguments
}

func notEqual(a, b any) (bool, error) {
	equal, err := same(a, b)
	return !equal, err
}

// order compares two values, and returns what holds makes of the result.
func order(a, b any, holds func(int) bool) (bool, error) {
	order, ok := comparison(a, b)
	if !ok {
		return false, errArguments
	}
	return holds(order), nil
}

func less(a, b any) (bool, error) { return order(a, b, func(o int) bool { return o < 0 }) }

func lessOrEqual(a, b any) (bool, error) { return order(a, b, func(o int) bool { return o <= 0 }) }

func greater(a, b any) (bool, error) { return order(a, b, func(o int) bool { return o > 0 }) }

func greaterOrEqual(a, b any) (bool, error) { return order(a, b, func(o int) bool { return o >= 0 }) }

// length is len of Go templates, in bytes for a string.
func length(v any) (int, error) {
	switch value := reflect.ValueOf(v); value.Kind() {
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map:
		return value.Len(), nil
	}
	return 0, errArguments
}

// index is Go's: each further argument is an index or a key into the value that those
// before it lead to.
func index(v any, indexes ...any) (any, error) {
	for _, at := range indexes {
		value := reflect.ValueOf(v)
		switch value.Kind() {
		case reflect.String, reflect.Slice, reflect.Array:
			i, err := position(at, value.Len()-1)
			if err != nil {
				return nil, err
			}
			v = value.Index(i).Interface()
			if b, ok := v.(byte); ok {
				v = int(b)
			}
		case reflect.Map:
			key, ok := converted(at, value.Type().Key())
			if !ok {
				return nil, errArguments
			}
			if found := value.MapIndex(key); found.IsValid() {
				v = found.Interface()
			} else {
				v = reflect.Zero(value.Type().Elem()).Interface()
			}
		default:
			return nil, errArguments
		}
	}
	return v, nil
}

// slice is the function slice of Go templates for strings and lists: `slice X 1 3` is X[1:3]. As in
// sprig, a slice of an empty list is nil.
func slice(v any, indexes ...any) (any, error) {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.String:
	case reflect.Slice, reflect.Array:
		if value.Len() == 0 {
			return nil, nil
		}
	default:
		return nil, errArguments
	}
	bounds := []int{0, value.Len()}
	if len(indexes) > len(bounds) {
		return nil, errArguments
	}
	for i, at := range indexes {
		var err error
		if bounds[i], err = position(at, value.Len()); err != nil {
			return nil, err
		}
	}
	if bounds[0] > bounds[1] {
		return nil, errArguments
	}
	return value.Slice(bounds[0], bounds[1]).Interface(), nil
}

// position reads an index from 0 to most.
func position(v any, most int) (int, error) {
	i, ok := converted(v, reflect.TypeFor[int]())
	if !ok || i.Int() < 0 || i.Int() > int64(most) {
		return 0, errArguments
	}
	return int(i.Int()), nil
}

// keys is sprig's, sorted.
func keys(mappings ...map[string]any) []string {
	all := []string{}
	for _, m := range mappings {
		all = append(all, slices.Sorted(maps.Keys(m))...)
	}
	return all
}

// valuesOf is sprig's `values`, in the order of the keys.
func valuesOf(m map[string]any) []any {
	all := make([]any, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		all = append(all, m[key])
	}
	return all
}

// decodeBase64 is sprig's b64dec, except that it fails for text that is not base64:
// sprig returns the text of the error as the value.
func decodeBase64(text string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	return string(data), err
}

// decodeBase32 is sprig's b32dec, as decodeBase64 is b64dec.
func decodeBase32(text string) (string, error) {
	data, err := base32.StdEncoding.DecodeString(text)
	return string(data), err
}
