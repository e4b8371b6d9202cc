package dependency

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/rule"
)

// nearName reports an optional dependency on a pack that does not exist, if its name is nearly the
// name of a pack that exists or could be chosen, because a misspelt name checks nothing. A name
// that the pack also depends on is another pack.
func (c *checker) nearName(p *Pack, d *Dependency) {
	if c.near == nil {
		c.near = map[string]string{}
		c.names = slices.Sorted(maps.Keys(c.byName))
		for _, name := range c.advisor.names() {
			if c.byName[name] == nil {
				c.names = append(c.names, name)
			}
		}
	}
	near, ok := c.near[d.Pack]
	if !ok {
		if near = nearest.Reference(d.Pack, c.names); !isSlipOfPack(d.Pack, near) {
			near = ""
		}
		c.near[d.Pack] = near
	}
	isOther := func(other Dependency) bool { return other.Pack == near }
	if near == "" || slices.ContainsFunc(p.Dependencies, isOther) {
		return
	}
	f := diag.Say("no pack is named %q, so the optional dependency checks nothing", d.Pack).Do("correct the name, unless another pack is meant").Of(rule.DependencyNearName)
	f.Nearest = near
	c.report(f, p, d, "packName")
}

// isSlipOfPack reports whether a name is the misspelt one of a pack. Names that differ in a
// short word are other packs: kubernetes-aks is not a misspelt kubernetes-eks.
func isSlipOfPack(got, want string) bool {
	const shortWord = 3
	words, other := strings.Split(got, "-"), strings.Split(want, "-")
	for i := range words {
		if len(words) == len(other) && words[i] != other[i] && min(len(words[i]), len(other[i])) <= shortWord {
			return false
		}
	}
	return nearest.IsMisspelt(got, want)
}
