package macro

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// slip matches the string literals and comments of an action, and what reads like the
// name of a macro: a word that may be a misspelt spectro or missing, a kind, and a name.
var slip = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:\\.|[^"\\])*"|` + "`[^`]*`" + `|/\*.*?\*/|\.?\b(?:([A-Za-z]+)\.)?\b(system|pack|var|macro)\.([A-Za-z0-9_.-]*[A-Za-z0-9_])`)
})

// suspicious returns warnings about what is not a macro and would read a name that exists:
// actions that do not start with `.spectro.`, as `{{ .Spectro.var.X }}` and `{{ .var.X }}`,
// and other brackets than `{{`. Quotes of another kind than YAML's around a macro become a part
// of the value.
func (r *Resolver) suspicious(text string) []finding {
	isCandidate := func(kind string) bool { return strings.Contains(text, "."+kind+".") }
	if !slices.ContainsFunc(kinds, isCandidate) {
		return nil // the common case, without scanning
	}
	warnings := r.otherBrackets(text)
	if inTypographicQuotes(text) {
		f := diag.Say("the typographic quotes around the macro are a part of the value").Do("write straight quotes: \" or '")
		warnings = append(warnings, finding{Finding: f.Of(rule.MacroSuspicious)})
	}
	for _, action := range template.Actions(text) {
		if action.Macro {
			continue
		}
		for _, at := range slip().FindAllStringSubmatchIndex(action.Code, -1) {
			if at[4] < 0 {
				continue
			}
			spectro, kind, name := "", action.Code[at[4]:at[5]], action.Code[at[6]:at[7]]
			if at[2] >= 0 {
				spectro = action.Code[at[2]:at[3]]
			}
			// `.Values.Spectro.var.X` is a name of another template.
			isInner := at[0] > 0 && strings.ContainsAny(action.Code[at[0]-1:at[0]], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$)")
			isNear := spectro == "spectro" || spectro != "" && nearest.IsMisspelt(spectro, "spectro") || spectro == "" && action.Code[at[0]] == '.'
			if isInner || !isNear || !r.exists(kind, name) {
				continue
			}
			f := diag.Say("%s is not resolved, because macros start with .spectro", action.Code[at[0]:at[1]])
			f.Nearest = ".spectro." + kind + "." + name
			warnings = append(warnings, finding{Finding: f.Of(rule.MacroSuspicious)}.at(f.Nearest, action.CodeStart(text)+at[0]))
		}
	}
	return warnings
}

// inTypographicQuotes reports whether a text has a macro and begins and ends with quotes that are
// none in YAML, as editors and web pages make them.
func inTypographicQuotes(text string) bool {
	const quotes = "“”„‟‘’‚‛«»"
	text = strings.TrimSpace(text)
	inner := strings.Trim(text, quotes)
	return len(inner) < len(text) && strings.TrimLeft(text, quotes) != text && strings.TrimRight(text, quotes) != text && template.HasMacro(inner)
}

// inBrackets matches the name of a macro in brackets other than `{{`: single braces, and the
// brackets of shells and of other template languages.
var inBrackets = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\{|\(|\[\[|<<|\{%)-? *(\.?spectro\.(system|pack|var|macro)\.([A-Za-z0-9_.-]*[A-Za-z0-9_]))[^{}()<>\[\]]*(\}|\)|\]\]|>>)`)
})

// otherBrackets returns warnings about names that exist in other brackets than `{{`:
// `{ .spectro.var.X }`, `${spectro.var.X}`, `[[ .spectro.var.X ]]`.
func (r *Resolver) otherBrackets(text string) []finding {
	if !strings.Contains(text, "spectro.") {
		return nil
	}
	var warnings []finding
	for _, at := range inBrackets().FindAllStringSubmatchIndex(text, -1) {
		open, kind, name := text[at[2]:at[3]], text[at[6]:at[7]], text[at[8]:at[9]]
		var before byte // the character before the bracket
		if at[0] > 0 {
			before = text[at[0]-1]
		}
		if open == "{" && before == '{' || open == "(" && before != '$' || !r.exists(kind, name) {
			continue
		}
		full := ".spectro." + kind + "." + name
		f := diag.Say("%s is not resolved, because it is not inside {{ }}", full).Do("write {{ " + full + " }}").Of(rule.MacroSuspicious)
		warnings = append(warnings, finding{Finding: f}.at(full, at[4]))
	}
	return warnings
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
