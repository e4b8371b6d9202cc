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

// need is something that resources refer to: of a kind, and with a name where several of the
// kind are for different things.
type need struct{ kind, name string }

// The kinds of needs.
const (
	needPack       = "pack"
	needCluster    = pack.ClusterContextKind
	needManifests  = "manifests" // of Capact, that policies choose from
	needRepository = variantset.RepositoryKind
)

// capactGroup is the API group of the manifests and policies of Capact.
const capactGroup = "ocf.capact.io"

// contents are what some resources have, and what they need.
type contents struct {
	has   map[need]bool
	needs []need
	// overrides are the packs that they have values for, with the scope of these in the place of
	// the kind.
	overrides map[need]bool
	// texts are those that may refer to packs by macros.
	texts [][]byte
}

// contentsOf reads what a unit has and needs. What cannot be read has and needs nothing.
func contentsOf(u *unit) contents {
	s := &surveyor{contents{has: map[need]bool{}, overrides: map[need]bool{}}}
	l := &list.List{}
	for _, one := range u.items() {
		l.Items = append(l.Items, one.Item)
	}
	function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return s }}, l)
	return s.contents
}

// surveyor reads the content of a list.
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

// overridden returns the pack that an item has values for, and their scope; "" for other items.
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

// referred returns those of some packs that macros refer to.
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
