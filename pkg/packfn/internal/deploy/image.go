package deploy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Image is an image that a pack deploys.
type Image struct {
	// Image is the name as the manifest has it.
	Image string `json:"image"`
	// Pack and Version are the name and the version of the pack. For a release, which Release names, they are
	// the name in Helm, and the version of the chart.
	Pack string `json:"pack"`
	// Version is the version of the pack or of the chart.
	Version string `json:"version"`
	// Release is the release in messages, such as `HelmRelease apps/web`.
	Release string `json:"release,omitempty"`
	// Kind, Namespace and Name identify the resource. Container is the container that runs the
	// image, or "" for a field of a resource that is not a Kubernetes workload.
	Kind string `json:"kind"`
	// Namespace is the namespace of the resource.
	Namespace string `json:"namespace,omitempty"`
	// Name is the name of the resource.
	Name string `json:"name"`
	// Container is the name of the container.
	Container string `json:"container,omitempty"`
	// Setting is the environment variable, such as RELATED_IMAGE_WEB, or the argument, such as
	// --web-image, that passes the image to a program. It is "" for the field image.
	Setting string `json:"setting,omitempty"`
	// Source is the template or the manifest that contains the resource.
	Source string `json:"source"`
}

// Workload names the resource: `Deployment/web`.
func (i *Image) Workload() string { return i.Kind + "/" + i.Name }

// Images returns the images that are deployed: the images of containers, the images that
// containers pass to their programs (see [Image.Setting]), and the images in fields `image` of
// other kinds, which operators deploy. Tests of a release and CustomResourceDefinitions are
// ignored.
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
			one := Image{Pack: r.Pack.Name, Version: r.Pack.Version, Release: r.Release, Kind: kind, Source: m.Source,
				Name: values.Text(values.Field(root, "metadata", "name")), Namespace: values.Text(values.Field(root, "metadata", "namespace"))}
			walk(root, "", nil, func(path string, n, parent *yaml.Node) {
				if found, ok := one.at(path, n, parent); ok && !slices.Contains(all, found) {
					all = append(all, found)
				}
			})
		}
	}
	return all
}

var (
	// container matches the path of the image of a container, and word the path of a word of its
	// command.
	container = regexp.MustCompile(`(?:^|\.)(?:containers|initContainers|ephemeralContainers)\[\d+\]\.image$`)
	word      = regexp.MustCompile(`(?:^|\.)(?:containers|initContainers|ephemeralContainers)\[\d+\]\.(?:args|command)\[\d+\]$`)
	// argument matches a word that passes an image to a program, such as `--web-image=web:1.2`.
	argument = regexp.MustCompile(`(?i)^(--[\w.-]*image)=(.+)$`)
)

// relatedImage is the prefix of environment variables that pass images to operators. The tools of
// OLM read these variables as well.
const relatedImage = "RELATED_IMAGE_"

// at returns the image that a scalar of a resource names.
func (i Image) at(path string, n, parent *yaml.Node) (found Image, ok bool) {
	i.Image = values.Text(n)
	name := values.Text(values.Field(parent, "name"))
	switch {
	case i.Image == "":
		return i, false
	case container.MatchString(path):
		i.Container = name
		return i, true
	case n == values.Field(parent, "value") && strings.HasPrefix(name, relatedImage):
		i.Setting = name
		return i, true
	case word.MatchString(path):
		parts := argument.FindStringSubmatch(i.Image)
		if parts == nil {
			return i, false
		}
		i.Setting, i.Image = parts[1], parts[2]
		return i, strings.ContainsAny(i.Image, "/:@") && isPlain(i.Image) && !strings.HasPrefix(i.Image, "/")
	}
	_, rest, isNamed := strings.Cut(i.Image, "/")
	return i, n == values.Field(parent, "image") && isNamed && strings.ContainsAny(rest, ":@") && isPlain(i.Image)
}

// isPlain reports whether a text may be the name of an image, and is nothing else: no address, no
// sentence, and no variable.
func isPlain(text string) bool {
	return !strings.Contains(text, "://") && !strings.Contains(text, "$(") && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || diag.IsHidden(r) })
}

// fault returns the reason why an image cannot be pulled, or why it is not certain which image is
// pulled. It returns "" for a valid image.
func (i *Image) fault() string {
	named, err := reference.ParseNormalizedNamed(i.Image)
	switch {
	case strings.Contains(i.Image, "{{"): // a macro
		return ""
	case err != nil:
		return "is not the name of an image"
	case reference.IsNameOnly(named):
		return "has neither a tag nor a digest"
	}
	return ""
}

// maxFaults is how many images of a pack are reported: each is looked for in the values.
const maxFaults = 100

// images reports the images that have a fault.
func (k *rendering) images() {
	done := map[string]bool{}
	for _, image := range k.out.Images() {
		why := image.fault()
		if why == "" || done[image.Image] || len(done) == maxFaults {
			continue
		}
		done[image.Image] = true
		text := image.Image
		walk(k.values.root, "", nil, func(path string, n, _ *yaml.Node) {
			if len(n.Value) >= minSecret && secret.IsSecretKey(path) {
				text = strings.ReplaceAll(text, n.Value, shown.Hidden)
			}
		})
		by := image.Kind
		if image.Setting != "" {
			by += " (" + image.Setting + ")"
		}
		f := diag.Say("the image %q, which a %s deploys, %s", brief(text), by, why).Do("correct the values that it is made of: REPOSITORY:TAG or REPOSITORY@sha256:DIGEST")
		k.add(k.values.fault(f, k.values.madeOf(image.Image)...).Of(rule.PackImages))
	}
}

// madeOf returns the path of the longest chart value that a text contains, or the path of all
// chart values if it contains none.
func (l *layers) madeOf(text string) []string {
	keys, longest := []string{"charts"}, minSecret
	var visit func(n *yaml.Node, at []string)
	visit = func(n *yaml.Node, at []string) {
		if n.Kind == yaml.ScalarNode && len(n.Value) > longest && strings.Contains(text, n.Value) {
			keys, longest = at, len(n.Value)
		}
		for _, pair := range values.Pairs(n) {
			if name, ok := pair.Name(); ok {
				visit(values.Resolve(pair.Value), append(slices.Clip(at), name))
			}
		}
	}
	if charts := values.Field(l.root, "charts"); charts != nil {
		visit(charts, keys)
	}
	return keys
}

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
