package dependency

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

// asks says what a dependency asks, to follow the pack that has it.
func (d *Dependency) asks() string {
	switch d.Type {
	case Required:
		return fmt.Sprintf("requires %q%s", d.Pack, d.rangeText())
	case NotSupported:
		return fmt.Sprintf("does not support %q%s", d.Pack, d.rangeText())
	default:
		return fmt.Sprintf("works only with %q%s", d.Pack, d.rangeText())
	}
}

// rangeText is the range behind a name, nothing for an open one.
func (d *Dependency) rangeText() string {
	if d.unchecked || d.Range.IsOpen() {
		return ""
	}
	return " " + d.Range.String()
}

// line says where in its document an entry stands.
func (p *Pack) line(d *Dependency) string {
	if _, at := d.at(""); p.File != "" && at.Line > 0 {
		return fmt.Sprintf(" (%s line %d)", p.File, at.Line)
	}
	return ""
}

// in says where a pack is, to follow its version.
func (p *Pack) in() string {
	if p.Where == "" {
		return ""
	}
	return " in " + p.Where
}

// missing reports a pack that is required and not there.
func (c *checker) missing(p *Pack, d *Dependency) {
	advice := c.Advisor.Advise(d.Pack, d.Layer)
	why := fmt.Sprintf("no pack is named %q", d.Pack)
	if others := c.byName[d.Pack]; len(others) > 0 {
		why = fmt.Sprintf("the one of that name%s is of the layer %q, not %q", others[0].in(), others[0].Layer, d.Layer)
	} else if !advice.Offered {
		var names []string
		for _, other := range c.Packs {
			if other != p {
				names = append(names, other.Name)
			}
		}
		why += nearest.Hint(d.Pack, names)
	}
	what := "add the pack"
	switch {
	case advice.Version != "":
		what = fmt.Sprintf("add %s, %s", advice.Version, whyNewest)
	case len(advice.Conflict) > 0:
		what += "; " + conflict(advice)
	}
	hidden := "if it is in the package, a selector of the function may hide it"
	if c.Unread {
		hidden = "it may be the one that can not be read"
	}
	if d.Pack == "kubernetes" && c.Kubernetes == nil {
		hidden += "; a ClusterContext with system.kubernetes.version stands in for it"
	}
	c.report(RuleMissing, p, d, "packName", "", advice.Version,
		fmt.Sprintf("pack %s %s%s, and %s: %s; %s", p.who(), d.asks(), p.line(d), why, what, hidden))
}

const whyNewest = "the newest in the catalog that suits all who need it"

// mend says what to do about a version that does not fit.
func mend(d *Dependency, found *Pack, advice Advice) string {
	switch {
	case advice.Version != "":
		return fmt.Sprintf("take %s, %s", advice.Version, whyNewest)
	case len(advice.Conflict) > 0:
		return conflict(advice)
	case d.Type == NotSupported && outside(d) == "":
		return fmt.Sprintf("remove %q", found.Name)
	case d.Type == NotSupported:
		return fmt.Sprintf("remove %q or take %s", found.Name, outside(d))
	}
	return fmt.Sprintf("take %s", d.Range)
}

// outside says which versions are not in a range.
func outside(d *Dependency) string {
	var parts []string
	if !d.Range.Min.IsOpen() {
		parts = append(parts, "one below "+d.Range.Min.String())
	}
	if !d.Range.Max.IsOpen() {
		parts = append(parts, "one above "+d.Range.Max.String())
	}
	return strings.Join(parts, " or ")
}

// conflict says whose demands exclude each other.
func conflict(advice Advice) string {
	var parts []string
	for _, demand := range advice.Conflict {
		by, verb := demand.By[0], "wants"
		switch more := len(demand.By) - 1; {
		case more == 1:
			by, verb = demand.By[0]+" and "+demand.By[1], "want"
		case more > 1:
			by, verb = fmt.Sprintf("%s and %d more", by, more), "want"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", by, verb, demand.Wants))
	}
	list := strings.Join(parts, ", ")
	switch {
	case len(advice.Conflict) == 1:
		return "the catalog has nothing that fits: " + list
	case advice.Offered:
		return "nothing in the catalog suits all who need it: " + list
	}
	return "no version suits all who need it: " + list
}

// String says what to do: which version to take, or whose demands exclude each
// other; "" when neither is known.
func (a Advice) String() string {
	switch {
	case a.Version != "":
		return fmt.Sprintf("take %s, %s", a.Version, whyNewest)
	case len(a.Conflict) > 0:
		return conflict(a)
	}
	return ""
}

// aim is what an upgrade may lead to.
func aim(d *Dependency, installed *Pack) string {
	if d.Pack == installed.Name {
		return d.Range.String()
	}
	return fmt.Sprintf("%q %s", d.Pack, d.Range)
}

// nameAndVersion names an installed pack.
func nameAndVersion(p *Pack) string {
	if p.Version == "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return fmt.Sprintf("%q %s", p.Name, p.Version)
}

// readable ends a message with an error about a text that was named before.
func readable(err error) string {
	text := err.Error()
	if strings.HasPrefix(text, "want") {
		return "is no version, " + text
	}
	return text
}
