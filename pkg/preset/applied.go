package preset

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// maxPaths bounds the paths of one kind that a message names.
const maxPaths = 8

// applied says for each preset of a job which paths it changed, never what they
// hold.
func applied(j *job, result *Result) []function.Finding {
	var findings []function.Finding
	for u, use := range j.uses {
		whose := fmt.Sprintf("%q", j.packs[u].Name)
		if len(j.uses) > 1 { // packs of one name, told apart by what holds them
			whose += fmt.Sprintf(" (%s)", j.packs[u].Resource)
		}
		for i, p := range use.Presets {
			what := describe(result.Changes[u], use.Presets, i)
			if what == "" {
				what = "changes nothing: the values are as it has them"
				if result.Marked && p.Group != "" {
					what = "changes no value, only the comment that lists the enabled presets"
				}
			}
			f := function.Locate(j.target.Origin, function.Finding{
				Rule: string(RuleApplied), Pack: j.packs[u].Name,
				Message: fmt.Sprintf("the preset %s of the pack %s %s (%s)", p, whose, what, j.target.Name),
				Tags:    map[string]string{"preset": p.Name},
			}, "", values.Position{})
			if p.Group != "" {
				f.Tags["group"] = p.Group
			}
			findings = append(findings, f)
		}
	}
	return findings
}

// describe lists what one of the presets changes, "" when that is nothing.
func describe(changes []Change, presets []pack.Preset, preset int) string {
	var parts []string
	add := func(before, after string, matches func(Change) bool) {
		var paths []string
		told := map[string]bool{}
		for _, c := range changes {
			// One path can lead to two values, as in `a: {b: 1}` beside `a.b: 2`.
			if c.Preset == preset && matches(c) && !told[c.Path] {
				told[c.Path] = true
				paths = append(paths, c.Path)
			}
		}
		if more := len(paths) - maxPaths; more > 0 {
			paths = append(paths[:maxPaths], fmt.Sprintf("%d more", more))
		}
		if len(paths) > 0 {
			parts = append(parts, before+strings.Join(paths, ", ")+after)
		}
	}
	for _, kind := range []struct {
		kind Kind
		verb string
	}{{Removed, "removes "}, {Set, "sets "}, {Added, "adds "}} {
		add(kind.verb, "", func(c Change) bool { return c.Kind == kind.kind })
	}
	for later := preset + 1; later < len(presets); later++ {
		add("leaves ", fmt.Sprintf(" to the later preset %s", presets[later]),
			func(c Change) bool { return c.Kind == Replaced && c.By == later })
	}
	return strings.Join(parts, "; ")
}
