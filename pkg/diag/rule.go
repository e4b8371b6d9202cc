package diag

// Severity is the effect of a finding on a run: an error fails it.
type Severity string

// The severities of findings, and Off, which an override uses to suppress a rule.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Off     Severity = "off"
)

// Severities are the severities that an override can set, the worst first.
var Severities = []string{string(Error), string(Warning), string(Info), string(Off)}

// Rule is a class of findings: a stable id that users put into severity overrides,
// and the severity it has without one.
type Rule struct {
	// ID is the id, such as values/format.
	ID       string
	Severity Severity
	// Cause: others can follow from its findings, so they come first.
	Cause bool
}
