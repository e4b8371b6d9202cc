package macro

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Resolver resolves the macros of texts and documents. It evaluates each name and
// each action once. A Resolver is not safe for concurrent use.
type Resolver struct {
	// context are the facts, and packs the packs by their names.
	context Context
	packs   map[string][]Pack

	names   map[string]reading // by full name
	actions map[string]*action // by code
	// chained are the values that macros read, by their nodes.
	chained map[*yaml.Node]*chained
	indexes map[*yaml.Node]map[string]*yaml.Node // of wide maps

	compared int         // see similar
	meter    meter.Meter // of the run
}

// NewResolver returns a Resolver over the supplied facts and the packs, in any order.
// Both must not change afterwards.
func NewResolver(context Context, packs []Pack) *Resolver {
	r := &Resolver{
		context: context,
		packs:   make(map[string][]Pack, len(packs)),
		names:   map[string]reading{},
		actions: map[string]*action{},
		chained: map[*yaml.Node]*chained{},
		indexes: map[*yaml.Node]map[string]*yaml.Node{},
	}
	for _, p := range packs {
		r.packs[p.Name] = append(r.packs[p.Name], p)
	}
	return r
}

// Text replaces the macros of a text, the decoded content of a scalar, by their
// values. All other actions and all other text stay byte for byte, except the
// whitespace that `{{-` and `-}}` of a macro trim.
//
// The findings are in the order of the text, with their positions in it. When a macro
// cannot be resolved, out is the text itself.
func (r *Resolver) Text(text string) (out string, findings []diag.Finding) {
	resolved := r.resolve(text)
	if len(resolved.findings) == 0 {
		return resolved.text, nil
	}
	lines := values.NewLines(text)
	for _, f := range resolved.findings {
		if !f.silent {
			findings = append(findings, f.At("", lines.Position(f.offset)))
		}
	}
	return resolved.text, findings
}

// wrong counts the macros of a text, and returns their faults whatever the facts are.
func (r *Resolver) wrong(text string, count *int) []finding {
	if !strings.Contains(text, ".spectro.") {
		return nil
	}
	var faults []finding
	macros := template.Macros(text)
	for _, a := range macros {
		_, found := r.parse(a.Code, func(p *template.Path) *finding { return r.wrongName(p.Steps) })
		for _, f := range found {
			f.offset += a.CodeStart(text)
			faults = append(faults, f)
		}
	}
	*count += len(macros)
	if open := template.Unclosed(text, 0); open >= 0 {
		faults = append(faults, unclosed(open))
	}
	return faults
}

// unclosed returns the finding about a macro without closing braces.
func unclosed(offset int) finding {
	return finding{Finding: diag.Say("the macro does not end").Do("close it with }}").Of(rule.MacroInvalid), offset: offset}
}

// resolution is the result of resolving a text.
type resolution struct {
	// text is the resolved text, or when that failed the text itself.
	text string
	// findings are about the text, with offsets in it.
	findings []finding
	// failed is true if a macro cannot be resolved.
	failed bool
	kept   bool // it still holds macros, under Keep
	// absent are the facts that are not in this run and that the text needs.
	absent []string
}

// fail adds a finding that makes the resolution fail.
func (r *resolution) fail(f finding) {
	r.failed = true
	r.findings = append(r.findings, f)
	sortFindings(r.findings)
}

// stands reports whether what an earlier run made of a text stands, because a fact is not in this
// run and nothing else is wrong. result is what it made, or nil if no run has resolved the text.
func (r *Resolver) stands(of *resolution, result *yaml.Node) bool {
	isOther := func(f finding) bool { return isError(f) && !f.absent }
	return result != nil && len(of.absent) > 0 && r.context.Missing != Keep && !slices.ContainsFunc(of.findings, isOther) &&
		(of.failed || of.text != values.Text(result))
}

// resolve resolves the macros of a text. Most texts have none, and are only searched for names that
// look like macros.
func (r *Resolver) resolve(text string) resolution {
	if !strings.Contains(text, ".spectro.") {
		return resolution{text: text, findings: r.suspicious(text)} // the common case, without scanning
	}
	macros := template.Macros(text)
	r.resolveChains(macros)
	out := r.replace(text, macros)
	out.findings = append(out.findings, r.suspicious(text)...)
	sortFindings(out.findings)
	return out
}

// replace resolves a text with macros. The values that these read are resolved
// already.
func (r *Resolver) replace(text string, macros []template.Action) resolution {
	var b strings.Builder
	var kept []string // the macros that stay
	out := resolution{text: text}
	last, inserted, trimNext := 0, 0, false
	// copyUntil copies the text up to an offset.
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
		start := a.CodeStart(text)
		for _, f := range o.findings {
			f.offset += start
			out.findings = append(out.findings, f)
		}
		out.failed, out.absent = out.failed || o.failed, append(out.absent, o.absent...)
		if inserted += len(o.text); !out.failed && (inserted > MaxResult || len(o.text) > r.meter.Room()) {
			f := diag.Say("the macros of this value produce more than 1 MiB")
			if inserted <= MaxResult {
				f = diag.Say("the macros of this run produce more than 64 MiB")
			}
			out.fail(finding{Finding: f.Of(rule.MacroInvalid), offset: a.Start})
		}
		if out.failed {
			continue
		}
		copyUntil(a.Start, !o.keep && a.TrimsBefore(text))
		trimNext = !o.keep && a.TrimsAfter(text)
		if o.keep {
			o.text = text[a.Start:a.End]
			kept = append(kept, o.text)
		} else {
			r.meter.Make(len(o.text))
		}
		b.WriteString(o.text)
		last = a.End
	}
	if open := template.Unclosed(text, last); open >= 0 {
		out.fail(unclosed(open))
	}
	if out.failed {
		return out
	}
	copyUntil(len(text), false)
	resolved := b.String()
	if holdsNewMacro(resolved, kept) {
		f := diag.Got("a macro in the resolved text", "plain text").
			Saying("the resolved value contains a new macro, which comes from the values that it reads").Do("remove the macro from these values")
		out.fail(finding{Finding: f.Of(rule.MacroInvalid), offset: macros[0].Start})
		return out
	}
	out.text, out.kept = resolved, len(kept) > 0
	return out
}

// holdsNewMacro reports whether a resolved text holds other macros than those that
// were kept, or one that does not end. They are made of data, and the next run would
// read them.
func holdsNewMacro(text string, kept []string) bool {
	if !strings.Contains(text, ".spectro.") {
		return false
	}
	wasKept := func(a template.Action, macro string) bool { return text[a.Start:a.End] == macro }
	return template.Unclosed(text, 0) >= 0 || !slices.EqualFunc(template.Macros(text), kept, wasKept)
}
