package inventory

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// Unknown is what a ClusterContext has in the place of a fact that only its user knows.
const Unknown = "CHANGE_ME"

// newestMinor is the newest minor version of Kubernetes that is proposed: that of the libraries
// which render charts.
const newestMinor = 37

// Cluster is what packs ask of their cluster.
type Cluster struct {
	// facts are by section and name: the packs and keys that read each.
	facts   map[string]map[string][]string
	demands []capacity.Demand
	ranges  []kubernetesRange
	// Notes say what could not be read.
	Notes []string
}

// kubernetesRange is a range of versions of Kubernetes.
type kubernetesRange struct {
	text, by string
	accepts  func(text string) bool
}

// sections are those of a ClusterContext by the objects of macros.
var sections = map[string]string{"system": "system", "var": "variables", "macro": "macros"}

// Add adds what a pack asks for. read are the facts of its charts, nil if they are unknown.
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
		chart := read.Charts[name]
		if allowed, err := semver.NewConstraint(chart.KubeVersion); err == nil && chart.KubeVersion != "" {
			c.ranges = append(c.ranges, kubernetesRange{chart.KubeVersion, "chart " + chart.String(), func(text string) bool {
				v, err := semver.NewVersion(text)
				return err == nil && allowed.Check(v)
			}})
		}
	}
	return nil
}

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

func (c *Cluster) addDependency(d *dependency.Dependency, by string) {
	if d.Pack != "kubernetes" || d.Range.IsOpen() || d.Type == dependency.Upgrade {
		return
	}
	text, isExcluded := d.Range.String(), d.Type == dependency.NotSupported
	if isExcluded {
		text = "not " + text
	}
	c.ranges = append(c.ranges, kubernetesRange{text, "pack " + by, func(text string) bool {
		v, err := version.ParseKubernetes(text)
		return err == nil && (d.Range.Place(v) == version.Within) != isExcluded
	}})
}

var versionInText = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)

// kubernetes returns the newest version that all ranges accept, "" for none.
func (c *Cluster) kubernetes() string {
	var known []*semver.Version
	for minor := range newestMinor + 1 {
		known = append(known, semver.New(1, uint64(minor), 0, "", ""))
	}
	newest := known[newestMinor]
	for _, r := range c.ranges { // a range may be within a minor version
		for _, text := range versionInText.FindAllString(r.text, -1) {
			if v, err := semver.NewVersion(text); err == nil {
				known = append(known, v)
			}
		}
	}
	slices.SortFunc(known, (*semver.Version).Compare)
	for _, v := range slices.Backward(known) {
		text := v.String()
		isAccepted := !slices.ContainsFunc(c.ranges, func(r kubernetesRange) bool { return !r.accepts(text) })
		if isAccepted && (!v.GreaterThan(newest) || len(c.ranges) > 0) {
			return text
		}
	}
	return ""
}

// Text returns a ClusterContext with a place for each fact, the newest version of Kubernetes that
// is accepted, and machine pools of the amounts that are requested. Notes say what its user has to
// fill in.
func (c *Cluster) Text(name string) (text string, notes []string) {
	spec := node.Map()
	place := func(path []string, value, comment string) {
		at := spec
		for _, step := range path[:len(path)-1] {
			at = child(at, step)
		}
		at.Content = append(at.Content, node.Text(path[len(path)-1]), commented(node.Text(value), comment))
	}
	kubernetes, ranges := c.kubernetes(), c.accepted()
	if kubernetes == "" {
		notes = append(notes, "no version of Kubernetes is accepted by all: "+strings.TrimPrefix(ranges, "# "))
		kubernetes = Unknown
	}
	if len(c.ranges) > 0 || c.facts["system"]["kubernetes.version"] != nil {
		place([]string{"system", "kubernetes", "version"}, kubernetes, cmp.Or(ranges, comment(c.facts["system"]["kubernetes.version"])))
	}
	var unknown []string
	for _, section := range []string{"system", "variables", "macros"} {
		for _, name := range slices.Sorted(maps.Keys(c.facts[section])) {
			path := []string{section, name}
			if section == "system" {
				path = append(path[:1], strings.Split(name, ".")...)
			}
			if name != "kubernetes.version" || section != "system" {
				place(path, Unknown, comment(c.facts[section][name]))
				unknown = append(unknown, section+"."+name)
			}
		}
	}
	if len(unknown) > 0 {
		notes = append(notes, fmt.Sprintf("replace %s in %s: %s", Unknown, diag.Count(len(unknown), "fact"), strings.Join(unknown, ", ")))
	}
	if pools := c.pools(); pools != nil {
		spec.Content = append(spec.Content, node.Text("machinePools"), pools)
	}
	metadata := node.Map(node.Text("name"), node.Text(name),
		node.Text("annotations"), node.Map(node.Text(list.LocalConfigAnnotation), node.Text("true")))
	root := node.Map(node.Text("apiVersion"), node.Text(pack.GroupVersion), node.Text("kind"), node.Text(pack.ClusterContextKind),
		node.Text("metadata"), metadata, node.Text("spec"), spec)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(root); err != nil {
		panic(err) // texts can be printed
	}
	return out.String(), append(notes, c.Notes...)
}

// pools returns the machine pools, each of one node; nil if none are asked for.
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
				amounts.Content = append(amounts.Content, node.Text(string(t)), node.Text(t.Text(amount)))
			}
		}
		role := need.Role.String()
		size := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "1"}
		all.Content = append(all.Content, node.Map(
			node.Text("name"), commented(node.Text(role), comment(need.Packs)), node.Text("role"), node.Text(role),
			node.Text("size"), commented(size, "# all nodes of the pool must have together what the packs ask for"), node.Text("capacity"), amounts,
		))
	}
	return all
}

// accepted says which versions of Kubernetes are accepted, and by whom.
func (c *Cluster) accepted() string {
	var by []string
	for _, r := range c.ranges {
		by = append(by, fmt.Sprintf("%s (%s)", r.text, r.by))
	}
	slices.Sort(by)
	return comment(slices.Compact(by))
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
	n.Content = append(n.Content, node.Text(key), below)
	return below
}
