package dependency

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// carrier is a bundle as it was found in the list, before its properties are
// read.
type carrier struct {
	// name is the bundle's own; packageName and version are "" where the bundle
	// does not say them outright.
	name, packageName, version string
	resource                   function.Resource
	entries                    []entry
	// gvks are the APIs that a ClusterServiceVersion owns and requires.
	gvks []gvk
	// pack is the pack that the bundle is, nil for others.
	pack *pack.Pack
	// fault says that something of the bundle could not be read, which was
	// reported: what it lacks may stand there.
	fault bool
}

// entry is an item of properties, or of dependencies.
type entry struct {
	node       *yaml.Node
	key        string
	origin     *origin
	dependency bool
	// size is the length of the value in bytes as it was written in JSON; 0 for
	// YAML.
	size int
	// where names the resource of a cluster constraint in messages.
	where string
}

// gvk is an API of a ClusterServiceVersion.
type gvk struct {
	group, version, kind string
	required             bool
	key                  string
	node                 *yaml.Node
	origin               *origin
}

// The files of a bundle's metadata folder, and what tells a bundle's package and
// properties in annotations.
const (
	bundleFile           = "bundle.yaml"
	propertiesFile       = "properties.yaml"
	dependenciesFile     = "dependencies.yaml"
	annotationsFile      = "annotations.yaml"
	packageAnnotation    = "operators.operatorframework.io.bundle.package.v1"
	propertiesAnnotation = "operatorframework.io/properties"
	olmGroup             = "operators.coreos.com"
)

// wantsBundle reports whether an item is, or may be, a bundle that is no pack.
func wantsBundle(item *function.Item) bool {
	if item.Is("v1", "ConfigMap") {
		return item.Mentions(bundleFile) || item.Mentions(propertiesFile) || item.Mentions(dependenciesFile)
	}
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return group == olmGroup && item.Kind() == "ClusterServiceVersion"
}

// bundles reads the bundles of the list, packs included, in the order of the
// list. They are handed on one resource after the other, so that a large list
// does not have to fit into memory as nodes.
func (p *processor) bundles(yield func(*carrier) bool) {
	packs := map[function.Resource]*pack.Pack{}
	for _, loaded := range p.set.Packs {
		packs[loaded.Resource] = loaded
	}
	for _, item := range p.run.Items() {
		resource := item.Resource()
		var found []*carrier
		p.run.Guard(resource, func() {
			if loaded := packs[resource]; loaded != nil {
				found = []*carrier{p.packBundle(loaded)}
			} else if wantsBundle(item) {
				found = p.itemBundles(item, resource)
			}
		})
		for _, c := range found {
			if !yield(c) {
				return
			}
		}
	}
}

// packBundle is the bundle that a pack is.
func (p *processor) packBundle(loaded *pack.Pack) *carrier {
	c := &carrier{name: loaded.Name, packageName: loaded.Name, version: loaded.Version, resource: loaded.Resource, pack: loaded}
	for _, part := range []struct {
		source *pack.Source
		list   string
	}{{loaded.Properties, "properties"}, {loaded.Dependencies, "dependencies"}} {
		if part.source == nil {
			continue
		}
		o := &origin{resource: loaded.Resource, field: part.source.Field, name: part.source.Name, inResource: !part.source.Embedded}
		document, err := part.source.Document()
		if err != nil {
			p.unreadable(c, o, err)
			continue
		}
		p.list(c, o, document, part.list)
	}
	return c
}

// itemBundles reads the bundles of one resource.
func (p *processor) itemBundles(item *function.Item, resource function.Resource) []*carrier {
	document, err := item.Document()
	if err != nil {
		p.run.LegacyInvalid(resource, "", fmt.Sprintf("%s can not be read: %v", resource, err))
		p.unread = true
		return nil
	}
	if item.Kind() == "ClusterServiceVersion" {
		return []*carrier{p.serviceVersion(resource, document)}
	}
	files := values.Field(document.Root(), "data")
	text := func(key string) (*origin, string, bool) {
		n := values.Field(files, key)
		if values.IsNull(n) {
			return nil, "", false
		}
		o := &origin{resource: resource, field: "data[" + key + "]", name: key}
		if n.Kind != yaml.ScalarNode {
			p.run.LegacyInvalid(resource, o.field, fmt.Sprintf("%s: got %s, want text: a file in a ConfigMap is a block of text (%s: |)", o.field, function.KindOf(n), key))
			p.unread = true
			return nil, "", false
		}
		return o, n.Value, true
	}
	switch {
	case values.Field(files, "pack.json") != nil:
		return nil // a pack that could not be loaded
	case values.Field(files, bundleFile) != nil:
		o, content, ok := text(bundleFile)
		if !ok {
			return nil
		}
		return p.bundleFile(o, content)
	case values.Field(files, propertiesFile) == nil && values.Field(files, dependenciesFile) == nil:
		return nil
	}
	c := &carrier{name: resource.Name, resource: resource}
	if o, content, ok := text(annotationsFile); ok {
		if d, err := values.Parse(content); err != nil {
			p.unreadable(c, o, err)
		} else {
			c.packageName = values.Text(values.Field(d.Root(), "annotations", packageAnnotation))
		}
	}
	for _, part := range []struct{ file, list string }{{propertiesFile, "properties"}, {dependenciesFile, "dependencies"}} {
		if o, content, ok := text(part.file); ok {
			d, err := values.Parse(content)
			if err != nil {
				p.unreadable(c, o, err)
				continue
			}
			p.list(c, o, d, part.list)
		}
	}
	return []*carrier{c}
}

// bundleFile reads the documents of a bundle.yaml.
func (p *processor) bundleFile(o *origin, content string) []*carrier {
	var all []*carrier
	for _, part := range documents(content) {
		at := *o
		at.line = part.line
		document, err := part.parse()
		if err != nil {
			p.unreadable(nil, &at, err)
			continue
		}
		root := document.Root()
		if root == nil {
			continue
		}
		moveDown(root, part.line)
		at.line, at.sizes = 0, document.Sizes
		schema := values.Text(values.Field(root, "schema"))
		switch {
		case root.Kind != yaml.MappingNode:
			p.invalid(&at, "", root, fmt.Sprintf("got %s, want a bundle: a mapping with schema, name and properties", function.KindOf(root)))
		case schema == bundleSchema:
			c := &carrier{name: values.Text(values.Field(root, "name")), packageName: values.Text(values.Field(root, "package")), resource: o.resource}
			if c.name == "" {
				c.name = o.resource.Name
			}
			p.duplicates(&at, document.Document)
			p.list(c, &at, document.Document, "properties")
			p.list(c, &at, document.Document, "dependencies")
			at.sizes = nil // which the entries have
			all = append(all, c)
		case schema == "" || nearest.Name(schema, catalogSchemas) == bundleSchema:
			p.invalid(&at, "schema", root, fmt.Sprintf("schema: got %q, want %s%s", schema, bundleSchema, nearest.Hint(schema, catalogSchemas)))
		}
	}
	return all
}

// list adds the items of a list to a bundle. The list is the document itself, or
// the one that the document has under its name.
func (p *processor) list(c *carrier, o *origin, document *values.Document, name string) {
	root := document.Root()
	list, key := root, ""
	if root != nil && root.Kind == yaml.MappingNode {
		list, key = values.Field(root, name), name
		if o.name == bundleFile {
			for _, slip := range pack.Slips(root, name) {
				p.invalid(o, slip.Value, slip, fmt.Sprintf("%s: unknown field (did you mean %q?)", slip.Value, name))
				c.fault = true
			}
		} else {
			p.duplicates(o, document)
			if list == nil {
				p.invalid(o, "", root, fmt.Sprintf("has no key %q", name))
				c.fault = true
			}
		}
	}
	if values.IsNull(list) {
		return
	}
	if list.Kind != yaml.SequenceNode {
		p.invalid(o, key, list, fmt.Sprintf("%s: got %s, want a list of entries with type and value", name, function.KindOf(list)))
		c.fault = true
		return
	}
	for i, n := range list.Content {
		n = values.Resolve(n)
		size := o.sizes[n]
		if size == 0 {
			size = o.sizes[values.Field(n, "property")]
		}
		c.entries = append(c.entries, entry{node: n, key: fmt.Sprintf("%s[%d]", key, i), origin: o, dependency: name == "dependencies", size: size})
	}
}

// duplicates reports keys that stand twice, but for those of constraints, which
// are the constraints' own faults.
func (p *processor) duplicates(o *origin, document *values.Document) {
	for _, d := range document.Duplicates() {
		if strings.HasPrefix(d.Path, "properties[") || strings.HasPrefix(d.Path, "dependencies[") {
			continue
		}
		at := d.Second
		at.Line += o.line
		p.run.ReportLegacy(o.locateAt(function.Finding{
			Rule:    function.RuleInputInvalid.ID,
			Message: fmt.Sprintf("%s: the key %q stands on line %d and again on line %d; remove one", o.name, d.Path, d.First.Line+o.line, at.Line),
		}, d.Path, at))
	}
}

// unreadable reports a document that is no YAML.
func (p *processor) unreadable(c *carrier, o *origin, err error) {
	at := values.ErrorPosition(err)
	reason := err.Error()
	if at.Line > 0 {
		reason = strings.TrimPrefix(reason, at.String()+": ")
		at.Line += o.line
		reason = fmt.Sprintf("%s: %s", at, reason)
	}
	p.run.ReportLegacy(o.locateAt(function.Finding{
		Rule:    function.RuleInputInvalid.ID,
		Message: fmt.Sprintf("%s can not be read: %s", o.name, reason),
	}, "", at))
	p.unread = true
	if c != nil {
		c.fault = true
	}
}

// invalid reports something of a document that can not be read.
func (p *processor) invalid(o *origin, key string, n *yaml.Node, message string) {
	p.run.ReportLegacy(o.locate(function.Finding{
		Rule:    function.RuleInputInvalid.ID,
		Message: fmt.Sprintf("%s: %s%s", o.name, message, o.place(n)),
	}, key, n))
	p.unread = true
}
