package pack

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// ClusterProfile has what a cluster profile of Palette has beside the values of its packs,
// as packfn imports it. Each pack is a resource of its own. Fields that are not known here
// are kept, and packfn exports them again.
type ClusterProfile struct {
	// Name is the name of the profile in Palette.
	Name string `json:"name"`
	// Description is for people.
	Description string `json:"description"`
	// Labels are the labels of the profile in Palette.
	Labels map[string]string `json:"labels"`
	// Type is the kind of profile. One of the type cluster or infra has all layers of a
	// cluster below its add-ons.
	Type string `json:"type" enum:"cluster,infra,add-on,system"`
	// CloudType is the cloud that the profile is for, or all.
	CloudType string `json:"cloudType"`
	// Version is the version of the profile.
	Version string `json:"version"`
	// Packs are the packs of the profile in their order.
	Packs []ProfilePack `json:"packs"`
	// Variables are the variables that macros of the packs read: .spectro.var.NAME.
	Variables []ProfileVariable `json:"variables"`
	// Document has the fields of an exported profile that are not known here, where they were.
	Document map[string]*yaml.Node `json:"document"`
	_        struct{}              `unknown:"slips"`
}

// ProfilePack is a pack of a [ClusterProfile].
type ProfilePack struct {
	// Name is the name of the pack.
	Name string `json:"name" required:"true"`
	// PackRef names the resource that has the values of the pack.
	PackRef ResourceRef `json:"packRef" required:"true"`
	// Type is the kind of pack.
	Type string `json:"type" enum:"spectro,helm,manifest,oci"`
	// Layer is the layer of the cluster that the pack is.
	Layer string `json:"layer" enum:"kernel,os,k8s,cni,csi,addon"`
	// Version is the version of the pack.
	Version string `json:"version"`
	// Tag is the version that the profile asks for, which may have a wildcard: 1.33.x.
	Tag string `json:"tag"`
	// Registry is the registry from which Palette gets the pack.
	Registry ProfileRegistry `json:"registry"`
	// Manifests are the manifests that the profile adds to the pack.
	Manifests []ProfileManifest `json:"manifests"`
	// OwnValues means that the profile has no values for the pack: the values of the resource are
	// the pack's own.
	OwnValues bool `json:"ownValues"`
	// LineEnds is the whitespace that was at the end of lines of the values: line numbers by
	// the whitespace. packfn export restores it while the values are unchanged.
	LineEnds map[string]string `json:"lineEnds"`
	_        struct{}          `unknown:"slips"`
}

// ResourceRef names a resource of the package.
type ResourceRef struct {
	// Name is the metadata.name of the resource.
	Name string `json:"name" required:"true"`
}

// ProfileRegistry is a registry of packs in Palette.
type ProfileRegistry struct {
	// UID is the identity of the registry in Palette.
	UID string `json:"uid"`
	// Name is the name of the registry.
	Name string `json:"name"`
	// Kind is what the registry has: pack, helm or oci.
	Kind string   `json:"kind"`
	_    struct{} `unknown:"slips"`
}

// ProfileManifest is a manifest that a profile adds to a pack.
type ProfileManifest struct {
	// Name is the name of the manifest.
	Name string `json:"name"`
	// Content is its text.
	Content string   `json:"content"`
	_       struct{} `unknown:"slips"`
}

// ProfileVariable is a variable of a [ClusterProfile].
type ProfileVariable struct {
	// Name is the name that macros read: .spectro.var.NAME.
	Name string `json:"name" required:"true"`
	// DisplayName is the name that Palette shows.
	DisplayName string `json:"displayName"`
	// Description is for people.
	Description string `json:"description"`
	// Format is the format of values.
	Format string `json:"format" enum:"string,number,boolean,version,ipv4,ipv4cidr,ipv6,base64" default:"string"`
	// DefaultValue is the value if a cluster sets none.
	DefaultValue string `json:"defaultValue"`
	// Regex is a regular expression (RE2) that values match.
	Regex string `json:"regex"`
	// Options are the values to choose from, for the input type dropdown.
	Options []VariableOption `json:"options"`
	// Required means that there must be a value.
	Required bool `json:"required"`
	// Immutable means that clusters cannot change the default.
	Immutable bool `json:"immutable"`
	// Hidden means that Palette does not show the variable.
	Hidden bool `json:"hidden"`
	// IsSensitive means that the value is a secret. Palette exports asterisks in its place.
	IsSensitive bool `json:"isSensitive"`
	// InputType is the input field in which Palette asks for the value.
	InputType string   `json:"inputType" enum:"text,dropdown,multiline"`
	_         struct{} `unknown:"slips"`
}

// VariableOption is an option of a [ProfileVariable].
type VariableOption struct {
	// Value is the value of the option.
	Value string `json:"value"`
	// Label is its name in Palette.
	Label string `json:"label" absent:"the value"`
	// Description is for people.
	Description string `json:"description"`
	// Default means that the option is selected at first.
	Default bool     `json:"default"`
	_       struct{} `unknown:"slips"`
}

// Value returns the value of a variable where a cluster has no other one: the default, also
// when it is the label of an option. It is "" if there is none.
func (v *ProfileVariable) Value() string {
	for _, option := range v.Options {
		if v.DefaultValue == "" && option.Default || v.DefaultValue != "" && v.DefaultValue == option.Label {
			return option.Value
		}
	}
	return v.DefaultValue
}

// Profile is a ClusterProfile of a run.
type Profile struct {
	ClusterProfile
	// Resource holds it, and Root is the resource.
	Resource diag.Resource
	Root     *yaml.Node
	// Of are the packs by the index of Packs, or nil for one that was not found or read.
	Of []*Pack
}

// Origin is the place of findings about the profile.
func (p *Profile) Origin() *diag.Origin { return diag.Whole(p.Resource) }

// Has reports whether the profile has a pack.
func (p *Profile) Has(one *Pack) bool { return slices.Contains(p.Of, one) }

// profile reads a ClusterProfile.
func (l *loader) profile(resource diag.Resource, d *values.Document) {
	var file kindFile[*ClusterProfile]
	l.duplicates(resource, d, []string{"metadata"}) // decode reports the others
	if l.decode(resource, d, &file); file.Spec != nil {
		l.set.Profiles = append(l.set.Profiles, &Profile{ClusterProfile: *file.Spec, Resource: resource, Root: d.Root()})
	}
}

// NoPackResource makes a finding of a packRef.name that no resource with a pack has.
func NoPackResource(name string, names []string) diag.Finding {
	return diag.NotFound("resource of a pack", name, names).
		Saying("no Pack or ConfigMap named %q contains a pack (packRef.name is its metadata.name)", name)
}

// assignProfiles finds the packs of each profile.
func (l *loader) assignProfiles() {
	var names []string
	of := map[string]*Pack{}
	for _, p := range slices.Backward(l.set.Packs) {
		of[p.Resource.Name] = p
		names = append(names, p.Resource.Name)
	}
	for _, profile := range l.set.Profiles {
		for i, entry := range profile.Packs {
			name := entry.PackRef.Name
			profile.Of = append(profile.Of, of[name])
			if of[name] == nil && name != "" && len(l.set.Waiting) == 0 {
				f := NoPackResource(name, names)
				l.invalid(f.About(profile.Resource, fmt.Sprintf("spec.packs[%d].packRef.name", i)))
			}
		}
	}
}

// AreApart reports whether a profile has both of two packs, which have one name: Palette
// installs such packs beside each other.
func (s *Set) AreApart(a, b diag.Resource) bool {
	return slices.ContainsFunc(s.Profiles, func(p *Profile) bool {
		has := func(r diag.Resource) bool {
			return slices.ContainsFunc(p.Of, func(one *Pack) bool { return one != nil && one.Resource == r })
		}
		return has(a) && has(b)
	})
}
