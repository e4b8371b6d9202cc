package dependency

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
)

// Pack is what the check has to know of a pack.
type Pack struct {
	// Name is the identity that others refer to.
	Name string
	// Version is as written; "" when there is none.
	Version string
	// Layer is the layer of the profile; "" when none is given.
	Layer string
	// Dependencies are what the pack requires.
	Dependencies []Dependency
	// Where says in messages where the pack is: `stack.yaml`.
	Where string
	// File is the name of the document that holds the dependencies, `pack.json`,
	// when its lines are worth naming.
	File string

	read map[bool]reading // by whether the version is that of a Kubernetes
}

type reading struct {
	version version.Version
	err     error
}

// version reads the pack's version, once.
func (p *Pack) version(kubernetes bool) (version.Version, error) {
	r, known := p.read[kubernetes]
	if !known {
		r.version, r.err = parser(kubernetes)(p.Version)
		if p.read == nil {
			p.read = map[bool]reading{}
		}
		p.read[kubernetes] = r
	}
	return r.version, r.err
}

func parser(kubernetes bool) func(string) (version.Version, error) {
	if kubernetes {
		return version.ParseKubernetes
	}
	return version.Parse
}

// isKubernetes reports whether a pack is the Kubernetes of a cluster, whose
// version may bear the suffix of a distribution.
func isKubernetes(name, layer string) bool {
	return layer == "k8s" || name == "kubernetes" || strings.HasPrefix(name, "kubernetes-")
}

// Type says what a dependency means.
type Type string

// The types of the pack constraints document, and Upgrade, which real packs have
// beside them.
const (
	// Required: the pack has to be there, and in range.
	Required Type = "required"
	// Optional: if the pack is there, it has to be in range.
	Optional Type = "optional"
	// NotSupported: if the pack is there, it must not be in range.
	NotSupported Type = "notSupported"
	// Upgrade bounds the version of the pack that may replace this one.
	Upgrade Type = "upgrade"
)

// Dependency is one entry of constraints.dependencies.
type Dependency struct {
	// Pack is the name of the pack that it is about, and Layer its layer, "" for
	// any.
	Pack, Layer string
	// Range is what its versions are compared with.
	Range version.Range
	// Type says what it means. An entry without one is read as Optional, and
	// Untyped.
	Type    Type
	Untyped bool
	// Path is where it stands in pack.json, `constraints.dependencies[2]`.
	Path string
	// unchecked says that the range is not to be looked at: it was reported.
	unchecked bool
	node      *yaml.Node
}

// kubernetes reports whether the versions are those of a Kubernetes.
func (d *Dependency) kubernetes() bool { return isKubernetes(d.Pack, d.Layer) }

// matches reports whether the dependency is about a pack: by name, and by layer
// when both have one.
func (d *Dependency) matches(p *Pack) bool { return d.Pack == p.Name && layersMatch(d.Layer, p.Layer) }

func layersMatch(a, b string) bool { return a == "" || b == "" || a == b }

// at returns where a field of the entry stands, or the entry when it has no such
// field.
func (d *Dependency) at(field string) (key string, position values.Position) {
	if n := values.Field(d.node, field); field != "" && n != nil {
		return d.Path + "." + field, values.At(n)
	}
	return d.Path, values.At(d.node)
}
