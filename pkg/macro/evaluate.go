package macro

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
)

// undefinedName is an undefined name that an action read.
type undefinedName struct {
	// path is the name, and missing the reason why it is undefined.
	path    *template.Path
	missing *missing
	// covered reports whether `default` or `coalesce` replaced the name, and empty whether nothing
	// did.
	covered, empty bool
}

// result is a value during the evaluation of an action.
type result struct {
	// value is the value, and size the size of it.
	value any
	size  measure
	// undefined are the undefined names that the value depends on.
	undefined []*undefinedName
}

// evaluation evaluates one action. Its findings never hold values.
type evaluation struct {
	// functions are the functions that may be called, and action is the code.
	functions *library
	action    *action
	// budget is the work that is left.
	budget budget
	// undefined are the undefined names that were read so far.
	undefined []*undefinedName
	// cut is the first function that made text that is not UTF-8.
	cut *template.Function
}

// refused makes a finding of a call that cannot be made, whose sentence starts with its verb.
func refused(f *template.Function, reason *diag.Finding) *finding {
	out := *reason
	if out.Kind == diag.KindGot {
		out.Found += fmt.Sprintf(" for %q", f.Name)
		out.Sentence = fmt.Sprintf("%q %s", f.Name, out.Sentence)
	} else {
		out.Found = fmt.Sprintf("function %q %s", f.Name, out.Found)
	}
	located := finding{Finding: out.Of(rule.MacroInvalid)}.at(f.Name, f.Offset)
	return &located
}

// pipeline evaluates the commands of a pipeline, each with the result of the one before it as its last
// argument.
func (e *evaluation) pipeline(p *template.Pipeline) (result, *finding) {
	var last *result
	for _, command := range p.Commands {
		next, err := e.command(command, last)
		if err != nil {
			return result{}, err
		}
		last = &next
	}
	return *last, nil
}

// command evaluates one stage. final is the value of the one before it, or nil for the first.
func (e *evaluation) command(c *template.Command, final *result) (result, *finding) {
	if f, ok := c.Operands[0].(*template.Function); ok {
		return e.function(f, c.Operands[1:], final)
	}
	return e.operand(c.Operands[0])
}

// operand evaluates an argument: a name, a call without arguments, a literal or a parenthesis.
func (e *evaluation) operand(operand template.Operand) (result, *finding) {
	switch o := operand.(type) {
	case *template.Path:
		return e.path(o)
	case *template.Function:
		return e.function(o, nil, nil)
	case *template.Literal:
		value := o.Value
		if i, ok := value.(int64); ok && int64(int(i)) == i {
			value = int(i) // as Go types a constant
		}
		size, _ := measured(value)
		return result{value: value, size: size}, nil
	}
	return e.group(operand.(*template.Group))
}

// path reads a name, which has no fault.
func (e *evaluation) path(p *template.Path) (result, *finding) {
	of := func(n named) bool { return n.path == p }
	now := e.action.names[slices.IndexFunc(e.action.names, of)].current()
	if reason := e.budget.spend(len(now.text) + 1); reason != nil {
		fault := finding{Finding: reason.Of(rule.MacroInvalid)}.at(p.Name(), p.Offset)
		fault.Found = "the macro " + fault.Found
		return result{}, &fault
	}
	v := result{value: now.text, size: measure{bytes: len(now.text)}}
	if now.missing != nil {
		v.undefined = []*undefinedName{{path: p, missing: now.missing}}
		e.undefined = append(e.undefined, v.undefined...)
	}
	return v, nil
}

// group evaluates a parenthesis and reads the fields after it.
func (e *evaluation) group(g *template.Group) (result, *finding) {
	v, err := e.pipeline(g.Pipeline)
	if err != nil {
		return result{}, err
	}
	for _, name := range g.Fields {
		field, ok := fieldOf(v.value, name)
		if !ok {
			f := diag.Say("the value is %s, so it has no field .%s", kindOf(v.value), name)
			return result{}, &finding{Finding: f.Of(rule.MacroInvalid), offset: g.Offset}
		}
		v.value = field
	}
	v.size, _ = measured(v.value)
	return v, nil
}

// fieldOf reads a key of a map or a field of a version. A key that does not exist has
// the value nil, as in Go templates.
func fieldOf(value any, name string) (any, bool) {
	m := reflect.ValueOf(value)
	if _, ok := value.(Version); ok {
		field := m.FieldByName(name)
		if !field.IsValid() || !field.CanInterface() {
			return nil, false
		}
		return field.Interface(), true
	}
	if m.Kind() != reflect.Map || m.Type().Key().Kind() != reflect.String {
		return nil, false
	}
	if found := m.MapIndex(reflect.ValueOf(name)); found.IsValid() {
		return found.Interface(), true
	}
	return nil, true
}

// function calls a function with its arguments, and final as the last one if there is
// one.
func (e *evaluation) function(f *template.Function, operands []template.Operand, final *result) (result, *finding) {
	known := e.functions.allowed[f.Name]
	if e.budget.calls--; e.budget.calls < 0 {
		return result{}, refused(f, refuse("exceeds the limit of %d calls in a macro", MaxCalls))
	}
	if known.lazy != nil {
		return known.lazy(e, f, operands, final)
	}
	args := make([]result, 0, len(operands)+1)
	for _, operand := range operands {
		arg, err := e.operand(operand)
		if err != nil {
			return result{}, err
		}
		args = append(args, arg)
	}
	if final != nil {
		args = append(args, *final)
	}
	if known.covers != nil {
		return known.covers(e, f, args)
	}
	return e.call(f, known, args)
}

// call converts the arguments, checks the call, and makes it.
func (e *evaluation) call(f *template.Function, known *callable, args []result) (result, *finding) {
	var out result
	read := 64 // the least that a call costs
	for _, arg := range args {
		read += arg.size.cost()
		out.undefined = append(out.undefined, arg.undefined...)
	}
	reason := e.budget.spend(read)
	var in []reflect.Value
	if reason == nil {
		in, reason = known.arguments(args)
	}
	if reason == nil && known.check != nil {
		reason = known.check(&call{budget: &e.budget, results: args, args: in})
	}
	if reason == nil {
		out.value, reason = known.invoke(in)
	}
	if reason == nil {
		out.size, reason = measured(out.value)
	}
	if reason == nil {
		reason = e.budget.spend(out.size.cost())
	}
	if reason != nil {
		return result{}, refused(f, reason)
	}
	if text, ok := out.value.(string); ok && e.cut == nil && !utf8.ValidString(text) {
		e.cut = f
	}
	return out, nil
}

// print writes the value of an action as a Go template does, except for nil, which is
// the empty string and never `<no value>`. YAML can hold only UTF-8.
func (e *evaluation) print(v result) (string, *finding) {
	var text string
	switch value := v.value.(type) {
	case nil:
	case string:
		text = value
	default:
		if text = fmt.Sprint(value); len(text) > MaxResult {
			return "", &finding{Finding: diag.Say("the macro produces more than 1 MiB").Of(rule.MacroInvalid)}
		}
	}
	if utf8.ValidString(text) {
		return text, nil
	}
	if e.cut == nil {
		return "", &finding{Finding: diag.Say("the macro produces a string that is not UTF-8").Of(rule.MacroInvalid)}
	}
	return "", refused(e.cut, refuse("produces a string that is not UTF-8. It may cut a character in two"))
}
