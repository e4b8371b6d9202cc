package dependency

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
)

// Rule is the stable id of a kind of finding.
type Rule string

// The rules.
const (
	RuleMissing      Rule = "dependency/missing"
	RuleBelowMin     Rule = "dependency/below-min"
	RuleAboveMax     Rule = "dependency/above-max"
	RuleNotSupported Rule = "dependency/not-supported"
	RuleUpgrade      Rule = "dependency/upgrade"
	RuleInvalid      Rule = "dependency/invalid"
	RuleUntyped      Rule = "dependency/untyped"
)

// Finding is something that packs require and do not get, or that can not be
// judged.
type Finding struct {
	Rule Rule
	// Pack is the one at fault: the one that requires, and the one that bears the
	// version for RuleUpgrade and unreadable versions.
	Pack *Pack
	// Key is the place in its pack.json, and Position where that is.
	Key      string
	Position values.Position
	// Message is one sentence that stands alone.
	Message string
	// Current is the version that was found, and Proposed the one that mends it;
	// "" when there is none.
	Current, Proposed string
}

// Context is what packs are checked against.
type Context struct {
	// Packs are all packs there are; any of them can satisfy a dependency.
	Packs []*Pack
	// Kubernetes is the version of the cluster's Kubernetes, nil when it is not
	// known. It stands in for a pack named kubernetes when there is none.
	Kubernetes *Pack
	// KubernetesUnread says that what tells the version of the cluster's Kubernetes
	// could not be read: nothing is then said to miss it.
	KubernetesUnread bool
	// Installed are the packs that run today; what they say of upgrades bounds
	// the packs of the list.
	Installed []*Pack
	// Advisor says which version to take. Without one, advice is made of the
	// demands of the packs alone.
	Advisor *Advisor
	// Unread says that some pack could not be read: what is missing may be that
	// one.
	Unread bool
}

// Check returns what the packs require and do not get.
func Check(packs []*Pack, context Context) []Finding {
	c := &checker{Context: context, byName: map[string][]*Pack{}, unreadable: map[*Pack]question{}}
	for _, p := range context.Packs {
		c.byName[p.Name] = append(c.byName[p.Name], p)
	}
	if len(c.byName["kubernetes"]) == 0 && context.Kubernetes != nil {
		c.byName["kubernetes"] = []*Pack{context.Kubernetes}
	}
	if c.Advisor == nil {
		c.Advisor = NewAdvisor(nil)
		for _, p := range context.Packs {
			c.Advisor.AddPack(p)
		}
		for _, p := range context.Installed {
			c.Advisor.AddInstalled(p)
		}
	}
	for _, p := range packs {
		for i := range p.Dependencies {
			if d := &p.Dependencies[i]; d.Type != Upgrade {
				c.dependency(p, d)
			}
		}
	}
	for _, installed := range context.Installed {
		for i := range installed.Dependencies {
			if d := &installed.Dependencies[i]; d.Type == Upgrade {
				c.upgrade(installed, d, packs)
			}
		}
	}
	c.tellUnreadable()
	return c.findings
}

type checker struct {
	Context
	byName     map[string][]*Pack
	unreadable map[*Pack]question
	findings   []Finding
}

// report adds a finding about a field of a dependency.
func (c *checker) report(rule Rule, p *Pack, d *Dependency, field, current, proposed, message string) {
	f := Finding{Rule: rule, Pack: p, Message: message, Current: current, Proposed: proposed}
	f.Key, f.Position = d.at(field)
	c.findings = append(c.findings, f)
}

func (c *checker) dependency(p *Pack, d *Dependency) {
	if d.Untyped {
		c.report(RuleUntyped, p, d, "", "", string(Optional), fmt.Sprintf("pack %s says nothing about the type of its dependency on %q%s, so that it is taken as optional: add \"type\", one of required, optional and notSupported", p.who(), d.Pack, p.line(d)))
	}
	if d.Pack == p.Name && layersMatch(d.Layer, p.Layer) && d.Type != NotSupported {
		return // it is there itself
	}
	var found []*Pack
	for _, other := range c.byName[d.Pack] {
		if other != p && d.matches(other) {
			found = append(found, other)
		}
	}
	if len(found) == 0 {
		if d.Type == Required && !(c.KubernetesUnread && d.Pack == "kubernetes") {
			c.missing(p, d)
		}
		return
	}
	if d.unchecked || d.Range.IsOpen() {
		return
	}
	for _, other := range found {
		c.compare(p, d, other)
	}
}

// compare compares the version of a pack that was found with a dependency.
func (c *checker) compare(p *Pack, d *Dependency, other *Pack) {
	v, ok := c.versionOf(other, d, p)
	if !ok {
		return
	}
	place := d.Range.Place(v)
	if (place == version.Within) != (d.Type == NotSupported) {
		return
	}
	rule, field := RuleNotSupported, ""
	switch {
	case d.Type == NotSupported:
	case place == version.Below:
		rule, field = RuleBelowMin, "minVersion"
	default:
		rule, field = RuleAboveMax, "maxVersion"
	}
	advice := c.Advisor.Advise(d.Pack, layerOf(d, other))
	c.report(rule, p, d, field, other.Version, advice.Version,
		fmt.Sprintf("pack %s %s%s, and finds %s%s: %s", p.who(), d.asks(), p.line(d), other.Version, other.in(), mend(d, other, advice)))
}

func layerOf(d *Dependency, other *Pack) string {
	if d.Layer != "" {
		return d.Layer
	}
	return other.Layer
}

// versionOf reads the version of a pack that something wants to know. One that
// can not be read is the fault of that pack, and told once.
func (c *checker) versionOf(p *Pack, d *Dependency, by *Pack) (version.Version, bool) {
	v, err := p.version(d.kubernetes() || isKubernetes(p.Name, p.Layer))
	if err == nil {
		return v, true
	}
	// Who is named as the one that asks must not depend on the order of the list.
	asked := question{by, d, err}
	if first := c.unreadable[p]; first.by == nil || asked.text() < first.text() {
		c.unreadable[p] = asked
	}
	return v, false
}

// question is that of a pack for the version of another.
type question struct {
	by  *Pack
	d   *Dependency
	err error
}

func (q question) text() string { return fmt.Sprint(q.by.who(), q.d.Path, q.d.Range) }

// tellUnreadable reports versions that can not be compared.
func (c *checker) tellUnreadable() {
	for _, p := range append(slices.Clone(c.Packs), c.Kubernetes) {
		q, asked := c.unreadable[p]
		if !asked {
			continue
		}
		subject := fmt.Sprintf("the version of the pack %s, %q,", p.who(), p.Version)
		if p.Version == "" {
			subject = fmt.Sprintf("the version of the pack %s", p.who())
		}
		f := Finding{Rule: RuleInvalid, Pack: p, Key: "version", Current: p.Version}
		if p == c.Kubernetes {
			subject = fmt.Sprintf("the version of the cluster's Kubernetes%s, %q,", p.in(), p.Version)
			f.Pack = q.by
			f.Key, f.Position = q.d.at("")
		}
		f.Message = fmt.Sprintf("%s can not be compared with %q, which pack %s asks for: it %v", subject, q.d.Range, q.by.who(), readable(q.err))
		c.findings = append(c.findings, f)
	}
}

// upgrade checks the packs that are to replace an installed one.
func (c *checker) upgrade(installed *Pack, d *Dependency, packs []*Pack) {
	if d.unchecked || d.Range.IsOpen() {
		return
	}
	for _, p := range c.byName[d.Pack] {
		if !d.matches(p) || !slices.Contains(packs, p) {
			continue
		}
		v, ok := c.versionOf(p, d, installed)
		if !ok || d.Range.Place(v) == version.Within {
			continue
		}
		advice := c.Advisor.Advise(d.Pack, layerOf(d, p))
		c.findings = append(c.findings, Finding{
			Rule: RuleUpgrade, Pack: p, Key: "version", Current: p.Version, Proposed: advice.Version,
			Message: fmt.Sprintf("pack %s is to be %s, but the installed %s can be upgraded to %s only: %s",
				p.who(), p.Version, nameAndVersion(installed), aim(d, installed), mend(d, p, advice)),
		})
	}
}
