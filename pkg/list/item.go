package list

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Annotations in which clients and functions record where a resource is stored: the path of its
// file within its package, its index in the file, and the path of the package.
const (
	PathAnnotation        = "internal.config.kubernetes.io/path"
	PackagePathAnnotation = "internal.config.kubernetes.io/package-path"
	OlderPathAnnotation   = "config.kubernetes.io/path"
	IndexAnnotation       = "internal.config.kubernetes.io/index"
	OlderIndexAnnotation  = "config.kubernetes.io/index"
)

// LocalConfigAnnotation marks, with the value true, a resource that kpt applies to no cluster.
const LocalConfigAnnotation = "config.kubernetes.io/local-config"

// Item is one resource of a list. Its head is known without parsing it. Its
// document is parsed each time it is asked for, and not kept, so that a large list
// does not have to fit into memory as trees.
type Item struct {
	head
	// text is the item as it came: in a list with its dash, and without a line
	// break at its end only when the input ends there; of a file, the document.
	text []byte
	// isDocument reports whether the text is a document of a file, not an item of a list.
	isDocument bool
	// edited is the item's new text, as a document, or "" if it was not changed. It is text and not
	// a tree to save memory.
	edited string
	// removed reports whether the function removed the item.
	removed bool
	// added reports whether the function made the item.
	added bool
	// refers reports whether the text contains anchors, aliases or tags. An alias may need an
	// anchor of another item.
	refers bool
	// parsed holds the annotations of an item whose head needed the parser.
	parsed map[string]string
	// noTexts are the names of annotations of such an item that are lists or maps.
	noTexts []string
	// annotated holds the annotations after [Item.Annotate], nil before it.
	annotated *map[string]string
	// file and index are the file, and the number of the document in it, of an item that was read without a client.
	file  string
	index int
	// as returns the root of the resource from the document that the text is, or nil for the root
	// of the document.
	as func(*values.Document) *yaml.Node
	// kept is the document of the text, or nil unless it is kept.
	kept *values.Document
	// after is the document of the edited text, for the item after this one, or nil unless
	// documents are kept.
	after *values.Document
	// packagePath is the path of its package, or "" if no tree of packages was read.
	packagePath string
	// isElement reports whether the item is an element of a List, and isPrinted whether its text
	// differs from the text of the file, because it was printed.
	isElement, isPrinted bool
	// line is the line of the file on which the text begins, or 0 if it is unknown.
	line int
	// resource is kept for an item of a list, because reading it costs time.
	resource *diag.Resource
	// fault is the reason why the item's head cannot be read, or "" if it can.
	fault string
	// hasMisspelt reports whether names of the item may be misspelt, see Misspelt.
	hasMisspelt bool
}

// APIVersion returns the item's apiVersion, or "" if it has none.
func (i *Item) APIVersion() string { return i.apiVersion }

// Group returns what is before the slash in the item's apiVersion: apps for apps/v1, and v1 for v1.
func (i *Item) Group() string {
	group, _, _ := strings.Cut(i.apiVersion, "/")
	return group
}

// Kind returns the item's kind, or "" if it has none.
func (i *Item) Kind() string { return i.kind }

// Name returns metadata.name, or "" if there is none.
func (i *Item) Name() string { return i.name }

// Namespace returns metadata.namespace, or "" if there is none.
func (i *Item) Namespace() string { return i.namespace }

// Is reports whether the item is of an apiVersion and kind.
func (i *Item) Is(apiVersion, kind string) bool {
	return i.kind == kind && i.apiVersion == apiVersion
}

// Annotation returns the value of an annotation, or "" if the item has none. Of all edits, it
// includes only the edits by [Item.Annotate].
func (i *Item) Annotation(key string) string {
	if key == PackagePathAnnotation && i.packagePath != "" {
		return i.packagePath
	}
	return i.annotationsAt(key)[0]
}

// annotationsAt returns the values of annotations, or "" for those that the item has not.
func (i *Item) annotationsAt(keys ...string) []string {
	texts := make([]string, len(keys))
	known := cmp.Or(i.annotated, &i.parsed)
	if *known == nil {
		if readTexts(i.annotations, keys, texts) {
			return texts
		}
		i.parseHead()
	}
	for at, key := range keys {
		texts[at] = (*known)[key]
	}
	return texts
}

// Mentions reports whether the item's text may hold a word, in any way that YAML
// has to write it: false is certain. It saves parsing an item that cannot have a
// certain key.
func (i *Item) Mentions(word string) bool {
	return i.edited != "" || bytes.Contains(i.text, []byte(word)) || bytes.IndexByte(i.text, '\\') >= 0
}

// Resource identifies the item in findings.
func (i *Item) Resource() diag.Resource {
	if i.isDocument { // of a file, whose head is parsed: there may be many, and goroutines may share them
		return i.readResource()
	}
	if i.resource == nil {
		r := i.readResource()
		i.resource = &r
	}
	return *i.resource
}

// readResource returns the identity of the item, with its file from the annotations of the client, or
// from the file that was read.
func (i *Item) readResource() diag.Resource {
	r := diag.Resource{
		APIVersion: i.apiVersion,
		Kind:       i.kind,
		Namespace:  i.namespace,
		Name:       i.name,
	}
	if i.file != "" {
		r.File, r.Index, r.PackagePath = i.file, i.index, i.Annotation(PackagePathAnnotation)
		return r
	}
	at := i.annotationsAt(PathAnnotation, OlderPathAnnotation, IndexAnnotation, OlderIndexAnnotation, PackagePathAnnotation)
	r.File, r.PackagePath = cmp.Or(at[0], at[1]), cmp.Or(i.packagePath, at[4])
	for _, text := range at[2:4] {
		if index, err := strconv.Atoi(text); err == nil {
			r.Index = index
			break
		}
	}
	return r
}

// Line returns the line of the file on which the item's text begins, which is also the first line
// of its document. It is 1 for an item that was not read from a file as a whole.
func (i *Item) Line() int { return max(1, i.line) }

// Fault explains why the item is not a resource that can be read: a head without apiVersion or
// kind, or text that is not YAML. It is "" for all others.
func (i *Item) Fault() string { return i.fault }

// Added reports whether the function made the item.
func (i *Item) Added() bool { return i.added }

// Document parses the item. Its root is the mapping of the resource; positions
// in it are those in the item's text. An item that exceeds the limits of
// package values is refused before it is parsed.
func (i *Item) Document() (*values.Document, error) {
	if i.kept != nil && i.edited == "" {
		return i.kept, nil
	}
	document, err := values.Parse(i.standalone())
	if err != nil {
		return nil, err
	}
	if i.as != nil {
		document = document.Part(i.as(document))
	}
	if root := document.Root(); root == nil || root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("a resource is a map with apiVersion and kind")
	}
	return document, nil
}

// parses reports whether the item's text is one mapping, which neither ends too
// early nor refers to an anchor of another item. Items above the size limit pass:
// they leave as they came, and Document refuses them.
func (i *Item) parses() bool {
	if len(i.text) > values.MaxBytes {
		return true
	}
	root, err := parse([]byte(i.standalone()))
	return err == nil && root.Kind == yaml.MappingNode
}

// standalone is the item's text as a document: the dash becomes a space, so that
// every column stays.
func (i *Item) standalone() string {
	if i.edited != "" {
		return i.edited
	}
	if i.isDocument {
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
func (i *Item) Replace(document *values.Document) {
	i.edited, i.after = document.Text(), nil
	if i.kept != nil {
		i.after = document
	}
}

// ReplaceText replaces the item's text by an edited form of the text of its document.
func (i *Item) ReplaceText(text string) { i.edited, i.after = text, nil }

// Edited returns the item's new text, and whether it was changed.
func (i *Item) Edited() (text string, changed bool) { return i.edited, i.edited != "" }

// AsItCame returns a copy of the item without the changes to it.
func (i *Item) AsItCame() *Item {
	came := *i
	came.restore()
	return &came
}

// restore undoes the changes to the item.
func (i *Item) restore() {
	i.edited, i.after, i.annotated, i.removed = "", nil, nil, false
}

// Remove takes the item out of the list.
func (i *Item) Remove() { i.removed = true }

// Removed reports whether the item was removed.
func (i *Item) Removed() bool { return i.removed }

// Changed reports whether the item has another text than the one it came with.
func (i *Item) Changed() bool { return i.edited != "" && !bytes.Equal(i.Text(), i.text) }

// Text returns the item as it leaves, or nil if it was removed: with its dash in a list, and as a
// document when it came from a file.
func (i *Item) Text() []byte {
	switch {
	case i.removed:
		return nil
	case i.edited == "":
		return i.text
	case i.isDocument:
		return []byte(i.edited)
	}
	text := []byte(i.edited)
	// Everything before the first content is spaces, so the dash returns to its
	// place.
	text[bytes.IndexByte(i.text, '-')] = '-'
	return text
}

// complete makes the head of an item that the text reader has found complete: it is parsed
// only if the text leaves a doubt.
func (i *Item) complete() {
	if i.doubt {
		i.parseHead()
	}
	i.checkHead()
}

// parsedItem makes an item of a printed mapping. It is not looked at: without
// split, a look would take a line of a long scalar for a key.
func parsedItem(text []byte, root *yaml.Node) *Item {
	i := &Item{text: text}
	i.setHead(root)
	i.checkHead()
	return i
}

// checkHead notes a fault of an item without apiVersion or kind.
func (i *Item) checkHead() {
	switch {
	case i.fault != "":
	case i.apiVersion == "" && i.kind == "":
		i.fault = "the resource has no apiVersion and no kind"
	case i.apiVersion == "":
		i.fault = "the resource has no apiVersion"
	case i.kind == "":
		i.fault = "the resource has no kind"
	}
}

// parseHead fills the head from the parsed item, and returns the document, or nil if it cannot be
// read.
func (i *Item) parseHead() *values.Document {
	i.parsed = map[string]string{}
	document, err := i.AsItCame().Document()
	if err != nil {
		i.fault = "cannot be read: " + err.Error()
		return nil
	}
	i.setHead(document.Root())
	return document
}

// setHead fills the head from the root of the item. It copies the strings, because the strings of
// the root are parts of the parsed text, which would otherwise stay in memory.
func (i *Item) setHead(root *yaml.Node) {
	text := func(path ...string) string { return strings.Clone(values.Text(values.Field(root, path...))) }
	i.apiVersion, i.kind = text("apiVersion"), text("kind")
	i.name, i.namespace = text("metadata", "name"), text("metadata", "namespace")
	i.parsed = map[string]string{}
	i.noTexts = nil
	for _, p := range values.Pairs(values.Field(root, "metadata", "annotations")) {
		switch name, ok := p.Name(); {
		case ok && p.Value.Kind == yaml.ScalarNode:
			i.parsed[strings.Clone(name)] = strings.Clone(values.Text(p.Value))
		case ok:
			i.noTexts = append(i.noTexts, strings.Clone(name))
		}
	}
	i.hasMisspelt = len(MisspeltKeys(root, true)) > 0
}
