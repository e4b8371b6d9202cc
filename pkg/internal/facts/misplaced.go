package facts

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// roots are the keys of values that packs have for other readers than charts.
var roots = []string{"pack", "charts", "manifests"}

// maxKey is the length of a key with dots that is looked at.
const maxKey = 1000

// misplaced reports keys at the root of values that charts read at their own root, and keys
// with dots in place of one key below the other.
func (k *Checker) misplaced() {
	if len(k.charts) == 0 { // values may be large
		return
	}
	own := root(k.own)
	inPack, inCharts := values.ByName(own), map[string]map[string]*yaml.Node{}
	for name, n := range values.ByName(values.Field(own, "charts")) {
		inCharts[name] = values.ByName(n)
	}
	readers := k.readers()
	unset := k.unset(readers, inCharts)
	for _, document := range k.layers {
		isOwn := document == k.own
		for _, pair := range values.Pairs(document.Root()) {
			name, isKey := k.rootKey(pair)
			if !isKey {
				continue
			}
			add := func(f diag.Finding, belongs ...[]string) {
				f.Belongs = belongs
				k.add(f.In(document.Origin(), name, values.At(pair.Key)).Of(rule.ValuesMisplaced))
			}
			if steps := k.dotted(name); steps != nil {
				add(diag.Say("this key has dots, so no chart reads it").Do(Nest(steps)), steps)
				continue
			}
			if !isOwn && inPack[name] != nil {
				continue
			}
			charts := slices.DeleteFunc(slices.Clone(readers[name]), func(chart string) bool {
				return isOwn && (unset[chart] || inCharts[chart][name] != nil)
			})
			if len(charts) > 0 && !k.isNamed("."+k.pack.Name+".", name) {
				var places []string
				var belongs [][]string
				for _, chart := range charts {
					places, belongs = append(places, "charts."+chart), append(belongs, []string{"charts", chart, name})
				}
				add(diag.Say("nothing reads this key at the root; it is read below %s", diag.SomeOf(places)).Do("move the key there"), belongs...)
			}
		}
	}
}

// rootKey returns a key at the root of values that is not for other readers than charts.
func (k *Checker) rootKey(pair values.Pair) (name string, ok bool) {
	name, ok = pair.Name()
	return name, ok && !pair.Merged && !slices.Contains(roots, name) && !hasAnchor(pair.Value)
}

// readers returns the charts that read a key at their root, sorted, by the keys.
func (k *Checker) readers() map[string][]string {
	all := map[string][]string{}
	for _, name := range k.charts {
		top := k.facts.Charts[name].top(nil)
		for _, key := range top.names() {
			all[key] = append(all[key], name)
		}
	}
	return all
}

// Nest is the advice for a key with dots, by the keys between them.
func Nest(steps []string) string {
	return "nest the keys: " + strings.Join(steps, ", then ") + " (each on its own line, indented)"
}

// dotted returns the steps of a key that is the path of a chart's value, `charts.web.port`.
func (k *Checker) dotted(key string) []string {
	path, ok := strings.CutPrefix(key, "charts.")
	if !ok || len(key) > maxKey {
		return nil
	}
	steps := strings.Split(path, ".")
	for i := range steps {
		if name := strings.Join(steps[:i+1], "."); k.facts.Charts[name] != nil {
			return append([]string{"charts", name}, steps[i+1:]...)
		}
	}
	return nil
}

// unset reports the charts that the pack's own values have no values for, although they
// have keys at the root that the chart reads. It returns their names.
func (k *Checker) unset(readers map[string][]string, inCharts map[string]map[string]*yaml.Node) map[string]bool {
	unset := map[string]bool{}
	if !slices.Contains(k.layers, k.own) {
		return nil
	}
	keys, first := map[string][]string{}, map[string]*yaml.Node{}
	for _, pair := range values.Pairs(k.own.Root()) {
		key, ok := k.rootKey(pair)
		if !ok || len(readers[key]) == 0 || k.isNamed("."+k.pack.Name+".", key) {
			continue
		}
		for _, name := range readers[key] {
			if len(inCharts[name]) > 0 {
				continue
			}
			if keys[name] = append(keys[name], key); len(keys[name]) == 1 {
				first[name] = pair.Key
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		unset[name] = true
		f := diag.Say("the chart %s gets no values: nothing reads %s at the root", k.facts.Charts[name], diag.SomeOf(keys[name]))
		k.add(f.Do("move them below charts."+name).In(k.own.Origin(), keys[name][0], values.At(first[name])).Of(rule.ValuesNoChartValues))
	}
	return unset
}
