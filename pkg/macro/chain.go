package macro

import (
	"strings"

	"github.com/krm-packs/functions/pkg/template"
)

// chained is a pack's value that holds macros. It is resolved once, before the
// first text that reads it (rule M9).
type chained struct {
	// label is PACK.PATH, for messages.
	label string
	text  string

	macros []template.Action // of the text, while it is being resolved

	done bool
	// open says that it stands on the stack, at index; low is the lowest index
	// that it, or what it reads, refers back to, and via what leads there.
	open       bool
	index, low int
	via        *chained
	reads      []*chained
	next       int

	resolved string
	kept     bool // it holds macros still, under Keep
	fault    *fault
}

// ready resolves all values that macros read, and what these
// read. It goes without recursion: chains may be as long as there are values.
func (r *Resolver) ready(macros []template.Action) {
	for _, v := range r.reads(macros) {
		if !v.done {
			r.resolve(v)
		}
	}
}

// reads returns the pack values with macros of their own that macros name.
func (r *Resolver) reads(macros []template.Action) []*chained {
	var read []*chained
	for _, action := range macros {
		for _, name := range r.action(action.Code).names {
			if name.chained != nil {
				read = append(read, name.chained)
			}
		}
	}
	return read
}

// resolve resolves a value after all that it reads: depth first, with the
// bookkeeping of Tarjan's algorithm to tell the members of cycles.
func (r *Resolver) resolve(start *chained) {
	stack := []*chained{r.open(start, 0)}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if top.next < len(top.reads) {
			read := top.reads[top.next]
			top.next++
			switch {
			case read.done:
			case read.open:
				if read.index < top.low || top.via == nil {
					top.low, top.via = min(top.low, read.index), read
				}
			default:
				stack = append(stack, r.open(read, len(stack)))
			}
			continue
		}
		if top.via != nil {
			top.fault = &fault{rule: RuleCycle, message: "values need each other: " + cycle(stack, top)}
		} else {
			r.finish(top)
		}
		top.done, top.open, top.reads, top.macros = true, false, nil, nil
		stack = stack[:len(stack)-1]
		if n := len(stack); n > 0 && top.via != nil && top.low < n {
			if below := stack[n-1]; top.low < below.low || below.via == nil {
				below.low, below.via = min(below.low, top.low), top
			}
		}
	}
}

func (r *Resolver) open(v *chained, index int) *chained {
	v.open, v.index, v.low = true, index, index
	v.macros = macrosOf(v.text)
	v.reads = r.reads(v.macros)
	return v
}

// finish resolves a value whose macros read nothing that is not resolved.
func (r *Resolver) finish(v *chained) {
	out, _, problems, kept := r.text(v.text, v.macros)
	if len(problems) == 0 {
		v.resolved, v.kept = out, kept
		return
	}
	p := problems[0]
	v.fault = &fault{rule: p.Rule, message: p.Message, cause: p.Cause}
	if v.fault.cause == "" && p.Rule != RuleCycle {
		v.fault.cause = v.label
	}
}

// maxCycle bounds the values that the message of a cycle names.
const maxCycle = 12

// cycle prints the cycle that v, the top of the stack, is in: from the value
// that it comes back to, down the stack to v, and back.
func cycle(stack []*chained, v *chained) string {
	var names []string
	for i := v.low; i < len(stack) && len(names) <= maxCycle; i++ {
		names = append(names, shown(stack[i].label))
	}
	for back := v.via; back != stack[v.low] && back != nil && len(names) <= maxCycle; back = back.via {
		names = append(names, shown(back.label))
	}
	if len(names) > maxCycle {
		names = append(names[:maxCycle], "…")
	}
	return strings.Join(append(names, shown(stack[v.low].label)), " → ")
}

// current returns what a chained value comes to. It is resolved when this is
// called.
func (v *chained) current(full string) reading {
	switch {
	case v.fault != nil && v.fault.rule == RuleCycle:
		return reading{fault: v.fault}
	case v.fault != nil:
		f := *v.fault
		f.message = "the value of " + shown(full) + " can not be resolved: " + f.message
		return reading{fault: &f}
	case v.kept:
		return reading{missing: &missing{message: shown(full) + " holds macros that are not resolved yet"}}
	case v.resolved == "":
		return reading{missing: &missing{message: shown(full) + " is resolved to nothing"}}
	}
	return reading{text: v.resolved}
}
