package dependency

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/version"
)

// constraintBundles makes what pkg/constraint judges of the bundles of the list,
// and lets go what the bundles were read from.
func (p *processor) constraintBundles(yield func(*constraint.Bundle) bool) {
	for c := range p.bundles {
		b := &constraint.Bundle{Name: c.name, Title: c.title(), Package: c.packageName, Version: c.version, Pack: c.pack != nil, Ref: c}
		for _, e := range c.entries {
			if e.dependency {
				b.Dependencies = append(b.Dependencies, e.entry())
			} else {
				b.Properties = append(b.Properties, e.entry())
			}
		}
		for _, api := range c.gvks {
			b.APIs = append(b.APIs, constraint.API{
				GVK:      constraint.GVK{Group: api.group, Version: api.version, Kind: api.kind},
				Required: api.required, Node: api.node, Key: api.key, Origin: api.origin,
			})
		}
		c.entries, c.gvks = nil, nil
		p.count++
		if !yield(b) {
			return
		}
	}
}

func (e entry) entry() constraint.Entry {
	return constraint.Entry{Node: e.node, Key: e.key, Origin: e.origin, ValueSize: e.size, Where: e.where}
}

// title names a bundle in messages, with its place.
func (c *carrier) title() string {
	kind := "bundle"
	if c.pack != nil {
		kind = "pack"
	}
	return fmt.Sprintf("%s %q (%s)", kind, c.name, where(c.resource))
}

// virtual is the virtual operator of the cluster, nil when nothing is known of
// the cluster.
func (f facts) virtual() *constraint.Cluster {
	if !f.given {
		return nil
	}
	cluster := &constraint.Cluster{}
	for _, e := range f.constraints {
		cluster.Constraints = append(cluster.Constraints, e.entry())
	}
	for _, e := range f.properties {
		cluster.Properties = append(cluster.Properties, e.entry())
	}
	return cluster
}

// addDemands tells the advisor what bundles ask of the versions of packages.
func (p *processor) addDemands(set *constraint.Set) {
	for name, demands := range set.Demands() {
		for _, d := range demands {
			p.advisor.Add(name, Demand{By: d.Bundle.Title, Wants: d.Wants, Accepts: d.Accepts, Turns: d.Turns})
		}
	}
}

// checkBundles reports what bundles require and do not get.
func (p *processor) checkBundles(set *constraint.Set, installed []*Pack) {
	chosen := map[function.Resource]bool{}
	for _, loaded := range p.set.Chosen {
		chosen[loaded.Resource] = true
	}
	options := constraint.Options{
		Scope: constraint.Scope(p.config.Scope),
		Checked: func(b *constraint.Bundle) bool {
			c := b.Ref.(*carrier)
			return c.pack == nil || chosen[c.resource]
		},
		Exempt: func(name, version string) bool { return isInstalled(name, version, installed) },
		Suggest: func(name string) (string, string) {
			advice := p.advisor.Advise(name, "")
			return advice.Version, advice.String()
		},
		Unread: p.unread || p.set.Unread,
	}
	for _, f := range set.Check(options) {
		out := function.Finding{Rule: string(f.Rule), Message: f.Message, Tags: f.Tags}
		if f.Proposed != "" {
			out.Proposed = f.Proposed
		}
		if o, ok := f.Origin.(*origin); ok && o != nil {
			at := f.At
			if at.Line > 0 {
				at.Line += o.line
				if !o.inResource {
					out.Message = placed(f, fmt.Sprintf("%s line %d", o.name, at.Line))
				}
			}
			out = o.locateAt(out, f.Key, at)
		}
		if f.Bundle != nil {
			c := f.Bundle.Ref.(*carrier)
			if out.Resource.IsZero() {
				out.Resource, out.Key = c.resource, f.Key
			}
			if c.pack != nil {
				out.Pack = c.name
			} else {
				out.Tags = withTag(out.Tags, "bundle", c.name)
			}
		}
		p.run.ReportLegacy(out)
	}
}

// placed is the message of a finding with the place where it is, beside the name
// that the message begins with.
func placed(f constraint.Finding, place string) string {
	if rest, ok := strings.CutPrefix(f.Message, f.Subject); ok && f.Subject != "" {
		if inner, ok := strings.CutSuffix(f.Subject, ")"); ok {
			return fmt.Sprintf("%s, %s)%s", inner, place, rest)
		}
		return fmt.Sprintf("%s (%s)%s", f.Subject, place, rest)
	}
	return fmt.Sprintf("%s (%s)", f.Message, place)
}

func withTag(tags map[string]string, key, value string) map[string]string {
	all := map[string]string{key: value}
	for k, v := range tags {
		all[k] = v
	}
	return all
}

// isInstalled reports whether a version of a package is one of those that run
// today.
func isInstalled(name, text string, installed []*Pack) bool {
	for _, one := range installed {
		if one.Name != name {
			continue
		}
		if one.Version == text {
			return true
		}
		a, err := version.Parse(one.Version)
		b, other := version.Parse(text)
		if err == nil && other == nil && a.Compare(b) == 0 {
			return true
		}
	}
	return false
}
