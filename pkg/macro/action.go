package macro

import (
	"cmp"
	"errors"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// action is the code of a macro. It is parsed and checked as far as that needs no
// values.
type action struct {
	// pipeline is the parsed code, or nil if it has a fault.
	pipeline *template.Pipeline
	// names are the names that the code reads.
	names  []named
	faults []finding // with offsets into the code
	// outcome is the result, or nil before the first evaluation.
	outcome *outcome
}

// named is a name in the code of a macro, and its value, except for chains.
type named struct {
	// path is the name with its offset.
	path *template.Path
	reading
}

// current returns the final value of the name, when the value that it is chained to is
// resolved.
func (n named) current() reading {
	if n.chained != nil {
		return n.chained.current(n.path.Name())
	}
	return n.reading
}

// outcome is the result of a macro.
type outcome struct {
	// text is the result, unless the evaluation failed.
	text string
	// keep reports whether the macro stays in place, under Keep.
	keep     bool
	failed   bool
	findings []finding // with offsets into the code
	// absent are the facts that are not in this run and that the macro needs.
	absent []string
}

// maxFaults bounds the errors that are reported of one action.
const maxFaults = 10

// action parses the code of a macro and checks its names and functions.
func (r *Resolver) action(code string) *action {
	if a := r.actions[code]; a != nil {
		return a
	}
	a := &action{}
	r.actions[code] = a
	a.pipeline, a.faults = r.parse(code, func(p *template.Path) *finding {
		name := named{p, r.read(p.Steps)}
		a.names = append(a.names, name)
		return name.fault
	})
	return a
}

// parse parses the code of a macro. It returns the pipeline, and the faults of the code, its
// functions and its names. fault returns the fault of a name, or nil if it has none.
func (r *Resolver) parse(code string, fault func(*template.Path) *finding) (*template.Pipeline, []finding) {
	pipeline, err := template.ParseAction(code)
	if syntax, ok := errors.AsType[*template.SyntaxError](err); ok {
		return nil, []finding{{Finding: diag.Got(syntax.Found, syntax.Want).Saying("%v", err).Of(rule.MacroInvalid), offset: syntax.Offset}}
	}
	var faults []finding
	pipeline.Walk(func(operand template.Operand) {
		if len(faults) == maxFaults {
			return
		}
		switch o := operand.(type) {
		case *template.Function:
			if f := r.checkFunction(o.Name); f != nil {
				faults = append(faults, f.at(o.Name, o.Offset))
			}
		case *template.Path:
			if f := fault(o); f != nil {
				faults = append(faults, f.at(o.Name(), o.Offset))
			}
		}
	})
	return pipeline, faults
}

// checkFunction returns the fault of the name of a function, or nil for one that macros may call.
func (r *Resolver) checkFunction(name string) *finding {
	functions := allFunctions()
	switch {
	case functions.allowed[name] != nil:
		return nil
	case functions.forbidden[name]:
		f := diag.Say("function %q is not allowed: macros cannot read the host, the clock, the network or randomness, make keys, or fail on purpose", name)
		return &finding{Finding: f.Of(rule.MacroForbiddenFunction)}
	}
	return &finding{Finding: diag.Unknown("function", name, r.similar(name, FunctionNames)).Of(rule.MacroInvalid)}
}

// read returns the value of a name, except for chains.
func (r *Resolver) read(steps []string) reading {
	key := strings.Join(steps, ".")
	known, ok := r.names[key]
	if !ok {
		known = r.name(steps)
		r.names[key] = known
	}
	return known
}

// outcome evaluates the code of a macro.
func (r *Resolver) outcome(code string) outcome {
	a := r.action(code)
	if a.outcome == nil {
		o := r.evaluate(a)
		sortFindings(o.findings)
		a.outcome = &o
	}
	return *a.outcome
}

// evaluate evaluates the code of a macro that was parsed. It stays in place if it reads a name that is
// undefined under Keep.
func (r *Resolver) evaluate(a *action) outcome {
	faults, undefined, stays := a.faults, false, false
	for _, name := range a.names {
		now := name.current()
		if now.fault != nil && name.fault == nil && len(faults) < maxFaults {
			faults = append(faults, now.fault.at(name.path.Name(), name.path.Offset))
		}
		undefined = undefined || now.missing != nil
		stays = stays || now.missing != nil && now.missing.stays
	}
	if len(faults) > 0 {
		return outcome{failed: true, findings: faults, absent: absentFrom(faults)}
	}
	if undefined && r.context.Missing == Keep || stays {
		return outcome{keep: true}
	}
	e := &evaluation{functions: allFunctions(), action: a, budget: budget{calls: MaxCalls, work: MaxWork, run: &r.meter}}
	result, fault := e.pipeline(a.pipeline)
	var text string
	if fault == nil {
		text, fault = e.print(result)
	}
	if fault != nil {
		return outcome{failed: true, findings: []finding{*fault}}
	}
	var absent []string
	for _, u := range result.undefined {
		isEmpty := u.missing.optional || r.context.Missing != Error && !u.missing.fatal
		if !u.covered && (u.missing.absent || !isEmpty) {
			absent = append(absent, u.path.Name())
		}
		if isEmpty {
			u.empty = true
		} else if len(faults) < maxFaults {
			f := finding{Finding: u.missing.Finding, absent: true}
			if u.missing.fatal { // it is none of a pack
				f.Without = cmp.Or(r.context.Without, factOf(u.path.Name()))
			}
			faults = append(faults, f.at(u.path.Name(), u.path.Offset))
		}
	}
	if len(faults) > 0 {
		return outcome{failed: true, findings: faults, absent: absent}
	}
	return outcome{text: text, findings: append(warn(result.undefined), r.explain(e.undefined)...), absent: absent}
}

// factOf returns the fact that a macro reads: for example, spec.variables.DOMAIN for
// .spectro.var.DOMAIN.
func factOf(name string) string {
	kind, fact, _ := strings.Cut(strings.TrimPrefix(name, ".spectro."), ".")
	return pack.Fact("spec." + fieldOfKind[kind] + "." + fact)
}

// absentFrom returns the names of the facts that are not in this run, if nothing else is wrong.
func absentFrom(faults []finding) []string {
	var names []string
	for _, f := range faults {
		if !f.absent {
			return nil
		}
		names = append(names, f.Tags["macro"])
	}
	return names
}

// warn makes warnings of references without a value that are read as empty text.
func warn(names []*undefinedName) []finding {
	var warnings []finding
	for _, u := range names {
		if u.empty && !u.covered && u.missing.reference {
			f := finding{Finding: u.missing.Finding.Of(rule.MacroEmpty)}
			warnings = append(warnings, f.at(u.path.Name(), u.path.Offset))
		}
	}
	return warnings
}

// explain makes infos of undefined names, if the context asks for them.
func (r *Resolver) explain(names []*undefinedName) []finding {
	var infos []finding
	for _, u := range names {
		name, became := u.path.Name(), "takes its default"
		if u.empty {
			became = "becomes the empty string"
		}
		if r.context.Explain && (u.covered || u.empty && !u.missing.reference) {
			f := finding{Finding: diag.Say("%s is undefined and %s", name, became).Of(rule.MacroDefaulted)}
			infos = append(infos, f.at(name, u.path.Offset))
		}
	}
	return infos
}
