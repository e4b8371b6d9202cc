package set

import "fmt"

// Rule is the kind of a fault.
type Rule string

// The rules of variant sets.
const (
	RuleInvalid            Rule = "variant-set/invalid"
	RuleUpstreamNotFound   Rule = "variant-set/upstream-not-found"
	RuleRepositoryNotFound Rule = "variant-set/repository-not-found"
	RuleExpression         Rule = "variant-set/expression"
	RuleDuplicate          Rule = "variant-set/duplicate"
	RuleAlias              Rule = "variant-set/alias"
	RuleUnverified         Rule = "variant-set/unverified"
	RuleUnmatched          Rule = "variant-set/unmatched"
	RuleExpanded           Rule = "variant-set/expanded"
)

// Fault is something to say about a set.
type Fault struct {
	Rule Rule
	// Path is where it is in the set: `spec.targets[0].template.labelExprs[1]`.
	Path string
	// Message says what was found, what is accepted and how to mend it, without
	// the path.
	Message string
	// Warning says that the set can be expanded all the same. Faults of the rules
	// alias, unverified and unmatched are warnings in any case.
	Warning bool
}

func (f Fault) String() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// fails reports whether a set with this fault can not be expanded.
func (f Fault) fails() bool {
	switch f.Rule {
	case RuleAlias, RuleUnverified, RuleUnmatched, RuleExpanded:
		return false
	}
	return !f.Warning
}

// faults collects faults.
type faults []Fault

func (f *faults) add(rule Rule, path, format string, args ...any) {
	*f = append(*f, Fault{Rule: rule, Path: path, Message: fmt.Sprintf(format, args...)})
}

func (f *faults) invalid(path, format string, args ...any) {
	f.add(RuleInvalid, path, format, args...)
}

// told adds an error unless its message is empty.
func (f *faults) told(path, message string) {
	if message != "" {
		f.invalid(path, "%s", message)
	}
}

// fail reports whether any of them prevents an expansion.
func (f faults) fail() bool {
	for _, fault := range f {
		if fault.fails() {
			return true
		}
	}
	return false
}
