package check

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/values"
)

// run is a function over some items of a unit.
type run struct {
	function function.Function
	config   *yaml.Node
	// configFile and configIndex are where the functionConfig is; step is the step of a
	// pipeline that has it.
	configFile  string
	configIndex int
	step        *pipeline.Step
	items       []*list.Item
}

// unit runs the checks over a unit.
func (c *checker) unit(u *unit) error {
	var hidden []pipeline.Hidden
	if c.Rendered && u.isMutated() {
		var err error
		c.report.Mutated = true
		if hidden, err = c.render(u); err != nil {
			return err
		}
	}
	steps, err := u.steps(c.Functions)
	if err != nil {
		return err
	}
	for i := range steps {
		if name := steps[i].Meant(c.Functions); name != "" {
			c.note("%v", steps[i].Fault(fmt.Errorf("%q is not a function of this suite, so it is not judged (did you mean %q?)", steps[i].Entry.Program(), name)))
		}
	}
	for _, f := range c.checks {
		runs, err := c.runs(u, f, steps)
		if err != nil {
			return err
		}
		for i := range runs {
			c.choosePacks(u, &runs[i])
			c.run(u, &runs[i])
		}
	}
	if err := c.judge(u, steps, hidden); err != nil {
		return err
	}
	c.checkPacks(u)
	c.checkCharts(u)
	return c.checkTemplate(u)
}

// runs returns the runs of a function: those of the pipelines that name it, and one
// without configuration over what these leave.
func (c *checker) runs(u *unit, f function.Function, steps []pipeline.Step) ([]run, error) {
	var runs []run
	covered := map[string]bool{}
	for i := range steps {
		step := &steps[i]
		if step.Function.Name != f.Name {
			continue
		}
		r := run{function: f, config: step.Config, configFile: step.ConfigFile, configIndex: step.ConfigIndex, step: step}
		for _, one := range u.itemsOf(step.Package) {
			if u.isConfig(step, one) {
				continue
			}
			if ok, err := step.Selects(one.Item); err != nil {
				return nil, fmt.Errorf("%s: %w", u.onDisk(one.Resource().File), err)
			} else if ok {
				r.items = append(r.items, one.Item)
			}
		}
		covered[step.Package] = true
		ok, err := step.Runs(r.items)
		if err != nil {
			return nil, step.Fault(err)
		}
		if ok {
			runs = append(runs, r)
		}
	}
	if covered["."] {
		return runs, nil
	}
	r := run{function: f}
	for _, one := range u.items() {
		dir := one.pkg
		for dir != "." && !covered[dir] {
			dir = path.Dir(dir)
		}
		if !covered[dir] {
			r.items = append(r.items, one.Item)
		}
	}
	if u.loose {
		if err := c.takeConfig(u, &r); err != nil {
			return nil, err
		}
	}
	return append(runs, r), nil
}

// takeConfig takes the functionConfig out of files that are in no package, as the
// function's own program does. Of several in a repository none is used: each is for other
// files.
func (c *checker) takeConfig(u *unit, r *run) error {
	var items []*list.Item
	count := 0
	for _, one := range r.items {
		if !one.Is(function.ConfigGroupVersion, r.function.Kind) {
			items = append(items, one)
			continue
		}
		resource := one.Resource()
		if count++; count > 1 && !u.found {
			return fmt.Errorf("%s: a second %s among the files; name one", u.onDisk(resource.File), r.function.Kind)
		}
		document, err := one.Document()
		if err != nil {
			return fmt.Errorf("%s: %w", u.onDisk(resource.File), err)
		}
		r.config, r.configFile, r.configIndex = document.Root(), resource.File, resource.Index
	}
	if r.items = items; count > 1 {
		r.config, r.configFile, r.configIndex = nil, "", 0
		c.note("%s: %d files outside of packages are a %s; none is used. Name the files to check with one", c.Display(u.pkg.Dir), count, r.function.Kind)
	}
	return nil
}

// choosesPacks reports whether the functionConfig of a function has the option packs.
func choosesPacks(f function.Function) bool {
	choice := reflect.Indirect(reflect.ValueOf(f.New().Config())).FieldByName("Choice")
	return choice.IsValid() && choice.Type() == reflect.TypeFor[pack.Choice]()
}

// choosePacks puts the packs that the user chose into the functionConfig.
func (c *checker) choosePacks(u *unit, r *run) {
	if len(c.Packs) == 0 || !choosesPacks(r.function) {
		return
	}
	known := u.packNames()
	var chosen []string
	for _, name := range c.Packs {
		if slices.Contains(known, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) == 0 {
		r.items = nil // no pack of the unit is chosen
		return
	}
	r.config = withPacks(r.config, r.function.Kind, chosen)
}

// withPacks returns a functionConfig with the field packs.
func withPacks(config *yaml.Node, kind string, packs []string) *yaml.Node {
	mapping := func(content ...*yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
	}
	if config == nil {
		config = mapping(text("apiVersion"), text(function.ConfigGroupVersion), text("kind"), text(kind),
			text("metadata"), mapping(text("name"), text("packfn-check")))
	}
	field, value := "spec", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, name := range packs {
		value.Content = append(value.Content, text(name))
	}
	if values.Text(values.Field(config, "kind")) == "ConfigMap" {
		field, value = "data", text(strings.Join(packs, ","))
	}
	return set(config, field, set(orMapping(values.Field(config, field)), "packs", value))
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func orMapping(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	return n
}

// set returns a copy of a mapping with a key set.
func set(mapping *yaml.Node, key string, value *yaml.Node) *yaml.Node {
	c := *mapping
	c.Content = slices.Clone(c.Content)
	for i := 0; i+1 < len(c.Content); i += 2 {
		if c.Content[i].Value == key {
			c.Content[i+1] = value
			return &c
		}
	}
	c.Content = append(c.Content, text(key), value)
	return &c
}

// run runs a function and reports what it finds.
func (c *checker) run(u *unit, r *run) {
	if r.items == nil {
		return
	}
	c.cases(u, r)
	c.switchOn(r.function, r.config)
	outcome, _ := pipeline.Run(r.function, r.config, r.items)
	for i := range outcome.Findings {
		c.add(c.finding(u, r, &outcome.Findings[i]))
	}
}

// cases records the resources that a function reads.
func (c *checker) cases(u *unit, r *run) {
	processor := r.function.New()
	for _, one := range r.items {
		if one.Fault() != "" || !processor.Wants(one) {
			continue
		}
		resource := one.Resource()
		c.report.Cases = append(c.report.Cases, report.Case{
			Function: r.function.Name, File: c.Display(u.onDisk(resource.File)), Resource: *report.ResourceOf(resource),
		})
	}
}
