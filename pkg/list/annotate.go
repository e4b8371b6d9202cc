package list

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// Annotate sets annotations of the item, in one edit, and returns its document. "" removes an
// annotation.
func (i *Item) Annotate(texts map[string]string) (*values.Document, error) {
	document, err := i.Document()
	if err != nil {
		return nil, err
	}
	var edits []values.ScalarEdit
	var removed, blocks []string
	added := node.Map()
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		n := values.Follow(document.Root(), annotationAt(key))
		switch {
		case texts[key] == "":
			removed = append(removed, key)
		case strings.Contains(texts[key], "\n") && (n == nil || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0):
			blocks = append(blocks, key)
		case n != nil:
			edits = append(edits, values.ScalarEdit{Node: n, Text: texts[key]})
		default:
			added.Content = append(added.Content,
				node.Text(key),
				&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.SingleQuotedStyle, Value: texts[key]})
		}
	}
	if len(edits) > 0 {
		document, err = document.ReplaceScalars(edits...)
	}
	if err == nil && len(added.Content) > 0 {
		document, err = document.Merge(annotationAt(), values.Of(added))
	}
	for _, key := range blocks {
		var block *values.Document
		if err == nil {
			block, err = values.Parse("|-\n  text\n")
		}
		if err == nil {
			block, err = block.ReplaceScalars(values.ScalarEdit{Node: block.Root(), Text: texts[key]})
		}
		if err == nil {
			document, err = document.Set(annotationAt(key), block)
		}
	}
	if err == nil {
		document, err = WithoutAnnotations(document, removed...)
	}
	if err != nil {
		return nil, fmt.Errorf("the annotations %s cannot be written into %s: %w", strings.Join(slices.Sorted(maps.Keys(texts)), ", "), i.Resource(), err)
	}
	i.Replace(document)
	left := map[string]string{} // not nil, which is unknown
	maps.Copy(left, Texts(values.Follow(document.Root(), annotationAt())))
	i.annotated = &left
	return document, nil
}

// WithoutAnnotations returns the document of a resource without annotations, and without the map of
// annotations if nothing is left in it.
func WithoutAnnotations(document *values.Document, names ...string) (*values.Document, error) {
	var err error
	for _, name := range names {
		if document, _, err = document.Delete(annotationAt(name)); err != nil {
			return nil, err
		}
	}
	if all := values.Follow(document.Root(), annotationAt()); len(names) > 0 && all != nil && len(all.Content) == 0 {
		document, _, err = document.Delete(annotationAt())
	}
	return document, err
}

// annotationAt returns the steps to an annotation of a resource, or to all annotations without a key.
func annotationAt(key ...string) []values.Step {
	return values.Keys(append([]string{"metadata", "annotations"}, key...)...)
}
