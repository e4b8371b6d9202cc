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
			root := document.Root()
			kind := values.Text(values.Field(root, "kind"))
			if slices.Contains([]string{"CustomResourceDefinition", "ConfigMap", "Secret", ""}, kind) {
				continue
			}
			one := Image{Pack: r.Pack.Name, Version: r.Pack.Version, Kind: kind, Source: m.Source,
				Name: values.Text(values.Field(root, "metadata", "name")), Namespace: values.Text(values.Field(root, "metadata", "namespace"))}
			walk(root, "", nil, func(path string, n, parent *yaml.Node) {
				switch one.Image, one.Container = values.Text(n), ""; {
				case container.MatchString(path) && one.Image != "":
					one.Container = values.Text(values.Field(parent, "name"))
				case n != values.Field(parent, "image"), !isImage(one.Image):
					return
				}
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			})
		}
	}
	return all
}

// container is the path of the image of a container.
var container = regexp.MustCompile(`(?:^|\.)(?:containers|initContainers|ephemeralContainers)\[\d+\]\.image$`)

var separator = regexp.MustCompile(`(?m)^---[ \t\r]*(?:#.*)?$`)

// documents parses the documents of a manifest, without the comments of Helm and the empty lines
// around them. What cannot be parsed is left out.
func documents(text string) (all []*values.Document) {
	for _, part := range separator.Split(text, -1) {
		part = strings.TrimSpace(part)
		for strings.HasPrefix(part, "# Source: ") {
			_, part, _ = strings.Cut(part, "\n")
		}
		document, err := values.Parse(part + "\n")
		if err == nil && document.Root() != nil && document.Root().Kind == yaml.MappingNode {
			all = append(all, document)
		}
	}
	return all
}

// isImage reports whether a text is the name of an image and of nothing else: it has a
// repository, and a tag or a digest.
func isImage(text string) bool {
	_, rest, ok := strings.Cut(text, "/")
	return ok && strings.ContainsAny(rest, ":@") && !strings.Contains(text, "://") && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || diag.IsHidden(r) })
}
