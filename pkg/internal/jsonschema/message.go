package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

const notAllowed = "is not allowed by the schema"

// wants describe the values that keywords accept. %s is the value of the keyword.
var wants = map[string]string{
	"minimum":          "a number of at least %s",
	"maximum":          "a number of at most %s",
	"exclusiveMinimum": "a number above %s",
	"exclusiveMaximum": "a number below %s",
	"multipleOf":       "a multiple of %s",
	"minLength":        "a string of at least %s characters",
	"maxLength":        "a string of at most %s characters",
	"minItems":         "a list of at least %s items",
	"maxItems":         "a list of at most %s items",
	"minProperties":    "a map of at least %s keys",
	"maxProperties":    "a map of at most %s keys",
	"pattern":          "a string that matches the pattern %s",
	"format":           "a string of the format %s",
	"uniqueItems":      "a list without duplicates",
	"contains":         "a list with an item that matches contains",
	"minContains":      "a list with at least %s items that match contains",
	"maxContains":      "a list with at most %s items that match contains",
}

// message describes a violation. It contains nothing of the value except its type and keys.
func (r *report) message(f finding, keyword string) string {
	switch k := f.ErrorKind.(type) {
	case *kind.Type:
		found := withArticle(f.kind)
		if f.kind == "number" && slices.Contains(k.Want, "integer") {
			found = "a number with a fraction"
		}
		want := typesOf(k.Want)
		if r.schemas == nil && slices.Equal(k.Want, []string{"boolean", "object"}) {
			want = "a schema (a map, true or false)"
		}
		return fmt.Sprintf("must be %s, got %s", want, found)
	case *kind.Const:
		return r.choice(f, k.Want)
	case *kind.Enum:
		return r.choice(f, k.Want...)
	case *kind.AdditionalItems:
		return fmt.Sprintf("must be a list of at most %d items", len(f.node.Content)-k.Count)
	case *kind.Required:
		return absent(k.Missing)
	case *kind.Dependency:
		return fmt.Sprintf("together with %s, %s", quote(k.Prop), absent(k.Missing))
	case *kind.DependentRequired:
		return fmt.Sprintf("together with %s, %s", quote(k.Prop), absent(k.Missing))
	case *kind.AdditionalProperties:
		return r.unknownKey(f)
	case *kind.AnyOf:
		return r.closest(f, keyword)
	case *kind.OneOf:
		if len(k.Subschemas) == 2 {
			return fmt.Sprintf("matches oneOf/%d and oneOf/%d, but must match exactly one schema of oneOf", k.Subschemas[0], k.Subschemas[1])
		}
		return r.closest(f, keyword)
	case *kind.Format:
		if k.Want == "regex" && r.schemas == nil {
			return k.Err.Error() // of newPatterns
		}
	}
	if want, ok := wants[keyword]; ok {
		return "must be " + strings.ReplaceAll(want, "%s", bound(f.ErrorKind))
	}
	return notAllowed
}

// bound returns the value of a keyword that has one, for messages.
func bound(k any) string {
	want := reflect.ValueOf(k).Elem().FieldByName("Want")
	if !want.IsValid() {
		return ""
	}
	switch want := want.Interface().(type) {
	case *big.Rat:
		if want.IsInt() {
			return cutText(want.RatString())
		}
		number, _ := want.Float64()
		return strconv.FormatFloat(number, 'g', -1, 64)
	case string:
		return quote(want)
	default:
		return fmt.Sprint(want)
	}
}

// typesOf lists the accepted types, null last.
func typesOf(names []string) string {
	if names[0] == "null" {
		names = append(slices.Clone(names[1:]), "null")
	}
	return diag.OneOf(shorten(names, withArticle))
}

// withArticle returns the name of a type in messages: a map. JSON Schema calls it an object.
func withArticle(kind string) string {
	switch kind {
	case "null":
		return kind
	case "array":
		return "a list"
	case "object":
		return "a map"
	case "integer":
		return "an integer"
	}
	return "a " + kind
}

// choice lists the accepted values, and the type that was found if no accepted value has that type.
func (r *report) choice(f finding, accepted ...any) string {
	if len(accepted) == 0 {
		return notAllowed
	}
	message := "must be " + diag.OneOf(shorten(accepted, compact))
	if !slices.ContainsFunc(accepted, func(a any) bool { return kindOfData(a) == f.kind }) {
		return message + ", got " + withArticle(f.kind)
	}
	if r.schemas == nil { // a schema is no secret
		var names []string
		for _, a := range accepted {
			names = append(names, fmt.Sprint(a))
		}
		message += ", got " + quote(f.node.Value) + nearest.Hint(f.node.Value, names)
	}
	return message
}

// compact returns a value of a schema as JSON.
func compact(data any) string {
	if text, ok := data.(string); ok {
		return quote(text)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(data) // it is of JSON
	return cutText(strings.TrimSpace(b.String()))
}

// absent returns the message about missing keys.
func absent(names []string) string {
	verb := "are"
	if len(names) == 1 {
		verb = "is"
	}
	return strings.Join(shorten(names, quote), ", ") + " " + verb + " required, but missing"
}

// maxHinted is the longest key that gets a hint.
const maxHinted = 64

// unknownKey returns the message about an unknown key, with the accepted keys.
func (r *report) unknownKey(f finding) string {
	var known []string
	if s := r.schemas[f.SchemaURL]; s != nil {
		known = slices.Sorted(maps.Keys(s.Properties))
	}
	name := f.path[len(f.path)-1].Key
	if len(name) <= maxHinted {
		if hint := nearest.Hint(name, known); hint != "" {
			return notAllowed + hint
		}
	}
	if len(known) == 0 {
		return notAllowed
	}
	return notAllowed + ". Available: " + strings.Join(shorten(known, quote), ", ")
}
