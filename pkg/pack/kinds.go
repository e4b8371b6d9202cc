package pack

import "go.yaml.in/yaml/v3"

// kindFile is a resource of the group as written.
type kindFile[Spec any] struct {
	// APIVersion and Kind were checked before, and Metadata is read elsewhere.
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       Spec       `json:"spec" required:"true"`
}

// Kinds returns a spec of each content kind of the group, by the kind's name:
// the source of the schemas for editors.
func Kinds() map[string]any {
	return map[string]any{
		"Pack":             new(PackSpec),
		PackValuesKind:     new(PackValuesSpec),
		ClusterContextKind: new(ClusterContext),
		ClusterProfileKind: new(ClusterProfile),
	}
}

// Documents returns the types of the documents of a pack, by their files: the source of the
// schemas for editors, as Kinds.
func Documents() map[string]any {
	return map[string]any{metadataFile: new(packJSON), "presets.yaml": new([]presetEntry)}
}

// packJSON contains the fields of a pack.json that functions read.
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
	Name string `json:"name" absent:"metadata.name" scalars:"string"`
	// Version is the pack's version.
	Version string `json:"version" scalars:"string"`
	// Layer is the layer of a cluster profile that the pack belongs to: os, k8s,
	// cni, csi, addon or kernel.
	Layer string `json:"layer" scalars:"string"`
	// Constraints are the pack's dependencies and resources.
	Constraints *yaml.Node `json:"constraints" scalars:"any"`
	// Values is the content of values.yaml, as a string or as a map.
	Values *yaml.Node `json:"values"`
	// Schema is the content of schema.yaml, as a map or as a string.
	Schema *yaml.Node `json:"schema"`
	// Presets is the content of presets.yaml, as a list or as a string.
	Presets *yaml.Node `json:"presets"`
	// Properties are OLM properties that the pack provides.
	Properties *yaml.Node `json:"properties" scalars:"any"`
	// Dependencies are OLM dependencies and constraints that the pack has.
	Dependencies *yaml.Node `json:"dependencies" scalars:"any"`
	// ChartFacts is what the charts of the pack read, as import writes it.
	ChartFacts *yaml.Node `json:"chartFacts"`
	// Other fields of pack.json are kept as they are.
	_ struct{} `unknown:"slips"`
}

// PackValuesSpec is the spec of the kind PackValues, which overrides values of a pack.
type PackValuesSpec struct {
	// PackRef names the packs that the values are for.
	PackRef PackRef `json:"packRef" required:"true"`
	// Scope says when the override is applied: overrides of the scope profile first, and
	// those of the scope cluster after them. Within a scope, they are applied in the order of
	// their names.
	Scope string `json:"scope" enum:"profile,cluster" default:"profile"`
	// Strategy says what happens to the values of the pack and of earlier overrides: merge
	// keeps them, and replace drops them.
	Strategy string `json:"strategy" enum:"merge,replace" default:"merge"`
	// Values are the values, as a string with YAML or as a map.
	Values *yaml.Node `json:"values"`
}

// PackRef refers to the packs of a name.
type PackRef struct {
	// Name is the name in pack.json.
	Name string `json:"name" required:"true"`
}
