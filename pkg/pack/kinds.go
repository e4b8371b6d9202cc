package pack

import "go.yaml.in/yaml/v3"

// kindFile is a resource of the group as written.
type kindFile[Spec any] struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       Spec       `json:"spec" required:"true"`
}

// Kinds returns a spec of each content kind of the group, by the kind's name:
// the source of the schemas for editors.
func Kinds() map[string]any {
	return map[string]any{
		"Pack":           new(PackSpec),
		"PackValues":     new(PackValuesSpec),
		"ClusterContext": new(ClusterContext),
		kindProfile:      new(ClusterProfile),
	}
}

// Documents returns the types of the documents of a pack, by their files: the source of the
// schemas for editors, as Kinds.
func Documents() map[string]any {
	return map[string]any{metadataFile: new(packJSON), "presets.yaml": new([]presetEntry)}
}

// packJSON is what functions read of a pack.json.
type packJSON struct {
	// Name is the identity that others refer to.
	Name string `json:"name" required:"true"`
	// Version is the pack's version.
	Version string `json:"version"`
	// Layer is the layer of a cluster profile that the pack belongs to.
	Layer string `json:"layer" enum:"os,k8s,cni,csi,addon,kernel"`
	// Constraints are the pack's dependencies and resources.
	Constraints Constraints `json:"constraints"`
	// Charts are the archives of the pack's Helm charts, as paths in its directory.
	Charts []string `json:"charts"`
	// KubeManifests are the pack's manifests, as paths in its directory.
	KubeManifests []string `json:"kubeManifests"`
	// Other fields are kept as they are.
	_ struct{} `unknown:"slips"`
}

// PackSpec is the spec of the kind Pack: every field of pack.json, unknown ones
// included, and the pack's documents.
type PackSpec struct {
	// Name is the identity that others refer to.
	Name string `json:"name" absent:"metadata.name"`
	// Version is the pack's version.
	Version string `json:"version"`
	// Layer is the layer of a cluster profile that the pack belongs to: os, k8s,
	// cni, csi, addon or kernel.
	Layer string `json:"layer"`
	// Constraints are the pack's dependencies and resources.
	Constraints *yaml.Node `json:"constraints"`
	// Values is the map of values.yaml, or a string that contains it.
	Values *yaml.Node `json:"values"`
	// Schema is the map of schema.yaml, or a string that contains it.
	Schema *yaml.Node `json:"schema"`
	// Presets is the list of presets.yaml, or a string that contains it.
	Presets *yaml.Node `json:"presets"`
	// Properties are OLM properties that the pack provides.
	Properties *yaml.Node `json:"properties"`
	// Dependencies are OLM dependencies and constraints that the pack has.
	Dependencies *yaml.Node `json:"dependencies"`
	// ChartFacts is what the charts of the pack read, as import writes it.
	ChartFacts *yaml.Node `json:"chartFacts"`
	// Other fields of pack.json are kept as they are.
	_ struct{} `unknown:"slips"`
}

// PackValuesSpec is the spec of the kind PackValues, which overrides values of a pack.
type PackValuesSpec struct {
	// PackRef names the packs that the values are for.
	PackRef PackRef `json:"packRef" required:"true"`
	// Scope says when the override is applied: those of the scope profile come first, and
	// those of the scope cluster after them. In a scope they are applied in the order of their
	// names.
	Scope string `json:"scope" enum:"profile,cluster" default:"profile"`
	// Strategy says what happens to all other values: merge keeps them, and replace drops those
	// of the pack and of the overrides before.
	Strategy string `json:"strategy" enum:"merge,replace" default:"merge"`
	// Values are the values: a map, or a string that contains one.
	Values *yaml.Node `json:"values"`
}

// PackRef refers to the packs of a name.
type PackRef struct {
	// Name is the name in pack.json.
	Name string `json:"name" required:"true"`
}
