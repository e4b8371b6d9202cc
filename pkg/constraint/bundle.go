package constraint

import "go.yaml.in/yaml/v3"

// Entry is an item of a list of properties, dependencies or constraints:
// `{type, value}`, or `property: {type, value}`.
type Entry struct {
	// Node is the item as it was read.
	Node *yaml.Node
	// Key is the way to it within its document: `properties[3]`.
	Key string
	// Origin is handed back with findings; the package does not look at it.
	Origin any
	// Where names the resource that a cluster constraint stands in, for
	// messages: `Constraint cluster-constraints (cluster.yaml)`.
	Where string
	// ValueSize is the length of the value in bytes as it was written, when that
	// was JSON; 0 counts the value as compact JSON.
	ValueSize int
}

// API is one that a ClusterServiceVersion owns or requires.
type API struct {
	GVK
	Required bool
	// Node, Key and Origin are where it stands; see [Entry].
	Node   *yaml.Node
	Key    string
	Origin any
}

// GVK is an API: its group, "" for the core, its version and its kind. They are
// compared exactly, letter case included.
type GVK struct{ Group, Version, Kind string }

// String returns group/version kind.
func (g GVK) String() string {
	if g.Group == "" {
		return g.Version + " " + g.Kind
	}
	return g.Group + "/" + g.Version + " " + g.Kind
}

// Bundle is what is installed as one: an operator bundle, or a pack.
type Bundle struct {
	// Name is the bundle's own: `red.v1.0.0`.
	Name string
	// Title names the bundle in messages: `pack "vault" (vault.yaml)`. By default
	// it is made of Name.
	Title string
	// Package and Version are those that the bundle states outside its
	// properties. They count when it has no property olm.package; what is "" is
	// then taken from Name, before and after `.v`.
	Package, Version string
	// Pack says that Name is a package's name, never cut, and Version one that is
	// read leniently: 1.27, v1.2.
	Pack bool
	// Properties and Dependencies are the entries of both lists.
	Properties, Dependencies []Entry
	// APIs are those of a ClusterServiceVersion.
	APIs []API
	// Ref is the caller's own.
	Ref any
}

func (b *Bundle) title() string {
	if b.Title != "" {
		return b.Title
	}
	if b.Pack {
		return `pack "` + b.Name + `"`
	}
	return `bundle "` + b.Name + `"`
}

// Cluster is what is known of a cluster: the virtual operator that is installed
// in it. Without any facts there is none, and the Cluster is nil.
type Cluster struct {
	// Properties are the candidates for requirements that it adds.
	Properties []Entry
	// Constraints have to be satisfied by every bundle, each alone.
	Constraints []Entry
}
