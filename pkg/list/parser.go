package list

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// readByParser reads a list with the parser, for all YAML that the text reader
// leaves alone. Items are printed one by one: encoding a list as one document would
// take more time than parsing it.
func readByParser(input []byte) (list *List, err error) {
	if len(input) > maxParsedList {
		return nil, fmt.Errorf("the ResourceList is larger than %d MiB and not in block style, so it must be parsed as a whole; pass it as block-style YAML, as kpt and kustomize do", maxParsedList>>20)
	}
	defer func() {
		// The parser panics on some malformed input.
		if cause := recover(); cause != nil {
			list, err = nil, fmt.Errorf("the input is not YAML that can be read")
		}
	}()
	root, err := onlyDocument(asYAML(input))
	if err != nil {
		return nil, err
	}
	comments := root != nil && riskOf(root) == riskComments
	if list, err = listOf(root, comments); err != nil || !comments || list.staysPut() {
		return list, err
	}
	walk(root, uncomment)
	return listOf(root, false)
}

// staysPut reports whether the list is written alike when it is read again.
// Comments may move with each run if they are parsed again.
func (l *List) staysPut() bool {
	var once, twice bytes.Buffer
	if l.Write(&once, nil) != nil {
		return false
	}
	if _, ok := readByText(once.Bytes()); ok {
		return true
	}
	root, err := onlyDocument(once.Bytes())
	if err != nil || root == nil {
		return false
	}
	again, err := listOf(root, riskOf(root) == riskComments)
	return err == nil && again.Write(&twice, nil) == nil && bytes.Equal(once.Bytes(), twice.Bytes())
}

// listKeys are the keys that a list has.
var listKeys = []string{"apiVersion", "kind", "items", "functionConfig", "results"}

// listOf makes a list of its parsed root. Without comments it releases the items as
// it goes: the root is not needed again.
func listOf(root *yaml.Node, comments bool) (list *List, err error) {
	l := &List{isPrinted: true}
	if err := l.takeOutside(root); err != nil {
		return nil, err
	}
	if err := checkConfig(l.config); err != nil {
		return nil, err
	}
	if l.parts = []part{{partText, nil}, {partItems, []byte(itemsKey + "\n")}, {partResults, nil}}; l.earlierColumn > 0 {
		l.earlierColumn = 1 // as they are printed
	}
	items := &yaml.Node{}
	outside, results := *root, *root
	outside.Content, results.Content = nil, nil
	for at := 0; at+1 < len(root.Content); at += 2 {
		key, value := root.Content[at], root.Content[at+1]
		if key.Kind == yaml.ScalarNode && values.Field(root, key.Value) != values.Resolve(value) {
			// Whichever of the two is taken, the other would be lost.
			return nil, fmt.Errorf("the ResourceList has a duplicate key %q", key.Value)
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
	release := !comments && items.Anchor == "" && root.Anchor == "" // nothing else refers to all items
	l.Items = make([]*Item, 0, len(items.Content))
	added := 0 // by aliases, in all items
	for n, node := range items.Content {
		item := asSequence(node)
		if added += detach(item); added > values.MaxAliasNodes {
			return nil, fmt.Errorf("items[%d]: aliases of other items add more than %d nodes to the list", n, values.MaxAliasNodes)
		}
		text, err := printNode(item)
		if err != nil {
			return nil, fmt.Errorf("items[%d]: %w", n, err)
		}
		l.Items = append(l.Items, parsedItem(text, item.Content[0]))
		if release {
			items.Content[n] = nil
		}
	}
	return l, nil
}

// onlyDocument parses the input and returns the root of the only document that is
// not empty.
func onlyDocument(input []byte) (root *yaml.Node, err error) {
	documents := 0
	for decoder := yaml.NewDecoder(bytes.NewReader(input)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the input is not YAML: %w", values.ExplainError(string(input), err))
		}
		if len(document.Content) > 0 && document.Content[0].ShortTag() != "!!null" {
			documents++
			root = document.Content[0]
		}
	}
	if documents > 1 {
		return nil, fmt.Errorf("the input must be one ResourceList, got %d documents", documents)
	}
	return root, nil
}

// checkConfig refuses a functionConfig whose aliases expand without bounds: it
// is decoded as a whole.
func checkConfig(config *yaml.Node) error {
	if config == nil {
		return nil
	}
	text, err := printBlock(*config)
	if err != nil {
		return fmt.Errorf("functionConfig of the ResourceList: %w", err)
	}
	if _, err = values.Parse(string(text)); errors.As(err, new(*values.LimitError)) {
		return fmt.Errorf("functionConfig of the ResourceList: %w", err)
	}
	return nil
}

// checkItems returns an error unless the node is a list of resources. A missing list is empty.
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

// detachAlone detaches a node, and fails when that adds too many.
func detachAlone(n *yaml.Node) error {
	if detach(n) > values.MaxAliasNodes {
		return fmt.Errorf("aliases add more than %d nodes", values.MaxAliasNodes)
	}
	return nil
}

// detach makes a part of a document independent: it replaces aliases whose anchor is
// outside of n by copies of the anchor's node. It returns how many nodes that adds. Above
// values.MaxAliasNodes, which is also the number for an alias without an end, it stops.
func detach(n *yaml.Node) (added int) {
	inside := map[*yaml.Node]bool{} // anchored nodes already met, in document order
	var expanded func(n *yaml.Node, depth int) *yaml.Node
	expanded = func(n *yaml.Node, depth int) *yaml.Node {
		n = values.Resolve(n)
		if depth > values.MaxDepth {
			added = values.MaxAliasNodes // an anchor that contains itself
		}
		if added++; added > values.MaxAliasNodes {
			return n
		}
		out := *n
		out.Anchor, out.Content = "", make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			out.Content[i] = expanded(child, depth+1)
		}
		return &out
	}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Anchor != "" {
			inside[n] = true
		}
		for i, child := range n.Content {
			if child.Kind != yaml.AliasNode {
				visit(child)
			} else if !inside[child.Alias] {
				n.Content[i] = expanded(child, 0)
			}
		}
	}
	visit(n)
	return added
}
