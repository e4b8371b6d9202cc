package pack

import (
	"iter"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Pack is one pack.
type Pack struct {
	// Name is the identity that other packs, overrides, presets and macros refer to. It is `name`
	// of pack.json, never the name of the object.
	Name string
	// Version and Layer are copied from pack.json as written, or "" if absent.
	Version, Layer string
	// Resource holds the pack.
	Resource diag.Resource
	// Metadata is the content of pack.json, constraints included; in the typed
	// form the spec. Unknown fields are in it.
	Metadata *Source
	// Values, Schema, Presets, Properties and Dependencies are the pack's documents, or nil if it
	// has none of the kind.
	Values, Schema, Presets, Properties, Dependencies *Source
	// ChartFacts records the values that the charts of the pack read, or nil if they are unknown.
	ChartFacts *Source
	// Imported is the record of an import, or "" if there is none. See package transfer.
	Imported string
	// Overrides are the values that come on top of the pack's own, in the order
	// in which they are laid over each other.
	Overrides []*Override
	// Points are the injection points among the pack and its overrides into which nothing
	// is injected. Overrides that wait are not among Overrides.
	Points []Point
	// unread are the files that are there and cannot be read.
	unread []string
	// lacksOverride reports whether an override cannot be read.
	lacksOverride bool
}

// Point is a pack or an override whose content may still have to be injected.
type Point struct {
	injection.Status
	// Replace reports whether the values replace the values below, according to the placeholder.
	Replace bool
}

// Statuses returns the status of each point of the pack.
func (p *Pack) Statuses() []injection.Status {
	var all []injection.Status
	for _, one := range p.Points {
		all = append(all, one.Status)
	}
	return all
}

// IsPending reports whether values of the pack are still to be injected.
func (p *Pack) IsPending() bool {
	return slices.ContainsFunc(p.Points, func(one Point) bool { return one.IsPending })
}

// Hides reports whether a file of the pack, such as `presets.yaml`, exists but cannot be read,
// because its name is misspelt, its type is wrong, or it is not UTF-8. Load has reported this,
// so a caller must not report that the file is missing. If the pack is of the kind Pack, the
// file is a field.
func (p *Pack) Hides(file string) bool { return slices.Contains(p.unread, file) }

// Scope is the owner of the values in an override.
type Scope string

// The scopes. Overrides of a cluster are applied on top of overrides of a cluster profile.
const (
	ScopeProfile Scope = "profile"
	ScopeCluster Scope = "cluster"
)

// Override is a set of values for the packs of one name.
type Override struct {
	// Pack is the name of the packs.
	Pack string
	// Scope is its place among other overrides.
	Scope Scope
	// Replace reports whether these values replace the values below, instead of being merged into
	// them.
	Replace bool
	// Values are the values.
	Values *Source
}

// Effective has the effective values of a pack, and the layer that supplies each.
type Effective struct {
	// Tree has the merged values. A match in it has the number of its layer.
	Tree *values.Tree
	// Layers are the sources of the tree's layers.
	Layers []*Source
	// Documents are the parsed layers.
	Documents []*values.Document
	// Own is the pack's own values document, or nil if the pack has none.
	Own *values.Document
	// Incomplete reports whether a layer is missing: an override that Load reported, or one that
	// waits for injection. An absent value may be in that layer.
	Incomplete bool
}

// Effective returns the effective values of the pack: its own values with the overrides on
// top.
//
// If a layer cannot be read, the effective values are unknown, and nil. The findings then explain
// the reason, without a rule. There are no findings if Load has reported the reason, see
// Pack.Hides.
func (p *Pack) Effective() (*Effective, []diag.Finding) { return p.EffectiveReadBy((*Source).Mapping) }

// EffectiveWithMacros returns the effective values as Effective does, but with macros in place of
// the values that they were resolved to, see package hydration.
func (p *Pack) EffectiveWithMacros() (*Effective, []diag.Finding) {
	return p.EffectiveReadBy(func(s *Source) (*values.Document, error) {
		sources, err := s.Sources(hydration.Partly)
		if err != nil {
			return nil, err
		}
		return sources.Part(), nil
	})
}

// EffectiveReadBy returns the effective values as Effective does, but calls read for each layer.
// read returns a map, or nothing.
func (p *Pack) EffectiveReadBy(read func(*Source) (*values.Document, error)) (*Effective, []diag.Finding) {
	var faults []diag.Finding
	var layers []values.Layer
	e := &Effective{Incomplete: p.lacksOverride || p.IsPending()}
	add := func(source *Source, replace bool) *values.Document {
		document, err := read(source)
		if err != nil {
			faults = append(faults, diag.Unreadable(err).From(source.Origin).For(p.Name))
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
	if len(faults) > 0 || p.Hides(valuesFile) {
		return nil, faults
	}
	e.Tree = values.Merge(layers...)
	return e, nil
}

// Duplicates returns a finding for each duplicate key of the layers. They are made one by
// one: a short text can have very many.
func (e *Effective) Duplicates() iter.Seq[diag.Finding] {
	return func(yield func(diag.Finding) bool) {
		for _, document := range e.Documents {
			for f := range Duplicates(document) {
				if !yield(f.Of(rule.ValuesDuplicateKey)) {
					return
				}
			}
		}
	}
}

// Duplicates yields a finding, without a rule, for each duplicate key of a document. Like the
// findings of [Effective.Duplicates], they are made one by one.
func Duplicates(document *values.Document) iter.Seq[diag.Finding] {
	return func(yield func(diag.Finding) bool) {
		for _, d := range document.Duplicates() {
			if !yield(diag.Duplicate(d.First, d.Second).In(document.Origin(), d.Path, d.Second)) {
				return
			}
		}
	}
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

// Texts are the texts of all packs and their overrides in which macros may read values.
func (s *Set) Texts() []string {
	var texts []string
	for _, one := range s.Packs {
		for _, source := range append(one.Layers(), one.Presets, one.Metadata) {
			if source != nil {
				texts = append(texts, source.Text())
			}
		}
	}
	return texts
}
