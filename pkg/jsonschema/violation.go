package jsonschema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// Violation is what a schema does not allow at a place in a value. It does not
// hold the value there, which may be a secret, but keys.
type Violation struct {
	// Path leads from the judged value to the place.
	Path Path
	// Position is where the place is in the text, zero if there is none.
	Position values.Position
	// Keyword is what is not satisfied: minimum. It is "" for the schema false, and
	// for what JSON does not have.
	Keyword string
	// Schema is the JSON pointer of the keyword: #/properties/port/minimum.
	Schema string
	// Found is the type of the value at the place: string.
	Found string
	// Accepted is what the keyword accepts, "" for nothing.
	Accepted string
	// Message says what is wrong, without the path.
	Message string
}

// Path leads to a place in a value.
type Path []values.Step

// String returns the path with dots, and with list indexes in brackets:
// ports[0].name.
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

// report collects violations. The nil report is always full: it is for those who
// only ask whether there are any.
type report struct {
	all   []Violation
	limit int
}

// newBranch returns an empty report like r.
func (r *report) newBranch() *report {
	if r == nil {
		return nil
	}
	return &report{limit: r.limit}
}

func (r *report) isFull() bool { return r == nil || len(r.all) >= r.limit }

// add adds a violation once: several schemas may not allow the same.
func (r *report) add(v Violation) {
	if !r.isFull() && !slices.ContainsFunc(r.all, func(known Violation) bool {
		return v.Message == known.Message && slices.Equal(v.Path, known.Path)
	}) {
		r.all = append(r.all, v)
	}
}

const notAllowed = "is not allowed by the schema"

// maxListed bounds the lists in messages.
const maxListed = 8

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
