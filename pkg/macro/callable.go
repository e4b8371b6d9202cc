package macro

import (
	"fmt"
	"math"
	"reflect"

	"github.com/krm-packs/functions/pkg/template"
)

// callable is a function that macros may call.
type callable struct {
	value reflect.Value
	// check judges a call by its arguments before it is made, and says why it
	// can not be made. It may be nil.
	check func(*call) (reason string)
	// want says what the function accepts, for when it fails: its own words
	// could repeat a secret.
	want string

	// lazy evaluates its arguments itself; covers knows what is undefined in
	// them. A function that has one of these has nothing of the above.
	lazy   func(*evaluation, *template.Function, []template.Operand, *result) (result, *evaluationError)
	covers func(*evaluation, *template.Function, []result) (result, *evaluationError)
}

// call is a function about to be called.
type call struct {
	args    []reflect.Value
	results []result
	budget  *budget
}

func newCallable(f any) *callable { return &callable{value: reflect.ValueOf(f)} }

// arguments converts values to what the function takes.
func (f *callable) arguments(args []result) (in []reflect.Value, reason string) {
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
		return nil, fmt.Sprintf("takes %s%d arguments, got %d", least, fixed, len(args))
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
			return nil, fmt.Sprintf("got %s as argument %d, want %s%s", kindOf(arg.value), i+1, kindName(want), remedy(arg.value, want))
		}
		in[i] = v
	}
	return in, ""
}

// converted returns a value as an argument of type t. Beyond what Go templates
// do, numbers fit any type of number that holds them exactly, and nothing is
// the empty text.
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

// invoke calls the function. Errors and panics of functions repeat their
// arguments, so they are replaced by what the function accepts.
func (f *callable) invoke(in []reflect.Value) (value any, reason string) {
	defer func() {
		if recover() != nil {
			value, reason = nil, f.refusal()
		}
	}()
	out := f.value.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, f.refusal()
	}
	if !out[0].IsValid() || out[0].Kind() == reflect.Interface && out[0].IsNil() {
		return nil, ""
	}
	return out[0].Interface(), ""
}

func (f *callable) refusal() string {
	if f.want != "" {
		return "can not use its arguments: want " + f.want
	}
	return "can not use its arguments: see its documentation for what it accepts"
}

// wants says what functions accept that fail on what they get.
func wants() map[string]string {
	const list, parts = "a list", "a list, and indexes within it"
	return map[string]string{
		"atoi": "text that is a number", "b32dec": "base32 text", "b64dec": "base64 text",
		"mustFromJson": "JSON text", "fromJson": "JSON text",
		"semver": "a version such as 1.2.3", "semverCompare": `a constraint such as ">=1.2" and a version such as 1.2.3`,
		"urlParse": "a URL", "urlJoin": "a map of the parts of a URL, all text",
		"repeat": "a count from 0 and a text", "indent": "a number of blanks from 0 and a text", "nindent": "a number of blanks from 0 and a text",
		"substr": "a start, an end and a text that reaches that far", "splitn": "a separator, a number and a text",
		"div": "numbers other than 0 behind the first", "mod": "numbers other than 0 behind the first", "divf": "numbers other than 0 behind the first",
		"dig":  "keys, a default, and a map of maps",
		"keys": "maps", "slice": parts, "mustSlice": parts, "index": "a list, map or text, and indexes within it",
		"first": list, "mustFirst": list, "last": list, "mustLast": list, "rest": list, "mustRest": list, "initial": list, "mustInitial": list,
		"append": list, "push": list, "mustAppend": list, "mustPush": list, "prepend": list, "mustPrepend": list, "concat": "lists",
		"reverse": list, "mustReverse": list, "uniq": list, "mustUniq": list, "without": list, "mustWithout": list, "compact": list, "mustCompact": list,
		"has": "a value and a list", "mustHas": "a value and a list", "chunk": "a size from 1 and a list", "mustChunk": "a size from 1 and a list",
		"len": "a text, list or map",
		"eq":  "values of one kind", "ne": "values of one kind", "lt": "two numbers or two texts", "le": "two numbers or two texts", "gt": "two numbers or two texts", "ge": "two numbers or two texts",
	}
}

// kindOf says what a value is, without showing it.
func kindOf(v any) string {
	if v == nil {
		return "nothing"
	}
	if _, ok := v.(Version); ok {
		return "a version"
	}
	return kindName(reflect.TypeOf(v))
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map:
		return "a map"
	case reflect.Interface:
		return "a value"
	}
	return "a whole number"
}

// remedy names the function that makes a value fit: the values of packs are
// texts, numbers among them too.
func remedy(v any, want reflect.Type) string {
	_, text := v.(string)
	switch k := want.Kind(); {
	case text && k >= reflect.Int && k <= reflect.Uint64:
		return ": int makes one of a text"
	case text && (k == reflect.Float32 || k == reflect.Float64):
		return ": float64 makes one of a text"
	case text && k == reflect.Bool:
		return `: eq "true" makes one of a text`
	case !text && k == reflect.String:
		return ": toString makes one"
	}
	return ""
}
