package dependency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The files of bundles, and the annotation that holds their package.
const (
	bundleFile          = "bundle.yaml"
	propertiesFile      = "properties.yaml"
	dependenciesFile    = "dependencies.yaml"
	annotationsFile     = "annotations.yaml"
	packageAnnotation   = "operators.operatorframework.io.bundle.package.v1"
	skipRangeAnnotation = "olm.skipRange"
	olmGroup            = "operators.coreos.com"
)

// catalogFiles are the files of a ConfigMap that hold documents of a catalog. Others than OLM have
// files of these names, except for the first.
var catalogFiles = []string{bundleFile, "bundle.json", "catalog.yaml", "catalog.json", "index.yaml"}

// wantsBundle reports whether an item is, or may be, a bundle that is not a pack. It also
// accepts ConfigMaps with a misspelt name of a file.
func wantsBundle(item *list.Item) bool {
	if item.Is("v1", "ConfigMap") {
		return pack.MayHaveFile(item, bundleFile, propertiesFile, dependenciesFile) ||
			slices.ContainsFunc(catalogFiles[1:], item.Mentions) && item.Mentions(bundleSchema)
	}
	return item.Group() == olmGroup && item.Kind() == "ClusterServiceVersion"
}

// bundles reads the bundles, packs included, in the order of the package. It yields them
// one resource after the other, so that a large package does not have to fit into memory
// as nodes.
func (p *processor) bundles(yield func(*constraint.Bundle) bool) {
	halves := p.findHalves()
	counted := func(b *constraint.Bundle) bool {
		p.count++
		p.candidates[packageNameOf(b)]++
		return yield(b)
	}
	for _, item := range p.run.Items() {
		resource := item.Resource()
		var found []*constraint.Bundle
		p.run.Guard(resource, func() {
			if one := p.byResource[resource]; one != nil {
				found = []*constraint.Bundle{p.packBundle(one)}
			} else if wantsBundle(item) && !halves.isPaired[item] && !p.isWaiting(item) {
				found = p.itemBundles(item, resource)
				if metadata := halves.metadata[item]; metadata != nil && len(found) == 1 && !p.isWaiting(metadata) {
					p.run.Guard(metadata.Resource(), func() { p.addMetadata(found[0], metadata) })
				}
			}
		})
		for _, b := range found {
			if !counted(b) {
				return
			}
		}
	}
	p.catalogs(counted)
}

// packBundle returns a pack as a bundle.
func (p *processor) packBundle(one *Pack) *constraint.Bundle {
	loaded := p.loaded[one]
	b := &constraint.Bundle{Name: loaded.Name, Package: loaded.Name, Version: loaded.Version, Resource: loaded.Resource, IsPack: true}
	read := func(source *pack.Source, name string) []constraint.Entry {
		if source == nil {
			return nil
		}
		document, err := source.Document()
		if err != nil {
			p.invalid(diag.Unreadable(err).From(source.Origin))
			return nil
		}
		return p.entries(source.Origin, document, name)
	}
	b.Properties, b.Dependencies = read(loaded.Properties, "properties"), read(loaded.Dependencies, "dependencies")
	one.Bundle = b
	if loaded.Metadata.Embedded {
		return b // a pack.json has no such lists
	}
	if metadata, err := loaded.Metadata.Mapping(); err == nil {
		p.misspeltList(loaded.Metadata.Origin, metadata.Root(), "properties")
		p.misspeltList(loaded.Metadata.Origin, metadata.Root(), "dependencies")
	}
	return b
}

// itemBundles reads the bundles of one resource.
func (p *processor) itemBundles(item *list.Item, resource diag.Resource) []*constraint.Bundle {
	document, err := item.Document()
	if err != nil {
		p.invalid(diag.Unreadable(err).From(diag.Whole(resource)))
		return nil
	}
	if p.with.Candidates != nil {
		release(document.Root())
	}
	if item.Kind() == "ClusterServiceVersion" {
		return []*constraint.Bundle{p.serviceVersion(resource, document)}
	}
	files := values.Field(document.Root(), "data")
	if values.Field(files, "pack.json") != nil {
		return nil // a pack that could not be loaded
	}
	known := []string{bundleFile, propertiesFile, dependenciesFile}
	if values.Field(files, propertiesFile) != nil || values.Field(files, dependenciesFile) != nil {
		known = append(known, annotationsFile)
	}
	findings, _ := pack.UnreadFiles(resource, document, known...)
	for _, f := range findings {
		p.invalid(f)
	}
	var all []*constraint.Bundle
	catalogs := catalogsIn(files)
	for _, name := range catalogs {
		if source := p.file(resource, document, name); source != nil {
			all = append(all, p.bundleFile(source)...)
		}
	}
	if len(catalogs) == 0 && (values.Field(files, propertiesFile) != nil || values.Field(files, dependenciesFile) != nil) {
		all = append(all, p.metadataFolder(resource, document))
	}
	return all
}

// catalogsIn returns the names of those files of a ConfigMap that are catalogs.
func catalogsIn(files *yaml.Node) (names []string) {
	for i, name := range catalogFiles {
		if n := values.Field(files, name); n != nil && (i == 0 || strings.Contains(values.Text(n), bundleSchema)) {
			names = append(names, name)
		}
	}
	return names
}

// addMetadata adds the metadata folder of a bundle to its ClusterServiceVersion.
func (p *processor) addMetadata(b *constraint.Bundle, item *list.Item) {
	for _, half := range p.itemBundles(item, item.Resource()) {
		b.Package = cmp.Or(half.Package, b.Package)
		addProperties(b, half.Properties)
		b.Dependencies = append(b.Dependencies, half.Dependencies...)
	}
}

// metadataFolder reads a ConfigMap of the files of a bundle's metadata folder.
func (p *processor) metadataFolder(resource diag.Resource, document *values.Document) *constraint.Bundle {
	read := func(file string) (*pack.Source, *values.Document) {
		source := p.file(resource, document, file)
		if source == nil {
			return nil, nil
		}
		d, err := source.Document()
		if err != nil {
			p.invalid(diag.Unreadable(err).From(source.Origin))
			return nil, nil
		}
		return source, d
	}
	b := &constraint.Bundle{Name: resource.Name, Resource: resource}
	if source, d := read(annotationsFile); d != nil {
		all := values.Field(d.Root(), "annotations")
		for _, key := range pack.KeysLike(all, packageAnnotation, func(key string, _ *yaml.Node) bool { return nearest.IsMisspelt(key, packageAnnotation) }) {
			f := diag.Unknown("annotation", key.Value, nil)
			f.Nearest = packageAnnotation
			p.invalid(f.In(source.Origin, "annotations."+key.Value, values.At(key)))
		}
		b.Package = values.Text(values.Field(all, packageAnnotation))
	}
	if source, d := read(propertiesFile); d != nil {
		b.Properties = p.entries(source.Origin, d, "properties")
	}
	if source, d := read(dependenciesFile); d != nil {
		b.Dependencies = p.entries(source.Origin, d, "dependencies")
	}
	return b
}

// file returns a file of a ConfigMap, or nil if it is not there or not text.
func (p *processor) file(resource diag.Resource, document *values.Document, name string) *pack.Source {
	n := values.Field(document.Root(), "data", name)
	if values.IsNull(n) {
		return nil
	}
	field := "data[" + name + "]"
	if n.Kind != yaml.ScalarNode {
		p.invalid(diag.Got(values.KindOf(n), "a string with the content of a file").Do("write it as a block: "+name+": |").About(resource, field))
		return nil
	}
	return pack.NewSource(resource, name, field, document, n)
}

// bundleFile reads the documents of a bundle.yaml.
func (p *processor) bundleFile(source *pack.Source) []*constraint.Bundle {
	var all []*constraint.Bundle
	for _, part := range documents.Of(source.Text()) {
		document, err := part.Parse(sizedKey)
		if err != nil {
			p.invalid(unreadable(part, err).From(source.Origin))
			continue
		}
		root := document.Root()
		if root == nil {
			continue
		}
		moveDown(root, part.Line)
		if b := p.catalogBundle(source.Origin, document); b != nil {
			all = append(all, b)
		}
	}
	return all
}

// catalogBundle reads a document of a catalog, and returns nil for one that is no bundle.
func (p *processor) catalogBundle(o *diag.Origin, document *values.Document) *constraint.Bundle {
	root := document.Root()
	if root.Kind != yaml.MappingNode {
		p.invalid(diag.Got(values.KindOf(root), "a bundle (a map with schema, name and properties)").In(o, "", values.At(root)))
		return nil
	}
	schema := values.Field(root, "schema")
	switch text := values.Text(schema); {
	case text == bundleSchema:
		return p.bundle(o, document)
	case text == "" && values.Field(root, "apiVersion") != nil:
		f := diag.Say("this is a resource, among the documents of a catalog").Do("move it to a separate file")
		p.invalid(f.In(o, "", values.At(root)))
	case text == "" && o.Embedded:
		p.invalid(diag.Missing("").Want(bundleSchema).In(o, "schema", values.At(root)))
	case text == "":
		p.invalid(diag.Missing("").Want(diag.OneOf(catalogSchemas)).In(o, "schema", values.At(root)))
	case nearest.Name(text, catalogSchemas) == bundleSchema:
		p.invalid(diag.GotName(text, []string{bundleSchema}).In(o, "schema", values.At(schema)))
	}
	return nil
}

// bundleFields are the fields of an olm.bundle. Catalogs add others.
type bundleFields struct {
	Schema pack.Text `json:"schema"`
	// Name is the name of the bundle, such as `vault.v1.1.0`, and Package the name of its package.
	Name    pack.Text  `json:"name"`
	Package pack.Text  `json:"package"`
	Image   *yaml.Node `json:"image"`
	// Properties and Dependencies are lists of a type and a value.
	Properties    *yaml.Node `json:"properties"`
	Dependencies  *yaml.Node `json:"dependencies"`
	RelatedImages *yaml.Node `json:"relatedImages"`
	_             struct{}   `unknown:"slips"`
}

// bundle reads an olm.bundle. A misspelt list is an error, because a requirement
// that is not read would let everything pass.
func (p *processor) bundle(o *diag.Origin, document *values.Document) *constraint.Bundle {
	var fields bundleFields
	for _, f := range decode.Node(document.Root(), "", &fields) {
		if f.Kind != diag.KindDuplicate { // there may be more of them, below
			p.invalid(f.From(o))
		}
	}
	p.duplicates(o, document)
	return &constraint.Bundle{
		Name: cmp.Or(string(fields.Name), o.Resource.Name), Package: string(fields.Package), Resource: o.Resource,
		Properties: p.listed(o, document, "properties"), Dependencies: p.listed(o, document, "dependencies"),
	}
}

// listed returns the items of a list in a field of a document.
func (p *processor) listed(o *diag.Origin, document *values.Document, name string) []constraint.Entry {
	return p.items(o, document, values.Field(document.Root(), name), name)
}

// entries returns the items of a list. The list is the document itself, or a field of it
// of that name.
func (p *processor) entries(o *diag.Origin, document *values.Document, name string) []constraint.Entry {
	root := document.Root()
	list, key := root, ""
	if root != nil && root.Kind == yaml.MappingNode {
		list, key = values.Field(root, name), name
		p.duplicates(o, document)
		if list == nil && !p.misspeltList(o, root, name) {
			p.invalid(diag.Missing("").In(o, name, values.At(root)))
		}
	}
	return p.items(o, document, list, key)
}

// items returns the items of a list at a path in a document.
func (p *processor) items(o *diag.Origin, document *values.Document, list *yaml.Node, key string) []constraint.Entry {
	if values.IsNull(list) {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		p.invalid(diag.Got(values.KindOf(list), "a list of entries with type and value").In(o, key, values.At(list)))
		return nil
	}
	return entriesOf(list, key, o, document.Sizes())
}

// entriesOf returns the items of a list at a path. sizes are the sizes of the values of a JSON
// document, or nil for other documents.
func entriesOf(list *yaml.Node, key string, o *diag.Origin, sizes map[*yaml.Node]int) []constraint.Entry {
	if values.IsNull(list) || list.Kind != yaml.SequenceNode {
		return nil
	}
	var all []constraint.Entry
	for i, n := range list.Content {
		n = values.Resolve(n)
		size := sizes[n]
		if size == 0 {
			size = sizes[values.Field(n, "property")]
		}
		all = append(all, constraint.Entry{Node: n, Key: fmt.Sprintf("%s[%d]", key, i), Origin: o, ValueSize: size})
	}
	return all
}

// misspeltList reports lists of a map that are probably the one of a name, and
// whether there are any.
func (p *processor) misspeltList(o *diag.Origin, n *yaml.Node, name string) bool {
	keys := pack.KeysLike(n, name, func(key string, value *yaml.Node) bool {
		return value.Kind == yaml.SequenceNode && nearest.Name(key, []string{"properties", "dependencies"}) == name
	})
	for _, key := range keys {
		f := diag.Unknown("field", key.Value, nil)
		f.Nearest = name
		p.invalid(f.In(o, key.Value, values.At(key)))
	}
	return len(keys) > 0
}

// duplicates reports duplicate keys, except the duplicate keys in constraints, which are reported
// as faults of the constraints.
func (p *processor) duplicates(o *diag.Origin, document *values.Document) {
	for f := range pack.Duplicates(document) {
		if !strings.HasPrefix(f.Key, "properties[") && !strings.HasPrefix(f.Key, "dependencies[") {
			p.invalid(f.From(o))
		}
	}
}

// invalid reports something that cannot be read.
func (p *processor) invalid(f diag.Finding) {
	p.run.Report(f.Of(rule.InputInvalid))
	p.isUnread = true
}
