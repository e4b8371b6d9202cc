package schema

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/values"
)

// Context is the context of a scalar in values.
type Context struct {
	secret.Context
	// Entry is the entry of the schema for the value, or nil if there is none.
	Entry *Entry
}

// ClassOf returns who may see a scalar of values. Formats for passwords make secrets, and a value
// that a list of the schema names is no secret.
func (c Context) ClassOf(n *yaml.Node) diag.Class {
	var format *Format
	if c.Entry != nil {
		format = c.Entry.Template.Format
	}
	c.IsSecret = c.IsSecret || format != nil && format.Secret()
	class := c.Context.ClassOf(n)
	if class == diag.Owned && format != nil {
		if n = values.Resolve(n); format.shows(Scalar{Text: n.Value, IsString: n.ShortTag() == "!!str"}) {
			return diag.Open
		}
	}
	return class
}

// IsPublic reports whether everybody may see a scalar at a key of values, in messages and in lists.
// entry is the entry of the schema for the key, and may be nil.
func IsPublic(key string, n *yaml.Node, entry *Entry) bool {
	if n = values.Resolve(n); n == nil || n.Kind != yaml.ScalarNode || len(n.Value) > maxShown {
		return false
	}
	return Context{secret.Context{Path: key}, entry}.ClassOf(n) == diag.Open
}
