package chart

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	nodes "github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// bundle contains the JSON schemas of a chart and its subcharts, by their addresses. A schema may refer to
// another one of them by the address under which it is published, although nothing is fetched:
//
//	values.schema.json                  {"$ref": "https://example.com/common/values.schema.json"}
//	charts/common/values.schema.json    {"$id": "https://example.com/common/values.schema.json",
//	                                     "properties": {"labels": {"$ref": "schemas/definitions.json#/labels"}}}
//	charts/common/schemas/definitions.json
type bundle struct {
	// documents are the schemas by their addresses, without fragments.
	documents map[string]*yaml.Node
	// address are the addresses of documents.
	address map[*yaml.Node]string
}

// newBundle returns the schemas of a chart and its subcharts. If none refers to another document, no other
// file is read.
func newBundle(c *Chart) *bundle {
	b := &bundle{documents: map[string]*yaml.Node{}, address: map[*yaml.Node]string{}}
	var all []*Chart
	refers := false
	var visit func(c *Chart)
	visit = func(c *Chart) {
		all = append(all, c)
		eachReference(rootOf(c.schema), func(ref string) { refers = refers || !strings.HasPrefix(ref, "#") })
		for _, sub := range c.subcharts {
			visit(sub)
		}
	}
	if visit(c); !refers {
		return b
	}
	left := maxDocuments
	for _, c := range all {
		root := rootOf(c.schema)
		base := addressOf(root)
		b.add(base, root)
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			text := string(c.files[name])
			if path.Ext(name) != ".json" || name == schemaFile || strings.HasPrefix(name, templates) || len(text) > left {
				continue
			}
			left -= len(text)
			n, _, err := values.ReadJSON(text)
			if err != nil || n == nil || n.Kind != yaml.MappingNode {
				continue
			}
			b.add(addressOf(n), n)
			b.add(resolved(base, name), n)
		}
	}
	return b
}

// add adds a document, unless its address is unknown or known already.
func (b *bundle) add(address string, n *yaml.Node) {
	if address != "" && n != nil && b.documents[address] == nil {
		b.documents[address] = n
		if b.address[n] == "" {
			b.address[n] = address
		}
	}
}

// addressOf returns the absolute address that a schema declares, or "".
func addressOf(root *yaml.Node) string {
	id, err := url.Parse(strings.TrimSuffix(values.Text(values.Field(root, "$id")), "#"))
	if err != nil || !id.IsAbs() {
		return ""
	}
	return id.String()
}

// resolved returns the address of a reference without its fragment, or "" if the base is unknown.
func resolved(base, ref string) string {
	at, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u, err := at.Parse(ref)
	if err != nil || !u.IsAbs() {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// find returns the document that a reference in a document leads to, and the fragment of the reference. It
// returns nil if the chart does not have the document.
func (b *bundle) find(from *yaml.Node, ref string) (document *yaml.Node, fragment string) {
	address, fragment, _ := strings.Cut(ref, "#")
	if address == "" {
		return from, fragment
	}
	at := resolved(b.address[from], address)
	if at == b.address[from] {
		return from, fragment
	}
	return b.documents[at], fragment
}

// whole returns a schema that contains the documents that it refers to, as definitions with their addresses.
func (b *bundle) whole(root *yaml.Node) *yaml.Node {
	if root == nil || len(b.documents) == 0 {
		return root
	}
	var others []*yaml.Node
	queue := []*yaml.Node{root}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		eachReference(from, func(ref string) {
			if to, _ := b.find(from, ref); to != nil && to != root && !slices.Contains(others, to) {
				others, queue = append(others, to), append(queue, to)
			}
		})
	}
	if len(others) == 0 {
		return root
	}
	definitions := nodes.Map()
	for _, n := range others {
		definitions.Content = append(definitions.Content, nodes.Text(b.address[n]), withAddress(n, b.address[n]))
	}
	keyword := "definitions"
	if draft := values.Text(values.Field(root, "$schema")); draft == "" || strings.Contains(draft, "/20") {
		keyword = "$defs"
	}
	whole := without(root, keyword)
	if ref := values.Field(root, "$ref"); ref != nil && keyword == "definitions" { // an old draft ignores what is beside it
		whole = without(whole, "$ref")
		whole.Content = append(whole.Content, nodes.Text("allOf"), nodes.List(nodes.Map(nodes.Text("$ref"), ref)))
	}
	if own := values.Field(root, keyword); own != nil {
		definitions.Content = append(definitions.Content, own.Content...)
	}
	whole.Content = append(whole.Content, nodes.Text(keyword), definitions)
	return whole
}

// withAddress returns a schema that declares its address.
func withAddress(n *yaml.Node, address string) *yaml.Node {
	c := *without(n, "$id")
	c.Content = append([]*yaml.Node{nodes.Text("$id"), nodes.Text(address)}, c.Content...)
	return &c
}

// without returns a map without a key.
func without(n *yaml.Node, key string) *yaml.Node {
	c := *n
	c.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != key {
			c.Content = append(c.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &c
}

// eachReference calls visit for the references in a schema.
func eachReference(n *yaml.Node, visit func(ref string)) {
	if n == nil {
		return
	}
	if n.Kind == yaml.MappingNode {
		if ref := values.Text(values.Field(n, "$ref")); ref != "" {
			visit(ref)
		}
	}
	for _, child := range n.Content {
		eachReference(child, visit)
	}
}
