// Package jsontext reads JSON strictly, with the place of each value and each fault.
//
// The YAML parser is no substitute. It refuses some JSON (`\/`, surrogate pairs, tabs),
// accepts what is not JSON (trailing commas, comments), and can make a key a part of a
// comment.
package jsontext

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Document is a text of JSON that was read.
type Document struct {
	*values.Document
	// Sizes are the lengths in bytes of the members that [Parse] was asked for, by
	// their objects.
	Sizes map[*yaml.Node]int
}

// Parse reads JSON, see [values.ReadJSON], which has the limits and the errors. sized are
// the keys of members whose lengths are kept.
func Parse(text string, sized ...string) (*Document, error) {
	root, sizes, err := values.ReadJSON(text, sized...)
	if err != nil {
		return nil, err
	}
	return &Document{values.Of(root), sizes}, nil
}
