package macro

import (
	"reflect"
	"slices"

	"github.com/krm-packs/functions/pkg/internal/template"
)

// withDefault is sprig's `default`: the first argument when the second is empty. Then
// it covers the undefined names of the second.
func withDefault(e *evaluation, f *template.Function, args []result) (result, *finding) {
	switch {
	case len(args) == 0:
		return result{}, refused(f, refuseGot("no arguments", "a default and a value", "takes a default and a value, got no arguments"))
	case len(args) == 1:
		return args[0], nil
	case isEmpty(args[1].value):
		out := args[0]
		if cover(out, args[1]); isEmpty(out.value) && len(out.undefined) > 0 {
			// The default is undefined too: supplying one of them is enough.
			out.undefined = slices.Concat(out.undefined, args[1].undefined)
		}
		return out, nil
	}
	return args[1], nil
}

// coalesce is sprig's: the first argument that is not empty covers those before it. When
// all are empty the result is the empty string. It is covered when one of them is empty
// but not undefined, such as "".
func coalesce(e *evaluation, f *template.Function, args []result) (result, *finding) {
	none := result{value: ""}
	for i, arg := range args {
		if !isEmpty(arg.value) {
			for _, passed := range args[:i] {
				cover(arg, passed)
			}
			return arg, nil
		}
		none.undefined = append(none.undefined, arg.undefined...)
	}
	for _, arg := range args {
		if len(arg.undefined) == 0 {
			cover(arg, none)
			return arg, nil
		}
	}
	return none, nil
}

// cover notes that a value replaces the undefined names of an empty one, unless it is
// undefined itself.
func cover(by, empty result) {
	if isEmpty(by.value) && len(by.undefined) > 0 {
		return
	}
	for _, u := range empty.undefined {
		u.covered = true
	}
}

// andOr is Go's `and` and `or`: the first argument that decides, else the last one.
// Arguments after it are not evaluated. They do not cover: undefined names of all
// evaluated arguments count in the result.
func andOr(decides bool) func(*evaluation, *template.Function, []template.Operand, *result) (result, *finding) {
	return func(e *evaluation, f *template.Function, operands []template.Operand, final *result) (result, *finding) {
		var seen []*undefinedName
		var last result
		if len(operands) == 0 && final == nil {
			return result{}, refused(f, refuseGot("no arguments", "at least 1", "takes at least 1 argument, got 0"))
		}
		for _, operand := range operands {
			v, err := e.operand(operand)
			if err != nil {
				return result{}, err
			}
			seen = append(seen, v.undefined...)
			last = v
			if truth(v.value) == decides {
				last.undefined = seen
				return last, nil
			}
		}
		if final != nil {
			seen = append(seen, final.undefined...)
			last = *final
		}
		last.undefined = seen
		return last, nil
	}
}

// isEmpty is sprig's `empty`: nil, false, 0, and text, lists and maps without
// content.
func isEmpty(v any) bool { return !truth(v) }

// truth reports whether Go templates treat a value as true.
func truth(v any) bool {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Array, reflect.Slice, reflect.Map, reflect.String:
		return value.Len() > 0
	case reflect.Bool:
		return value.Bool()
	}
	return !value.IsZero()
}
