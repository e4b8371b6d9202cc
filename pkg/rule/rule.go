// Package rule holds the rules of the suite: one row for each, with all that is said about
// it. A rule is reported with its variable, and everything else reads the rows: the rules
// that a function has, the tables of the READMEs, docs/rules.md, `packfn explain`, the rules
// of SARIF, and the ids that an acceptance or an option can name.
//
//	f := diag.Missing("").Of(rule.ValuesRequired)
//	rule.Of(f.Rule.ID).Fix // Set the value, for instance in a PackValues.
//
// A variable is named after its id: `values/required` is ValuesRequired. An id is a
// contract with users: it is never renamed.
//
// The rows are in a file for each group: values.go for `values/…`, dependencies.go for
// `dependencies/…`, packfn.go for the rules of the commands. They are added while the program starts,
// and never change after that.
package rule

import (
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
)

// Rule is a row.
type Rule struct {
	ID string
	// Severity is the severity of most findings. A finding can have another severity, which the
	// meaning states.
	Severity diag.Severity
	// By names who reports the rule, separated by commas: functions, or a command of packfn
	// and a part of it, `packfn check charts`, which are constants beside their rules. It is
	// empty if every function does.
	By string
	// Meaning is the meaning of a finding, in Markdown. It is a part of a sentence.
	Meaning string
	// Own are the meanings of those that report it in another sense.
	Own []Own
	// Breaks is an example that has a finding of the rule: part of a file, or words.
	Breaks string
	// Fix is the advice.
	Fix string

	// Cause: other findings can follow from one of it.
	Cause bool
	// Fixed: the severity cannot be changed, and a finding cannot be accepted.
	Fixed bool
	// Switch is the field of the functionConfig that switches the rule on.
	Switch string
	// Deployed: an error is an info about a pack that is not deployed. That is without other
	// packs and without pools, and has values for the user to fill in.
	Deployed bool
	// IsPending: a finding may be about content that is not injected yet.
	IsPending bool
	// Manual: a finding is about a text of the author of the pack, or about a
	// choice, such as a version. packfn fix leaves it to the user.
	Manual bool
	// MayExist: what a finding misses may exist although the function did not get it.
	MayExist bool
}

// Own is the meaning of a rule in one function.
type Own struct{ Function, Meaning string }

// rows are all rules. Only add changes them, while the program starts.
var rows = make([]Rule, 0, 128)

// add adds a row, and returns what findings have of it. In line, it would make a program
// larger by all the fields of all rows.
//
//go:noinline
func add(r Rule) diag.Rule {
	rows = append(rows, r)
	return r.rule()
}

// rule returns what findings have of a row.
func (r *Rule) rule() diag.Rule {
	return diag.Rule{ID: r.ID, Severity: r.Severity, Cause: r.Cause}
}

// Of returns the row of an id, a zero one for an unknown id.
func Of(id string) Rule {
	if at, known := places()[id]; known {
		return rows[at]
	}
	return Rule{}
}

// places are the indexes of the rows by their ids.
var places = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for i := range rows {
		at[rows[i].ID] = i
	}
	return at
})

// IDs returns the ids of the rules that a function chooses, sorted.
func IDs(choose func(Rule) bool) []string {
	var ids []string
	for _, r := range rows {
		if choose(r) {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// All returns the rows, sorted by their ids.
func All() []Rule {
	var all []Rule
	for _, id := range IDs(func(Rule) bool { return true }) {
		all = append(all, Of(id))
	}
	return all
}

// By returns the rules of a function, or of a command of packfn or a part of it, without the rules
// of every function. Callers do not change them.
func By(name string) []diag.Rule {
	if rules, known := by.Load(name); known {
		return rules.([]diag.Rule)
	}
	var rules []diag.Rule
	for _, r := range rows {
		if r.By != "" && r.IsBy(name) {
			rules = append(rules, r.rule())
		}
	}
	rules = slices.Clip(rules)
	by.Store(name, rules)
	return rules
}

// by are the rules that were asked for before, by the names.
var by sync.Map

// Every returns the rules of every function, which callers do not change.
func Every() []diag.Rule { return every() }

var every = sync.OnceValue(func() (rules []diag.Rule) {
	for _, r := range rows {
		if r.By == "" {
			rules = append(rules, r.rule())
		}
	}
	return rules
})

// IsBy reports whether a function, a command of packfn or a part of it reports the rule.
func (r Rule) IsBy(name string) bool {
	return r.By == "" || slices.ContainsFunc(r.Reporters(), func(by string) bool { return by == name || strings.HasPrefix(by, name+" ") })
}

// Reporters are the names in By.
func (r Rule) Reporters() []string {
	if r.By == "" {
		return nil
	}
	return strings.Split(r.By, ", ")
}

// Plain returns the meaning without Markdown.
func (r Rule) Plain() string { return strings.ReplaceAll(r.Meaning, "`", "") }
