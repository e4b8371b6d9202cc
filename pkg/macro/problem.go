package macro

// The rules of macros: the ids of contract.md that results carry, and that
// users put in severity overrides.
const (
	// RuleUnknown: a system name, or a kind of name, that does not exist.
	RuleUnknown = "macro/unknown"
	// RuleUnset: a name that was not supplied, or that is undefined under
	// missing: error.
	RuleUnset = "macro/unset"
	// RuleCycle: values that need each other.
	RuleCycle = "macro/cycle"
	// RuleInvalid: everything else that can not be resolved.
	RuleInvalid = "macro/invalid"
	// RuleForbidden: a function that is not allowed in macros.
	RuleForbidden = "macro/forbidden-function"
)

// Problem is what keeps a macro from being resolved.
type Problem struct {
	// Rule is one of the Rule constants.
	Rule string
	// Name is the macro's name (`.spectro.var.X`) or the function's; "" when
	// the action does not parse or the whole of it is at fault.
	Name string
	// Offset is where the name stands in the text, in bytes.
	Offset int
	// Line and Column are the same place: both start at 1, and columns count
	// characters.
	Line, Column int
	// Action is the macro as written, with its braces. It may hold literals
	// that are secrets; messages do not show it.
	Action string
	// Message says in one line what was found, what is accepted and how to mend
	// it. It shows names, never values or literals.
	Message string
	// Cause is the pack's value, as `PACK.PATH`, that holds the macro which
	// is really at fault; "" when it is this one. Whoever resolves that pack as
	// well reports the problem there too.
	Cause string
}

// Use is a name that a resolved macro read.
type Use struct {
	// Name is the macro's name, `.spectro.pack.kubernetes.version`.
	Name string
	// Offset, Line and Column are where it stands in the text; see Problem.
	Offset, Line, Column int
	// Defaulted says that the name is undefined, and `default` or `coalesce`
	// stepped in (macro/defaulted).
	Defaulted bool
	// Empty says that the name is undefined and nothing stepped in: it was
	// resolved to the empty string.
	Empty bool
}
