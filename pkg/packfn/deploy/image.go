package deploy

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Image is an image that a pack deploys.
type Image struct {
	// Image is the name as the manifest has it.
	Image string `json:"image"`
	// Pack and Version are those of the pack.
	Pack    string `json:"pack"`
	Version string `json:"version"`
	// Kind, Namespace and Name are those of the resource, and Container is the container that
	// runs the image, "" for a field of a resource that is not a workload of Kubernetes.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
	// Source is the template or the manifest that has it.
	Source string `json:"source"`
}

// Workload names the resource: `Deployment/web`.
func (i *Image) Workload() string { return i.Kind + "/" + i.Name }

// Images returns the images that are deployed: those of containers, and the fields `image`
// of other kinds that name one, which their operators deploy. Tests of a release and
// definitions of kinds have none that are deployed.
func (r *Rendered) Images() []Image {
	var all []Image
	for _, m := range r.Manifests {
		if m.IsTest {
			continue
		}
		for _, document := range documents(m.Text) {
			kind := values.Text(values.Field(document, "kind"))
			if slices.Contains([]string{"CustomResourceDefinition", "ConfigMap", "Secret", ""}, kind) {
				continue
			}
			one := Image{Pack: r.Pack.Name, Version: r.Pack.Version, Kind: kind, Source: m.Source,
				Name: values.Text(values.Field(document, "metadata", "name")), Namespace: values.Text(values.Field(document, "metadata", "namespace"))}
			images(document, "", func(image, container string) {
				one.Image, one.Container = image, container
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			})
		}
	}
	return all
}

var separator = regexp.MustCompile(`(?m)^---[ \t\r]*(?:#.*)?$`)

// documents parses the documents of a manifest. What cannot be parsed has no images.
func documents(text string) []*yaml.Node {
	var all []*yaml.Node
	for _, part := range separator.Split(text, -1) {
		document, err := values.Parse(part)
		if err == nil && document.Root() != nil && document.Root().Kind == yaml.MappingNode {
			all = append(all, document.Root())
		}
	}
	return all
}

// images visits the images below a node. list is the key of the list that the node is in.
func images(n *yaml.Node, list string, found func(image, container string)) {
	n = values.Resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		isContainer := slices.Contains([]string{"containers", "initContainers", "ephemeralContainers"}, list)
		for _, pair := range values.Pairs(n) {
			name, _ := pair.Name()
			value := values.Resolve(pair.Value)
			text := values.Text(value)
			switch {
			case name == "image" && isContainer && text != "":
				found(text, values.Text(values.Field(n, "name")))
			case name == "image" && isImage(text):
				found(text, "")
			case value.Kind == yaml.SequenceNode:
				for _, element := range value.Content {
					images(element, name, found)
				}
			default:
				images(value, "", found)
			}
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			images(element, "", found)
		}
	}
}

// isImage reports whether a text is the name of an image and of nothing else: it has a
// repository, and a tag or a digest.
func isImage(text string) bool {
	_, rest, ok := strings.Cut(text, "/")
	return ok && strings.ContainsAny(rest, ":@") && !strings.Contains(text, "://") && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || diag.IsHidden(r) })
}
