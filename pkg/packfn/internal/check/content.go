package check

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
	variantset "github.com/krm-packs/functions/pkg/variant/set"
)

// need identifies something that resources refer to. The name is empty for kinds where the name
// does not matter.
type need struct{ kind, name string }

// The kinds of needs.
const (
	needPack       = "pack"
	needCluster    = pack.ClusterContextKind
	needManifests  = "manifests" // Capact manifests, which policies choose from
	needRepository = variantset.RepositoryKind
)

// capactGroup is the API group of the manifests and policies of Capact.
const capactGroup = "ocf.capact.io"

// contents describes what a group of resources contains, and what it needs.
type contents struct {
	has   map[need]bool
	needs []need
	// overrides are the packs that the resources override values of. The kind of such an entry is
	// the scope of the values.
	overrides map[need]bool
	// texts are the texts that may refer to packs in macros.
	texts [][]byte
}

// contentsOf returns what resources contain and need. Resources that cannot be read contribute
// nothing.
func contentsOf(items []*list.Item) contents {
	s := &surveyor{contents{has: map[need]bool{}, overrides: map[need]bool{}}}
	l := &list.List{Items: items}
	function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return s }}, l)
	return s.contents
}

// surveyor collects the contents of a list of resources.
type surveyor struct{ contents }

func (*surveyor) Config() any { return &struct{}{} }

func (*surveyor) Wants(item *list.Item) bool {
	group := groupOf(item.APIVersion())
	return pack.Wants(item) || pack.IsCluster(item) || group == capactGroup || group == variant.Group
}

func (s *surveyor) Process(run *function.Run) {
	set := pack.Load(run, pack.Choice{}, func(one *pack.Pack, metadata *yaml.Node) {
		dependencies, _ := dependency.Read(metadata)
		for _, d := range dependencies {
			if d.Type == dependency.Required {
				s.needs = append(s.needs, need{needPack, d.Pack})
			}
		}
	})
	for _, one := range slices.Concat(set.Packs, set.Waiting) {
		s.has[need{needPack, one.Name}] = true
	}
	if len(set.Packs) > 0 {
		s.needs = append(s.needs, need{kind: needCluster})
	}
	for _, item := range run.Items() {
		run.Guard(item.Resource(), func() { s.item(item) })
	}
}

func (s *surveyor) item(item *list.Item) {
	if pack.IsCluster(item) {
		s.has[need{kind: needCluster}] = true
		return
	}
	document, err := item.Document()
	if err != nil {
		return
	}
	root := document.Root()
	field := func(path ...string) string { return values.Text(values.Field(root, path...)) }
	group := groupOf(item.APIVersion())
	switch name, scope := overridden(item, root); {
	case name != "":
		s.overrides[need{scope, name}] = true
		s.needs = append(s.needs, need{needPack, name}, need{kind: needCluster})
		s.texts = append(s.texts, item.Text())
	case group == capactGroup:
		if item.Kind() != "Policy" {
			s.has[need{kind: needManifests}] = true
		}
		s.needs = append(s.needs, need{kind: needManifests})
	case group == variant.Group && item.Kind() == variantset.RepositoryKind:
		s.has[need{needRepository, item.Name()}] = true
	case group == variant.Group:
		for _, name := range []string{field("spec", "upstream", "repo"), field("spec", "downstream", "repo")} {
			if name != "" {
				s.needs = append(s.needs, need{needRepository, name})
			}
		}
	case pack.Wants(item):
		s.texts = append(s.texts, item.Text())
	}
}

// overridden returns the pack whose values an item overrides, and the scope of the values. Both
// are "" for other items.
//
//	apiVersion: packs.kpt.dev/v1alpha1
//	kind: PackValues
//	spec: {scope: cluster, packRef: {name: vault}}
func overridden(item *list.Item, root *yaml.Node) (name, scope string) {
	if pack.IsConfigMap(item) {
		return item.Annotation(pack.ValuesOfAnnotation), "profile"
	}
	if item.APIVersion() != pack.GroupVersion || item.Kind() != pack.PackValuesKind {
		return "", ""
	}
	scope = values.Text(values.Field(root, "spec", "scope"))
	if scope == "" {
		scope = "profile"
	}
	return values.Text(values.Field(root, "spec", "packRef", "name")), scope
}

// referred returns the given packs that macros in the texts refer to, such as vault in `{{
// .spectro.pack.vault.… }}`.
func (c *contents) referred(packs []string) (needs []need) {
	const macro = ".spectro.pack."
	for _, text := range c.texts {
		if !bytes.Contains(text, []byte(macro)) {
			continue
		}
		for _, name := range packs {
			if n := (need{needPack, name}); !c.has[n] && bytes.Contains(text, []byte(macro+name+".")) {
				needs = append(needs, n)
			}
		}
	}
	return needs
}
