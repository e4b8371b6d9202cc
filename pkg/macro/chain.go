package macro

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// chained is a pack's value that holds macros. It is resolved once, before the
// first text that reads it.
type chained struct {
	// label is PACK.PATH, for messages.
	label string
	// text is the value as it is written.
	text string
	// reported is the field Reported of its pack.
	reported bool

	macros []template.Action // of the text, while it is open
	reads  []*chained        // the values that these read, not visited yet
	open   bool              // it is on the stack, at index
	// index is the position on the stack while open is true.
	index int
	// done is true once the value is resolved, or cannot be.
	done bool

	// result is the result of an earlier run for the text, or nil if it is unknown.
	result *yaml.Node
	// resolved is the value after its own macros.
	resolved string
	kept     bool // it still holds macros, under Keep
	// fault is the reason why the value cannot be resolved.
	fault *finding
}

// resolveChains resolves all values that macros read, each after those that it reads
// itself. It does not recurse, because chains may be as long as there are values.
func (r *Resolver) resolveChains(macros []template.Action) {
	stack := []*chained{{reads: r.reads(macros)}} // the text itself is below all others
	for {
		top := stack[len(stack)-1]
		if len(top.reads) > 0 {
			next := top.reads[0]
			top.reads = top.reads[1:]
			switch {
			case next.open && top.fault == nil:
				top.fault = cycle(stack[next.index:])
			case !next.open && !next.done:
				next.open, next.index = true, len(stack)
				next.macros = template.Macros(next.text)
				next.reads = r.reads(next.macros)
				stack = append(stack, next)
			}
			continue
		}
		stack = stack[:len(stack)-1]
		if len(stack) == 0 {
			return
		}
		if top.fault == nil {
			r.finish(top)
		}
		top.done, top.open, top.macros, top.reads = true, false, nil, nil
	}
}

// reads returns the pack values with macros that macros read.
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

// finish resolves a value after all that it reads.
func (r *Resolver) finish(v *chained) {
	out := r.replace(v.text, v.macros)
	if r.stands(&out, v.result) {
		v.resolved = values.Text(v.result)
		return
	}
	if !out.failed {
		v.resolved, v.kept = out.text, out.kept
		return
	}
	if at := slices.IndexFunc(out.findings, func(f finding) bool { return f.Rule == rule.MacroCycle }); at >= 0 {
		v.fault = &out.findings[at] // the value is in the cycle, or leads to it
		return
	}
	fault := out.findings[slices.IndexFunc(out.findings, isError)]
	if v.fault = &fault; !fault.inherited {
		fault.Found += " (in the value " + v.label + ")"
	}
	fault.inherited, fault.silent = true, fault.silent || v.reported
}

// maxCycle bounds the values that the message of a cycle names.
const maxCycle = 12

// cycle makes a finding of values that read each other: each the next one, and the
// last one the first.
func cycle(values []*chained) *finding {
	var names []string
	for _, v := range values[:min(len(values), maxCycle)] {
		names = append(names, v.label)
	}
	// A cycle has the same message wherever it is entered.
	first := slices.Index(names, slices.Min(names))
	if len(values) > maxCycle {
		names, first = append(names, "…"), 0
	}
	names = slices.Concat(names[first:], names[:first+1])
	return &finding{Finding: diag.Say("values read each other: %s", strings.Join(names, " → ")).Of(rule.MacroCycle)}
}

// current returns the value of a chained value that is resolved. full is the name that
// leads to it.
func (v *chained) current(full string) reading {
	switch {
	case v.fault != nil:
		return reading{fault: v.fault}
	case v.kept:
		return reading{missing: &missing{stays: true}}
	case v.resolved == "":
		return undefined(diag.Say("%s is resolved to an empty string", full), "")
	}
	return reading{text: v.resolved}
}
