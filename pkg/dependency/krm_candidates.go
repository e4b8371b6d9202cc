package dependency

import (
	"cmp"
	"io"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// With contains the options that packfn adds to a run of check-dependencies.
type With struct {
	// Offers are the offers of catalogs, in addition to the catalog of the functionConfig.
	Offers []Offer
	// OnlyPacks reports whether only packs are checked here, because the bundles are checked
	// elsewhere, as candidates.
	OnlyPacks bool
	// Candidates describes where more candidates are, if the bundles are candidates. It is nil if
	// bundles are selected or installed.
	Candidates *Candidates
}

// Candidates are the bundles of catalogs and repositories: a cluster installs some of them.
type Candidates struct {
	constraint.Candidates
	// Catalogs yields the documents of file-based catalogs, which are read one by one.
	Catalogs iter.Seq[CatalogDocument]
	// Read is set to the number of bundles in the catalogs.
	Read int
	// Defined returns the APIs that the CustomResourceDefinitions beside a ClusterServiceVersion
	// define, which its bundle provides as opm reads it. It is nil if there are none.
	Defined func(diag.Resource) []constraint.GVK
	// IsOffered reports whether a bundle only satisfies others and is not checked. It is nil if all
	// are checked.
	IsOffered func(diag.Resource) bool
}

// CatalogDocument is a document in the file of a catalog, and which of them.
type CatalogDocument struct {
	documents.Document
	// File is the path of the catalog, and Index the number of the document.
	File  string
	Index int
	// Reread returns the text of a document again, which has lost it.
	Reread func(documents.Document) (string, error)
}

// KindOfBundle is the kind of the resources that findings name about bundles of catalogs.
const KindOfBundle = bundleSchema

// rules returns the rules of the function, and those about candidates if there are some.
func (w *With) rules() []diag.Rule {
	rules := rule.By(rule.CheckDependencies)
	if w.Candidates != nil {
		rules = append(rules, rule.By("packfn check bundles")...)
	}
	return rules
}

// candidates returns what package constraint must know about candidates, or nil.
func (w *With) candidates() *constraint.Candidates {
	if w.Candidates == nil {
		return nil
	}
	return &w.Candidates.Candidates
}

// IsBundle reports whether a resource is, or may be, a bundle and no pack.
func IsBundle(item *list.Item) bool { return wantsBundle(item) && !pack.Wants(item) }

// IsCluster reports whether a resource has facts of the cluster that bundles must satisfy or can
// require.
func IsCluster(item *list.Item) bool { return wantsConstraint(item) || pack.IsCluster(item) }

// catalogs reads the bundles of the catalogs, one by one. An error of a reader ends the catalog.
func (p *processor) catalogs(yield func(*constraint.Bundle) bool) {
	if p.with.Candidates == nil || p.with.Candidates.Catalogs == nil {
		return
	}
	index := newCatalogIndex("")
	for d := range p.with.Candidates.Catalogs {
		var b *constraint.Bundle
		if d.File != index.file {
			p.reportIndex(index)
			index = newCatalogIndex(d.File)
		}
		o := &diag.Origin{Resource: diag.Resource{Kind: KindOfBundle, File: d.File, Index: d.Index}}
		p.run.Guard(o.Resource, func() { b = p.catalogDocument(o, d, index) })
		if b == nil {
			continue
		}
		if p.with.Candidates.Read++; !yield(b) {
			return
		}
	}
	p.reportIndex(index)
}

// reportIndex reports the faults of a catalog as a whole, unless it is only there for others.
func (p *processor) reportIndex(index *catalogIndex) {
	for _, f := range index.findings() {
		if isOffered := p.with.Candidates.IsOffered; isOffered == nil || !isOffered(f.Resource()) {
			p.run.Report(f)
		}
	}
}

// catalogDocument reads a document of a catalog, and returns nil if the document is not a bundle.
// Lines are counted from the start of the file.
func (p *processor) catalogDocument(o *diag.Origin, d CatalogDocument, index *catalogIndex) *constraint.Bundle {
	document, err := d.Parse(sizedKey)
	if err != nil {
		f := unreadable(d.Document, err)
		f.Position.Line = max(f.Position.Line, d.First())
		p.invalid(f.From(o))
		return nil
	}
	if document.Root() == nil {
		return nil
	}
	moveDown(document.Root(), d.Line)
	release(document.Root())
	b := p.catalogBundle(o, document)
	if b == nil {
		index.addChannel(o, document.Root())
	} else {
		o.Resource.Name = b.Name
		b.Resource = o.Resource
		index.addBundle(o, document.Root())
		d.Text = ""
		for i := range b.Properties {
			b.Properties[i].Again = func() *yaml.Node { return d.property(i) }
		}
	}
	return b
}

// longText is the length from which a text is part of a property that is read again.
const longText = 1 << 10

// release copies the short texts of a document, which otherwise keep all of it in memory.
func release(n *yaml.Node) {
	if len(n.Value) < longText {
		n.Value = strings.Clone(n.Value)
	}
	for _, child := range n.Content {
		release(child)
	}
}

// property reads a property of a bundle again, and returns nil if that is not possible any more.
func (d *CatalogDocument) property(i int) *yaml.Node {
	text, err := d.Reread(d.Document)
	if err != nil {
		return nil
	}
	document, err := documents.Document{Text: text}.Parse()
	if err != nil {
		return nil
	}
	if list := values.Field(document.Root(), "properties"); list != nil && i < len(list.Content) {
		return list.Content[i]
	}
	return nil
}

// demands returns what the bundles require of packages, for advice. What candidates require,
// nothing has to satisfy all of.
func (p *processor) demands(set *constraint.Set) map[string][]constraint.Demand {
	if p.with.Candidates != nil {
		return nil
	}
	return set.Demands()
}

// tooNew is a candidate that the Kubernetes of the cluster is too old for.
type tooNew struct {
	// name is the name of the package.
	name string
	diag.Finding
}

// reportTooNew reports the packages of which each candidate needs a newer Kubernetes than that
// of the cluster, at the candidate that was read last.
func (p *processor) reportTooNew() {
	last, count := map[string]int{}, map[string]int{}
	for i, one := range p.tooNew {
		last[one.name] = i
		count[one.name]++
	}
	for name, i := range last {
		if count[name] == p.candidates[name] {
			p.run.Report(p.tooNew[i].Finding)
		}
	}
}

// packageNameOf is the package of a bundle, as far as it is known without its properties.
func packageNameOf(b *constraint.Bundle) string {
	name, _ := constraint.CutName(b.Name)
	return cmp.Or(b.Package, name)
}

// ReadOffers reads the bundles of a catalog for advice. A document that cannot be read is a fault,
// which has its line. reread returns the text of a document again, so that the offers do not keep
// it.
func ReadOffers(in io.Reader, reread func(documents.Document) (string, error)) (offers []Offer, faults []diag.Finding) {
	for d := range documents.Each(in) {
		short := d
		short.Text = ""
		offer, f, ok := readOffer(d, func() documents.Document {
			again := short
			again.Text, again.Err = reread(short)
			return again
		})
		if !ok {
			faults = append(faults, f)
		} else if offer.Name != "" && offer.Version != "" {
			offers = append(offers, offer)
		}
	}
	return offers, faults
}
