package macro

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/template"
)

// Resolver resolves the macros of texts and documents. What a name or an action
// comes to is worked out once. A Resolver is not safe for concurrent use.
type Resolver struct {
	context Context
	packs   map[string][]Pack

	names   map[string]reading // by full name
	actions map[string]*action // by code
	chained map[*yaml.Node]*chained
	indexes map[*yaml.Node]map[string]*yaml.Node // of wide maps

	functions *library // nil until the first macro

	hints       int
	work, total int // what is left of MaxTotalWork and MaxTotalResult
}

// NewResolver returns a Resolver over what the context supplies and over the
// packs, in any order. Both must not change afterwards.
func NewResolver(context Context, packs []Pack) *Resolver {
	r := &Resolver{
		context: context,
		packs:   make(map[string][]Pack, len(packs)),
		names:   map[string]reading{},
		actions: map[string]*action{},
		chained: map[*yaml.Node]*chained{},
		indexes: map[*yaml.Node]map[string]*yaml.Node{},
		work:    MaxTotalWork,
		total:   MaxTotalResult,
	}
	for _, p := range packs {
		r.packs[p.Name] = append(r.packs[p.Name], p)
	}
	return r
}

// Text replaces the macros of a text, the decoded content of a scalar, by what
// they come to. All other actions and all other text stay byte for byte, but
// for what `{{-` and `-}}` of a macro trim. A text without macros comes back as
// it is.
//
// uses are the names that were read, in the order of the text. When there are
// problems they are all there are in the text, in its order, and out is not to
// be used.
func (r *Resolver) Text(text string) (out string, uses []Use, problems []Problem) {
	if !strings.Contains(text, ".spectro.") {
		return text, nil, nil // the common case, without scanning
	}
	macros := macrosOf(text)
	r.ready(macros)
	out, uses, problems, _ = r.text(text, macros)
	return out, uses, problems
}

// macrosOf returns the actions of a text that are macros.
func macrosOf(text string) []template.Action {
	return slices.DeleteFunc(template.Actions(text), func(a template.Action) bool { return !a.Macro })
}

// action is the code of a macro, parsed and checked as far as that needs no
// values.
type action struct {
	pipeline *template.Pipeline
	names    []named
	problems []Problem // with offsets into the code
	outcome  *outcome
}

// named is a name in the code of a macro, and what it comes to, chains aside.
type named struct {
	path *template.Path
	reading
}

// current returns what the name comes to in the end. What it is chained to is
// resolved by then.
func (n named) current() reading {
	if n.chained != nil {
		return n.chained.current(n.path.Name())
	}
	return n.reading
}

// outcome is what a macro comes to. Offsets are into the code.
type outcome struct {
	text     string
	keep     bool
	uses     []Use
	problems []Problem
}

// text resolves a text with its macros. The values that these read are resolved
// already.
func (r *Resolver) text(text string, macros []template.Action) (out string, uses []Use, problems []Problem, kept bool) {
	var b strings.Builder
	var left []string // the macros that stay
	lines := newCursor(text, false)
	last, inserted := 0, 0
	trimNext := false
	copyUntil := func(end int, trim bool) {
		part := text[last:end]
		if trimNext {
			part = strings.TrimLeft(part, " \t\r\n")
		}
		if trim {
			part = strings.TrimRight(part, " \t\r\n")
		}
		b.WriteString(part)
	}
	for _, a := range macros {
		o := r.outcome(a.Code)
		code := a.CodeStart(text)
		for _, u := range o.uses {
			u.Offset += code
			at := lines.to(u.Offset)
			u.Line, u.Column = at.Line, at.Column
			uses = append(uses, u)
		}
		for _, p := range o.problems {
			problems = append(problems, place(p, lines, a, p.Offset+code))
		}
		if inserted += len(o.text); len(problems) == 0 && (inserted > MaxResult || len(o.text) > r.total) {
			problems = append(problems, place(Problem{Rule: RuleInvalid, Message: "the macros of this text come to more than 1 MiB, or those of this run to more than 64 MiB"}, lines, a, a.Start))
		}
		if len(problems) > 0 {
			continue
		}
		replaced := !o.keep
		copyUntil(a.Start, replaced && a.TrimsBefore(text))
		trimNext = replaced && a.TrimsAfter(text)
		if replaced {
			r.total -= len(o.text)
			b.WriteString(o.text)
		} else {
			written := text[a.Start:a.End]
			left = append(left, written)
			b.WriteString(written)
		}
		last = a.End
	}
	if open := template.Unclosed(text, last); open >= 0 {
		at := lines.to(open)
		problems = append(problems, Problem{
			Rule: RuleInvalid, Offset: open, Line: at.Line, Column: at.Column,
			Message: "the macro does not end: close it with }}",
		})
	}
	if len(problems) > 0 {
		return text, uses, problems, false
	}
	copyUntil(len(text), false)
	out = b.String()
	if p, ok := newMacro(text, out, macros, left); ok {
		return text, uses, []Problem{p}, false
	}
	return out, uses, nil, len(left) > 0
}

// place puts a problem where it stands in the text.
func place(p Problem, lines *cursor, a template.Action, offset int) Problem {
	at := lines.to(offset)
	p.Offset, p.Line, p.Column = offset, at.Line, at.Column
	p.Action = lines.text[a.Start:a.End]
	return p
}

// newMacro reports a macro in a resolved text that was not in it before: made
// of data, it would be resolved on the next run (rule M9).
func newMacro(text, out string, macros []template.Action, left []string) (Problem, bool) {
	if !strings.Contains(out, ".spectro.") {
		return Problem{}, false
	}
	same := slices.EqualFunc(macrosOf(out), left, func(a template.Action, written string) bool { return out[a.Start:a.End] == written })
	if same {
		return Problem{}, false
	}
	first := macros[0] // to name a place
	return place(Problem{Rule: RuleInvalid, Message: "what this text resolves to holds a macro again, want plain text"}, newCursor(text, false), first, first.Start), true
}

// maxProblems bounds what is reported of one action.
const maxProblems = 10

// action parses the code of a macro and checks its names and functions.
func (r *Resolver) action(code string) *action {
	if a := r.actions[code]; a != nil {
		return a
	}
	a := &action{}
	r.actions[code] = a
	var err error
	if a.pipeline, err = template.ParseAction(code); err != nil {
		p := Problem{Rule: RuleInvalid, Message: "the macro does not parse: " + err.Error()}
		var syntax *template.SyntaxError
		if errors.As(err, &syntax) {
			p.Offset = syntax.Offset
		}
		a.problems = []Problem{p}
		return a
	}
	a.pipeline.Walk(func(operand template.Operand) {
		if len(a.problems) == maxProblems {
			return
		}
		switch o := operand.(type) {
		case *template.Function:
			if p, bad := r.checkFunction(o); bad {
				a.problems = append(a.problems, p)
			}
		case *template.Path:
			name := named{o, r.read(o.Steps)}
			a.names = append(a.names, name)
			if name.fault != nil {
				a.problems = append(a.problems, name.fault.at(o))
			}
		}
	})
	return a
}

func (f *fault) at(path *template.Path) Problem {
	return Problem{Rule: f.rule, Name: path.Name(), Offset: path.Offset, Message: f.message, Cause: f.cause}
}

func (r *Resolver) checkFunction(f *template.Function) (Problem, bool) {
	p := Problem{Name: f.Name, Offset: f.Offset}
	if r.functions == nil {
		r.functions = allFunctions()
	}
	switch {
	case r.functions.allowed[f.Name] != nil:
		return Problem{}, false
	case r.functions.forbidden[f.Name]:
		p.Rule = RuleForbidden
		p.Message = "the function " + f.Name + " is not allowed: macros read no host, clock, network or randomness, make no keys, and do not fail on purpose"
	default:
		p.Rule = RuleInvalid
		p.Message = "the function " + shown(f.Name) + " is not known" + r.hint(f.Name, FunctionNames) + ": want a function of sprig or of Go templates"
	}
	return p, true
}

// read returns what a name comes to, chains aside.
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
func (r *Resolver) outcome(code string) *outcome {
	a := r.action(code)
	if a.outcome == nil {
		o := r.evaluate(a)
		a.outcome = &o
	}
	return a.outcome
}

func (r *Resolver) evaluate(a *action) outcome {
	o := outcome{problems: a.problems}
	keep := false
	for _, name := range a.names {
		now := name.current()
		if now.fault != nil && name.fault == nil && len(o.problems) < maxProblems {
			o.problems = append(o.problems, now.fault.at(name.path))
		}
		keep = keep || now.missing != nil
	}
	if len(o.problems) > 0 {
		inOrder(o.problems)
		return o
	}
	if keep && r.context.Missing == Keep {
		return outcome{keep: true}
	}
	e := &evaluation{r: r, action: a, budget: budget{calls: MaxCalls, work: MaxWork, total: &r.work}}
	result, err := e.pipeline(a.pipeline)
	if err == nil {
		o.text, err = e.print(result)
	}
	if err != nil {
		o.problems = []Problem{{Rule: RuleInvalid, Name: err.name, Offset: err.offset, Message: err.reason}}
		return o
	}
	for _, u := range result.undefined {
		if u.missing.optional || r.context.Missing != Error && !u.missing.fatal {
			e.uses[u.use].Empty = true
			continue
		}
		o.problems = append(o.problems, Problem{
			Rule: RuleUnset, Name: u.path.Name(), Offset: u.path.Offset,
			Message: u.missing.message + ": supply " + cmp.Or(u.missing.supply, "it") + `, or append a default, as in | default "x"`,
		})
		if len(o.problems) == maxProblems {
			break
		}
	}
	if len(o.problems) > 0 {
		inOrder(o.problems)
		o.text = ""
		return o
	}
	o.uses = e.uses
	return o
}

func inOrder(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Offset - b.Offset })
}
