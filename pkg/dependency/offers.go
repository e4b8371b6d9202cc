package dependency

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// bundleSchema is the schema of the documents of a file-based catalog that are
// bundles; the others in catalogSchemas say nothing about versions.
const bundleSchema = "olm.bundle"

var catalogSchemas = []string{bundleSchema, "olm.package", "olm.channel", "olm.deprecations"}

// offers reads the catalog of the configuration: what could be chosen. Documents
// that can not be read are reported; what bears no version that can be compared
// is nothing to choose, and left out.
func (p *processor) offers() []Offer {
	path := p.run.ConfigPath("catalog")
	var offers []Offer
	for _, d := range documents(p.config.Catalog) {
		offer, problem := readOffer(d)
		if problem != "" {
			p.run.LegacyConfigInvalid(path, path+": "+problem)
		} else if offer.Name != "" && offer.Version != "" {
			offers = append(offers, offer)
		}
	}
	return offers
}

// readOffer reads one document of a catalog. The offer has no name where the
// document is none.
func readOffer(d embedded) (offer Offer, problem string) {
	document, err := values.Parse(d.text)
	if err != nil {
		return offer, fmt.Sprintf("the document at line %d can not be read: %s", d.first(), d.describe(err))
	}
	root := document.Root()
	if root == nil {
		return offer, ""
	}
	line := d.line + values.At(root).Line
	if root.Kind != yaml.MappingNode {
		return offer, fmt.Sprintf("the document at line %d is no mapping; want an olm.bundle, or the content of a pack.json", line)
	}
	schema := values.Field(root, "schema")
	if schema == nil {
		offer = Offer{Name: values.Text(values.Field(root, "name")), Layer: values.Text(values.Field(root, "layer")), Version: values.Text(values.Field(root, "version"))}
		if offer.Name == "" || offer.Version == "" {
			return offer, fmt.Sprintf("the document at line %d has no schema (olm.bundle), and no name and version as in pack.json", line)
		}
		return offer, ""
	}
	switch text := values.Text(schema); {
	case text == bundleSchema:
		offer.Name, offer.Version = packageOf(root)
		if offer.Name == "" {
			return offer, fmt.Sprintf("the bundle at line %d names no package: give it a property olm.package with packageName and version", line)
		}
		return offer, ""
	case nearest.Name(text, catalogSchemas) == bundleSchema:
		return offer, fmt.Sprintf("the document at line %d has the schema %q%s", line, text, nearest.Hint(text, catalogSchemas))
	}
	return Offer{}, ""
}

// packageOf returns the package and version of an olm.bundle: from its property
// olm.package, else from the field package and what its name says.
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
