package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

// violation is what a JSON schema refuses of a value.
type violation struct {
	// path leads to it by keys, up to the first list on the way.
	path []string
	// at is the whole way, as text.
	at string
	// message says what is wrong, without what the value holds.
	message string
}

// maxViolations bounds the violations that are told of one value.
const maxViolations = 20

// violations says what the schema refuses of a value, place by place in the order
// of the names. When there is more than maxViolations, more is true.
func (s *jsonSchema) violations(value any) (all []violation, more bool) {
	if s.whole.Validate(value) == nil {
		return nil, false
	}
	d := &descent{schema: s, told: map[string]bool{}}
	d.visit(s.root, value, place{})
	if len(d.all) == 0 {
		d.tell(place{}, "is not what the schema wants")
	}
	if len(d.all) > maxViolations {
		return d.all[:maxViolations], true
	}
	return d.all, false
}

// place is where the descent is in the value.
type place struct {
	path   []string
	at     string
	inList bool
	// key is the key that is looked at itself, as text; "" for values.
	key string
}

func (p place) name(key string) place {
	if p.at += "." + key; !p.inList {
		p.path = append(slices.Clip(p.path), key)
	}
	return p
}

func (p place) index(i int) place {
	p.at += fmt.Sprintf("[%d]", i)
	p.inList = true
	return p
}

// descent goes through a schema and a value together.
type descent struct {
	schema *jsonSchema
	all    []violation
	told   map[string]bool
}

func (d *descent) full() bool { return len(d.all) > maxViolations }

// tell adds a violation, once: several branches may refuse the same.
func (d *descent) tell(p place, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if p.key != "" {
		message = fmt.Sprintf("its key %s: %s", p.key, message)
	}
	if id := p.at + "\n" + message; !d.told[id] {
		d.told[id] = true
		d.all = append(d.all, violation{p.path, p.at, message})
	}
}

const notAllowed = "is what the schema does not allow there"

// visit tells what a schema refuses of a value.
func (d *descent) visit(schema, value any, p place) {
	if d.full() {
		return
	}
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			d.tell(p, notAllowed)
		}
		return
	}
	before := len(d.all)
	if ref, ok := s["$ref"].(string); ok {
		d.visit(d.schema.refs[ref], value, p)
		if d.schema.draft7 {
			return // what stands beside it does not count
		}
	}
	for _, a := range assertions {
		if _, ok := s[a.keyword]; ok && !d.schema.holds(s, a.keyword, value) {
			d.tell(p, "%s", a.words(s, value))
		}
	}
	for _, sub := range subschemas("allOf", s["allOf"]) {
		d.visit(sub, value, p)
	}
	if _, ok := s["if"]; ok {
		branch := s["else"]
		if d.schema.holds(s, "if", value) {
			branch = s["then"]
		}
		d.visit(branch, value, p)
	}
	switch v := value.(type) {
	case map[string]any:
		d.visitMapping(s, v, p)
		d.visitDependencies(s, v, p)
	case []any:
		d.visitList(s, v, p)
	}
	// What is unevaluated depends on all the others.
	_, names := s["unevaluatedProperties"]
	_, items := s["unevaluatedItems"]
	if (names || items) && len(d.all) == before && !d.schema.holds(s, wholePlace, value) {
		d.tell(p, "has something beside what the schema describes, which it does not allow there")
	}
}

func (d *descent) visitMapping(s, value map[string]any, p place) {
	properties, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	var others []string
	for _, name := range slices.Sorted(maps.Keys(value)) {
		sub, known := properties[name]
		if known {
			d.visit(sub, value[name], p.name(name))
		}
		for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				known = true
				d.visit(patterns[pattern], value[name], p.name(name))
			}
		}
		if names, ok := s["propertyNames"]; ok {
			key := p
			key.key = strconv.Quote(name)
			d.visit(names, name, key)
		}
		if !known {
			others = append(others, name)
		}
	}
	additional, ok := s["additionalProperties"]
	switch {
	case !ok || len(others) == 0:
	case !refusesAll(additional):
		for _, name := range others {
			d.visit(additional, value[name], p.name(name))
		}
	default:
		known := slices.Sorted(maps.Keys(properties))
		text := "takes no " + quotedList(others)
		if len(others) == 1 {
			text += nearest.Hint(others[0], known)
		}
		if len(known) > 0 {
			text += "; it takes " + strings.Join(shorten(known, "more"), ", ")
		}
		d.tell(p, "%s", text)
	}
}

// refusesAll reports whether a schema is one of those that are written for no
// value at all.
func refusesAll(schema any) bool {
	if s, ok := schema.(map[string]any); ok && len(s) == 1 {
		not, _ := s["not"].(map[string]any)
		return not != nil && len(not) == 0 || s["not"] == true
	}
	return schema == false
}

// visitDependencies looks at what some names demand of the mapping they are in.
func (d *descent) visitDependencies(s, value map[string]any, p place) {
	keywords := []string{"dependentRequired", "dependentSchemas"}
	if d.schema.draft7 {
		keywords = []string{"dependencies"}
	}
	for _, keyword := range keywords {
		named, _ := s[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if _, ok := value[name]; !ok {
				continue
			}
			wanted, ok := named[name].([]any)
			if !ok {
				d.visit(named[name], value, p)
			} else if lacking := lacks(wanted, value); len(lacking) > 0 {
				d.tell(p, "lacks %s, which it needs for %q", quotedList(lacking), name)
			}
		}
	}
}

func (d *descent) visitList(s map[string]any, value []any, p place) {
	first, rest := s["prefixItems"], s["items"]
	if d.schema.draft7 {
		if first, rest = nil, s["items"]; keywordIsList(rest) {
			first, rest = rest, s["additionalItems"]
		}
	}
	heads, _ := first.([]any)
	for i, item := range value {
		sub := rest
		if i < len(heads) {
			sub = heads[i]
		}
		d.visit(sub, item, p.index(i))
	}
}

func keywordIsList(n any) bool {
	_, ok := n.([]any)
	return ok
}

// lacks are the names of a list that a mapping does not have.
func lacks(wanted []any, value map[string]any) []string {
	var names []string
	for _, n := range wanted {
		name, _ := n.(string)
		if _, ok := value[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// assertion is a keyword that the validator judges as a whole, and the words for
// what a schema with it refuses.
type assertion struct {
	keyword string
	words   func(schema map[string]any, value any) string
}

// assertions are in the order in which they are told.
var assertions = []assertion{
	{"type", func(schema map[string]any, value any) string {
		want := []string{fmt.Sprint(schema["type"])}
		if list, ok := schema["type"].([]any); ok {
			want = want[:0]
			for _, name := range list {
				want = append(want, fmt.Sprint(name))
			}
		}
		for i := range want {
			want[i] = strconv.Quote(want[i])
		}
		return fmt.Sprintf("got %q, want %s", jsonType(value), function.OneOf(want))
	}},
	{"enum", func(schema map[string]any, _ any) string {
		var accepted []string
		list, _ := schema["enum"].([]any)
		for _, v := range list {
			accepted = append(accepted, jsonText(v))
		}
		if len(accepted) == 0 {
			return notAllowed
		}
		return "want " + function.OneOf(shorten(accepted, "more"))
	}},
	bound("const", "want %s"),
	bound("minimum", "want a number of at least %s"),
	bound("maximum", "want a number of at most %s"),
	bound("exclusiveMinimum", "want a number above %s"),
	bound("exclusiveMaximum", "want a number below %s"),
	bound("multipleOf", "want a multiple of %s"),
	bound("minLength", "want a text of at least %s characters"),
	bound("maxLength", "want a text of at most %s characters"),
	bound("pattern", "want a text that matches the pattern %s"),
	bound("minItems", "want a list of at least %s items"),
	bound("maxItems", "want a list of at most %s items"),
	fixed("uniqueItems", "want a list in which nothing stands twice"),
	{"contains", func(schema map[string]any, _ any) string {
		least, most := schema["minContains"], schema["maxContains"]
		switch {
		case least == nil && most == nil:
			return "want a list with an item that satisfies its contains"
		case most == nil:
			return fmt.Sprintf("want a list of which at least %s items satisfy its contains", jsonText(least))
		case least == nil:
			least = 1
		}
		return fmt.Sprintf("want a list of which %s to %s items satisfy its contains", jsonText(least), jsonText(most))
	}},
	bound("minProperties", "want a mapping of at least %s keys"),
	bound("maxProperties", "want a mapping of at most %s keys"),
	{"required", func(schema map[string]any, value any) string {
		wanted, _ := schema["required"].([]any)
		mapping, _ := value.(map[string]any)
		return "lacks " + quotedList(lacks(wanted, mapping))
	}},
	fixed("anyOf", "satisfies none of the schemas of its anyOf"),
	fixed("oneOf", "want what satisfies exactly one of the schemas of its oneOf"),
	fixed("not", notAllowed),
}

// bound is an assertion whose value says what is accepted.
func bound(keyword, format string) assertion {
	return assertion{keyword, func(schema map[string]any, _ any) string {
		return fmt.Sprintf(format, jsonText(schema[keyword]))
	}}
}

func fixed(keyword, text string) assertion {
	return assertion{keyword, func(map[string]any, any) string { return text }}
}

// jsonType is the name that JSON schema has for the type of a value.
func jsonType(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v != math.Trunc(v) || math.IsInf(v, 0) {
			return "number"
		}
	}
	return "integer"
}

// jsonText is a value of a schema, as its author wrote it.
func jsonText(v any) string {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "something else"
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func quotedList(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return strings.Join(shorten(quoted, "more"), ", ")
}
