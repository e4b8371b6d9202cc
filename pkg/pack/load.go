package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Group is the API group of the content kinds, and GroupVersion the version that
// is read.
const (
	Group        = "packs.kpt.dev"
	GroupVersion = Group + "/v1alpha1"
)

// ValuesOfAnnotation makes a ConfigMap with the key values.yaml an override for
// the pack that it names.
const ValuesOfAnnotation = Group + "/values-of"

// kinds are the content kinds of the group.
var kinds = []string{"Pack", "PackValues", "ClusterContext"}

// Choice is the field `packs` of the functionConfigs of functions that work on
// packs. Config structs embed it.
type Choice struct {
	// Packs are the names of the packs to work on; none means all.
	Packs []string `json:"packs"`
}

// Set is the packs of a list.
type Set struct {
	// Packs are all packs, in the order of the list.
	Packs []*Pack
	// Chosen are those that the functionConfig chooses.
	Chosen []*Pack
	// Unread says that some pack of the list could not be read, which was
	// reported: what is missing may be that one.
	Unread bool
}

// Wants reports whether an item is, or may be, a pack or values for one. Items
// of the group whose kind is misspelt are wanted too, so that they are not
// passed over in silence.
func Wants(item *function.Item) bool {
	if item.Is("v1", "ConfigMap") {
		return (item.Mentions("pack.json") || item.Annotation(ValuesOfAnnotation) != "") && !InCluster(item)
	}
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return group == Group && item.Kind() != "ClusterContext" && !InCluster(item)
}

// SourceAnnotation says, with the value `cluster`, that an item stands for an
// object in a cluster, which inject-config copies from. It is no content of the
// package.
const SourceAnnotation = "packs.kpt.dev/source"

// InCluster reports whether an item stands for an object in a cluster.
func InCluster(item *function.Item) bool { return item.Annotation(SourceAnnotation) == "cluster" }

// Holds reports whether an item that Wants, with its document, is a pack or
// values for one.
func Holds(item *function.Item, document *values.Document) bool {
	if !item.Is("v1", "ConfigMap") {
		return Wants(item)
	}
	return values.Field(document.Root(), "data", "pack.json") != nil || item.Annotation(ValuesOfAnnotation) != ""
}

// Load reads the packs and overrides among the wanted items of a run, and
// reports those that can not be read; the others are loaded all the same. A name
// in choice that no pack bears is a fault of the configuration.
func Load(run *function.Run, choice Choice) *Set {
	l := &loader{run: run, set: &Set{}}
	for _, item := range run.Items() {
		if Wants(item) {
			run.Guard(item.Resource(), func() { l.item(item) })
		}
	}
	l.assign()
	l.choose(choice)
	return l.set
}

type loader struct {
	run       *function.Run
	set       *Set
	overrides []*Override
	// current is the item that is being read; sources remember it.
	current *function.Item
}

func (l *loader) item(item *function.Item) {
	resource := item.Resource()
	l.current = item
	document, err := item.Document()
	if err != nil {
		l.run.Invalid(resource, "", fmt.Sprintf("%s can not be read: %v", resource, err))
		l.set.Unread = true
		return
	}
	before := len(l.set.Packs)
	defer func() {
		if isPack := item.Kind() == "Pack" || values.Field(document.Root(), "data", "pack.json") != nil; isPack && len(l.set.Packs) == before {
			l.set.Unread = true
		}
	}()
	switch {
	case item.Is("v1", "ConfigMap"):
		l.configMap(item, resource, document)
	case !slices.Contains(kinds, item.Kind()):
		l.run.Invalid(resource, "kind", fmt.Sprintf("got %q, want %s, the kinds of %s%s",
			item.Kind(), function.OneOf(kinds), GroupVersion, nearest.Hint(item.Kind(), kinds)))
	case item.APIVersion() != GroupVersion:
		l.run.Invalid(resource, "apiVersion", fmt.Sprintf("got %q, want %s", item.APIVersion(), GroupVersion))
	case item.Kind() == "Pack":
		l.pack(resource, document)
	default:
		l.packValues(resource, document)
	}
}

// assign gives every override to all packs of its name.
func (l *loader) assign() {
	slices.SortStableFunc(l.overrides, func(a, b *Override) int {
		return cmp.Or(
			cmp.Compare(a.Scope.order(), b.Scope.order()),
			cmp.Compare(a.name, b.name),
			cmp.Compare(a.Values.Resource.Namespace, b.Values.Resource.Namespace),
			cmp.Compare(a.Values.Resource.File, b.Values.Resource.File),
			cmp.Compare(a.Values.Resource.Index, b.Values.Resource.Index),
		)
	})
	names := l.set.names()
	for _, o := range l.overrides {
		found := false
		for _, p := range l.set.Packs {
			if p.Name == o.Pack {
				p.Overrides = append(p.Overrides, o)
				found = true
			}
		}
		if !found {
			field := "spec.packRef.name"
			if o.Values.Resource.Kind == "ConfigMap" {
				field = "metadata.annotations[" + ValuesOfAnnotation + "]"
			}
			l.run.Invalid(o.Values.Resource, field, fmt.Sprintf("%s: no pack is named %q%s%s", field, o.Pack, nearest.Hint(o.Pack, names), l.set.missing()))
		}
	}
}

// missing ends messages about a pack that is not in the list.
func (s *Set) missing() string {
	if s.Unread {
		return "; it may be the one that can not be read"
	}
	return "; if the pack is in the package, a selector of the function may hide it"
}

func (s Scope) order() int {
	if s == ScopeCluster {
		return 1
	}
	return 0
}

// names returns the names of the packs.
func (s *Set) names() []string {
	var names []string
	for _, p := range s.Packs {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (l *loader) choose(choice Choice) {
	if len(choice.Packs) == 0 {
		l.set.Chosen = l.set.Packs
		return
	}
	for i, name := range choice.Packs {
		if names := l.set.names(); !slices.Contains(names, name) {
			path := l.run.ConfigPath("packs")
			if strings.HasPrefix(path, "spec.") {
				path = fmt.Sprintf("%s[%d]", path, i)
			}
			l.run.ConfigInvalid(path, fmt.Sprintf("%s: no pack is named %q%s%s", path, name, nearest.Hint(name, names), l.set.missing()))
		}
	}
	for _, p := range l.set.Packs {
		if slices.Contains(choice.Packs, p.Name) {
			l.set.Chosen = append(l.set.Chosen, p)
		}
	}
}

// invalid reports all problems of a resource.
func (l *loader) invalid(resource function.Resource, problems []function.Problem) bool {
	for _, p := range problems {
		l.run.Invalid(resource, p.Path, p.String())
	}
	return len(problems) > 0
}

// duplicates reports duplicate keys of a resource below some of its fields, all
// of it when none are named. Those below one of the fields in except are left
// out: they have rules of their own.
func (l *loader) duplicates(resource function.Resource, document *values.Document, fields []string, except ...string) {
	below := func(path string, fields []string) bool {
		return slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(path, field+".") })
	}
	for _, d := range document.Duplicates() {
		if (len(fields) == 0 || below(d.Path, fields)) && !below(d.Path, except) {
			path := d.Path
			if key, ok := strings.CutPrefix(path, "data."); ok && resource.Kind == "ConfigMap" {
				path = "data[" + key + "]"
			}
			l.run.Invalid(resource, path, fmt.Sprintf("%s: the key %q is given twice; remove one", path, d.Key))
		}
	}
}

// wantText returns the text of a key of a ConfigMap's data, nil when it is
// absent, and reports it when it is no text.
func (l *loader) wantText(resource function.Resource, document *values.Document, data *yaml.Node, key string) *Source {
	n := values.Field(data, key)
	if values.IsNull(n) {
		return nil
	}
	field := "data[" + key + "]"
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		l.run.Invalid(resource, field, fmt.Sprintf("%s: got %s, want text: a file in a ConfigMap is a block of text (%s: |)", field, function.KindOf(n), key))
		return nil
	}
	return l.source(resource, key, field, document, n, "data", key)
}

// source makes the source of a node that stands at keys of the current item.
func (l *loader) source(resource function.Resource, name, field string, document *values.Document, n *yaml.Node, keys ...string) *Source {
	s := NewSource(resource, name, field, document, n)
	s.item, s.keys = l.current, keys
	return s
}
