package function

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// readByParser reads a list with the SDK's parser, for all YAML that the text
// reader leaves alone. The text of an item is cut out of the input where that is
// certain; else it is printed on its own: encoding a list as one document would
// take more than parsing it.
func readByParser(input []byte) (list *List, err error) {
	if len(input) > maxParsedList {
		return nil, fmt.Errorf("the list is larger than %d MiB and not in block style, so it would have to be parsed as a whole; pass it as block-style YAML, as kpt and kustomize do", maxParsedList>>20)
	}
	if list, ok := readJSON(input); ok {
		return list, nil
	}
	defer func() {
		// The parser panics on some malformed input.
		if cause := recover(); cause != nil {
			list, err = nil, fmt.Errorf("the input is not YAML that can be read")
		}
	}()
	root, err := onlyDocument(input)
	if err != nil {
		return nil, err
	}
	comments := root != nil && riskOf(root) == riskComments
	if list, err = listOf(root, newCutter(input, comments)); err != nil || !comments || list.staysPut() {
		return list, err
	}
	return listOf(plainer(root, false), &cutter{comments: true})
}

// staysPut reports whether the list is written alike when it is read again.
// Comments may move with each run where they have to be parsed again.
func (l *List) staysPut() bool {
	var once, twice bytes.Buffer
	if l.Write(&once, nil) != nil {
		return false
	}
	if found, ok := split(once.Bytes()); ok {
		if _, ok := readByText(once.Bytes(), found); ok {
			return true
		}
	}
	root, err := onlyDocument(once.Bytes())
	if err != nil || root == nil {
		return false
	}
	again, err := listOf(root, newCutter(once.Bytes(), riskOf(root) == riskComments))
	return err == nil && again.Write(&twice, nil) == nil && bytes.Equal(once.Bytes(), twice.Bytes())
}

// listKeys are the keys that a list has.
var listKeys = []string{"apiVersion", "kind", "items", "functionConfig", "results"}

// listOf makes a list of its parsed root, and uses the root up when it will not
// be needed again.
func listOf(root *yaml.Node, c *cutter) (list *List, err error) {
	l := &List{}
	if err := l.takeOutside(root); err != nil {
		return nil, err
	}
	if err := checkConfig(l.config); err != nil {
		return nil, err
	}
	l.parts = []part{{partText, nil}, {partItems, []byte(itemsKey + "\n")}, {partResults, nil}}
	items := &yaml.Node{}
	outside, results := *root, *root
	outside.Content, results.Content = nil, nil
	for at := 0; at+1 < len(root.Content); at += 2 {
		key, value := root.Content[at], root.Content[at+1]
		if key.Kind == yaml.ScalarNode && field(root, key.Value) != values.Resolve(value) {
			// Whichever of the two is taken, the other would be lost.
			return nil, fmt.Errorf("the ResourceList has the key %q twice", key.Value)
		}
		if slices.Contains(listKeys, key.Value) {
			unquoted := *key // the text reader takes only these
			unquoted.Style = 0
			key = &unquoted
		}
		switch key.Value {
		case "results":
			results.Content = []*yaml.Node{key, value}
		case "items":
			items = values.Resolve(value)
			if err = checkItems(items); err != nil {
				return nil, err
			}
			if l.parts[1].text, err = printKey(key); err != nil {
				return nil, err
			}
		default:
			if key.Value == "apiVersion" {
				value = &yaml.Node{Kind: yaml.ScalarNode, Value: listVersion}
			}
			outside.Content = append(outside.Content, key, value)
		}
	}
	if l.parts[0].text, err = printBlock(outside); err != nil {
		return nil, err
	}
	if len(results.Content) > 0 {
		results.HeadComment, results.FootComment = "", "" // printed with the others
		if l.parts[2].text, err = printBlock(results); err != nil {
			return nil, err
		}
	}
	// Without aliases nothing refers to an item, and it can go once it is done.
	usedUp := !c.comments && !hasAlias(root)
	l.Items = make([]*Item, 0, len(items.Content))
	for n, node := range items.Content {
		item, err := c.item(node, items)
		if err != nil {
			return nil, fmt.Errorf("items[%d]: %w", n, err)
		}
		l.Items = append(l.Items, item)
		if usedUp {
			items.Content[n] = nil
		}
	}
	return l, nil
}

// item makes an item of its node: by its text where that can be cut out, else
// printed.
func (c *cutter) item(node, list *yaml.Node) (*Item, error) {
	if text, ok := c.cut(node, list); ok {
		return parsedItem(text, node), nil
	}
	node, err := detach(node)
	if err != nil {
		return nil, err
	}
	text, err := printNode(asSequence(node))
	if err != nil {
		return nil, err
	}
	return parsedItem(text, node), nil
}

// onlyDocument parses the input as the SDK does, whose errors speak of its own
// types, and returns the root of the document that is not empty.
func onlyDocument(input []byte) (root *yaml.Node, err error) {
	documents := 0
	for decoder := yaml.NewDecoder(bytes.NewReader(input)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the input is not YAML: %s", strings.TrimPrefix(oneLineText(err.Error()), "yaml: "))
		}
		if len(document.Content) > 0 && document.Content[0].ShortTag() != "!!null" {
			documents++
			root = document.Content[0]
		}
	}
	if documents > 1 {
		return nil, fmt.Errorf("the input holds %d documents, want one ResourceList", documents)
	}
	return root, nil
}

// checkConfig refuses a functionConfig whose aliases expand without bounds: it
// is decoded as a whole.
func checkConfig(config *yaml.Node) error {
	if config == nil || !hasAlias(config) {
		return nil
	}
	text, err := printBlock(*config)
	if err != nil {
		return fmt.Errorf("functionConfig of the ResourceList: %w", err)
	}
	if _, err = values.Parse(string(text)); isLimit(err) {
		return fmt.Errorf("functionConfig of the ResourceList: %w", err)
	}
	return nil
}

// checkItems refuses what is no list of resources; a missing list is an empty
// one.
func checkItems(list *yaml.Node) error {
	if list.Tag == "!!null" {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		return fmt.Errorf("items of the ResourceList is not a list")
	}
	for n, item := range list.Content {
		if values.Resolve(item).Kind != yaml.MappingNode {
			return fmt.Errorf("items[%d] of the ResourceList is not a resource", n)
		}
	}
	return nil
}

// detach returns the part of a document below n as one that stands alone: an
// alias whose anchor is outside is replaced by a copy of what it stands for.
func detach(n *yaml.Node) (*yaml.Node, error) {
	if !hasAlias(n) {
		return n, nil
	}
	d := detacher{inside: map[*yaml.Node]bool{}}
	out := d.copy(n)
	if d.exceeded() {
		return nil, fmt.Errorf("aliases expand to more than %d nodes", values.MaxNodes)
	}
	return out, nil
}

func hasAlias(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	for _, child := range n.Content {
		if hasAlias(child) {
			return true
		}
	}
	return false
}

type detacher struct {
	inside map[*yaml.Node]bool // anchored nodes already met, in document order
	nodes  int                 // nodes that stand for aliases
	depth  int                 // aliases that are being expanded
}

// exceeded also ends an anchor that contains itself.
func (d *detacher) exceeded() bool {
	return d.nodes > values.MaxNodes || d.depth > values.MaxDepth
}

func (d *detacher) copy(n *yaml.Node) *yaml.Node {
	if d.exceeded() {
		return n
	}
	if n.Kind == yaml.AliasNode {
		if d.inside[n.Alias] && d.depth == 0 {
			return n
		}
		d.depth++
		out := d.copy(n.Alias)
		if !d.exceeded() {
			d.depth--
		}
		return out
	}
	if d.depth > 0 {
		d.nodes++
	} else if n.Anchor != "" {
		d.inside[n] = true
	}
	if d.depth == 0 && len(n.Content) == 0 {
		return n
	}
	out := *n
	if d.depth > 0 {
		out.Anchor = ""
	}
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		out.Content[i] = d.copy(child)
	}
	return &out
}
