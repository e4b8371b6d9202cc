package macro

import (
	"reflect"
	"slices"

	"github.com/krm-packs/functions/pkg/template"
)

// withDefault is sprig's `default`: the first argument where the second is
// empty. What was undefined in the second is covered then (rule M7).
func withDefault(e *evaluation, f *template.Function, args []result) (result, *evaluationError) {
	switch {
	case len(args) == 0:
		return result{}, failure(f, "takes a default and a value, got no argument")
	case len(args) == 1:
		return args[0], nil
	case isEmpty(args[1].value):
		out := args[0]
		if e.cover(out, args[1]); isEmpty(out.value) && len(out.undefined) > 0 {
			// The default is undefined too: to supply either would do.
			out.undefined = slices.Concat(out.undefined, args[1].undefined)
		}
		return out, nil
	}
	return args[1], nil
}

// coalesce is sprig's: the first argument that is not empty covers those before
// it. Where all are empty the result is the empty string, which one of them that
// is empty but not undefined, as "" is, covers.
func coalesce(e *evaluation, f *template.Function, args []result) (result, *evaluationError) {
	none := result{value: ""}
	for i, arg := range args {
		if !isEmpty(arg.value) {
			for _, passed := range args[:i] {
				e.cover(arg, passed)
			}
			return arg, nil
		}
		none.undefined = append(none.undefined, arg.undefined...)
	}
	for _, arg := range args {
		if len(arg.undefined) == 0 {
			e.cover(arg, none)
			return arg, nil
		}
	}
	return none, nil
}

// cover notes that another value stepped in for the undefined names of an empty
// one, unless it is undefined itself.
func (e *evaluation) cover(by, empty result) {
	if isEmpty(by.value) && len(by.undefined) > 0 {
		return
	}
	for _, u := range empty.undefined {
		e.uses[u.use].Defaulted = true
	}
}

// andOr is Go's `and` and `or`: the first argument that decides, else the last,
// and no argument behind it is evaluated. They do not cover: that a name is
// undefined shows in what they return only if they return it or were decided
// by it.
func andOr(decides bool) func(*evaluation, *template.Function, []template.Operand, *result) (result, *evaluationError) {
	return func(e *evaluation, f *template.Function, operands []template.Operand, final *result) (result, *evaluationError) {
		var seen []undefined
		var last result
		if len(operands) == 0 && final == nil {
			return result{}, failure(f, "takes at least one argument, got none")
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

// isEmpty is sprig's `empty`: nothing, false, 0, and texts, lists and maps
// without content.
func isEmpty(v any) bool { return !truth(v) }

// truth is what Go templates take for true.
func truth(v any) bool {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Array, reflect.Slice, reflect.Map, reflect.String:
		return value.Len() > 0
	case reflect.Bool:
		return value.Bool()
	case reflect.Struct:
		return true
	}
	return !value.IsZero()
}
