package jsonschema

import "strings"

// pointer is a place in a schema, "#" if it is nil. Its text is made when it is
// needed: that of many places may be long.
type pointer struct {
	of    *pointer
	token string
}

// below returns the place of a child.
func (p *pointer) below(token string) *pointer { return &pointer{p, token} }

// String returns the JSON pointer: #/properties/port.
func (p *pointer) String() string {
	if p == nil {
		return "#"
	}
	token := p.token
	if strings.ContainsAny(token, "~/") {
		token = strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	return p.of.String() + "/" + token
}
