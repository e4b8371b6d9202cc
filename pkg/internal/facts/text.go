package facts

import (
	"regexp"
	"sync"
)

// Text records the values that a text reads when a chart runs it as a template.
type Text struct {
	// Values are the dotted paths of values that it names, each with all that is below it.
	Values []string
	// Whole reports whether the text may read all values.
	Whole bool
	// Calls are the named templates that it runs.
	Calls []Call
	// RunsTexts reports whether the text runs other texts as templates.
	RunsTexts bool
}

// Call is a call of a named template.
type Call struct {
	// Name is "" for one that is computed.
	Name string
	// IsContext reports whether the template gets the context of the chart.
	IsContext bool
}

// patterns find what a text names. They are compiled when they are first needed.
// action matches an action of a template, values a value in it, calls a named template, whole a
// use of all values, and runs a call of tpl.
type patterns struct{ action, values, calls, whole, runs *regexp.Regexp }

var newPatterns = sync.OnceValue(func() patterns {
	return patterns{
		action: regexp.MustCompile(`(?s)\{\{.*?\}\}`),
		values: regexp.MustCompile(`\.Values((?:\.[\pL_][\pL\pN_]*)*)`),
		calls:  regexp.MustCompile(`\b(?:include|template)\s+(?:"([^"]*)"\s*([.$]?)([^\s)}|]*)|\S)`),
		whole:  regexp.MustCompile(`\.Values(?:[^.\pL\pN_]|\.[^\pL_]|$)`),
		runs:   regexp.MustCompile(`\btpl\b`),
	}
})

// ReadText reads a text that may be run as a template. Values count wherever they are named:
// a text may be part of a template.
func ReadText(text string) (t Text) {
	in := newPatterns()
	for _, found := range in.values.FindAllStringSubmatch(text, -1) {
		if found[1] != "" {
			t.Values = append(t.Values, found[1][1:])
		}
	}
	for _, action := range in.action.FindAllString(text, -1) {
		t.Whole = t.Whole || in.whole.MatchString(action)
		t.RunsTexts = t.RunsTexts || in.runs.MatchString(action)
		for _, called := range in.calls.FindAllStringSubmatch(action, -1) {
			t.Calls = append(t.Calls, Call{called[1], called[2] != "" && called[3] == ""})
		}
	}
	return t
}
