package macro

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
)

// The rules of macros. All findings have the tag `macro` with the name of the macro
// or function at fault, where there is one.
var (
	// RuleUnknown: a system name, or a kind of name, that does not exist.
	RuleUnknown = diag.Rule{ID: "macro/unknown", Severity: diag.Error}
	// RuleUnset: a name that was not supplied, or is undefined under [Error].
	RuleUnset = diag.Rule{ID: "macro/unset", Severity: diag.Error}
	// RuleCycle: values that read each other.
	RuleCycle = diag.Rule{ID: "macro/cycle", Severity: diag.Error}
	// RuleInvalid: everything else that prevents a macro from being resolved.
	RuleInvalid = diag.Rule{ID: "macro/invalid", Severity: diag.Error}
	// RuleForbidden: a function that is not allowed in macros.
	RuleForbidden = diag.Rule{ID: "macro/forbidden-function", Severity: diag.Error}
	// RuleEmpty: a reference to a pack or path without a value, which is read as empty
	// text, under [Empty].
	RuleEmpty = diag.Rule{ID: "macro/empty", Severity: diag.Warning}
	// RuleSuspicious: text that is not a macro, but reads like one.
	RuleSuspicious = diag.Rule{ID: "macro/suspicious", Severity: diag.Warning}
	// RuleWaiting: macros stay because the facts that they read are still to be injected.
	RuleWaiting = diag.Rule{ID: "macro/waiting", Severity: diag.Info}
	// RuleDefaulted: an undefined name that takes its default or is empty, under
	// [Context.Explain].
	RuleDefaulted = diag.Rule{ID: "macro/defaulted", Severity: diag.Info}
)

// finding is a diag.Finding whose place is known by an offset only, because one macro
// may be in many texts, and one text in many documents.
type finding struct {
	diag.Finding
	// offset is where the name at fault starts, in bytes of a macro's code or of a text.
	offset int
	// inherited says that the fault is in a value that the macro reads.
	inherited bool
	// silent says that the caller reports the cause: see [Pack.Reported] and
	// [Context.Incomplete].
	silent bool
}

// at returns the finding with the name at fault, "" for none, and its offset.
func (f finding) at(name string, offset int) finding {
	f.offset = offset
	if name != "" {
		f.Tags = map[string]string{"macro": name}
	}
	return f
}

func isError(f finding) bool { return f.Level() == diag.Error }

// sortFindings brings findings into the order of the text.
func sortFindings(findings []finding) {
	slices.SortStableFunc(findings, func(a, b finding) int { return a.offset - b.offset })
}
