package list

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The names that functions read from all resources: the fields of the head, without and with the
// fields of the content, and the fields of the metadata.
var (
	headKeys     = []string{"apiVersion", "kind", "metadata"}
	resourceKeys = slices.Concat(headKeys, []string{"spec", "data", "binaryData"})
	metadataKeys = []string{"name", "namespace", "labels", "annotations"}
)

// MisspeltKeys makes findings of misspelt names of the head of a resource and of its metadata, and
// of spec and data, which only functions that read the resource know to be misspelt: a kind
// may have other fields next to the head.
func MisspeltKeys(root *yaml.Node, isRead bool) []diag.Finding {
	known := headKeys
	if isRead {
		known = resourceKeys
	}
	all := append(decode.Misspelt(root, "", known...), decode.Misspelt(ownMetadata(root), "metadata", metadataKeys...)...)
	for i, f := range all {
		all[i] = f.At(f.Key, diag.Position{})
	}
	return all
}

// ownMetadata returns the metadata of a resource. It leaves out the annotations if all of them were
// set by clients, because kpt and kustomize add them beside misspelt annotations.
func ownMetadata(root *yaml.Node) *yaml.Node {
	metadata := values.Resolve(values.Field(root, "metadata"))
	annotations := values.Resolve(values.Field(metadata, "annotations"))
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return metadata
	}
	for at := 0; at < len(annotations.Content); at += 2 {
		if !isOfClient(values.Resolve(annotations.Content[at]).Value) {
			return metadata
		}
	}
	own := *metadata
	own.Content = nil
	for at := 0; at < len(metadata.Content); at += 2 {
		if values.Resolve(metadata.Content[at]).Value != "annotations" {
			own.Content = append(own.Content, metadata.Content[at:at+2]...)
		}
	}
	return &own
}

// isOfClient reports whether clients write an annotation, which is not in the file.
func isOfClient(annotation string) bool {
	group, _, _ := strings.Cut(annotation, "/")
	return slices.Contains([]string{"internal.config.kubernetes.io", "internal.config.k8s.io", "config.k8s.io"}, group) ||
		annotation == OlderPathAnnotation || annotation == OlderIndexAnnotation
}

// Misspelt returns the findings of misspelt keys of the item.
func (i *Item) Misspelt(isRead bool) []diag.Finding {
	if !i.hasMisspelt {
		return nil
	}
	document, err := i.Document()
	if err != nil {
		return nil
	}
	all := MisspeltKeys(document.Root(), isRead)
	for n, f := range all {
		all[n] = f.About(i.Resource(), f.Key)
	}
	return all
}

// GroupKind names a kind that a function reads. The core group is v1, as an apiVersion has it.
// Group is the group, and Kind the kind.
type GroupKind struct{ Group, Kind string }

// Misspelt returns the finding about an item whose kind or group (or both) is a misspelt form of a
// kind that the function reads, because the item would otherwise be ignored. It returns nil for
// other items.
func Misspelt(item *Item, kinds []GroupKind) *diag.Finding {
	group, version, _ := strings.Cut(item.APIVersion(), "/")
	var groups, near []string
	for _, k := range kinds {
		isGroup, isKind := k.Group == group, k.Kind == item.Kind()
		switch {
		case isGroup && isKind:
			return nil
		case isGroup || nearest.IsMisspelt(group, k.Group):
			if isKind || nearest.IsMisspelt(item.Kind(), k.Kind) {
				groups, near = append(groups, k.Group), append(near, k.Kind)
			}
		}
	}
	if len(near) == 0 {
		return nil
	}
	kind := item.Kind()
	if !slices.Contains(near, kind) {
		kind = nearest.Misspelt(kind, near)
	}
	right := groups[slices.Index(near, kind)]
	apiVersion, noun := right, "apiVersion"
	if version != "" {
		apiVersion, noun = right+"/"+version, "group"
	}
	var f diag.Finding
	switch {
	case right == group:
		f = diag.Unknown("kind", item.Kind(), []string{kind}).About(item.Resource(), "kind")
		f.Nearest = kind
	case kind == item.Kind():
		f = diag.Unknown(noun, group, []string{right}).About(item.Resource(), "apiVersion")
		f.Nearest = right
	default:
		f = diag.Unknown(noun+" and kind", group+" "+item.Kind(), []string{right + " " + kind}).Do("correct apiVersion and kind")
		f.Nearest = apiVersion + " " + kind
		f = f.About(item.Resource(), "apiVersion")
	}
	if f.Mistakes = nil; right != group {
		f.Mistakes = append(f.Mistakes, diag.Mistake{Path: "apiVersion", Text: item.APIVersion(), Right: apiVersion})
	}
	if kind != item.Kind() {
		f.Mistakes = append(f.Mistakes, diag.Mistake{Path: "kind", Text: item.Kind(), Right: kind})
	}
	return new(f.Of(rule.InputInvalid))
}
