package fleet

import (
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// objects are the in-cluster objects by their names.
type objects struct {
	// all are the objects in the order of the files.
	all []*list.Item
	// byName has the same objects by metadata.name, in that order.
	byName map[string][]*list.Item
}

// called returns the object of a PackageVariant that messages refer to by a name. It returns the
// last one if there are several, and nil if there is none.
func (o *objects) called(v *packageVariant, name string) (found *list.Item) {
	for _, injector := range v.Spec.Injectors {
		for _, item := range o.byName[injector.Name] {
			for _, namespace := range []string{item.Namespace(), variant.NamespaceOr(item.Namespace())} {
				if name == (variant.Object{APIVersion: item.APIVersion(), Kind: item.Kind(), Namespace: namespace, Name: item.Name()}).String() {
					found = item
				}
			}
		}
	}
	return found
}

// fewObjects is the number of objects up to which each package is offered all of them. If there
// are more, a package is offered the objects that its PackageVariant names.
const fewObjects = 64

// newObjects indexes the resources that may be injected: not the ones that cannot be read or have no
// name, nor resources of Porch or kpt.
func newObjects(items []*list.Item) *objects {
	o := &objects{byName: map[string][]*list.Item{}}
	for _, item := range items {
		if item.Fault() != "" || item.Name() == "" || strings.HasPrefix(item.APIVersion(), variant.Group+"/") || item.Kind() == "Kptfile" {
			continue
		}
		o.all = append(o.all, item)
		o.byName[item.Name()] = append(o.byName[item.Name()], item)
	}
	if len(o.all) <= fewObjects {
		for _, item := range o.all {
			item.Keep() // each package is offered all of them
		}
	}
	return o
}

// mostHinted is the maximum number of packages whose findings suggest the objects with the
// nearest names. The search reads all objects, and nobody reads more suggestions than this. They
// are for the first packages of the fleet, in a shard as well.
const mostHinted = 64

// findHinted marks the first PackageVariants that name an object which does not exist.
func (in *input) findHinted() {
	left := mostHinted
	for _, v := range in.variants {
		v.isHinted = left > 0 && v.fault == "" && slices.ContainsFunc(v.Spec.Injectors, func(injector variant.Injector) bool {
			return !slices.ContainsFunc(in.objects.byName[injector.Name], func(item *list.Item) bool {
				return (injector.Kind == nil || *injector.Kind == item.Kind()) && isReachable(item, v)
			})
		})
		if v.isHinted {
			left--
		}
	}
}

// isReachable reports whether an object is in the namespace of a PackageVariant, or has no
// namespace.
func isReachable(item *list.Item, v *packageVariant) bool {
	return item.Namespace() == "" || variant.NamespaceOr(item.Namespace()) == variant.NamespaceOr(v.Namespace)
}

// near returns, for each kind and namespace, the objects whose names are nearest to the requested
// names.
func (o *objects) near(asked []string) []*list.Item {
	type of struct{ apiVersion, kind, namespace string }
	names := map[of][]string{}
	for _, item := range o.all {
		key := of{item.APIVersion(), item.Kind(), variant.NamespaceOr(item.Namespace())}
		names[key] = append(names[key], item.Name())
	}
	var chosen []*list.Item
	for key, all := range names {
		slices.Sort(all)
		for _, name := range asked {
			for _, item := range o.byName[nearest.Name(name, all)] {
				if (of{item.APIVersion(), item.Kind(), variant.NamespaceOr(item.Namespace())}) == key && !slices.Contains(chosen, item) && !slices.Contains(asked, item.Name()) {
					chosen = append(chosen, item)
				}
			}
		}
	}
	slices.SortFunc(chosen, func(a, b *list.Item) int { return a.Resource().Compare(b.Resource()) })
	return chosen
}

// of returns the objects to offer to a PackageVariant, and their root nodes.
func (o *objects) of(v *packageVariant) (offered []*list.Item, roots []*yaml.Node) {
	chosen := o.all
	if len(o.all) > fewObjects {
		chosen = nil
		var names []string
		for _, injector := range v.Spec.Injectors {
			if !slices.Contains(names, injector.Name) {
				names = append(names, injector.Name)
				chosen = append(chosen, o.byName[injector.Name]...)
			}
		}
		if v.isHinted {
			chosen = append(chosen, o.near(names)...)
		}
	}
	for _, item := range chosen {
		if document, err := item.Document(); err == nil {
			offered, roots = append(offered, item), append(roots, document.Root())
		}
	}
	return offered, roots
}

// has reports whether an object exists for an injection point of a PackageVariant.
func (o *objects) has(v *packageVariant, p variant.Point) bool {
	return slices.ContainsFunc(v.Spec.Injectors, func(injector variant.Injector) bool {
		return injector.Fits(p) && slices.ContainsFunc(o.byName[injector.Name], func(item *list.Item) bool {
			return item.Kind() == p.Kind && item.APIVersion() == p.APIVersion && isReachable(item, v)
		})
	})
}

// repository holds the fields of a Repository that a preview uses.
//
//	spec:
//	  deployment: true
//	  git: {repo: https://example.com/edge.git, branch: main, directory: /}
type repository struct {
	// item is the Repository.
	item *list.Item
	// url, directory and branch are fields of spec.git: the repository, the folder in it that packages
	// are below, and the branch.
	url, directory, branch string
	// isDeployment is the field spec.deployment.
	isDeployment bool
}

// repositoryKind is the kind of a Porch repository.
const repositoryKind = "Repository"

// repositories are the Repositories among the objects, by NAMESPACE/NAME. A Repository is parsed
// at its first use, because a shard uses few of them.
type repositories struct {
	// items are the Repositories by NAMESPACE/NAME.
	items map[string]*list.Item
	// mutex guards read, the Repositories that were parsed, by the same keys.
	mutex sync.Mutex
	read  map[string]*repository
}

// newRepositories finds the Repositories among items, without parsing them.
func newRepositories(items []*list.Item) *repositories {
	r := &repositories{items: map[string]*list.Item{}, read: map[string]*repository{}}
	for _, item := range items {
		if item.Kind() == repositoryKind && strings.HasPrefix(item.APIVersion(), variant.Group+"/") && item.Fault() == "" {
			r.items[variant.NamespaceOr(item.Namespace())+"/"+item.Name()] = item
		}
	}
	return r
}

// readRepository parses a Repository. The texts are cloned, because a substring would keep the whole
// file in memory.
//
//	kind: Repository
//	metadata: {name: edge-1}
//	spec:
//	  deployment: true
//	  git: {repo: https://git.example.com/edge-1.git, directory: packages, branch: main}
func readRepository(item *list.Item) *repository {
	document, err := item.Document()
	if err != nil {
		return &repository{item: item} // it was read before
	}
	text := func(path ...string) string { return strings.Clone(values.Text(values.Field(document.Root(), path...))) }
	return &repository{
		item: item, url: text("spec", "git", "repo"), directory: text("spec", "git", "directory"),
		branch: text("spec", "git", "branch"), isDeployment: text("spec", "deployment") == "true",
	}
}

// repository returns the Repository with a name in the namespace of a PackageVariant, or nil if
// it is not given.
func (in *input) repository(v *packageVariant, name string) *repository {
	r, at := in.repositories, variant.NamespaceOr(v.Namespace)+"/"+name
	item := r.items[at]
	if item == nil {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.read[at] == nil {
		r.read[at] = readRepository(item)
	}
	return r.read[at]
}

// isDeployment reports whether the repository of a downstream is a deployment repository. A
// repository that is not given is treated as one.
func (in *input) isDeployment(v *packageVariant) bool {
	r := in.repository(v, v.Spec.Downstream.Repo)
	return r == nil || r.isDeployment
}
