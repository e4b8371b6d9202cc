package packcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Unlisted returns a finding for each image that a pack deploys and that pack.content.images does
// not contain, or contains with another tag. A pack without the list is reported elsewhere.
func Unlisted(r *deploy.Rendered) []diag.Finding {
	if r.Pack.Values == nil {
		return nil
	}
	document, err := r.Pack.Values.Mapping()
	if err != nil {
		return nil
	}
	list := values.Field(document.Root(), "pack", "content", "images")
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil
	}
	listed := map[string]*yaml.Node{} // by full name
	repositories := map[string][]*yaml.Node{}
	for _, entry := range list.Content {
		n := values.Field(entry, "image")
		if name, err := reference.ParseNormalizedNamed(values.Text(n)); err == nil {
			listed[name.String()] = n
			repositories[name.Name()] = append(repositories[name.Name()], n)
		}
	}
	var findings []diag.Finding
	done := map[string]bool{}
	for _, image := range r.Images() {
		name, err := reference.ParseNormalizedNamed(image.Image)
		if err != nil || done[name.String()] || strings.Contains(image.Image, "{{") || listed[name.String()] != nil || isListed(name, repositories[name.Name()]) {
			continue
		}
		done[name.String()] = true
		f := diag.Say("%s deploys the image %s, which is not in the list", image.Workload(), image.Image).Do("add it")
		at, key := list, "pack.content.images"
		if others := repositories[name.Name()]; len(others) > 0 {
			at, key = others[0], fmt.Sprintf("pack.content.images[%d].image", indexOf(list, others[0]))
			f = diag.Got(values.Text(others[0]), fmt.Sprintf("%s (which %s deploys)", image.Image, image.Workload()))
		}
		findings = append(findings, f.In(document.Origin(), key, values.At(at)).For(r.Pack.Name).Of(rule.PackImages))
	}
	return findings
}

// isListed reports whether an image with a digest is listed by tag, or an image with a tag is
// listed by digest only. A tag and a digest cannot be compared, so they are treated as equal.
func isListed(name reference.Named, others []*yaml.Node) bool {
	_, isDigested := name.(reference.Digested)
	return slices.ContainsFunc(others, func(n *yaml.Node) bool {
		other, err := reference.ParseNormalizedNamed(values.Text(n))
		if err != nil {
			return false
		}
		_, otherDigested := other.(reference.Digested)
		tag, otherTag := tagOf(name), tagOf(other)
		return (isDigested || otherDigested) && (tag == "" || otherTag == "" || tag == otherTag)
	})
}

// tagOf returns the tag of an image, or "" if it has a digest or nothing.
func tagOf(name reference.Named) string {
	if tagged, ok := name.(reference.Tagged); ok {
		return tagged.Tag()
	}
	return ""
}

// indexOf returns the index of the entry of a pipeline whose image is a node.
func indexOf(list, image *yaml.Node) int {
	return slices.IndexFunc(list.Content, func(entry *yaml.Node) bool { return values.Field(entry, "image") == image })
}
