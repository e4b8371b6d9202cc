package list

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// The list's kind, and the version of it that functions write.
const (
	listKind    = "ResourceList"
	listVersion = "config.kubernetes.io/v1"
)

// maxParsedList is the size in bytes above which a list is refused when it needs
// the parser, which takes 20 to 40 bytes of memory for each.
const maxParsedList = 64 << 20

// List is a ResourceList, read by its text.
type List struct {
	// Items are the resources, in the order of the input.
	Items []*Item

	// parts are the text of the list in its order, with places for the items and
	// the results.
	parts []part
	// config is the functionConfig, or nil if there is none, and configHead names it.
	config     *yaml.Node
	configHead Item
	// earlier are the results of the functions before this one, or nil if there are none or they
	// only pass as text. earlierColumn is the column of their dashes, or 0 if they are not a list
	// in block style.
	earlier       []*yaml.Node
	earlierColumn int
	// isPrinted reports whether the list was parsed, so that the items have the text of the printer.
	isPrinted bool
}

// partKind is the kind of a part of the list's text.
type partKind uint8

const (
	partText    partKind = iota // text that stays
	partItems                   // text up to the first item, then the items
	partResults                 // text of earlier results, which new ones follow
)

// part is a part of the text of a list, or the place of its items or its results.
type part struct {
	kind partKind
	text []byte
}

// Read reads a ResourceList. It returns an error of one line for input that is empty, not YAML, or
// not a ResourceList. Faults of single items are not errors of the list.
func Read(input []byte) (*List, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		return nil, fmt.Errorf("standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)")
	}
	input = withUnixBreaks(input)
	if list, ok := readByText(input); ok {
		return list, nil
	}
	return readByParser(input)
}

// withUnixBreaks returns a list with line feeds in the place of carriage returns, which are line breaks of YAML, too.
// The parser takes several times the memory of the text reader, which knows only line feeds. It also reads UTF-16, in
// which a byte is no character.
func withUnixBreaks(input []byte) []byte {
	if bytes.IndexByte(input, '\r') < 0 || !utf8.Valid(input) {
		return input
	}
	unix := bytes.ReplaceAll(input, []byte("\r\n"), []byte("\n")) // a copy
	for i, c := range unix {
		if c == '\r' {
			unix[i] = '\n'
		}
	}
	return unix
}

// readByText makes the list from what the text reader finds. It reports false
// when the parser has to decide.
func readByText(input []byte) (*List, bool) {
	found, ok := split(input)
	if !ok {
		return nil, false
	}
	l := &List{parts: []part{{partText, input[:found.sections[0].start]}}, Items: found.items}
	var outside []byte
	version, hasItems := -1, false // the part with the list's apiVersion
	for _, s := range found.sections {
		text, kind := input[s.start:s.end], partText
		isOutside := true
		switch s.key {
		case "items":
			kind, hasItems = partItems, true
			if len(found.items) > 0 {
				text, isOutside = input[s.start:found.itemsStart], false
			}
		case "results":
			kind = partResults
			if areResults(input[:s.end], found.results) {
				l.earlierColumn, isOutside = found.resultsColumn+1, false
			}
		case "apiVersion":
			version = len(l.parts)
		}
		if l.parts = append(l.parts, part{kind, text}); isOutside {
			outside = append(outside, text...)
		}
	}
	if !hasItems {
		l.parts = append(l.parts, part{partItems, []byte(itemsKey + "\n")})
	}
	document, err := values.Parse(string(outside))
	if err != nil || l.takeOutside(document.Root()) != nil {
		return nil, false
	}
	if written := values.Text(values.Field(document.Root(), "apiVersion")); written != listVersion {
		if version < 0 || !bytes.Contains(l.parts[version].text, []byte(written)) {
			return nil, false
		}
		l.parts[version].text = bytes.Replace(l.parts[version].text, []byte(written), []byte(listVersion), 1)
	}
	for n, item := range l.Items {
		item.complete()
		// The last item is always parsed, so that a truncated list is noticed.
		if (item.refers || n == len(l.Items)-1) && !item.parses() {
			return nil, false
		}
	}
	return l, true
}

// areResults reports whether there are entries in a list of earlier results, and each is YAML
// on its own. Nothing is kept of them: their nodes take twenty times the memory of their text.
func areResults(text []byte, starts []int) bool {
	for n, start := range starts {
		end := len(text)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		if _, err := values.Parse(string(text[start:end])); err != nil {
			return false
		}
	}
	return len(starts) > 0
}

// takeOutside takes configuration and results from the list's mapping.
func (l *List) takeOutside(root *yaml.Node) error {
	if err := checkList(root); err != nil {
		return err
	}
	if config := values.Field(root, "functionConfig"); !values.IsNull(config) {
		if config.Kind != yaml.MappingNode {
			return fmt.Errorf("functionConfig of the ResourceList is not a resource")
		}
		l.SetConfig(config)
	}
	results := values.Field(root, "results")
	isList := results != nil && results.Kind == yaml.SequenceNode && results.Style&yaml.FlowStyle == 0
	if results != nil && results.Kind == yaml.MappingNode {
		results = values.Field(results, "items") // as older clients wrote them
	}
	if results != nil && results.Kind == yaml.SequenceNode {
		if l.earlier = results.Content; isList {
			l.earlierColumn = results.Column
		}
	}
	return nil
}

// checkList reports why a document is not a ResourceList.
func checkList(root *yaml.Node) error {
	if root == nil || root.Kind != yaml.MappingNode {
		return fmt.Errorf("the input is not a ResourceList but %s", values.KindOf(root))
	}
	if kind := values.Text(values.Field(root, "kind")); kind != listKind {
		return fmt.Errorf("the input must be of kind %s, got %q", listKind, kind)
	}
	if version := values.Text(values.Field(root, "apiVersion")); !strings.HasPrefix(version, "config.kubernetes.io/") {
		return fmt.Errorf("the input must have apiVersion %s, got %q", listVersion, version)
	}
	return nil
}

// Config returns the functionConfig, or nil if there is none.
func (l *List) Config() *yaml.Node { return l.config }

// SetConfig makes a resource the functionConfig.
func (l *List) SetConfig(config *yaml.Node) {
	l.config, l.configHead = config, Item{}
	l.configHead.setHead(config)
}

// SetConfigItem makes an item the functionConfig, with what clients say of its file.
func (l *List) SetConfigItem(item *Item) error {
	document, err := item.Document()
	if err != nil {
		return err
	}
	l.config, l.configHead = document.Root(), *item
	return nil
}

// ConfigItem makes an item of the functionConfig, for functions that take a
// resource of another group as their configuration.
func (l *List) ConfigItem() (*Item, error) {
	text, err := printBlock(*values.Clone(l.config)) // printing may change a tree, and others may read it
	if err != nil {
		return nil, err
	}
	return FileItem(text, "", 0), nil
}

// ConfigResource identifies the functionConfig in findings; it is zero when there
// is none.
func (l *List) ConfigResource() diag.Resource { return l.configHead.Resource() }

// IsConfig reports whether an item is the functionConfig: clients send its file
// among the items too. It is neither a second configuration nor anything to work
// on.
func (l *List) IsConfig(item *Item) bool {
	c := &l.configHead
	return l.config != nil && item.Is(c.apiVersion, c.kind) && item.name == c.name && item.namespace == c.namespace
}

// Restore undoes all changes.
func (l *List) Restore() {
	l.Items = slices.DeleteFunc(l.Items, func(i *Item) bool { return i.added })
	for _, item := range l.Items {
		item.restore()
	}
}
