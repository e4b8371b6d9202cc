package jsonschema

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// kind is a set of the types of JSON schema. A number without a fraction is an
// integer, however it is written.
type kind uint8

const (
	null kind = 1 << iota
	boolean
	integer
	number // with a fraction
	text
	array
	object

	anyKind = 1<<iota - 1
)

var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// String returns the name of a single kind.
func (k kind) String() string { return kindNames[bits.TrailingZeros8(uint8(k))] }

// withArticle is how messages name a kind: a map. JSON Schema calls it an object, as faults of
// schemas do.
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

// foundInstead says what a value is that is not of these kinds.
func foundInstead(found, want kind) string {
	if found == number && want&integer != 0 {
		return "a number with a fraction"
	}
	return withArticle(found.String())
}

// kindOf returns the kinds that a name means, 0 for an unknown name.
func kindOf(name string) kind {
	at := slices.Index(kindNames[:], name)
	if name == "number" {
		return integer | number
	}
	return kind(1 << (at + 1) >> 1)
}

// value is a YAML value as JSON has it: aliases and merge keys are followed, and
// the last of duplicate keys counts.
type value struct {
	node     *yaml.Node
	kind     kind
	text     string // of a string or a boolean
	number   *big.Rat
	children []child        // of an array or an object
	index    map[string]int // of an object
	height   int            // the levels of children
	id       string         // see identity
}

// child is an element of an array or a member of an object.
type child struct {
	key   *yaml.Node // nil in an array
	name  string     // of a member, and the index of an element
	node  *yaml.Node
	value *value
}

// child returns the child of a name, nil if there is none.
func (v *value) child(name string) *value {
	at, ok := v.index[name]
	if v.kind == array {
		var err error
		at, err = strconv.Atoi(name)
		ok = err == nil && at >= 0 && at < len(v.children)
	}
	if !ok {
		return nil
	}
	return v.children[at].value
}

// step returns the step to a child.
func (v *value) step(i int) values.Step {
	if v.kind == array {
		return values.Element(i)
	}
	return values.Step{Key: v.children[i].name}
}

// identity returns a short text that only equal values share.
func (v *value) identity() string {
	if v.id != "" {
		return v.id
	}
	content := v.kind.String() + v.text
	if v.number != nil {
		content = v.number.RatString()
	}
	var children []string
	for _, c := range v.children {
		children = append(children, fmt.Sprintf("\n%q%s", c.name, c.value.identity()))
	}
	slices.Sort(children)
	sum := sha256.Sum256([]byte(content + strings.Join(children, "")))
	v.id = string(sum[:])
	return v.id
}

// maxShown bounds a name, or a value of a schema, in a message.
const maxShown = 200

// cutText returns the part of a text that messages have.
func cutText(source string) string {
	if len(source) > maxShown {
		return strings.ToValidUTF8(source[:maxShown], "") + "…"
	}
	return source
}

func quote(source string) string { return strconv.Quote(cutText(source)) }

// String returns a value of a schema, for messages.
func (v *value) String() string {
	switch v.kind {
	case text:
		return quote(v.text)
	case array, object:
		content, _ := values.JSON(v.node)
		return cutText(content)
	case null:
		return v.kind.String()
	}
	return v.node.Value
}
