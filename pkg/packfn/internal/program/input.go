package program

import (
	"bytes"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/kio"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotations that kpt adds to the items of a list and removes from the output, besides the annotations
// of [list].
const (
	idAnnotation        = "internal.config.kubernetes.io/id"
	olderIDAnnotation   = "config.k8s.io/id"
	seqindentAnnotation = "internal.config.kubernetes.io/seqindent"
	// resourceIDAnnotation is only there if the Kptfile selects items.
	resourceIDAnnotation = "internal.config.k8s.io/kpt-resource-id"
)

// ofClients are all annotations that are no part of a resource.
var ofClients = []string{
	list.PathAnnotation, list.OlderPathAnnotation, list.IndexAnnotation, list.OlderIndexAnnotation, list.PackagePathAnnotation,
	idAnnotation, olderIDAnnotation, seqindentAnnotation, resourceIDAnnotation,
}

// inputOf returns the list that a program reads, as kpt prints it. config is the functionConfig, or nil;
// if it is one of the items, configItem is that item.
func inputOf(items []*list.Item, config *yaml.Node, configItem *list.Item, isSelected bool) ([]byte, error) {
	var nodes []*kyaml.RNode
	var ofConfig *kyaml.RNode
	if config != nil {
		ofConfig = kyaml.NewRNode(values.Clone(config))
	}
	for i, item := range items {
		n, err := nodeOf(item)
		if err != nil {
			return nil, err
		}
		resource := item.Resource()
		id, index := strconv.Itoa(i+1), strconv.Itoa(resource.Index)
		annotations := [][2]string{
			{list.OlderIndexAnnotation, index}, {list.IndexAnnotation, index}, {list.OlderPathAnnotation, resource.File}, {list.PathAnnotation, resource.File},
			{list.PackagePathAnnotation, resource.PackagePath}, {idAnnotation, id}, {olderIDAnnotation, id},
		}
		if isSelected {
			annotations = append(annotations, [2]string{resourceIDAnnotation, strconv.Itoa(i)})
		}
		for _, one := range annotations {
			if err := n.PipeE(kyaml.SetAnnotation(one[0], one[1])); err != nil {
				return nil, fmt.Errorf("%s: %w", resource, err)
			}
		}
		if item == configItem {
			ofConfig = n
		}
		nodes = append(nodes, n)
	}
	var out bytes.Buffer
	err := kio.ByteWriter{Writer: &out, WrappingAPIVersion: kio.ResourceListAPIVersion, WrappingKind: kio.ResourceListKind, KeepReaderAnnotations: true, FunctionConfig: ofConfig}.Write(nodes)
	return out.Bytes(), err
}

// nodeOf returns an item as kpt reads it.
func nodeOf(item *list.Item) (*kyaml.RNode, error) {
	reader := kio.ByteReader{Reader: bytes.NewReader(item.Text()), PreserveSeqIndent: true, WrapBareSeqNode: true, DisableUnwrapping: true}
	nodes, err := reader.Read()
	if err == nil && len(nodes) != 1 {
		err = fmt.Errorf("want one document, got %d", len(nodes))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item.Resource(), err)
	}
	return nodes[0], nil
}

// spellNull writes out null where it is written as nothing, which the printer of YAML makes an empty text of in
// flow style.
func spellNull(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.ShortTag() == "!!null" {
		n.Value = "null"
	}
	for _, child := range n.Content {
		spellNull(child)
	}
}

// printed returns a resource as kpt prints it, with the annotations of clients or without.
func printed(n *yaml.Node, isAnnotated bool) (string, error) {
	spellNull(n)
	var out bytes.Buffer
	err := kio.ByteWriter{Writer: &out, KeepReaderAnnotations: isAnnotated}.Write([]*kyaml.RNode{kyaml.NewRNode(n)})
	return out.String(), err
}
