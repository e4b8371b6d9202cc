package check

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// switchOn records the rules that a function with a functionConfig can report.
func (c *findings) switchOn(f function.Function, config *yaml.Node) {
	for _, r := range f.Rules {
		field := rule.Of(r.ID).Switch
		if field == "" {
			c.on[r.ID] = true
			continue
		}
		for _, part := range []string{"spec", "data"} {
			switch values.Text(values.Field(config, part, field)) {
			case "", "ignore", "false":
			default:
				c.on[r.ID] = true
			}
		}
	}
}

// reportSwitchedOff reports each rule in the options that nothing that ran can report.
func (c *checker) reportSwitchedOff() {
	for _, name := range c.Unused {
		f := diag.Say("the file is not used, because the configuration of packfn is packfn.yaml").Do("rename it").Of(rule.ConfigNoEffect)
		f.Severity = diag.Warning // it may set what fails
		c.inform(name, f)
	}
	named := map[string][]string{"--only": c.Only, "--severity": slices.Sorted(maps.Keys(c.Severity))}
	for _, flag := range slices.Sorted(maps.Keys(named)) {
		for _, id := range named[flag] {
			if !c.on[id] && rule.Of(id).By != "" && c.Severity[id] != diag.Off {
				c.inform("", diag.Say("%s %s: nothing that ran reports this rule", flag, id).Do(c.switchOf(id)).Of(rule.ConfigNoEffect))
			}
		}
	}
}

// switchOf returns the advice on how to enable a rule.
func (c *checker) switchOf(id string) string {
	row := rule.Of(id)
	if row.IsBy("packfn check charts") {
		return "check a pack directory, or name one by --charts"
	}
	if row.IsBy("packfn check template") {
		return "add --template"
	}
	if row.IsBy("packfn check bundles") {
		return "it is about bundles of OLM that are in no package"
	}
	for _, f := range c.Functions {
		if row.IsBy(f.Name) {
			if row.Switch != "" {
				return fmt.Sprintf("set %s in the functionConfig of %s", row.Switch, f.Name)
			}
			return fmt.Sprintf("only %s reports it, as a mutator of a package", f.Name)
		}
	}
	return "it is about the Kptfiles of packages"
}
