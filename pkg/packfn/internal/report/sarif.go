package report

import (
	"cmp"
	"io"
	"net/url"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// maxResults is the number of results that GitHub takes in a run.
const maxResults = 5000

type object = map[string]any

// writeSARIF prints errors and warnings as SARIF 2.1.0, errors first where there are too
// many.
//
//	{"ruleId": "values/invalid-yaml", "level": "error", "message": {"text": "…"}, "locations": [{"physicalLocation":
//	  {"artifactLocation": {"uri": "broken.yaml"}, "region": {"startLine": 13, "startColumn": 11}}}]}
func (r *Report) writeSARIF(w io.Writer) error {
	var chosen []*Finding
	for i := range r.Findings {
		if f := &r.Findings[i]; !f.Accepted && f.Severity != diag.Info {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) > maxResults {
		slices.SortStableFunc(chosen, func(a, b *Finding) int {
			return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
		})
		chosen = chosen[:maxResults]
	}
	var ids []string
	for _, f := range chosen {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	rules, results := []object{}, []object{}
	for _, id := range ids {
		rules = append(rules, sarifRule(id))
	}
	for _, f := range chosen {
		results = append(results, sarifResult(f, slices.Index(ids, f.Rule), r.Given))
	}
	driver := object{"name": "packfn", "informationUri": "https://github.com/krm-packs/functions", "rules": rules}
	if r.Version != "" {
		driver["version"] = r.Version
	}
	run := object{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
	if r.Counts || len(r.Skipped) > 0 {
		run["invocations"] = []object{r.invocation()}
	}
	return WriteJSON(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    []object{run},
	})
}

// invocation returns what was checked, and what was not, as SARIF has it.
func (r *Report) invocation() object {
	notifications := []object{}
	for i := range r.Skipped {
		s := &r.Skipped[i]
		one := object{"level": "note", "message": object{"text": s.text()}, "descriptor": object{"id": "skipped/" + string(s.Reason)}}
		if s.File != "" {
			one["locations"] = []object{{"physicalLocation": physical(Place{File: s.File, Line: s.Line})}}
		}
		if notifications = append(notifications, one); len(notifications) == maxResults {
			break
		}
	}
	invocation := object{"executionSuccessful": true, "toolExecutionNotifications": notifications}
	if r.Counts {
		invocation["properties"] = object{"checked": r.Sum()}
	}
	return invocation
}

// sarifRule returns the description of a rule, which viewers show beside its results.
func sarifRule(id string) object {
	described := object{"id": id}
	if help := rule.Of(id).Plain(); help != "" {
		described["shortDescription"] = object{"text": help}
		described["help"] = object{"text": help + "\n\nSee packfn explain " + id + "."}
	}
	return described
}

// at returns the place of a finding. GitHub takes no file of SARIF with a result that has none.
func (f *Finding) at(given Place) Place {
	place := Place{File: f.File, Line: f.Line, Column: f.Column}
	if place.File == "" {
		place = f.Near
	}
	if place.File == "" {
		place = given
	}
	place.File = cmp.Or(place.File, ".")
	if place.Line == 0 {
		place.Line, place.Column = 1, 0
	}
	return place
}

// sarifResult returns a finding as a result. index is the position of the rule in the list of rules.
func sarifResult(f *Finding, index int, given Place) object {
	result := object{
		"ruleId":              f.Rule,
		"ruleIndex":           index,
		"level":               string(f.Severity),
		"message":             object{"text": f.subject() + diag.OneLine(f.Message)},
		"partialFingerprints": object{"primaryLocationLineHash": f.Fingerprint},
	}
	location := object{"physicalLocation": physical(f.at(given))}
	if name := f.Resource.String(); name != "" {
		location["logicalLocations"] = []object{{"name": name, "kind": "resource"}}
	}
	result["locations"] = []object{location}
	var related []object
	for i, place := range f.Related {
		other := object{"id": i + 1, "physicalLocation": physical(place)}
		if place.Message != "" {
			other["message"] = object{"text": place.Message}
		}
		related = append(related, other)
	}
	if len(related) > 0 {
		result["relatedLocations"] = related
	}
	var replacements []object
	for _, e := range f.Fix() {
		region := object{"startLine": e.At.Line, "startColumn": e.At.Column, "endColumn": e.At.Column + e.Length}
		replacements = append(replacements, object{"deletedRegion": region, "insertedContent": object{"text": e.New}})
	}
	if len(replacements) > 0 {
		change := object{"artifactLocation": physical(Place{File: f.File})["artifactLocation"], "replacements": replacements}
		result["fixes"] = []object{{"artifactChanges": []object{change}}}
	}
	return result
}

// physical is a place as SARIF has it.
func physical(p Place) object {
	place := object{"artifactLocation": object{"uri": (&url.URL{Path: p.File}).String()}}
	if p.Line > 0 {
		region := object{"startLine": p.Line}
		if p.Column > 0 {
			region["startColumn"] = p.Column
		}
		place["region"] = region
	}
	return place
}
