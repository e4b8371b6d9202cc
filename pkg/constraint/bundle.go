package constraint

import (
	"cmp"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// Entry is an item of a list of properties, dependencies or constraints:
// `{type, value}`, or `property: {type, value}`.
type Entry struct {
	// Node is the item.
	Node *yaml.Node
	// Key is its path in the document: `properties[3]`.
	Key string
	// Origin is the document.
	Origin *diag.Origin
	// ValueSize is the length of the value in bytes, as it was written in JSON. 0 counts
	// the value as compact JSON.
	ValueSize int
	// Again returns the item again, so that a large value need not be kept for rules that may
	// look at it; nil to keep it. It returns nil if the item cannot be read any more.
	Again func() *yaml.Node
}

// API is an API that a ClusterServiceVersion owns or requires.
type API struct {
	GVK
	// Required is true for an API that the bundle requires, and false for one that it owns.
	Required bool
	// Entry is the entry that contains it.
	Entry
}

// GVK is an API: its group, or "" for the core, its version and its kind. They are compared
// exactly, letter case included.
type GVK struct{ Group, Version, Kind string }

// String returns group/version kind.
func (g GVK) String() string {
	if g.Group == "" {
		return g.Version + " " + g.Kind
	}
	return g.Group + "/" + g.Version + " " + g.Kind
}

// fields returns the value of a property that names the API.
func (g GVK) fields() map[string]any {
	return map[string]any{"group": g.Group, "version": g.Version, "kind": g.Kind}
}

// Bundle is the unit of installation: an operator bundle, or a pack.
type Bundle struct {
	// Name is the bundle's own: `red.v1.0.0`.
	Name string
	// Resource holds the bundle.
	Resource diag.Resource
	// Package and Version are stated by the bundle outside its properties. They count if it has no
	// property olm.package. An empty one is taken from Name, before or after `.v`.
	Package, Version string
	// IsPack reports whether Name is the name of a package, which is never cut. Version is then
	// read leniently: 1.27, v1.2.
	IsPack bool
	// Properties and Dependencies are the entries of both lists.
	Properties, Dependencies []Entry
	// APIs are the APIs of a ClusterServiceVersion.
	APIs []API
}

// String names the bundle in messages: `pack "vault"`.
func (b *Bundle) String() string {
	if b.IsPack {
		return `pack "` + b.Name + `"`
	}
	return `bundle "` + b.Name + `"`
}

// title names the bundle in messages about another one, with its place:
// `pack "vault" (vault.yaml)`.
func (b *Bundle) title() string {
	if where := Where(b.Resource); where != "" {
		return b.String() + " (" + where + ")"
	}
	return b.String()
}

// Where returns the location of a resource for messages: its file, or the resource itself if it has
// no file.
func Where(r diag.Resource) string { return cmp.Or(r.File, r.String()) }

// Cluster holds the known facts of a cluster, its virtual operator. It is nil if nothing is known.
type Cluster struct {
	// Properties are more candidates for requirements.
	Properties []Entry
	// Constraints must be satisfied by every bundle, each alone.
	Constraints []Entry
}
