package celenv

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
)

// ErrTooExpensive is the error of an evaluation that [CostLimit] ended. Its
// result is not known.
var ErrTooExpensive = errors.New("the expression costs more than its limit allows")

// CompileError lists the faults of an expression.
type CompileError struct {
	// Issues are in the order of the text. There is at least one.
	Issues []Issue
}

// Issue is one fault of an expression.
type Issue struct {
	// Line and Column are its position in the expression, from 1, the column in
	// characters. Both are 0 if the fault concerns the whole expression.
	Line, Column int
	// Message is CEL's own, on one line.
	Message string
	// Type is set if the expression yields another type than it should.
	Type *TypeError
}

// TypeError is the error of an expression that yields another type than it should.
// Got is the type of the expression, and Want describes the accepted types.
type TypeError struct{ Got, Want string }

func (e *TypeError) Error() string {
	return fmt.Sprintf("the expression must yield %s, got %s", e.Want, e.Got)
}

// Error lists all issues on one line.
func (e *CompileError) Error() string {
	all := make([]string, len(e.Issues))
	for i, issue := range e.Issues {
		all[i] = issue.String()
	}
	return strings.Join(all, "; ")
}

// String returns the issue with its position.
func (i Issue) String() string {
	if i.Line == 0 {
		return i.Message
	}
	return fmt.Sprintf("line %d, column %d: %s", i.Line, i.Column, i.Message)
}

// fault returns an error that has a message, but no place in the expression.
func fault(message string) *CompileError {
	return &CompileError{Issues: []Issue{{Message: message}}}
}

// compileError returns the issues of an expression with their lines and columns, both from 1.
func compileError(issues *cel.Issues) *CompileError {
	e := &CompileError{}
	for _, issue := range issues.Errors() {
		at := Issue{Message: oneLine(issue.Message)}
		if issue.Location != nil && issue.Location.Line() > 0 {
			at.Line, at.Column = issue.Location.Line(), issue.Location.Column()+1
		}
		e.Issues = append(e.Issues, at)
	}
	return e
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
