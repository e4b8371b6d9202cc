package macro

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// The kinds of names after `.spectro.`.
const (
	systemKind   = "system"
	packKind     = "pack"
	variableKind = "var"
	macroKind    = "macro"
)

var kinds = []string{systemKind, packKind, variableKind, macroKind}

// reading is the value of a name. At most one of missing, fault and chained is set.
type reading struct {
	// text is the value, if none of the other fields is set.
	text string
	// missing is the reason why there is no value.
	missing *missing
	// fault is the reason why the name cannot be used.
	fault *finding
	// chained is a value that contains macros itself.
	chained *chained
}

// missing is the reason why a name is undefined.
type missing struct {
	// fatal reports whether the name was not supplied, which is a finding under Empty as well.
	// optional reports whether it is no finding under Error either.
	fatal, optional bool
	// stays reports whether the name leads to a value with macros that stay, under Keep.
	stays bool
	// absent reports whether the fact is not in this run. Another run may have it.
	absent bool
	// reference reports whether the name refers to a pack's value, which is a warning under Empty.
	reference bool
	diag.Finding
}

func invalid(f diag.Finding) reading {
	return reading{fault: &finding{Finding: f.Of(rule.MacroInvalid)}}
}

// undefined makes the reading of a name without a value. The action is what users can
// do, in addition to giving a default.
func undefined(f diag.Finding, action string) reading {
	if f.Action = `append a default, as in | default "x"`; action != "" {
		f.Action = action + ", or " + f.Action
	}
	f.Unseen = "" // what is not supplied is not a resource
	return reading{missing: &missing{Finding: f.Of(rule.MacroUnset)}}
}

// unresolved makes the reading of a reference to a pack's value that does not exist.
func unresolved(f diag.Finding) reading {
	out := undefined(f, "")
	out.missing.reference = true
	return out
}

// name returns the value of a macro's name. steps are those after the dot: spectro,
// system, cluster, name.
func (r *Resolver) name(steps []string) reading {
	if fault := r.wrongName(steps); fault != nil {
		return reading{fault: fault}
	}
	full, name := "."+strings.Join(steps, "."), strings.Join(steps[2:], ".")
	switch steps[1] {
	case systemKind:
		return r.system(full, name)
	case packKind:
		return r.packReference(full, name)
	case variableKind:
		return r.supplied(full, name, "variable", r.context.Variables)
	}
	return r.supplied(full, name, "macro", r.context.Macros)
}

// wrongName explains why no run has a value for a name. It returns nil if a run may have one.
func (r *Resolver) wrongName(steps []string) *finding {
	full := "." + strings.Join(steps, ".")
	wrong := func(f diag.Finding, rule diag.Rule) *finding { return &finding{Finding: f.Of(rule)} }
	switch {
	case steps[0] != "spectro":
		return wrong(diag.Got(full+" in the macro", "a name that starts with .spectro.").Saying("a name in a macro must start with .spectro., got %s", full), rule.MacroInvalid)
	case len(steps) > 1 && !slices.Contains(kinds, steps[1]):
		return wrong(diag.Unknown("kind of macro", steps[1], kinds), rule.MacroUnknown)
	case len(steps) < 3:
		return wrong(diag.Say("%s is incomplete", full).Do("add a name, as in .spectro.system.cluster.name"), rule.MacroUnknown)
	}
	if name := strings.Join(steps[2:], "."); steps[1] == systemKind && !slices.Contains(pack.SystemNames(), name) {
		return wrong(pack.UnknownSystemName(name, r.similar(name, pack.SystemNames)), rule.MacroUnknown)
	}
	return nil
}

// system returns the value of a system fact. One that is not supplied may be known in another run.
func (r *Resolver) system(full, name string) reading {
	text, ok := r.context.System[name]
	if ok && text != "" {
		return data(full, text)
	}
	out := undefined(diag.Say("%s is not supplied", full), r.supply("system."+name))
	out.missing.optional = name == optionalSystemName
	out.missing.fatal = !ok && !out.missing.optional
	out.missing.absent = out.missing.fatal
	return out
}

// supplied returns the value of a variable or a macro. One that is supplied as empty
// text is undefined like one that is absent, and takes the `default`.
func (r *Resolver) supplied(full, name, noun string, from map[string]string) reading {
	text, ok := from[name]
	switch {
	case !ok:
		known := r.similar(name, func() []string { return slices.Sorted(maps.Keys(from)) })
		out := undefined(diag.NotFound(noun, name, known), r.supply(noun+"s."+name))
		out.missing.fatal, out.missing.absent = true, true
		return out
	case text == "":
		return undefined(diag.Say("%s is empty", full), r.supply(noun+"s."+name))
	}
	return data(full, text)
}

// supply is the advice to supply a field.
func (r *Resolver) supply(field string) string {
	return strings.TrimSuffix("supply "+field+" "+r.context.SuppliedIn, " ")
}

// data returns a supplied text, which is not resolved itself.
func data(full, text string) reading {
	switch {
	case template.HasMacro(text):
		return invalid(diag.Got("a string with a macro for "+full, "plain text").
			Saying("the value of %s contains {{ }}, but macros in supplied values are not resolved", full).Do("remove the macro from the value"))
	case len(text) > MaxResult:
		return invalid(tooLong(full, text))
	}
	return reading{text: text}
}

// tooLong returns the finding about a text that is longer than a macro may make it.
func tooLong(full, text string) diag.Finding {
	return diag.Got(fmt.Sprintf("%d bytes for %s", len(text), full), "at most 1 MiB").Saying("%s has %d bytes, but can have at most 1 MiB", full, len(text))
}

const (
	// maxSimilar bounds how many unknown names of a run are compared with all known
	// ones, and maxSimilarName how long they may be: each comparison costs time.
	maxSimilar     = 200
	maxSimilarName = 64
)

// similar returns the known names that a finding compares an unknown one with, none
// when too many were compared already.
func (r *Resolver) similar(name string, known func() []string) []string {
	if r.compared >= maxSimilar || len(name) > maxSimilarName {
		return nil
	}
	r.compared++
	return known()
}
