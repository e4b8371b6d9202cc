package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// clusterValue returns the value of a variable in the ClusterContext, and whether the
// ClusterContext is known.
func (p *processor) clusterValue(name string) (value string, isSet, known bool) {
	cluster, known := p.cluster()
	if cluster != nil {
		text, ok := cluster.Variables[name]
		value, isSet = string(text), ok
	}
	return value, isSet, known
}

// variables returns a function that returns the value of a variable for the macros of a pack: the
// value in the ClusterContext, or otherwise the default of its profile.
func (p *processor) variables(one *pack.Pack) func(string) *VariableValue {
	return func(name string) *VariableValue {
		text, isSet, known := p.clusterValue(name)
		value := &VariableValue{Name: name, Text: text, IsSecret: secret.IsSecretKey(name)}
		for _, profile := range p.profiles {
			i := slices.IndexFunc(profile.Variables, func(v pack.ProfileVariable) bool { return v.Name == name })
			if i < 0 || !profile.Has(one) {
				continue
			}
			v := &variable{ProfileVariable: &profile.Variables[i]}
			if !isSet {
				value.Text = v.Value()
			}
			value.Text, value.IsSecret = v.option(value.Text), isSecret(v.ProfileVariable)
			isSet = !v.isMasked(value.Text)
			break
		}
		if !known || !isSet {
			return nil
		}
		return value
	}
}

// profileCheck is the check of a profile.
type profileCheck struct {
	*processor
	*pack.Profile
	// set are the packs of the run.
	set *pack.Set
	// names are the names of the variables, and used those that a macro reads.
	names []string
	used  map[string]bool
	// isPartial reports whether a text with macros could not be read, so that a variable without a
	// macro may be used there.
	isPartial bool
}

// profile checks a profile: its variables, and which packs and layers it has.
func (p *processor) profile(of *pack.Profile, set *pack.Set) {
	c := &profileCheck{processor: p, Profile: of, set: set, used: map[string]bool{}, isPartial: set.IsPartial() || len(of.Packs) == 0}
	for i := range of.Variables {
		c.names = append(c.names, of.Variables[i].Name)
	}
	for i, one := range of.Of {
		c.manifests(i)
		if one == nil {
			c.isPartial = true
			continue
		}
		c.macros(one)
	}
	for i := range of.Variables {
		c.variable(i)
	}
	c.duplicates()
	c.layers()
}

// report adds a finding about a field of the profile, such as variables.0.name.
func (c *profileCheck) report(f diag.Finding, r diag.Rule, field string, args ...any) {
	path, _ := values.ParsePath("spec." + fmt.Sprintf(field, args...))
	m := values.Find(c.Root, path)[0]
	c.run.Report(f.In(c.Origin(), m.Path, values.At(m.Node)).Of(r))
}

// variable checks a definition and the values of the variable.
func (c *profileCheck) variable(i int) {
	v := newVariable(&c.Variables[i])
	report := func(f diag.Finding, name string) { c.report(f, rule.ProfileVariable, "variables.%d.%s", i, name) }
	if first := slices.Index(c.names, v.Name); first < i {
		report(diag.Say("the variable %q is also defined in variables[%d]", v.Name, first).Do("remove one, or rename it"), "name")
		return
	}
	if v.fault != nil {
		report(*v.fault, "regex")
	}
	if f := v.check(v.Value(), &c.meter); f != nil {
		report(*f, "defaultValue")
	}
	value, isSet, known := c.clusterValue(v.Name)
	if isSet {
		value = v.option(value)
		if f := v.check(value, &c.meter); f != nil {
			cluster, _ := c.cluster()
			c.run.Report(f.About(cluster.Resource, "spec.variables."+v.Name).Of(rule.ProfileVariable))
		}
	}
	if v.Required && known && value == "" && (isSet || v.Value() == "") {
		report(diag.Say("the variable %q is required, and has no value", v.Name).Do("set defaultValue, or its value in a ClusterContext"), "name")
	}
	if !c.used[v.Name] && !c.isPartial {
		f := diag.Say("no pack of the profile uses the variable %q", v.Name)
		f.Severity = diag.Info
		report(f, "name")
	}
}

// reads notes the variables that a text reads, and reports those without a definition.
func (c *profileCheck) reads(text string, report func(f diag.Finding, offset int)) {
	if !strings.Contains(text, variablePath) {
		return
	}
	for _, a := range template.Actions(text) {
		for _, name := range variablesOf(a) {
			if c.used[name] = true; !slices.Contains(c.names, name) {
				f := diag.NotFound("variable", name, slices.Compact(slices.Sorted(slices.Values(c.names))))
				f.Action = fmt.Sprintf("define %q in spec.variables of the ClusterProfile %s", name, c.Resource.Name)
				report(f, a.Start)
			}
		}
	}
}

// macros looks at the macros of a pack and its overrides.
func (c *profileCheck) macros(one *pack.Pack) {
	c.isPartial = c.isPartial || one.IsPending()
	for _, source := range one.Layers() {
		if source.Embedded && !strings.Contains(source.Text(), variablePath) {
			continue
		}
		document, err := source.Document()
		if err != nil || document.Root() == nil {
			c.isPartial = c.isPartial || err != nil
			continue
		}
		c.scalars(document.Root(), "", func(f diag.Finding, key string, at diag.Position) {
			if slices.Contains(c.set.Chosen, one) {
				c.run.Report(f.In(source.Origin, key, at).For(one.Name).Of(rule.ProfileVariable))
			}
		})
	}
}

// scalars looks at the macros of all scalars at and below a node.
func (c *profileCheck) scalars(n *yaml.Node, path string, report func(diag.Finding, string, diag.Position)) {
	n = values.Resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		for _, p := range values.Pairs(n) {
			name, _ := p.Name()
			c.scalars(p.Value, diag.Join(path, name), report)
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			c.scalars(child, fmt.Sprintf("%s[%d]", path, i), report)
		}
	case yaml.ScalarNode:
		c.reads(n.Value, func(f diag.Finding, offset int) {
			at := values.At(n)
			if n.Style&yaml.LiteralStyle != 0 {
				at = diag.Position{Line: at.Line + 1 + strings.Count(n.Value[:offset], "\n")}
			}
			report(f, path, at)
		})
	}
}

// manifests looks at the macros of the manifests of a pack.
func (c *profileCheck) manifests(i int) {
	for j, manifest := range c.Packs[i].Manifests {
		c.reads(manifest.Content, func(f diag.Finding, offset int) {
			f.Found += fmt.Sprintf(", on line %d of the manifest", 1+strings.Count(manifest.Content[:offset], "\n"))
			c.report(f, rule.ProfileVariable, "packs.%d.manifests.%d.content", i, j)
		})
	}
}

// duplicates reports packs that the profile has twice.
func (c *profileCheck) duplicates() {
	type identity struct{ name, layer, display string }
	count, first := map[identity]int{}, map[identity]int{}
	for i, entry := range c.Packs {
		count[identity{name: entry.Name, layer: c.layer(i)}]++
	}
	for i, entry := range c.Packs {
		id := identity{name: entry.Name, layer: c.layer(i)}
		if count[id] == 1 { // to parse its values would cost time
			continue
		}
		id.display = c.displayName(i)
		before, ok := first[id]
		if !ok {
			first[id] = i
			continue
		}
		f := diag.Say("the profile has the pack %q twice in one layer: packs[%d] and packs[%d]", entry.Name, before, i).
			Do("remove one, or set pack." + displayName + " in the values of one")
		c.report(f, rule.ProfileDuplicate, "packs.%d.name", i)
	}
}

// displayName is the key of values that tells the packs of one name from each other.
const displayName = "spectrocloud.com/display-name"

// displayName returns the name under which the profile shows a pack, or "" for its own.
func (c *profileCheck) displayName(i int) string {
	if c.Of[i] == nil {
		return c.Packs[i].PackRef.Name // which may have one
	}
	effective, _ := c.Of[i].Effective()
	if effective == nil {
		return c.Packs[i].PackRef.Name
	}
	return values.Text(values.Field(effective.Tree.Root(), "pack", displayName))
}

// layer returns the layer of a pack, or "" if it is not known.
func (c *profileCheck) layer(i int) string {
	if layer := c.Packs[i].Layer; layer != "" || c.Of[i] == nil {
		return layer
	}
	return c.Of[i].Layer
}

// layers reports the layers of a cluster that the profile lacks.
func (c *profileCheck) layers() {
	if c.Type != "cluster" && c.Type != "infra" {
		return
	}
	layers := []string{"os", "k8s", "cni", "csi"}
	missing := slices.Clone(layers)
	for i := range c.Packs {
		layer := c.layer(i)
		if layer == "" {
			return // it may be the missing one
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == layer })
	}
	if len(missing) > 0 {
		noPack := diag.AllOf(missing) + " have"
		if len(missing) == 1 {
			noPack = missing[0] + " has"
		}
		f := diag.Say("a profile of type %q needs a pack in each of the layers %s, but %s none", c.Type, diag.AllOf(layers), noPack).
			Do("add a pack to each layer that has none, or correct the type")
		c.report(f, rule.ProfileLayer, "packs")
	}
}
