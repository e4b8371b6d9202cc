package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// JSON is a JSON Schema of draft-07, or a part of one: keywords with their values.
type JSON map[string]any

// Below returns the schema of a key of the maps that j is about. Other keys stay
// allowed.
func (j JSON) Below(key string) JSON {
	properties, _ := j["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
		j["properties"] = properties
	}
	return at(properties, key)
}

// Elements returns the schema of the elements of the lists that j is about.
func (j JSON) Elements() JSON { return at(j, "items") }

// Others returns the schema of all keys that the schema does not name.
func (j JSON) Others() JSON { return at(j, "additionalProperties") }

// at returns the schema at a key, which is made if it is not there.
func at(of map[string]any, key string) JSON {
	made, _ := of[key].(JSON)
	if made == nil {
		made = JSON{}
		of[key] = made
	}
	return made
}

// nameSet is a list of names, sorted when it is printed.
type nameSet map[string]bool

// MarshalJSON returns the names as a list.
func (s nameSet) MarshalJSON() ([]byte, error) {
	return json.Marshal(slices.Sorted(maps.Keys(s)))
}

// MaxJSONDepth is the depth of keys up to which a JSON Schema says something. Validators
// limit how deep schemas are nested.
const MaxJSONDepth = 100

// AddJSON adds the constraints of the schema to a JSON Schema of the values. own are the pack's own
// values. A key that contains dots there is one key.
//
// A value that the JSON Schema rejects has a finding with the rule values/required, values/format
// or values/readonly, unless a required key is written with dots where the pack's own values nest
// it. The reverse does not hold. Constraints that a JSON Schema cannot express are accepted:
// composite formats, regexes that ECMA-262 does not have, an element of a list by its number,
// macros. So are null and "", because a pack ships them for the user to fill: `required` only means
// that the key is present. Hints become descriptions. A read-only value is shown only if it is not
// a secret.
func (s *Schema) AddJSON(j JSON, own *values.Document) {
	for _, e := range s.Entries {
		e.addJSON(j, own)
	}
}

// addJSON adds the constraints of an entry at the place of its values.
func (e *Entry) addJSON(j JSON, own *values.Document) {
	matches := own.Present(e.Path)
	if len(matches) == 0 { // then the keys are as the schema has them
		keys := e.Path.Steps()
		if list := slices.Index(keys, values.Wildcard); list >= 0 {
			keys = keys[:list]
		}
		matches = []values.Match{{State: values.Absent, Steps: values.Keys(keys...)}}
	}
	steps, ok := e.steps(&matches[0])
	if !ok || len(steps) > MaxJSONDepth {
		return
	}
	isRequired := e.Template.Required && !slices.ContainsFunc(matches[1:], func(m values.Match) bool {
		other, ok := e.steps(&m) // the elements of a list can write a key in two ways
		return !ok || !slices.Equal(steps, other)
	})
	for _, step := range steps {
		if step.IsIndex {
			if e.Template.Required || e.Template.Format != nil {
				j["type"], j["pattern"] = []string{"array", "string", "null"}, open
			}
			j = j.Elements()
			continue
		}
		if isRequired {
			names, _ := j["required"].(nameSet)
			if names == nil {
				names = nameSet{}
				j["required"] = names
			}
			names[step.Key] = true
		}
		j = j.Below(step.Key)
	}
	if e.Template.Format != nil {
		for keyword, value := range e.Template.Format.jsonSchema() {
			j[keyword] = value
		}
	}
	if e.Template.ReadOnly {
		j["readOnly"] = true
		m := &matches[0]
		isOne := !slices.ContainsFunc(steps, func(s values.Step) bool { return s.IsIndex })
		if text, ok := values.JSON(m.Node); ok && isOne && m.State == values.Present && len(text) <= maxExact && !values.HasLeadingZero(m.Node) && IsPublic(m.Path, m.Node, e) {
			j["const"] = json.RawMessage(text)
		}
	}
	if words := e.words(); words != "" {
		j["description"] = words
	}
}

// maxExact is the length of values that JSON has exactly.
const maxExact = 15

// words returns the hints, and a description of the format if the JSON Schema expresses it only as
// a pattern, or not at all.
func (e *Entry) words() string {
	lines := slices.Clone(e.Template.Hints)
	if f := e.Template.Format; f != nil {
		if p := f.single(); p == nil || p.regex != nil || p.kind == kindIPv4 || p.kind == kindVersion {
			lines = append(lines, "Accepted: "+f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// steps returns the way to the values of an entry, by a match in the pack's own values. Any
// index stands for all elements of a list. It is false for a path to one element.
func (e *Entry) steps(m *values.Match) ([]values.Step, bool) {
	all := e.Path.Steps()
	var found []values.Step
	elements := 0
	for _, step := range m.Steps {
		if step.IsIndex {
			elements++
			step = values.Element(0)
		}
		found = append(found, step)
	}
	if elements > 0 && slices.ContainsFunc(all, isIndex) {
		return nil, false
	}
	for i, step := range all { // what the pack's own values do not have
		if step == values.Wildcard {
			elements--
		}
		if elements >= 0 {
			continue
		}
		if step == values.Wildcard {
			found = append(found, values.Element(0))
		} else {
			found = append(found, values.Key(all[i]))
		}
	}
	return found, true
}

// isIndex reports whether a step of a path may be the number of an element.
func isIndex(step string) bool { return strings.Trim(step, "0123456789") == "" }
