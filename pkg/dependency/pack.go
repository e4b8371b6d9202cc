package dependency

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
)

// Pack is a pack with what it requires of others.
type Pack struct {
	// Name is the identity that others refer to.
	Name string
	// Version is as written, or "" if there is none.
	Version string
	// Layer is the layer of the profile, or "" if none is given.
	Layer string
	// Dependencies are the dependencies of the pack.
	Dependencies []Dependency
	// Origin is the pack's pack.json.
	Origin *diag.Origin
	// VersionKey is the path of the version in it, `version` by default, and VersionAt its
	// position.
	VersionKey string
	VersionAt  diag.Position
	// clouds are the types of clouds that the pack is for, or nil for any.
	clouds []string
	// Bundle is the pack as a bundle, or nil if it is not checked as one.
	Bundle *constraint.Bundle

	parsed [2]*parsed // the version as a version of a pack, and as a version of Kubernetes
}

// parsed is a version that was parsed.
type parsed struct {
	// version is the version, unless err tells why it is none.
	version version.Version
	err     error
}

// version parses the pack's version, once.
func (p *Pack) version(isKubernetes bool) (version.Version, error) {
	known := &p.parsed[0]
	if isKubernetes {
		known = &p.parsed[1]
	}
	if *known == nil {
		v, err := parser(isKubernetes)(p.Version)
		*known = &parsed{v, err}
	}
	return (*known).version, (*known).err
}

// String names the pack in messages: `pack "vault"`.
func (p *Pack) String() string { return fmt.Sprintf("pack %q", p.Name) }

// title is String with the file of the pack, and its line if there is a position in it:
// `pack "vault" (vault.yaml, pack.json line 3)`.
func (p *Pack) title(at diag.Position) string {
	if p.Origin == nil {
		return p.String()
	}
	var places []string
	if where := constraint.Where(p.Origin.Resource); where != "" {
		places = append(places, where)
	}
	if p.Origin.Embedded && at.Line > 0 {
		places = append(places, p.Origin.Place(at))
	}
	if len(places) == 0 {
		return p.String()
	}
	return fmt.Sprintf("%s (%s)", p, strings.Join(places, ", "))
}

// parser returns the function that parses versions of packs, or of Kubernetes, which may have a suffix
// of a distribution.
func parser(isKubernetes bool) func(string) (version.Version, error) {
	if isKubernetes {
		return version.ParseKubernetes
	}
	return version.Parse
}

// isKubernetes reports whether a pack is the Kubernetes of a cluster, whose version may
// have the suffix of a distribution.
func isKubernetes(name, layer string) bool {
	return layer == "k8s" || name == "kubernetes" || strings.HasPrefix(name, "kubernetes-")
}

// Type is the meaning of a dependency.
type Type string

// The types of the pack constraints document, and Upgrade, which real packs also
// have.
const (
	// Required: the pack must be there, and in range.
	Required Type = "required"
	// Optional: if the pack is there, it must be in range.
	Optional Type = "optional"
	// NotSupported: if the pack is there, it must not be in range.
	NotSupported Type = "notSupported"
	// Upgrade: the versions of the pack that can replace this one.
	Upgrade Type = "upgrade"
)

// Dependency is one entry of constraints.dependencies.
type Dependency struct {
	// Pack and Layer are the name and the layer of the pack that it is about. The layer
	// is "" for any.
	Pack, Layer string
	// Range is the range that the versions of the pack are compared with.
	Range version.Range
	// Type is the meaning of the dependency. An entry without a type is Optional and IsUntyped.
	Type Type
	// IsUntyped is true for an entry without a type.
	IsUntyped bool
	// Path is the path in pack.json: `constraints.dependencies[2]`.
	Path string
	// isUnchecked reports whether the range is not checked, because it has a fault.
	isUnchecked bool
	// at are the positions of the entry and then of its placedFields: the nodes themselves
	// would keep all of a pack.json in memory.
	at [1 + len(placedFields)]diag.Position
}

// placedFields are the fields of an entry that findings are about.
var placedFields = [...]string{"packName", "minVersion", "maxVersion", "type"}

// placesOf returns the positions of an entry and of its fields.
func placesOf(e *pack.DependencyEntry) [1 + len(placedFields)]diag.Position {
	return [...]diag.Position{e.At, e.PackName.At, e.MinVersion.At, e.MaxVersion.At, e.Type.At}
}

// isKubernetes reports whether the dependency is on versions of Kubernetes.
func (d *Dependency) isKubernetes() bool { return isKubernetes(d.Pack, d.Layer) }

// matches reports whether the dependency is about a pack: by name, and by layer
// when both have one.
func (d *Dependency) matches(p *Pack) bool { return d.Pack == p.Name && layersMatch(d.Layer, p.Layer) }

func layersMatch(a, b string) bool { return a == "" || b == "" || a == b }

// accepts reports whether the dependency is satisfied by a version.
func (d *Dependency) accepts(v version.Version) bool {
	return (d.Range.Place(v) == version.Within) != (d.Type == NotSupported)
}

// position returns the position of a field of the entry, or of the entry when it does not
// have the field.
func (d *Dependency) position(field string) diag.Position {
	return d.at[1+slices.Index(placedFields[:], field)]
}
