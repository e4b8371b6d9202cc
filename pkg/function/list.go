package function

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// The list's kind, and the version of it that functions write.
const (
	listKind    = "ResourceList"
	listVersion = "config.kubernetes.io/v1"
)

// maxParsedList is the size in bytes above which a list is refused when it
// needs the SDK's parser, which takes 20 to 40 bytes of memory for each.
const maxParsedList = 64 << 20

// List is a ResourceList, read by its text.
type List struct {
	// Items are the resources, in the order of the input.
	Items []*Item

	// parts are the text of the list in its order, with places for the items and
	// the results.
	parts []part
	// config is the functionConfig, nil when there is none.
	config *yaml.Node
	// earlier are the results of the functions before this one.
	earlier []*yaml.Node
}

// partKind says what stands in a part of the list's text.
type partKind uint8

const (
	partText    partKind = iota // text, as it is
	partItems                   // text up to the first item, then the items
	partResults                 // text of earlier results, as it is unless there are new ones
)

type part struct {
	kind partKind
	text []byte
}

// Read reads a ResourceList. It refuses what is empty, not YAML, or not a
// ResourceList with an error that is one line; faults of single items are no
// errors of the list.
func Read(input []byte) (*List, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		return nil, fmt.Errorf("standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)")
	}
	if found, ok := split(input); ok {
		if list, ok := readByText(input, found); ok {
			return list, nil
		}
	}
	return readByParser(input)
}

// readByText makes the list from what the text reader found. It reports false
// when the parser has to decide.
func readByText(input []byte, found layout) (*List, bool) {
	l := &List{parts: []part{{partText, input[:found.sections[0].text.start]}}}
	var outside []byte
	version := -1 // the part with the list's apiVersion
	for _, s := range found.sections {
		text := s.text.of(input)
		switch s.key {
		case "items":
			if len(found.items) > 0 {
				text = input[s.text.start:found.items[0].start]
			}
			l.parts = append(l.parts, part{partItems, text})
			continue
		case "results":
			l.parts = append(l.parts, part{partResults, text})
		case "apiVersion":
			version = len(l.parts)
			fallthrough
		default:
			l.parts = append(l.parts, part{partText, text})
		}
		outside = append(outside, text...)
	}
	document, err := values.Parse(string(outside))
	if err != nil {
		return nil, false
	}
	if err := l.takeOutside(document.Root()); err != nil {
		return nil, false
	}
	if scalarField(document.Root(), "apiVersion") != listVersion {
		ok := version >= 0
		if !ok {
			return nil, false
		}
		if l.parts[version].text, ok = withListVersion(l.parts[version].text); !ok {
			return nil, false
		}
	}
	l.Items = make([]*Item, 0, len(found.items))
	for n, s := range found.items {
		item := newItem(s.of(input))
		// The last item is always parsed, so that a truncated list is noticed.
		if (s.refers || n == len(found.items)-1) && !item.parses() {
			return nil, false
		}
		l.Items = append(l.Items, item)
	}
	return l, true
}

// withListVersion puts the version that functions write into the text of the
// section apiVersion. It reports false when the value is not on the key's line.
func withListVersion(section []byte) ([]byte, bool) {
	text, rest, _ := bytes.Cut(section, []byte("\n"))
	for more := range bytes.Lines(rest) {
		if more = bytes.TrimSpace(more); len(more) > 0 && more[0] != '#' {
			return nil, false
		}
	}
	l := classify(text, 0)
	if _, _, ok := scalarText(l); !ok {
		return nil, false
	}
	colon := bytes.IndexByte(text, ':')
	at := colon + bytes.Index(text[colon:], l.value)
	return slices.Concat(section[:at], []byte(listVersion), section[at+len(l.value):]), true
}

// takeOutside takes configuration and results from the list's mapping.
func (l *List) takeOutside(root *yaml.Node) error {
	if err := checkList(root); err != nil {
		return err
	}
	l.config = field(root, "functionConfig")
	if l.config != nil && l.config.Tag == "!!null" {
		l.config = nil
	}
	if l.config != nil && l.config.Kind != yaml.MappingNode {
		return fmt.Errorf("functionConfig of the ResourceList is not a resource")
	}
	results := field(root, "results")
	if results != nil && results.Kind == yaml.MappingNode {
		results = field(results, "items") // as older clients wrote them
	}
	if results != nil && results.Kind == yaml.SequenceNode {
		l.earlier = results.Content
	}
	return nil
}

// checkList reports why a document is no ResourceList.
func checkList(root *yaml.Node) error {
	if root == nil || root.Kind != yaml.MappingNode {
		return fmt.Errorf("the input is not a ResourceList but %s", describeRoot(root))
	}
	if kind := scalarField(root, "kind"); kind != listKind {
		return fmt.Errorf("the input is of kind %q, want %s", kind, listKind)
	}
	if version := scalarField(root, "apiVersion"); !strings.HasPrefix(version, "config.kubernetes.io/") {
		return fmt.Errorf("the input has apiVersion %q, want %s", version, listVersion)
	}
	return nil
}

func describeRoot(root *yaml.Node) string {
	if root == nil {
		return "nothing"
	}
	return KindOf(root)
}

// configResource identifies the functionConfig in findings.
func (l *List) configResource() Resource {
	if l.config == nil {
		return Resource{}
	}
	config := Item{}
	config.setHead(l.config)
	return config.Resource()
}
