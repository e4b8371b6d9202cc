package dependency

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// bundleSchema is the schema of the documents of a file-based catalog that are bundles.
// The others in catalogSchemas have no versions.
const (
	bundleSchema  = "olm.bundle"
	channelSchema = "olm.channel"
)

var catalogSchemas = []string{bundleSchema, "olm.package", channelSchema, "olm.deprecations"}

// offers reads the catalog of the configuration: what could be chosen. It reports
// documents that cannot be read. Those without a version are left out.
func (p *processor) offers() []Offer {
	offers := slices.Clone(p.with.Offers)
	for _, d := range documents.Of(p.config.Catalog) {
		offer, f, ok := readOffer(d, func() documents.Document { return d })
		if !ok {
			p.run.ConfigInvalid(f.At(p.run.ConfigPath("catalog"), diag.Position{}))
		} else if offer.Name != "" && offer.Version != "" {
			offers = append(offers, offer)
		}
	}
	return offers
}

// readOffer reads one document of a catalog. It returns false and a finding if the document cannot be read. The
// offer has no name if the document has another schema. again returns the document, when its content is asked
// for.
//
//	schema: olm.bundle                              # a bundle of OLM
//	properties: [{type: olm.package, value: {packageName: vault, version: 0.6.0}}]
//	---
//	{"name": "vault", "version": "0.6.0"}           # the content of a pack.json
func readOffer(d documents.Document, again func() documents.Document) (offer Offer, f diag.Finding, ok bool) {
	document, err := d.Parse(sizedKey)
	if err != nil {
		f := unreadable(d, err)
		f.Found = fmt.Sprintf("the document at line %d: %s", max(d.First(), f.Position.Line), f.Found)
		return offer, f, false
	}
	root := document.Root()
	if root == nil {
		return offer, f, true
	}
	line := d.Line + values.At(root).Line
	if root.Kind != yaml.MappingNode {
		return offer, diag.Got(fmt.Sprintf("%s at line %d", values.KindOf(root), line), "an olm.bundle, or the content of a pack.json"), false
	}
	schema := values.Field(root, "schema")
	if schema == nil {
		offer = Offer{Name: values.Text(values.Field(root, "name")), Layer: values.Text(values.Field(root, "layer")), Version: values.Text(values.Field(root, "version"))}
		if offer.Name == "" || offer.Version == "" {
			return offer, diag.Got(fmt.Sprintf("the document at line %d", line), "the schema olm.bundle, or name and version as in a pack.json").
				Saying("the document at line %d is neither an olm.bundle nor the content of a pack.json", line).Do("set schema: olm.bundle, or name and version"), false
		}
		offer.addContent(again, root, true)
		return offer, f, true
	}
	switch text := values.Text(schema); {
	case text == bundleSchema && constraint.IsDeprecated(root):
		return offer, f, true // OLM does not install it
	case text == bundleSchema:
		if offer.Name, offer.Version = packageOf(root); offer.Name == "" {
			return offer, diag.Say("the bundle at line %d has no package", line).Do("add a property olm.package with packageName and version"), false
		}
		offer.addContent(again, root, false)
		return offer, f, true
	case nearest.Name(text, catalogSchemas) == bundleSchema:
		f := diag.GotName(text, []string{bundleSchema})
		f = f.Saying("the document at line %d has the unknown schema %s", line, f.Found)
		f.Found = fmt.Sprintf("the schema %s at line %d", f.Found, line)
		return offer, f, false
	}
	return Offer{}, f, true
}

// addContent adds what a document of a catalog says in addition to the package and its version.
// It is read again when it is asked for, so that a large catalog does not have to fit
// into memory as nodes.
func (o *Offer) addContent(again func() documents.Document, root *yaml.Node, isPack bool) {
	content := contentOf(root, *o, isPack)
	if content.Bundle == nil && len(content.Dependencies) == 0 {
		return
	}
	if content.Bundle != nil {
		o.Provides = content.Bundle.Provided()
	}
	offer := *o
	o.Content = func() Content {
		document, err := again().Parse(sizedKey)
		if err != nil {
			return Content{} // it was read before, so the file has changed
		}
		return contentOf(document.Root(), offer, isPack)
	}
}

// contentOf returns what a document of a catalog says in addition to the package and its version.
// Properties that only state these say nothing more.
func contentOf(root *yaml.Node, o Offer, isPack bool) Content {
	var content Content
	if isPack {
		content.Dependencies, _ = Read(root)
	}
	b := &constraint.Bundle{
		Package: o.Name, Version: o.Version, IsPack: isPack,
		Properties:   entriesOf(values.Field(root, "properties"), "properties", nil, nil),
		Dependencies: entriesOf(values.Field(root, "dependencies"), "dependencies", nil, nil),
	}
	isMore := slices.ContainsFunc(b.Properties, func(e constraint.Entry) bool { return values.Text(values.Field(e.Node, "type")) != "olm.package" })
	if isMore || len(b.Dependencies) > 0 {
		content.Bundle = b
	}
	return content
}

// packageOf returns the package and version of an olm.bundle: from its property
// olm.package, else from the field package and its name.
func packageOf(bundle *yaml.Node) (name, version string) {
	if list := values.Field(bundle, "properties"); list != nil && list.Kind == yaml.SequenceNode {
		for _, property := range list.Content {
			if values.Text(values.Field(property, "type")) == "olm.package" {
				value := values.Field(property, "value")
				return values.Text(values.Field(value, "packageName")), values.Text(values.Field(value, "version"))
			}
		}
	}
	name, version = constraint.CutName(values.Text(values.Field(bundle, "name")))
	if field := values.Text(values.Field(bundle, "package")); field != "" {
		name = field
	}
	return name, version
}
