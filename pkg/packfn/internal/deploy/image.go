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
	// Pack and Version are those of the pack.
	Pack    string `json:"pack"`
	Version string `json:"version"`
	// Kind, Namespace and Name are those of the resource, and Container is the container that
	// runs the image, "" for a field of a resource that is not a workload of Kubernetes.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
	// Setting is the variable of the environment, RELATED_IMAGE_WEB, or the argument, --web-image,
	// that names the image to a program; "" for the field image.
	Setting string `json:"setting,omitempty"`
	// Source is the template or the manifest that has it.
	Source string `json:"source"`
}

// Workload names the resource: `Deployment/web`.
func (i *Image) Workload() string { return i.Kind + "/" + i.Name }

// Images returns the images that are deployed: those of containers, those that containers name
// to their programs (see [Image.Setting]), and the fields `image` of other kinds that name one,
// which their operators deploy. Tests of a release and definitions of kinds have none that are
// deployed.
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
				if found, ok := one.at(path, n, parent); ok && !slices.Contains(all, found) {
					all = append(all, found)
				}
			})
		}
	}
	return all
}

var (
	// container is the path of the image of a container, and word that of a word of its command.
	container = regexp.MustCompile(`(?:^|\.)(?:containers|initContainers|ephemeralContainers)\[\d+\]\.image$`)
	word      = regexp.MustCompile(`(?:^|\.)(?:containers|initContainers|ephemeralContainers)\[\d+\]\.(?:args|command)\[\d+\]$`)
	// argument is a word that names an image to a program.
	argument = regexp.MustCompile(`(?i)^(--[\w.-]*image)=(.+)$`)
)

// relatedImage begins the names of variables that name images to operators. OLM's tools read
// them, too.
const relatedImage = "RELATED_IMAGE_"

// at returns the image of a resource that a scalar names.
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

// fault says why an image cannot be pulled, or why it is not certain what is; "" if it is.
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

// madeOf returns the keys of the longest value for charts that a text has, those of all charts if
// there is none.
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
