package function

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Annotations by which clients say where a resource comes from. The second of
// each pair is the older spelling.
var (
	pathAnnotations  = []string{PathAnnotation, "config.kubernetes.io/path"}
	indexAnnotations = []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
)

// Annotations by which clients say, and are told, where a resource is stored: the
// path of its file within its package, and the path of the package.
const (
	PathAnnotation        = "internal.config.kubernetes.io/path"
	PackagePathAnnotation = "internal.config.kubernetes.io/package-path"
)

// Item is one resource of a list. Its head is known without parsing it; its
// document is parsed each time it is asked for, and not kept, so that a large
// list does not have to fit into memory as trees.
type Item struct {
	head
	// text is the item as it stands in the list, its dash included, and without
	// its line break at the end of the input only when that lacks one. Of an item
	// that comes from a file it is the document.
	text []byte
	// edited is what replaces the text, as a document of its own, "" when the
	// item was not changed. It is kept as text, not as a tree, for memory.
	edited  string
	removed bool
	// added says that the function made the item.
	added bool
	// parsed holds the annotations of an item whose head needed the parser.
	parsed map[string]string
	// document says that the text is a document, not an item of a list.
	document bool
	// file and index say where an item read without a client comes from.
	file  string
	index int
	// resource is kept, since reading annotations from the text has a price.
	resource *Resource
	// invalid says what is wrong with the item's head, when something is.
	invalid string
}

// APIVersion returns the item's apiVersion, "" when it has none.
func (i *Item) APIVersion() string { return i.apiVersion }

// Kind returns the item's kind, "" when it has none.
func (i *Item) Kind() string { return i.kind }

// Name returns metadata.name, "" when there is none.
func (i *Item) Name() string { return i.name }

// Namespace returns metadata.namespace, "" when there is none.
func (i *Item) Namespace() string { return i.namespace }

// Is reports whether the item is of an apiVersion and kind.
func (i *Item) Is(apiVersion, kind string) bool {
	return i.kind == kind && i.apiVersion == apiVersion
}

// Annotation returns the value of an annotation, "" when the item does not bear
// it.
func (i *Item) Annotation(key string) string {
	if i.parsed == nil {
		if len(i.annotations) == 0 {
			return ""
		}
		if value, ok := annotation(i.annotations, key); ok {
			return value
		}
		i.parseHead()
	}
	return i.parsed[key]
}

// Mentions reports whether the item's text may hold a word, in whatever way
// YAML lets it be written: false is certain. It spares parsing an item that can
// not have a certain key.
func (i *Item) Mentions(word string) bool {
	return i.edited != "" || bytes.Contains(i.text, []byte(word)) || bytes.IndexByte(i.text, '\\') >= 0
}

// Resource identifies the item in findings.
func (i *Item) Resource() Resource {
	if i.resource == nil {
		r := i.readResource()
		i.resource = &r
	}
	return *i.resource
}

func (i *Item) readResource() Resource {
	r := Resource{
		APIVersion:  i.apiVersion,
		Kind:        i.kind,
		Namespace:   i.namespace,
		Name:        i.name,
		packagePath: i.Annotation(PackagePathAnnotation),
	}
	if i.file != "" {
		r.File, r.Index = i.file, i.index
		return r
	}
	for _, key := range pathAnnotations {
		if r.File = i.Annotation(key); r.File != "" {
			break
		}
	}
	for _, key := range indexAnnotations {
		if index, err := strconv.Atoi(i.Annotation(key)); err == nil {
			r.Index = index
			break
		}
	}
	return r
}

// Document parses the item. Its root is the mapping of the resource; positions
// in it are those in the item's text. An item that exceeds the limits of
// package values is refused before it is parsed.
func (i *Item) Document() (*values.Document, error) {
	document, err := values.Parse(i.standalone())
	if err != nil {
		return nil, err
	}
	if root := document.Root(); root == nil || root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("a resource is a mapping with apiVersion and kind")
	}
	return document, nil
}

// parses reports whether the item's text is one mapping, which neither ends too
// early nor refers to an anchor of another item. What is too large to be parsed
// counts as one: it leaves as it came, and is refused when somebody wants it.
func (i *Item) parses() bool {
	if len(i.text) > values.MaxBytes {
		return true
	}
	root, err := parse([]byte(i.standalone()))
	return err == nil && root.Kind == yaml.MappingNode
}

// standalone is the item's text as a document of its own: the dash becomes a
// blank, so that every column stays.
func (i *Item) standalone() string {
	if i.edited != "" {
		return i.edited
	}
	if i.document {
		return string(i.text)
	}
	dash := bytes.IndexByte(i.text, '-')
	var b strings.Builder
	b.Grow(len(i.text))
	b.Write(i.text[:dash])
	b.WriteByte(' ')
	b.Write(i.text[dash+1:])
	return b.String()
}

// Replace makes document, an edited form of what Document returned, the item's
// new text.
func (i *Item) Replace(document *values.Document) { i.edited = document.Text() }

// Remove takes the item out of the list.
func (i *Item) Remove() { i.removed = true }

func (i *Item) changed() bool { return i.removed || i.edited != "" }

// output is the item's text as it leaves.
func (i *Item) output() []byte {
	switch {
	case i.removed:
		return nil
	case i.edited == "":
		return i.text
	case i.document:
		return []byte(i.edited)
	}
	text := []byte(i.edited)
	// Everything in front of the first content is blanks, so the dash goes back
	// to where it stood.
	text[bytes.IndexByte(i.text, '-')] = '-'
	return text
}

// newItem looks at the text of an item that split has found, and parses it only
// when the look leaves a doubt.
func newItem(text []byte) *Item { return itemWithHead(text, lookAt(text)) }

func itemWithHead(text []byte, h head) *Item {
	i := &Item{head: h, text: text}
	if i.doubt {
		i.parseHead()
	}
	i.checkHead()
	return i
}

// parsedItem makes an item of a printed mapping. It is not looked at: without
// split, a look would take a line of a long scalar for a key.
func parsedItem(text []byte, root *yaml.Node) *Item {
	i := &Item{text: text}
	i.setHead(root)
	i.checkHead()
	return i
}

// fileItem makes an item of a document of a file.
func fileItem(document []byte, file string, index int) *Item {
	i := &Item{text: document, document: true, file: file, index: index}
	i.parseHead()
	i.checkHead()
	return i
}

func (i *Item) checkHead() {
	if i.invalid == "" && (i.apiVersion == "" || i.kind == "") {
		i.invalid = "the resource lacks " + lacking(i.apiVersion, i.kind)
	}
}

func lacking(apiVersion, kind string) string {
	switch {
	case apiVersion != "":
		return "kind"
	case kind != "":
		return "apiVersion"
	default:
		return "apiVersion and kind"
	}
}

// parseHead fills the head from the parsed item.
func (i *Item) parseHead() {
	i.parsed = map[string]string{}
	document, err := i.Document()
	if err != nil {
		i.invalid = "can not be read: " + err.Error()
		return
	}
	i.setHead(document.Root())
}

// setHead fills the head from the root of the item.
func (i *Item) setHead(root *yaml.Node) {
	i.parsed = map[string]string{}
	i.apiVersion = scalarField(root, "apiVersion")
	i.kind = scalarField(root, "kind")
	metadata := field(root, "metadata")
	i.name = scalarField(metadata, "name")
	i.namespace = scalarField(metadata, "namespace")
	annotations := field(metadata, "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return
	}
	for at := 0; at+1 < len(annotations.Content); at += 2 {
		if key := annotations.Content[at]; key.Kind == yaml.ScalarNode && i.parsed[key.Value] == "" {
			i.parsed[key.Value] = values.Resolve(annotations.Content[at+1]).Value
		}
	}
}

// field returns the value of a key of a mapping, nil when there is none.
func field(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for at := 0; at+1 < len(mapping.Content); at += 2 {
		if k := mapping.Content[at]; k.Kind == yaml.ScalarNode && k.Value == key {
			return values.Resolve(mapping.Content[at+1])
		}
	}
	return nil
}

// scalarField returns the text of a scalar field, "" when there is none.
func scalarField(mapping *yaml.Node, key string) string {
	if n := field(mapping, key); n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		return n.Value
	}
	return ""
}
