package macro

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/template"
)

// slip matches the string literals and comments of an action, and what reads like the
// name of a macro.
var slip = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:\\.|[^"\\])*"|` + "`[^`]*`" + `|/\*.*?\*/|\.?\b((?i:spectro)\.(system|pack|var|macro)\.([A-Za-z0-9_.-]*[A-Za-z0-9_]))`)
})

// suspicious returns warnings about what is not a macro and would read a name that exists:
// actions that do not start with `.spectro.`, as `{{ .Spectro.var.X }}`, and single braces.
func (r *Resolver) suspicious(text string) []finding {
	isCandidate := func(spelling string) bool { return strings.Contains(text, spelling) }
	if !slices.ContainsFunc([]string{"spectro.", "Spectro.", "SPECTRO."}, isCandidate) {
		return nil // the common case, without scanning
	}
	warnings := r.singleBraces(text)
	for _, action := range template.Actions(text) {
		if action.Macro {
			continue
		}
		for _, at := range slip().FindAllStringSubmatchIndex(action.Code, -1) {
			if at[2] < 0 {
				continue
			}
			kind, name := action.Code[at[4]:at[5]], action.Code[at[6]:at[7]]
			// `.Values.Spectro.var.X` is a name of another template.
			isInner := at[0] > 0 && strings.ContainsAny(action.Code[at[0]-1:at[0]], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$)")
			if isInner || !r.exists(kind, name) {
				continue
			}
			f := diag.Say("%s is not resolved, because macros start with .spectro", action.Code[at[0]:at[1]])
			f.Nearest = ".spectro." + kind + "." + name
			warnings = append(warnings, finding{Finding: f.Of(RuleSuspicious)}.at(f.Nearest, action.CodeStart(text)+at[0]))
		}
	}
	return warnings
}

// singleBrace is what follows the brace of a macro with one brace.
var singleBrace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{-? *\.spectro\.(system|pack|var|macro)\.([A-Za-z0-9_.-]*[A-Za-z0-9_])[^{}]*\}`)
})

// singleBraces returns warnings about names that exist in single braces:
// `{ .spectro.var.X }`.
func (r *Resolver) singleBraces(text string) []finding {
	var warnings []finding
	for at := 0; ; {
		next := strings.Index(text[at:], ".spectro.")
		if next < 0 {
			return warnings
		}
		next += at
		at = next + len(".spectro.")
		start := len(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text[:next], " "), "-"), " ")) - 1
		if start < 0 || text[start] != '{' || start > 0 && text[start-1] == '{' {
			continue
		}
		match := singleBrace().FindStringSubmatch(text[start:])
		if match == nil || !r.exists(match[1], match[2]) {
			continue
		}
		f := diag.Say("%s is not resolved, because macros have two braces", ".spectro."+match[1]+"."+match[2])
		f = f.Do("write {{ and }}").Of(RuleSuspicious)
		warnings = append(warnings, finding{Finding: f}.at(".spectro."+match[1]+"."+match[2], next))
	}
}

// exists reports whether a name of a kind can be read, or could be if it was supplied.
func (r *Resolver) exists(kind, name string) bool {
	switch kind {
	case systemKind:
		return slices.Contains(pack.SystemNames(), name)
	case packKind:
		pack, _ := r.splitPackName(name)
		return pack != ""
	case variableKind:
		_, ok := r.context.Variables[name]
		return ok
	}
	_, ok := r.context.Macros[name]
	return ok
}
