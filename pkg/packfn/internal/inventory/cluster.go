package inventory

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Unknown is the placeholder in a ClusterContext for a fact that only the user knows.
const Unknown = placeholder.Fact

// Cluster collects the facts and resources that packs require from their cluster.
type Cluster struct {
	// facts maps each fact, by section and name, to the packs and keys that read it.
	facts map[string]map[string][]string
	// demands are the requests of the packs.
	demands []capacity.Demand
	// ranges are the required ranges of Kubernetes versions, with the packs that require them.
	ranges []string
	// Notes are about content that could not be read.
	Notes []string
}

// kubernetesVersion is the name of the system fact.
const kubernetesVersion = "kubernetes.version"

// sections maps the objects of macros to the fields of a ClusterContext.
var sections = map[string]string{"system": "system", "var": "variables", "macro": "macros"}

// Add adds the requirements of a pack. read are its chart facts, or nil if they are unknown.
func (c *Cluster) Add(p *pack.Pack, read *facts.Pack) error {
	macros, err := Macros(p)
	if err != nil {
		return err
	}
	for _, m := range macros {
		for _, name := range m.Names {
			c.addFact(strings.TrimPrefix(name, ".spectro."), p.Name+" "+m.Key)
		}
	}
	demands, findings := capacity.Demands(p, nil)
	c.demands = append(c.demands, demands...)
	for i := range findings {
		c.Notes = append(c.Notes, p.Name+": "+findings[i].Message())
	}
	if metadata, err := p.Metadata.Document(); err == nil {
		required, _ := dependency.Read(metadata.Root())
		for i := range required {
			c.addDependency(&required[i], p.Name)
		}
	}
	if read == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(read.Charts)) {
		if chart := read.Charts[name]; chart.KubeVersion != "" {
			c.ranges = append(c.ranges, "chart "+chart.String()+": "+chart.KubeVersion)
		}
	}
	return nil
}

// addFact notes that a pack or a value reads a fact. Names that no cluster can have are left out.
func (c *Cluster) addFact(name, by string) {
	object, name, _ := strings.Cut(name, ".")
	section := sections[object]
	if section == "" || name == "" || object == "system" && !slices.Contains(pack.SystemNames(), name) {
		return // of a pack, or a name that resolve-macros reports
	}
	if c.facts == nil {
		c.facts = map[string]map[string][]string{}
	}
	if c.facts[section] == nil {
		c.facts[section] = map[string][]string{}
	}
	c.facts[section][name] = append(c.facts[section][name], by)
}

// addDependency notes a required range of Kubernetes versions.
func (c *Cluster) addDependency(d *dependency.Dependency, by string) {
	if d.Pack != "kubernetes" || d.Range.IsOpen() || d.Type == dependency.Upgrade {
		return
	}
	text := d.Range.String()
	if d.Type == dependency.NotSupported {
		text = "not " + text
	}
	c.ranges = append(c.ranges, by+": "+text)
}

// Text returns a ClusterContext with a placeholder for each required fact, because only the user
// knows the facts. Comments name the packs that require them, and notes tell the user what to fill
// in.
//
//	spec:
//	  system:
//	    kubernetes:
//	      version: CHANGE_ME # cache: 1.28 to 1.32
func (c *Cluster) Text(name string) (text string, notes []string) {
	spec := node.Map()
	place := func(path []string, value, comment string) {
		at := spec
		for _, step := range path[:len(path)-1] {
			at = child(at, step)
		}
		at.Content = append(at.Content, factKey(path[len(path)-1]), commented(node.Text(value), comment))
	}
	slices.Sort(c.ranges)
	ranges := comment(slices.Compact(c.ranges))
	var unknown []string
	if len(c.ranges) > 0 || c.facts["system"][kubernetesVersion] != nil {
		place([]string{"system", "kubernetes", "version"}, Unknown, cmp.Or(ranges, comment(c.facts["system"][kubernetesVersion])))
		unknown = append(unknown, "system."+kubernetesVersion)
	}
	for _, section := range []string{"system", "variables", "macros"} {
		for _, name := range slices.Sorted(maps.Keys(c.facts[section])) {
			path := []string{section, name}
			if section == "system" {
				path = append(path[:1], strings.Split(name, ".")...)
			}
			if name != kubernetesVersion || section != "system" {
				place(path, Unknown, comment(c.facts[section][name]))
				unknown = append(unknown, section+"."+name)
			}
		}
	}
	if pools := c.pools(); pools != nil {
		spec.Content = append(spec.Content, node.Text("machinePools"), pools)
		unknown = append(unknown, "machinePools")
	}
	if len(unknown) > 0 {
		notes = append(notes, fmt.Sprintf("replace %s in %s: %s", Unknown, diag.Count(len(unknown), "fact"), strings.Join(unknown, ", ")))
	}
	metadata := node.Map(node.Text("name"), node.Text(name),
		node.Text("annotations"), node.Map(node.Text(list.LocalConfigAnnotation), node.Text("true")))
	root := node.Map(node.Text("apiVersion"), node.Text(pack.GroupVersion), node.Text("kind"), node.Text(pack.ClusterContextKind),
		node.Text("metadata"), metadata, node.Text("spec"), spec)
	return encode(root), append(notes, c.Notes...)
}

// encode prints a tree in the layout of kpt.
func encode(root *yaml.Node) string {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(root); err != nil {
		panic(err) // texts can be printed
	}
	return out.String()
}

// pools returns a machine pool for each role that the packs request, or nil if they request none.
func (c *Cluster) pools() *yaml.Node {
	needs := capacity.Needs(c.demands)
	if len(needs) == 0 {
		return nil
	}
	all := node.List()
	for _, need := range needs {
		amounts := node.Map()
		for _, t := range capacity.Types() {
			if amount, ok := need.Amounts[t]; ok {
				amounts.Content = append(amounts.Content, node.Text(string(t)), commented(node.Text(Unknown), "# requests: "+t.Text(amount)))
			}
		}
		all.Content = append(all.Content, node.Map(
			node.Text("name"), commented(node.Text(Unknown), comment(need.Packs)), node.Text("role"), node.Text(need.Role.String()),
			node.Text("size"), commented(node.Text(Unknown), "# all nodes of the pool must have together what the packs request"), node.Text("capacity"), amounts,
		))
	}
	return all
}

// comment lists the first of some names.
func comment(names []string) string {
	const most = 3
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	if text == "" {
		return ""
	}
	return "# " + diag.OneLine(text)
}

func commented(n *yaml.Node, comment string) *yaml.Node {
	n.LineComment = comment
	return n
}

// child returns the mapping at a key, which it adds if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	below := node.Map()
	n.Content = append(n.Content, factKey(key), below)
	return below
}

// factKey returns a key, in quotes where some readers take it for another type: `on`, `1.30`.
func factKey(name string) *yaml.Node {
	key := node.Text(name)
	if values.Quote(name) != name {
		key.Style = yaml.DoubleQuotedStyle
	}
	return key
}
