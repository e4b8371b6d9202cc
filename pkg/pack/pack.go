package pack

import (
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// Pack is one pack of a list.
type Pack struct {
	// Name is the identity that other packs, overrides, presets and macros refer
	// to: `name` of pack.json, never that of the object.
	Name string
	// Version and Layer are those of pack.json, as written; "" when absent.
	Version, Layer string
	// Resource holds the pack.
	Resource function.Resource
	// Metadata is the content of pack.json, constraints included; in the typed
	// form the spec. Unknown fields are in it.
	Metadata *Source
	// Values, Schema, Presets, Properties and Dependencies are the pack's
	// documents, nil when it has none of the kind.
	Values, Schema, Presets, Properties, Dependencies *Source
	// Overrides are the values that come on top of the pack's own, in the order
	// in which they are laid over each other.
	Overrides []*Override
}

// Scope says whose values an override holds.
type Scope string

// The scopes: those of a cluster come on top of those of a cluster profile.
const (
	ScopeProfile Scope = "profile"
	ScopeCluster Scope = "cluster"
)

// Override is a set of values for the packs of one name.
type Override struct {
	// Pack is the name of the packs.
	Pack string
	// Scope is where it stands among other overrides.
	Scope Scope
	// Replace says that these values stand alone, instead of being merged over
	// those below.
	Replace bool
	// Values are the values.
	Values *Source

	name string // metadata.name, by which overrides of one scope are ordered
}

// Effective is what a pack's values come to, and where each value comes from.
type Effective struct {
	// Tree is the merged values; a match in it says which layer supplied it.
	Tree *values.Tree
	// Layers are the sources of the tree's layers.
	Layers []*Source
	// Documents are the parsed layers.
	Documents []*values.Document
	// Own is the pack's own values document, nil when the pack has none.
	Own *values.Document
}

// Fault is a layer of values that can not be read.
type Fault struct {
	Source *Source
	// Err is a *values.SyntaxError or a *values.LimitError.
	Err error
}

// Effective lays the overrides over the pack's values. The faults are those of
// the layers that can not be read; the effective values then are unknown, and
// nil.
func (p *Pack) Effective() (*Effective, []Fault) {
	var faults []Fault
	var layers []values.Layer
	e := &Effective{}
	add := func(source *Source, replace bool) *values.Document {
		document, err := source.Mapping()
		if err != nil {
			faults = append(faults, Fault{source, err})
			return nil
		}
		layers = append(layers, values.Layer{Document: document, Replace: replace})
		e.Layers = append(e.Layers, source)
		e.Documents = append(e.Documents, document)
		return document
	}
	if p.Values != nil {
		e.Own = add(p.Values, false)
	}
	for _, o := range p.Overrides {
		add(o.Values, o.Replace)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	e.Tree = values.Merge(layers...)
	return e, nil
}

// Layers returns the sources of the pack's values, in the order in which they
// are laid over each other.
func (p *Pack) Layers() []*Source {
	var layers []*Source
	if p.Values != nil {
		layers = append(layers, p.Values)
	}
	for _, o := range p.Overrides {
		layers = append(layers, o.Values)
	}
	return layers
}
