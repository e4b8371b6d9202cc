package macro

import (
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
)

// errArguments is what the functions of this package return; the caller words
// the message.
var errArguments = errors.New("arguments that the function does not take")

// comparison orders two values: numbers with numbers, texts with texts. ok is
// false when they have no order.
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

func ordered[T string | int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a == b:
		return 0
	}
	return 1
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case !v.IsValid():
		return 0, false
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

func length(v any) (int, error) {
	switch value := reflect.ValueOf(v); value.Kind() {
	case reflect.String, reflect.Slice, reflect.Array, reflect.Map:
		return value.Len(), nil
	}
	return 0, errArguments
}

// index is Go's: each further argument is an index or a key into what the ones
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

// slice is Go's for texts and lists: `slice X 1 3` is X[1:3]. Of an empty list
// it is nothing, as sprig has it.
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

func printValues(args ...any) string { return fmt.Sprint(args...) }

func printLine(args ...any) string { return fmt.Sprintln(args...) }

func printFormat(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// keys is sprig's, sorted.
func keys(maps ...map[string]any) []string {
	all := []string{}
	for _, m := range maps {
		all = append(all, sortedKeys(m)...)
	}
	return all
}

// valuesOf is sprig's `values`, in the order of the keys.
func valuesOf(m map[string]any) []any {
	all := make([]any, 0, len(m))
	for _, key := range sortedKeys(m) {
		all = append(all, m[key])
	}
	return all
}

// decodeBase64 is sprig's b64dec, but for text that is not base64: sprig's
// returns the words of the error as if they were the value.
func decodeBase64(text string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	return string(data), err
}

// decodeBase32 is sprig's b32dec, as decodeBase64 is b64dec.
func decodeBase32(text string) (string, error) {
	data, err := base32.StdEncoding.DecodeString(text)
	return string(data), err
}
