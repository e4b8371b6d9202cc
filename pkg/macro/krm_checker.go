package macro

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/rule"
)

// Checker returns a function that resolves nothing. It reports the values that a first render would
// leave unresolved because no step of a pipeline has their facts. configs are the functionConfigs
// of the steps, in order. An element is nil if its step has none.
func Checker(configs []*yaml.Node) function.Function {
	f := Function()
	f.Mutates, f.Rules = false, []diag.Rule{rule.MacroUnset, rule.MacroEmpty, rule.MacroInvalid}
	f.New = func() function.Processor { return &processor{checks: true, steps: stepConfigs(configs)} }
	return f
}

// stepConfigs returns the configurations of functionConfigs.
func stepConfigs(nodes []*yaml.Node) []Config {
	var configs []Config
	for _, n := range nodes {
		var config Config
		function.Fill(&config, n)
		configs = append(configs, config)
	}
	return configs
}

// check reports the sources of a job that cannot be resolved because a fact is in no step.
func (p *processor) check(j *job) {
	if !j.isFirst {
		return // a step of a subpackage has resolved it
	}
	d := j.sources.Part()
	w := walker{key: func(*walker, *yaml.Node) {}}
	w.scalar = func(n *yaml.Node) {
		result := j.sources.Result(n)
		if result == nil {
			return
		}
		resolved := p.resolver.resolve(n.Value)
		if !p.resolver.stands(&resolved, result) {
			return
		}
		source := newSource(d, n)
		for _, f := range resolved.findings {
			if !f.silent {
				p.run.Report(f.In(j.origin, w.at(""), source.position(n.Value, f.offset)).For(j.pack))
			}
		}
	}
	if d.Root() != nil {
		w.walk(d.Root())
	}
}
