package macro

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/krm-packs/functions/pkg/template"
)

// undefined is an undefined name that a value was made of, with the index of
// its use.
type undefined struct {
	path    *template.Path
	missing *missing
	use     int
}

// result is a value on its way through an action.
type result struct {
	value     any
	size      measure
	undefined []undefined
}

// evaluationError is why an action can not be evaluated. The reason never
// holds values.
type evaluationError struct {
	name   string
	offset int
	reason string
}

// evaluation evaluates one action.
type evaluation struct {
	r      *Resolver
	action *action
	budget budget
	uses   []Use
}

func failure(f *template.Function, reason string) *evaluationError {
	return &evaluationError{name: f.Name, offset: f.Offset, reason: "the function " + f.Name + " " + reason}
}

func (e *evaluation) pipeline(p *template.Pipeline) (result, *evaluationError) {
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

// command evaluates one stage; final is the value of the one before it.
func (e *evaluation) command(c *template.Command, final *result) (result, *evaluationError) {
	if f, ok := c.Operands[0].(*template.Function); ok {
		return e.function(f, c.Operands[1:], final)
	}
	return e.operand(c.Operands[0])
}

func (e *evaluation) operand(operand template.Operand) (result, *evaluationError) {
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

// path reads a name. That it can be read was checked before.
func (e *evaluation) path(p *template.Path) (result, *evaluationError) {
	of := func(n named) bool { return n.path == p }
	now := e.action.names[slices.IndexFunc(e.action.names, of)].current()
	if reason := e.budget.spend(len(now.text) + 1); reason != "" {
		return result{}, &evaluationError{name: p.Name(), offset: p.Offset, reason: "the macro " + reason}
	}
	e.uses = append(e.uses, Use{Name: p.Name(), Offset: p.Offset})
	v := result{value: now.text, size: measure{bytes: len(now.text)}}
	if now.missing != nil {
		v.undefined = []undefined{{path: p, missing: now.missing, use: len(e.uses) - 1}}
	}
	return v, nil
}

// group evaluates a parenthesis and reads the fields behind it.
func (e *evaluation) group(g *template.Group) (result, *evaluationError) {
	v, err := e.pipeline(g.Pipeline)
	if err != nil {
		return result{}, err
	}
	for _, name := range g.Fields {
		field, ok := fieldOf(v.value, name)
		if !ok {
			return result{}, &evaluationError{offset: g.Offset, reason: "there is no field ." + shown(name) + " in " + kindOf(v.value)}
		}
		v.value = field
	}
	v.size, _ = measured(v.value)
	return v, nil
}

// fieldOf reads a key of a map or a field of a version. A key that is not there
// is nothing, as in Go templates.
func fieldOf(value any, name string) (any, bool) {
	if version, ok := value.(Version); ok {
		return version.field(name)
	}
	m := reflect.ValueOf(value)
	if m.Kind() != reflect.Map || m.Type().Key().Kind() != reflect.String {
		return nil, false
	}
	if found := m.MapIndex(reflect.ValueOf(name)); found.IsValid() {
		return found.Interface(), true
	}
	return nil, true
}

// function calls a function with its arguments and, last, the final value.
func (e *evaluation) function(f *template.Function, operands []template.Operand, final *result) (result, *evaluationError) {
	known := e.r.functions.allowed[f.Name]
	if e.budget.calls--; e.budget.calls < 0 {
		return result{}, failure(f, fmt.Sprintf("is one too many: want at most %d calls in a macro", MaxCalls))
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

// call converts the arguments, checks what they would lead to, and calls.
func (e *evaluation) call(f *template.Function, known *callable, args []result) (result, *evaluationError) {
	c := &call{budget: &e.budget, results: args}
	var out result
	read := 64 // what a call costs at least
	for _, arg := range args {
		read += arg.size.cost()
		if out.undefined == nil {
			out.undefined = slices.Clip(arg.undefined)
			continue
		}
		out.undefined = append(out.undefined, arg.undefined...)
	}
	if reason := e.budget.spend(read); reason != "" {
		return result{}, failure(f, reason)
	}
	in, reason := known.arguments(args)
	if reason != "" {
		return result{}, failure(f, reason)
	}
	c.args = in
	if known.check != nil {
		if reason := known.check(c); reason != "" {
			return result{}, failure(f, reason)
		}
	}
	if out.value, reason = known.invoke(in); reason != "" {
		return result{}, failure(f, reason)
	}
	if out.size, reason = measured(out.value); reason != "" {
		return result{}, failure(f, reason)
	}
	if reason := e.budget.spend(out.size.cost()); reason != "" {
		return result{}, failure(f, reason)
	}
	return out, nil
}

// print writes the value of an action as a Go template would, but for nothing,
// which is the empty string and never `<no value>` (rule M7).
func (e *evaluation) print(v result) (string, *evaluationError) {
	switch value := v.value.(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	}
	text := fmt.Sprint(v.value)
	if len(text) > MaxResult {
		return "", &evaluationError{reason: "the macro makes more than 1 MiB"}
	}
	return text, nil
}
