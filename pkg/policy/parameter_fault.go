package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

// schemaFault is a validator's error, taken apart: its words hold the value.
type schemaFault struct {
	// schemas are the JSON pointers of the schemas on the way to the fault, from
	// the root, ``, to the one that refuses.
	schemas []string
	keyword string
	// detail is what the validator says of it.
	detail string
}

// parseFault reads a validator's error: `validating root: validating
// /properties/a: type: 5 has type "integer", want "string"`.
func parseFault(err error) schemaFault {
	f := schemaFault{schemas: []string{""}}
	text := err.Error()
	for {
		rest, ok := strings.CutPrefix(text, "validating ")
		if !ok {
			break
		}
		at, rest, ok := strings.Cut(rest, ": ")
		if !ok {
			break
		}
		if strings.HasPrefix(at, "/") {
			f.schemas = append(f.schemas, at)
		}
		text = rest
	}
	f.keyword, f.detail, _ = strings.Cut(text, ": ")
	if strings.HasPrefix(text, "unexpected additional properties") {
		f.keyword, f.detail = "additionalProperties", text
	}
	return f
}

// schema is the pointer of the schema that refuses.
func (f schemaFault) schema() string { return f.schemas[len(f.schemas)-1] }

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// place returns the keys that lead to the fault in the value, and the same as
// text, with the lists on the way. It ends where the schemas lead on by something
// else than names: what a pattern stands for is not known.
func (f schemaFault) place() (path []string, text string) {
	for i, pointer := range f.schemas[1:] {
		steps, below := strings.CutPrefix(pointer, f.schemas[i])
		if !below || steps == "" || steps[0] != '/' {
			continue // a reference: the same value
		}
		keyword, name, _ := strings.Cut(steps[1:], "/")
		switch keyword {
		case "properties":
			key := unescapePointer.Replace(name)
			path = append(path, key)
			text += "." + key
		case "items", "prefixItems", "additionalItems", "contains":
			return path, text + "[]" + rest(f.schemas[i+1:])
		case "additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames":
			return path, text
		}
	}
	return path, text
}

// rest is the way from the items of a list on, as text.
func rest(schemas []string) string {
	_, text := schemaFault{schemas: schemas}.place()
	return text
}

// byReference reports whether a reference leads to the fault, so that other parts
// of the value may be refused by the same schema.
func (f schemaFault) byReference() bool {
	for i, pointer := range f.schemas[1:] {
		if !strings.HasPrefix(pointer, f.schemas[i]) {
			return true
		}
	}
	return false
}

// remainder is a schema and a value without what was told of them.
type remainder struct {
	schema any
	value  any
	// gone has the pieces that were taken out of the value.
	gone map[string]bool
}

func newRemainder(schema string, value any) *remainder {
	r := &remainder{value: value, gone: map[string]bool{}}
	if json.Unmarshal([]byte(schema), &r.schema) != nil {
		r.schema = nil // it was compiled before
	}
	return r
}

func (r *remainder) validate() error {
	text, err := json.Marshal(r.schema)
	if err != nil {
		return nil
	}
	schema, err := compileSchema(string(text))
	if err != nil {
		return nil // without a keyword it may be none any more
	}
	return schema.Validate(r.value)
}

// takeOut removes a fault: its keyword, or, where that would hide the same fault
// of other parts, or there is no such keyword, the part of the value.
func (r *remainder) takeOut(f schemaFault) bool {
	path, text := f.place()
	exact := len(path) > 0 && text == "."+strings.Join(path, ".")
	s, _ := r.at(f.schema()).(map[string]any)
	_, there := s[f.keyword]
	if there && !(f.byReference() && exact && f.keyword != "required" && f.keyword != "additionalProperties") {
		delete(s, f.keyword)
		return true
	}
	if !exact || !r.takeOutValue(path) {
		return false
	}
	r.gone[text] = true
	return true
}

func (r *remainder) takeOutValue(path []string) bool {
	value := r.value
	for _, key := range path[:len(path)-1] {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	m, _ := value.(map[string]any)
	_, there := m[path[len(path)-1]]
	delete(m, path[len(path)-1])
	return there
}

// at returns what is at a JSON pointer of the schema.
func (r *remainder) at(pointer string) any {
	c := schemaCost{root: r.schema}
	n, _ := c.resolve("#" + pointer)
	return n
}

// bounds are the words for keywords whose value says what is accepted.
var bounds = map[string]string{
	"const":            "want %s",
	"minimum":          "want a number of at least %s",
	"maximum":          "want a number of at most %s",
	"exclusiveMinimum": "want a number above %s",
	"exclusiveMaximum": "want a number below %s",
	"multipleOf":       "want a multiple of %s",
	"minLength":        "want a text of at least %s characters",
	"maxLength":        "want a text of at most %s characters",
	"pattern":          "want a text that matches the pattern %s",
	"minItems":         "want a list of at least %s items",
	"maxItems":         "want a list of at most %s items",
	"uniqueItems":      "want a list in which nothing stands twice",
	"contains":         "want a list with an item that satisfies its contains",
	"minProperties":    "want a mapping of at least %s keys",
	"maxProperties":    "want a mapping of at most %s keys",
	"anyOf":            "satisfies none of the schemas of its anyOf",
	"oneOf":            "want what satisfies exactly one of the schemas of its oneOf",
	"not":              "is what the schema does not allow there",
}

// words say a fault without the value; "" when only what was taken out is missing.
func (r *remainder) words(f schemaFault) string {
	s, _ := r.at(f.schema()).(map[string]any)
	in := ""
	if strings.HasSuffix(f.schema(), "/propertyNames") {
		in = "of its keys: "
	}
	switch f.keyword {
	case "type":
		if at := strings.LastIndex(f.detail, " has type "); at >= 0 {
			return in + "got" + strings.Replace(f.detail[at+len(" has type"):], "want one of", "want", 1)
		}
	case "required":
		_, at := f.place()
		missing := slices.DeleteFunc(quotedNames(f.detail), func(name string) bool { return r.gone[at+"."+name] })
		if len(missing) == 0 {
			return ""
		}
		return "lacks " + quotedList(missing)
	case "additionalProperties":
		properties, _ := s["properties"].(map[string]any)
		known := slices.Sorted(maps.Keys(properties))
		names := quotedNames(f.detail)
		text := "takes no " + quotedList(names)
		if len(names) == 1 {
			text += nearest.Hint(names[0], known)
		}
		if len(known) > 0 {
			text += "; it takes " + strings.Join(shorten(known, "more"), ", ")
		}
		return text
	case "enum":
		var accepted []string
		list, _ := s["enum"].([]any)
		for _, v := range list {
			accepted = append(accepted, jsonText(v))
		}
		return in + "want " + function.OneOf(shorten(accepted, "more"))
	}
	if text, ok := bounds[f.keyword]; ok {
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, jsonText(s[f.keyword]))
		}
		return in + text
	}
	return "is not what the schema wants there"
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "something else"
	}
	return string(text)
}

func quotedList(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return strings.Join(shorten(quoted, "more"), ", ")
}

// quotedNames are the names in a list of quoted ones.
func quotedNames(list string) []string {
	var names []string
	for {
		at := strings.IndexByte(list, '"')
		if at < 0 {
			return names
		}
		quoted, err := strconv.QuotedPrefix(list[at:])
		if err != nil {
			return names
		}
		list = list[at+len(quoted):]
		if name, err := strconv.Unquote(quoted); err == nil {
			names = append(names, name)
		}
	}
}
