package dependency

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// missing reports a required pack that is not there.
func (c *checker) missing(p *Pack, d *Dependency) {
	advice := c.advisor.advise(Question{Name: d.Pack, Layer: d.Layer, IsMissing: true})
	var f diag.Finding
	if others := c.byName[d.Pack]; len(others) > 0 {
		f = diag.Got(fmt.Sprintf("%s of layer %q", others[0].title(diag.Position{}), others[0].Layer), fmt.Sprintf("one of layer %q", d.Layer)).
			Saying("%s requires pack %q of layer %q, but %s has the layer %q", p, d.Pack, d.Layer, others[0].title(diag.Position{}), others[0].Layer)
	} else {
		var names []string
		if !advice.IsOffered { // else the catalog has it, so the name is right
			names = c.others.of(p)
		}
		f = diag.NotFound("pack", d.Pack, names)
		what := fmt.Sprintf("pack %q", d.Pack)
		if f.Accepted = ""; !d.isUnchecked && !d.Range.IsOpen() {
			f.Found += ", " + d.Range.String()
			what += " " + d.Range.String()
		}
		f = f.Saying("%s requires %s, which the package does not have", p, what)
	}
	switch {
	case advice.String("add") != "":
		f = f.Do(advice.String("add"))
	case f.Nearest != "":
	case d.Pack == "kubernetes" && c.Kubernetes == nil:
		f.Without = c.without
		f = f.Do("add it, or a ClusterContext with system.kubernetes.version")
	case c.IsUnread:
		f = f.Do(pack.FixUnread)
	default:
		f = f.Do("add it with packfn import").IfUnseen(diag.ItExists)
	}
	c.report(f.Of(rule.DependencyMissing), p, d, "packName")
}

// others lists the names of all packs but one. It is cheap if it is asked for the packs in
// their order.
type others struct {
	// index has the positions of the packs in all.
	index map[*Pack]int
	// all are the names of the packs, and names those without the pack at missing.
	all, names []string
	missing    int
}

// newOthers returns the names of the other packs for the first of the packs.
func newOthers(packs []*Pack) others {
	o := others{index: make(map[*Pack]int, len(packs))}
	for i, p := range packs {
		o.index[p] = i
		o.all = append(o.all, p.Name)
	}
	o.names = slices.Clone(o.all[min(1, len(packs)):])
	return o
}

// of returns the names of the packs without p, which hold until the next call.
func (o *others) of(p *Pack) []string {
	at, ok := o.index[p]
	if !ok {
		return o.all
	}
	for ; o.missing < at; o.missing++ {
		o.names[o.missing] = o.all[o.missing]
	}
	for ; o.missing > at; o.missing-- {
		o.names[o.missing-1] = o.all[o.missing]
	}
	return o.names
}

const whyNewest = "the newest version in the catalog that satisfies every requirement of this package"

// apply returns a finding about a version with what to do: the version to use, or the
// requirements that conflict.
func (a Advice) apply(f diag.Finding) diag.Finding {
	if a.Version != "" {
		f.Proposed = a.Version
	}
	return f.Do(a.String("use"))
}

// String returns advice: to use or add a version, to check a version by hand, or to resolve
// requirements that conflict. It is "" if nothing is known.
func (a Advice) String(verb string) string {
	switch {
	case a.Version != "":
		return fmt.Sprintf("%s %s, %s", verb, a.Version, whyNewest)
	case a.Rejected != "":
		return fmt.Sprintf("no version in the catalog can be used: %s satisfies the requirements of the other packs, but %s. Add another version to the catalog", a.Rejected, a.Obstacle)
	case len(a.Conflict) > 0:
		return conflict(a)
	}
	return ""
}

// outside describes the versions that are not in a range.
func outside(r version.Range) string {
	switch {
	case r.Min.IsOpen():
		return "a version above " + r.Max.String()
	case r.Max.IsOpen():
		return "a version below " + r.Min.String()
	}
	return fmt.Sprintf("a version below %s or above %s", r.Min, r.Max)
}

// conflict lists the requirements that no version satisfies together.
func conflict(advice Advice) string {
	var parts []string
	for _, demand := range advice.Conflict {
		by, verb := demand.By[0], "requires"
		switch more := len(demand.By) - 1; {
		case more == 1:
			by, verb = demand.By[0]+" and "+demand.By[1], "require"
		case more > 1:
			by, verb = fmt.Sprintf("%s and %d more", by, more), "require"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", by, verb, demand.Wants))
	}
	list := strings.Join(parts, ", ")
	switch {
	case len(advice.Conflict) == 1:
		return "add a version to the catalog, which has none that fits: " + list
	case advice.IsOffered:
		return "change a requirement, because no version in the catalog satisfies all: " + list
	}
	return "change a requirement, because no version satisfies all: " + list
}

// nameAndVersion names an installed pack.
func nameAndVersion(p *Pack) string {
	if p.Version == "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return fmt.Sprintf("%q %s", p.Name, p.Version)
}

// The tags of findings about a version: the pack that requires another one, and the
// path of the requirement in its pack.json.
const (
	tagRequirer   = "requirer"
	tagDependency = "dependency"
)
