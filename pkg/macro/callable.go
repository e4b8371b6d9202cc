package macro

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
)

// callable is a function that macros may call.
type callable struct {
	// value is the Go function.
	value reflect.Value
	// check returns why a call cannot be made, checked by its arguments. It may be nil.
	check func(*call) *diag.Finding
	// want is what the function accepts. Its own errors are not used, because they
	// may repeat a secret.
	want string

	// lazy evaluates its arguments itself. covers replaces undefined arguments. A
	// function that has one of these has none of the fields above.
	lazy   func(*evaluation, *template.Function, []template.Operand, *result) (result, *finding)
	covers func(*evaluation, *template.Function, []result) (result, *finding)
}

// call is a call that is checked before it is made.
type call struct {
	// args are the converted arguments, and results the same with the undefined names that they depend
	// on.
	args    []reflect.Value
	results []result
	// budget is the work that is left.
	budget *budget
}

// arguments converts values to the types that the function takes.
func (f *callable) arguments(args []result) (in []reflect.Value, reason *diag.Finding) {
	t := f.value.Type()
	fixed := t.NumIn()
	if t.IsVariadic() {
		fixed--
	}
	if len(args) < fixed || len(args) > fixed && !t.IsVariadic() {
		least := ""
		if t.IsVariadic() {
			least = "at least "
		}
		return nil, refuseGot(fmt.Sprintf("%d arguments", len(args)), least+strconv.Itoa(fixed), "takes %s%s, got %d", least, diag.Count(fixed, "argument"), len(args))
	}
	in = make([]reflect.Value, len(args))
	for i, arg := range args {
		var want reflect.Type
		if i < fixed {
			want = t.In(i)
		} else {
			want = t.In(fixed).Elem()
		}
		v, ok := converted(arg.value, want)
		if !ok {
			found := kindOf(arg.value)
			if _, isFloat := arg.value.(float64); isFloat && kindName(want) == integer {
				found = "a number with a fraction"
			}
			reason := refuseGot(fmt.Sprintf("%s as argument %d", found, i+1), kindName(want), "takes %s as argument %d, got %s", kindName(want), i+1, found)
			reason.Action = conversion(arg.value, want)
			return nil, reason
		}
		in[i] = v
	}
	return in, nil
}

// converted returns a value as an argument of type t. It allows more than Go templates
// do: any type of number that holds a number exactly, and nil as empty text.
func converted(v any, t reflect.Type) (reflect.Value, bool) {
	value := reflect.ValueOf(v)
	if !value.IsValid() {
		switch t.Kind() {
		case reflect.Interface, reflect.Map, reflect.Slice, reflect.String:
			return reflect.Zero(t), true
		}
		return reflect.Value{}, false
	}
	if value.Type().AssignableTo(t) {
		return value, true
	}
	out := reflect.New(t).Elem()
	switch {
	case value.CanInt() && out.CanInt() && !out.OverflowInt(value.Int()):
		out.SetInt(value.Int())
	case value.CanInt() && out.CanUint() && value.Int() >= 0 && !out.OverflowUint(uint64(value.Int())):
		out.SetUint(uint64(value.Int()))
	case value.CanInt() && out.CanFloat():
		out.SetFloat(float64(value.Int()))
	case value.CanFloat() && out.CanInt() && value.Float() == math.Trunc(value.Float()) && math.Abs(value.Float()) <= 1<<53:
		out.SetInt(int64(value.Float()))
	default:
		return reflect.Value{}, false
	}
	return out, true
}

// invoke calls the function. Errors and panics of functions repeat their arguments, so the reason
// describes the accepted arguments instead.
func (f *callable) invoke(in []reflect.Value) (value any, reason *diag.Finding) {
	defer func() {
		if recover() != nil {
			value, reason = nil, f.unusable()
		}
	}()
	out := f.value.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, f.unusable()
	}
	if !out[0].IsValid() || out[0].Kind() == reflect.Interface && out[0].IsNil() {
		return nil, nil
	}
	return out[0].Interface(), nil
}

// unusable returns the finding for arguments that the function rejects.
func (f *callable) unusable() *diag.Finding {
	const found = "unusable arguments"
	switch {
	case f.want == "":
		return refuseGot(found, "those of its documentation", "cannot use its arguments")
	case f.value.Type().NumIn() == 1 && !f.value.Type().IsVariadic():
		return refuseGot(found, f.want, "cannot use its argument: it must be %s", f.want)
	}
	return refuseGot(found, f.want, "cannot use its arguments: they must be %s", f.want)
}

// wants returns what functions accept that may fail.
func wants() map[string]string {
	const list, parts = "a list", "a list and indexes within it"
	return map[string]string{
		"b32dec": "base32", "b64dec": "base64",
		"mustFromJson": "JSON",
		"semver":       "a version such as 1.2.3", "semverCompare": `a constraint such as ">=1.2" and a version such as 1.2.3`,
		"urlParse": "a URL", "urlJoin": "a map of the parts of a URL, all strings",
		"repeat": "a count from 0, and a string", "indent": "a number of spaces from 0, and a string", "nindent": "a number of spaces from 0, and a string",
		"substr": "a start, an end, and a string that is long enough", "splitn": "a separator, a number, and a string",
		"div": "numbers other than 0 after the first", "mod": "numbers other than 0 after the first", "divf": "numbers other than 0 after the first",
		"dig":  "keys, a default, and a map of maps",
		"keys": "maps", "slice": parts, "mustSlice": parts, "index": "a list, a map or a string, and indexes within it",
		"first": list, "mustFirst": list, "last": list, "mustLast": list, "rest": list, "mustRest": list, "initial": list, "mustInitial": list,
		"append": list, "push": list, "mustAppend": list, "mustPush": list, "prepend": list, "mustPrepend": list, "concat": "lists",
		"reverse": list, "mustReverse": list, "uniq": list, "mustUniq": list, "without": list, "mustWithout": list, "compact": list, "mustCompact": list,
		"has": "a value and a list", "mustHas": "a value and a list", "chunk": "a size from 1 and a list", "mustChunk": "a size from 1 and a list",
		"len": "a string, a list or a map",
		"eq":  "values of one kind", "ne": "values of one kind", "lt": "two numbers or two strings", "le": "two numbers or two strings", "gt": "two numbers or two strings", "ge": "two numbers or two strings",
	}
}

// kindOf returns the kind of a value, never its content.
func kindOf(v any) string {
	if v == nil {
		return "null"
	}
	if _, ok := v.(Version); ok {
		return "a version"
	}
	return kindName(reflect.TypeOf(v))
}

// kindName returns the name of a kind for messages, such as `a list`.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map:
		return "a map"
	case reflect.Interface:
		return "a value"
	}
	return integer
}

const integer = "an integer"

// conversion is the advice to convert a value: values of packs are text, also numbers.
func conversion(v any, want reflect.Type) string {
	_, isText := v.(string)
	switch k := want.Kind(); {
	case isText && k >= reflect.Int && k <= reflect.Uint64:
		return "convert it with int"
	case isText && (k == reflect.Float32 || k == reflect.Float64):
		return "convert it with float64"
	case isText && k == reflect.Bool:
		return `convert it with eq "true"`
	case !isText && k == reflect.String:
		return "convert it with toString"
	}
	return ""
}
