package function

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says what a finding does to a run: an error fails it.
type Severity string

// The severities of results, and Off, which an override uses to suppress a rule.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Off     Severity = "off"
)

// Rule is a kind of finding: a stable id that users put into severity
// overrides and suppressions, and the severity it has when nobody overrides it.
type Rule struct {
	ID       string
	Severity Severity
}

// The rules that any function can report. The first three can not be
// overridden: a run whose input or configuration was not understood must never
// look like one that passed.
var (
	RuleConfigInvalid = Rule{"config/invalid", Error}
	RuleInputInvalid  = Rule{"input/invalid", Error}
	RulePanic         = Rule{"internal/panic", Error}
	RuleNothingToDo   = Rule{"nothing-to-do", Info}
)

// Finding is one thing that a function has to say about a resource.
type Finding struct {
	// Rule is the id of the rule, as registered in Function.Rules.
	Rule string
	// Severity replaces the rule's own default when it is set. A user's
	// override still comes on top.
	Severity Severity
	// Message is one self-contained line without the rule: where, what was
	// found, what is accepted, and how to mend it. It never holds a value that
	// may be a secret.
	Message string
	// Resource is the resource at fault; zero when there is none.
	Resource Resource
	// Field is the path in the KRM resource, `data[values.yaml]`.
	Field string
	// Current and Proposed are the value found and the one that mends it. Both
	// stay nil for anything that may be a secret; Proposed is set only when the
	// mend is certain.
	Current, Proposed any
	// Pack is the name of the pack that the finding is about.
	Pack string
	// Key is the path inside the embedded document, `registry.port`.
	Key string
	// Line and Column are the place in the embedded document, from 1; 0 when
	// there is none.
	Line, Column int
	// InResource says that Line and Column count in the resource's own text.
	// Clients print that anew, so they order findings but are not told.
	InResource bool
	// Tags are what a rule adds beyond the above.
	Tags map[string]string
}

// Resource identifies one item of a list and the file it came from.
type Resource struct {
	APIVersion, Kind, Namespace, Name string
	// File is the path that the client gave the resource, relative to its
	// package; "" when the client gave none.
	File string
	// Index is the resource's place among those of its file.
	Index int
	// packagePath tells files of one path in different packages apart. It may be
	// absolute, so it is never printed.
	packagePath string
}

// String names the resource for a message: `ConfigMap vault`.
func (r Resource) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.Kind == "" {
		return name
	}
	return r.Kind + " " + name
}

// IsZero reports whether r names no resource.
func (r Resource) IsZero() bool { return r == Resource{} }

func compareResources(a, b Resource) int {
	return cmp.Or(
		cmp.Compare(a.packagePath, b.packagePath),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Index, b.Index),
		cmp.Compare(a.APIVersion, b.APIVersion),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name),
	)
}

// sortFindings brings findings into the order in which people mend them: by
// file, resource, position and rule. It does not depend on the order of the
// items in the list.
func sortFindings(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		order := cmp.Or(
			compareResources(a.Resource, b.Resource),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			compareFields(a.Field, b.Field),
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Pack, b.Pack),
		)
		if order == 0 {
			// Nothing that people read differs; the bytes still must not depend
			// on the order of the items.
			order = cmp.Compare(fmt.Sprint(a.Severity, a.Current, a.Proposed, a.Tags), fmt.Sprint(b.Severity, b.Current, b.Proposed, b.Tags))
		}
		return order
	})
}

// compareFields orders the paths of fields by their text, and the indexes in them
// by number: `a[2]` before `a[10]`.
func compareFields(a, b string) int {
	for a != "" && b != "" {
		if digits, others := leadingDigits(a), leadingDigits(b); digits != "" && others != "" {
			one, other := strings.TrimLeft(digits, "0"), strings.TrimLeft(others, "0")
			if order := cmp.Or(cmp.Compare(len(one), len(other)), cmp.Compare(one, other)); order != 0 {
				return order
			}
			a, b = a[len(digits):], b[len(others):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}
