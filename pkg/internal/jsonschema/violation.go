package jsonschema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// Violation is what a schema does not allow at a place in a value. It does not hold the value
// there, which may be a secret, but keys.
type Violation struct {
	// Path leads from the validated value to the place.
	Path Path
	// Position is the position of the place in the text, or zero if there is none.
	Position values.Position
	// Keyword is the keyword that is not satisfied: minimum. It is "" for the schema false, and for
	// what JSON does not have.
	Keyword string
	// Schema is the JSON pointer of the keyword: #/properties/port/minimum.
	Schema string
	// Message describes the violation, without the path.
	Message string
}

// Path leads to a place in a value.
type Path []values.Step

// String returns the path with dots, and with list indexes in brackets: ports[0].name.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.IsIndex:
			fmt.Fprintf(&b, "[%d]", s.Index)
		case i > 0:
			b.WriteString("." + s.Key)
		default:
			b.WriteString(s.Key)
		}
	}
	return b.String()
}

// pointer returns the path as a JSON pointer.
func (p Path) pointer() string {
	pointer := "#"
	for _, s := range p {
		if s.IsIndex {
			s.Key = strconv.Itoa(s.Index)
		}
		pointer += pointerTo(s.Key)
	}
	return pointer
}

// pointerTo returns the JSON pointer of the value that steps lead to.
func pointerTo(steps ...string) string {
	pointer := ""
	for _, step := range steps {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return pointer
}

// maxShown bounds a text of a schema in a message, and maxListed a list.
const (
	maxShown  = 200
	maxListed = 8
)

// cutText shortens a text for a message.
func cutText(source string) string {
	if len(source) > maxShown {
		return strings.ToValidUTF8(source[:maxShown], "") + "…"
	}
	return source
}

func quote(source string) string { return strconv.Quote(cutText(source)) }

// shorten returns the texts of a list, and how many more there are than fit.
func shorten[T any](all []T, show func(T) string) []string {
	var list []string
	for i, one := range all {
		if i == maxListed {
			return append(list, fmt.Sprintf("%d more", len(all)-maxListed))
		}
		list = append(list, show(one))
	}
	return list
}
