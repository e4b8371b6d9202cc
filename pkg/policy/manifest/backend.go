package manifest

import (
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// outputsKey is the key of a step that declares which of its artifacts are output TypeInstances.
const outputsKey = "capact-outputTypeInstances"

// backends reads the backends that the steps of the action name, at any depth. It
// reports names that are not aliases, and outputs with several backends.
func (r *reader) backends(i *Implementation) {
	i.Backends = map[string]string{}
	aliases := map[string]bool{}
	for _, item := range i.Requirements {
		if item.Alias != "" {
			aliases[item.Alias] = true
		}
	}
	known := slices.Sorted(maps.Keys(aliases))
	seen := map[*yaml.Node]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n = values.Resolve(n); n == nil || n.Kind == yaml.ScalarNode || seen[n] {
			return
		}
		seen[n] = true
		r.add("spec.action", decode.Misspelt(n, "", outputsKey)...)
		for at, child := range n.Content {
			if n.Kind == yaml.MappingNode && at%2 == 1 && n.Content[at-1].Value == outputsKey {
				for _, entry := range values.Elements(child) {
					r.add("spec.action", decode.Misspelt(entry, "", "name", "backend")...)
					r.backend(i, values.Text(values.Field(entry, "name")), values.Text(values.Field(entry, "backend")), known)
				}
			}
			walk(child)
		}
	}
	walk(i.Action)
}

// backend takes the backend that a step names for an output.
func (r *reader) backend(i *Implementation, output, alias string, aliases []string) {
	if alias == "" {
		return
	}
	if !slices.Contains(aliases, alias) {
		f := diag.NotFound("alias", alias, aliases)
		f.Found += " in spec.requires, which is the backend of the output " + strconv.Quote(output)
		f.Unseen = ""
		r.add("spec.action", f)
	}
	switch first := i.Backends[output]; first {
	case "":
		i.Backends[output] = alias
	case alias:
	default:
		r.add("spec.action", diag.Say("the steps name two backends for the output %q: %q and %q", output, first, alias).Do("remove one"))
	}
}
