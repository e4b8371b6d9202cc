package diag

// Severity says what a finding does to a run: an error fails it.
type Severity string

// The severities of findings, and Off, which an override uses to suppress a rule.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Off     Severity = "off"
)

// Rule is a class of findings: a stable id that users put into severity overrides,
// and the severity it has without one.
type Rule struct {
	ID       string
	Severity Severity
}

// The rules of every function. The first three cannot be overridden: a run that
// did not understand its input or configuration must never look like a pass.
var (
	ConfigInvalid = Rule{"config/invalid", Error}
	InputInvalid  = Rule{"input/invalid", Error}
	Panic         = Rule{"internal/panic", Error}
	NothingToDo   = Rule{"nothing-to-do", Info}
	// Accepted is the rule of findings that the owner of the resource accepts, and
	// AcceptUnused of an acceptance without a finding.
	Accepted     = Rule{"accepted", Info}
	AcceptUnused = Rule{"accept/unused", Warning}
)
