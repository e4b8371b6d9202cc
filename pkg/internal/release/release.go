// Package release reads what installs Helm charts: HelmReleases of Flux, Applications of Argo CD,
// helmCharts of kustomize, and charts that depend on other charts. A [Release] names a chart, and has the
// layers of values that the chart gets.
//
// The order of layers, and what is unknown, is in docs/helm.md.
//
// A release of Flux, for example, has the chart in one field and values in two others:
//
//	kind: HelmRelease
//	metadata: {name: web, namespace: apps}
//	spec:
//	  chart: {spec: {chart: web, version: 1.x, sourceRef: {kind: HelmRepository, name: charts}}}
//	  valuesFrom: [{kind: ConfigMap, name: web-values}]
//	  values: {replicas: 3}
//
// [Loader.Load] finds the releases among items, and the ConfigMaps, files and patches that they name.
// What is not at hand, such as a Secret in the cluster, is a layer in [Release.Unknown] with its
// reason: then fewer findings are certain. Package facts checks the layers.
package release

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Release is an installation of a chart.
type Release struct {
	// Kind and Name are for messages: `HelmRelease` and `apps/web`.
	Kind, Name string
	// Chart is the chart, and Where the place that names it.
	Chart Chart
	Where diag.Where
	// Layers are the values of the user, the lowest first.
	Layers []facts.Layer
	// Unknown are the layers of values that are unknown, each with the reason.
	Unknown []string
	// IsUnchecked reports whether Helm does not compare the values with the schemas of charts.
	IsUnchecked bool
	// Needs are the keys of the charts that an umbrella chart depends on.
	Needs []string
	// Hidden is the place of values that others hide as a whole, or nil.
	Hidden *diag.Where
	// As and Namespace are the name of the release in Helm, and its namespace.
	As, Namespace string
}

// String names the release for messages: `HelmRelease apps/web`.
func (r *Release) String() string { return strings.TrimSpace(r.Kind + " " + r.Name) }

// Chart names a chart.
type Chart struct {
	// Name and Version are the name, and the version or a range of versions. "" is any version.
	Name, Version string
	// Dir is the path of the chart's folder from the root of its repository, if IsDir is true. Then Name
	// and Version are "".
	Dir   string
	IsDir bool
	// URL is the repository, or "" if it is unknown.
	URL string
	// Dirs are folders on disk in which the chart may be, before it is looked for by its name.
	Dirs []string
	// Why is the reason why the chart is unknown, or "" if it is known.
	Why string
	// IsOwn reports whether the values belong to the chart itself, and only the values of its subcharts are
	// of interest.
	IsOwn bool
}

// String names the chart for messages: `podinfo 6.x`, `charts/web`.
func (c *Chart) String() string {
	if c.IsDir {
		return c.Dir
	}
	return strings.TrimSpace(c.Name + " " + c.Version)
}

// Files gives the files that releases name.
type Files interface {
	// Values returns a document with a text of a file, whose path is on disk. It returns an error if the
	// file cannot be read.
	Values(name string) (root *yaml.Node, origin *diag.Origin, err error)
	// Root returns the folder on disk of a path in the repository with a URL, which may be "". ok is false
	// if that is another repository than the one of the files.
	Root(url string) (dir string, ok bool)
	// ChartFile returns the values in a file of a chart, or an error if the chart is not at hand, or the file
	// is not there.
	ChartFile(c *Chart, name string) (*yaml.Node, error)
	// OnDisk returns the path on disk of the file of a resource.
	OnDisk(r diag.Resource) string
}

// Loader finds the releases among resources.
type Loader struct {
	// Files gives the files that releases name.
	Files Files
	// Items are the resources, and Others returns ConfigMaps and Secrets with a name that are in other
	// files. It may be nil.
	Items  []*list.Item
	Others func(kind, name string) []*list.Item
	// Kustomizations are the kustomizations, by their folders on disk.
	Kustomizations map[string]*Kustomization

	// named are the items by kind and name.
	named map[string][]*list.Item
	// above are the kustomizations that name a file or a folder, and deployed the Kustomizations of Flux
	// with patches, by the folders on disk that they deploy.
	above    map[string][]*Kustomization
	deployed map[string][]*Kustomization
	// found are the resources that were looked for, and patchesOf the patches for the resources of a file.
	found     map[lookup]*list.Item
	patchesOf map[string]map[patch]string
	// texts are the parsed texts, because many releases may name one.
	texts map[embedded]parsed
}

// embedded is a text in a resource.
type embedded struct {
	// resource is the resource, and field the path of the text.
	resource diag.Resource
	field    string
}

// parsed is a parsed text, or the reason why it cannot be parsed.
type parsed struct {
	// document is the text with its origin, and err is nil if it can be parsed.
	document *values.Document
	origin   *diag.Origin
	err      error
}

// lookup is a resource that another one in a file names.
// file is the file of the resource that names another one, and the other fields are that one.
type lookup struct{ file, kind, namespace, name string }

// Groups of API versions.
const (
	helmGroup   = "helm.toolkit.fluxcd.io"
	sourceGroup = "source.toolkit.fluxcd.io"
	deployGroup = "kustomize.toolkit.fluxcd.io"
	argoGroup   = "argoproj.io"
)

// Marks are texts. Each resource that this package reads contains one of them.
var Marks = []string{helmGroup, sourceGroup, deployGroup, argoGroup, inflationKind, facts.FileName}

// Wants reports whether the item is a resource that this package reads, other than ConfigMaps and Secrets.
func Wants(item *list.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	switch group {
	case helmGroup:
		return item.Kind() == "HelmRelease"
	case sourceGroup:
		return slices.Contains([]string{"GitRepository", "HelmRepository", "OCIRepository", "HelmChart", "Bucket"}, item.Kind())
	case deployGroup:
		return item.Kind() == "Kustomization"
	case argoGroup:
		return item.Kind() == "Application" || item.Kind() == "ApplicationSet"
	}
	return item.Is("builtin", inflationKind)
}

// Is reports whether an item is a release, or a part of one.
func Is(item *list.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return Wants(item) && group != sourceGroup && group != deployGroup
}

// Load returns the releases, in the order of the items and then of the kustomizations.
func (l *Loader) Load() []*Release {
	l.named, l.found, l.patchesOf = map[string][]*list.Item{}, map[lookup]*list.Item{}, map[string]map[patch]string{}
	l.texts = map[embedded]parsed{}
	for _, item := range l.Items {
		l.named[item.Kind()+"\x00"+item.Name()] = append(l.named[item.Kind()+"\x00"+item.Name()], item)
	}
	l.readAbove()
	l.readDeployed()
	releases := append(l.flux(), l.argo()...)
	return append(releases, l.kustomize()...)
}

// documentOf returns the document of an item, or nil if it cannot be read.
func documentOf(item *list.Item) *yaml.Node {
	document, err := item.Document()
	if err != nil {
		return nil
	}
	return document.Root()
}

// add adds a layer with a part of a resource, if it is a map.
func (r *Release) add(origin *diag.Origin, prefix string, root *yaml.Node) {
	if values.Field(root, "sops", "mac") != nil {
		r.isUnknown("%s is encrypted", cmp.Or(origin.Name, origin.Resource.String()))
		return
	}
	if root = values.Resolve(root); root != nil && root.Kind == yaml.MappingNode {
		r.Layers = append(r.Layers, facts.Layer{Root: root, Origin: origin, Prefix: prefix})
	}
}

// addAuthors adds a file of the chart as a layer.
func (r *Release) addAuthors(name string, root *yaml.Node) {
	if root != nil && root.Kind == yaml.MappingNode {
		origin := &diag.Origin{Resource: diag.Resource{File: name}, Name: name, Embedded: true, Authored: true}
		r.Layers = append(r.Layers, facts.Layer{Root: root, Origin: origin, IsAuthors: true})
	}
}

// isUnknown adds an unknown layer.
func (r *Release) isUnknown(format string, args ...any) {
	if why := fmt.Sprintf(format, args...); !slices.Contains(r.Unknown, why) {
		r.Unknown = append(r.Unknown, why)
	}
}

// text adds the values in a text of a resource, such as a key of a ConfigMap. It is parsed once, because many
// releases may name it.
func (l *Loader) text(r *Release, resource diag.Resource, field, name string, n *yaml.Node) {
	at := embedded{resource, field}
	known, isKnown := l.texts[at]
	if !isKnown {
		known.origin = &diag.Origin{Resource: resource, Field: field, Name: name, Embedded: true}
		known.document, known.err = values.Parse(n.Value)
		l.texts[at] = known
	}
	switch {
	case known.err != nil:
		r.isUnknown("%s cannot be read as YAML", name)
	case known.document.Root() != nil && known.document.Root().Kind != yaml.MappingNode:
		r.isUnknown("%s is no map", name)
	default:
		r.add(known.origin, "", known.document.Root())
	}
}

// set adds a layer with values at paths as Helm's --set reads them: `image.tag`, `hosts[0].name`.
func (r *Release) set(origin *diag.Origin, prefix string, settings ...setting) {
	root := node.Map()
	for _, s := range settings {
		s.into(root)
	}
	r.Layers = append(r.Layers, facts.Layer{Root: root, Origin: origin, Prefix: prefix, IsFlat: true})
}

// setting is a value, or [facts.Unknown], with the node of its path.
// at is the node of the path, and value the value.
type setting struct{ at, value *yaml.Node }

// into writes the value into a map. What cannot be read as a path is left out.
func (s *setting) into(root *yaml.Node) {
	steps := steps(s.at.Value)
	n := root
	for i, key := range steps {
		isLast := i == len(steps)-1
		index := len(n.Content)
		for at := 0; at+1 < len(n.Content); at += 2 {
			if n.Content[at].Value == key {
				index = at
			}
		}
		if index == len(n.Content) {
			k := node.Text(key)
			k.Line, k.Column = s.at.Line, s.at.Column
			n.Content = append(n.Content, k, node.Map())
		}
		switch {
		case isLast:
			value := *s.value
			value.Line, value.Column = s.at.Line, s.at.Column
			n.Content[index+1] = &value
		case n.Content[index+1].Kind != yaml.MappingNode:
			n.Content[index+1] = node.Map()
		}
		n.Content[index+1].Line, n.Content[index+1].Column = s.at.Line, s.at.Column
		n = n.Content[index+1]
	}
}

// steps returns the keys of a path. It ends before an index of a list, because of a list nothing but the
// key is known:
//
//	a.b\.c.d[0].e   a, b.c, d
func steps(text string) (keys []string) {
	var key strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			key.WriteByte(text[i])
		case c == '.':
			keys = append(keys, key.String())
			key.Reset()
		case c == '[':
			if key.Len() > 0 {
				keys = append(keys, key.String())
			}
			return keys
		default:
			key.WriteByte(c)
		}
	}
	return append(keys, key.String())
}

// isList reports whether a path leads into a list.
func isList(text string) bool { return strings.Contains(text, "[") }

// entries returns the elements of a list field, or of the list n without keys.
func entries(n *yaml.Node, keys ...string) []*yaml.Node {
	found := values.Resolve(n)
	if len(keys) > 0 {
		found = values.Field(n, keys...)
	}
	if found == nil || found.Kind != yaml.SequenceNode {
		return nil
	}
	all := make([]*yaml.Node, 0, len(found.Content))
	for _, e := range found.Content {
		all = append(all, values.Resolve(e))
	}
	return all
}

// field returns the text of a field.
func field(n *yaml.Node, keys ...string) string { return values.Text(values.Field(n, keys...)) }

// nameOf returns the namespace and the name of a resource.
func nameOf(r diag.Resource) string { return path.Join(r.Namespace, r.Name) }

// where returns the place of a field of a resource.
func where(item *list.Item, root *yaml.Node, keys ...string) diag.Where {
	for len(keys) > 0 && values.Field(root, keys...) == nil {
		keys = keys[:len(keys)-1]
	}
	return diag.Where{Origin: diag.Whole(item.Resource()), Key: strings.Join(keys, "."), Position: values.At(values.Field(root, keys...))}
}
