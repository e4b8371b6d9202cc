package macro

import (
	"bytes"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Unresolved returns a function that resolves nothing, for packages whose pipeline resolves no
// macros either, because a deployer does. It warns of mistakes in the macros, as far as the
// available facts tell, and reports the number of macros.
func Unresolved() function.Function {
	f := Function()
	// Its own name: outcomes are remembered by it.
	f.Name, f.Mutates = "check-macros", false
	f.Rules = []diag.Rule{rule.MacroUnknown, rule.MacroUnset, rule.MacroInvalid, rule.MacroSuspicious, rule.MacroUnresolved}
	f.New = func() function.Processor { return &processor{checks: true, staying: &staying{}} }
	return f
}

// MayHaveMacros reports whether a pack or an override may have macros.
func MayHaveMacros(item *list.Item) bool {
	return pack.Wants(item) && bytes.Contains(item.Text(), []byte("spectro"))
}

// staying are the macros of a package that no function resolves.
type staying struct {
	// macros counts the macros that stay, and results the values that were resolved from macros
	// earlier.
	macros, results int
	// first is the place of the first one.
	first *diag.Finding
	// hasFacts reports whether the facts of the cluster are available.
	hasFacts bool
}

// isReported reports whether a finding about a macro that stays is of use: what is not supplied
// is a mistake only beside other facts.
func (u *staying) isReported(f *finding) bool {
	return !f.silent && !f.inherited && (f.Rule == rule.MacroUnknown || f.Rule == rule.MacroInvalid || f.Rule == rule.MacroSuspicious || f.Rule == rule.MacroUnset && u.hasFacts)
}

// stay reports the macros of a job.
func (p *processor) stay(j *job) {
	u, d := p.staying, j.sources.Part()
	if !j.isFirst || !j.isChosen || d.Root() == nil || !mayHaveMacros(d.Text()) {
		return
	}
	w := walker{key: func(*walker, *yaml.Node) {}} // a deployer may resolve keys
	w.scalar = func(n *yaml.Node) {
		macros := len(template.Macros(n.Value))
		isResult := j.sources.Result(n) != nil
		if isResult {
			u.results++
		} else {
			u.macros += macros
		}
		source := newSource(d, n)
		if u.first == nil && (isResult || macros > 0) {
			u.first = new(diag.Finding{}.In(j.origin, w.at(""), source.position(n.Value, 0)).For(j.pack))
		}
		if isResult {
			return
		}
		resolved := p.resolver.resolve(n.Value)
		for i := range resolved.findings {
			f := resolved.findings[i]
			if u.isReported(&f) {
				f.Severity = diag.Warning
				p.run.Report(f.In(j.origin, w.at(""), source.position(n.Value, f.offset)).For(j.pack))
			}
		}
	}
	w.walk(d.Root())
}

// reportUnresolved reports the numbers of macros and of results of macros.
func (p *processor) reportUnresolved() {
	u := p.staying
	if u.first == nil {
		return
	}
	var what []string
	if u.macros > 0 {
		what = append(what, diag.Count(u.macros, "macro"))
	}
	if u.results > 0 {
		what = append(what, diag.Count(u.results, "value")+" of macros")
	}
	verb := "stay as they are"
	if u.macros+u.results == 1 {
		verb = "stays as it is"
	}
	f := diag.Say("%s %s, because no function of the pipeline resolves macros", diag.AllOf(what), verb)
	f = f.In(u.first.Origin, u.first.Key, u.first.Position).For(u.first.Pack).Of(rule.MacroUnresolved)
	f.Tags = map[string]string{"macros": strconv.Itoa(u.macros), "results": strconv.Itoa(u.results)}
	p.run.Report(f.Do("nothing is wrong if a deployer resolves them; else add resolve-macros to the pipeline"))
}

// supplyProfiles adds the variables of cluster profiles: a deployer has them.
func supplyProfiles(c *Context, profiles []*pack.Profile) {
	for _, profile := range profiles {
		for i := range profile.Variables {
			v := &profile.Variables[i]
			if _, known := c.Variables[v.Name]; !known {
				if c.Variables == nil {
					c.Variables = map[string]string{}
				}
				c.Variables[v.Name] = v.Value()
			}
		}
	}
}

// hasFacts reports whether all facts of the cluster are there.
func (p *processor) hasFacts(waits bool) bool {
	return p.cluster != nil && !waits && slices.ContainsFunc(p.run.Items(), pack.IsCluster)
}
