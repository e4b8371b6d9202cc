package dependency

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
)

// maxTrials is the largest number of versions that are tried for one piece of advice.
const maxTrials = 20

// Offer is a version of a package that could be chosen.
type Offer struct {
	// Name is the name of the package, Layer the layer of a pack or "", and Version the version as it
	// is written.
	Name, Layer, Version string
	// Provides are the APIs and labels that it provides; see [constraint.Question].
	Provides []string
	// Content reads the other statements of the catalog about the offer. It is nil if there are
	// none.
	Content func() Content
}

// Content contains the requirements and capabilities of a pack or bundle of a catalog.
type Content struct {
	// Bundle is the offer as a bundle.
	Bundle *constraint.Bundle
	// Dependencies are the dependencies of a pack.
	Dependencies []Dependency
}

// Demand is a requirement of a pack or bundle on the version of a package.
type Demand struct {
	// By names it: `pack "elastic-stack" (stack.yaml)`.
	By string
	// Layer is the layer of the packs that it is about, or "" for any.
	Layer string
	// Wants names the versions, to follow "requires": `3.3.2 or newer`.
	Wants string
	// Accepts reports whether a version is one of them.
	Accepts version.Demand
	// Thresholds are the lowest releases at which Accepts may change.
	Thresholds []version.Version
}

// advisor knows which versions could be chosen, and all demands on them. It is not safe
// for concurrent use.
type advisor struct {
	// Kubernetes is the version of the cluster's Kubernetes, or nil if it is not known.
	Kubernetes *Pack
	// Obstacle returns the reason why a change of the bundles is not possible, or "" if it is
	// possible; see [constraint.Checker.Obstacle]. If it is nil, only the demands are considered.
	Obstacle func(constraint.Change) string

	// offers are the offers by name, and byProvided by the APIs and labels that they provide.
	offers     map[string][]Offer
	byProvided map[string][]Offer
	// demands are the demands by the name of the package.
	demands map[string][]*sharedDemand
	// packs are the packs of the run by name.
	packs map[string][]*Pack
	// catalogs are the parsed versions of a package, and advice the answers that were given.
	catalogs map[target]*version.Catalog
	advice   map[question]Advice
}

// target is a package of a layer, or "" for any.
// name is the name of the package.
type target struct{ name, layer string }

// Question asks which version of a package to use.
type Question struct {
	// Name and Layer identify the package. Layer is "" for any layer.
	Name, Layer string
	// Bundle is the bundle that gets another version, or nil if there is none.
	Bundle *constraint.Bundle
	// IsMissing reports whether a bundle must be added.
	IsMissing bool
	// Demand is required in addition to the demands that were added, or nil if there is none.
	Demand *Demand
}

// question is a Question that can be compared.
type question struct {
	target
	// bundle, isMissing, by and wants are the fields of the Question and its Demand.
	bundle    *constraint.Bundle
	isMissing bool
	by, wants string
}

// sharedDemand is a demand that several packs or bundles have.
type sharedDemand struct {
	Demand
	// by names all that have the demand.
	by []string
}

// Advice is a recommendation about the version of a package.
type Advice struct {
	// Version is the newest version that satisfies all demands and that breaks nothing, a release
	// if there is one, or "" if none is known.
	Version string
	// IsOffered reports whether there are versions to choose from.
	IsOffered bool
	// Conflict has demands that no version satisfies together, if there is no Version. It is
	// the first such pair, or more demands if no pair conflicts.
	Conflict []Conflicting
	// Rejected is the newest version that satisfies all demands, if it is not Version and
	// no other is, and Obstacle is why it cannot be used.
	Rejected, Obstacle string
}

// Conflicting is a demand that conflicts with others.
type Conflicting struct {
	// By names the packs and bundles that have the demand.
	By []string
	// Wants names the versions, to follow "requires".
	Wants string
}

// newAdvisor returns an advisor for the versions that could be chosen.
func newAdvisor(offers []Offer) *advisor {
	a := &advisor{
		offers: map[string][]Offer{}, byProvided: map[string][]Offer{}, demands: map[string][]*sharedDemand{},
		packs: map[string][]*Pack{}, catalogs: map[target]*version.Catalog{}, advice: map[question]Advice{},
	}
	for _, o := range offers {
		a.offers[o.Name] = append(a.offers[o.Name], o)
		for _, key := range o.Provides {
			a.byProvided[key] = append(a.byProvided[key], o)
		}
	}
	return a
}

// names returns the names of the packages on offer, in order.
func (a *advisor) names() []string { return slices.Sorted(maps.Keys(a.offers)) }

// add adds a demand on a package. All demands must be added before the first
// advice.
func (a *advisor) add(name string, d Demand) {
	for _, known := range a.demands[name] {
		if known.Wants == d.Wants && known.Layer == d.Layer {
			if !slices.Contains(known.by, d.By) {
				known.by = append(known.by, d.By)
			}
			return
		}
	}
	a.demands[name] = append(a.demands[name], &sharedDemand{d, []string{d.By}})
}

// addPack adds a pack, and its demands on others.
func (a *advisor) addPack(p *Pack) {
	a.packs[p.Name] = append(a.packs[p.Name], p)
	if len(p.Dependencies) == 0 {
		return
	}
	by := p.title(diag.Position{})
	for i := range p.Dependencies {
		d := &p.Dependencies[i]
		if d.Pack != p.Name && d.Type != Upgrade {
			a.addDependency(by, d)
		}
	}
}

// addInstalled adds the bounds of a pack that runs today on what can replace it.
func (a *advisor) addInstalled(p *Pack) {
	for i := range p.Dependencies {
		if d := &p.Dependencies[i]; d.Type == Upgrade {
			a.addDependency("the installed "+p.title(diag.Position{}), d)
		}
	}
}

// addDependency adds a dependency as a demand. Only a range can be one.
func (a *advisor) addDependency(by string, d *Dependency) {
	if d.isUnchecked || d.Range.IsOpen() {
		return
	}
	demand := Demand{By: by, Layer: d.Layer, Wants: d.Range.String(), Accepts: d.accepts}
	if d.Type == NotSupported {
		demand.Wants = "none of " + demand.Wants
		if !d.Range.Max.IsOpen() {
			demand.Thresholds = append(demand.Thresholds, d.Range.Max.After())
		}
	} else if !d.Range.Min.IsOpen() {
		demand.Thresholds = append(demand.Thresholds, d.Range.Min.Version())
	}
	a.add(d.Pack, demand)
}

// advise returns the version of a package to use.
func (a *advisor) advise(q Question) Advice {
	key := question{target: target{q.Name, q.Layer}, bundle: q.Bundle, isMissing: q.IsMissing}
	if q.Demand != nil {
		key.by, key.wants = q.Demand.By, q.Demand.Wants
	}
	advice, known := a.advice[key]
	if !known {
		advice = a.find(q)
		a.advice[key] = advice
	}
	return advice
}

// find is [advisor.advise] without the answers that are kept. It tries a bounded number of versions,
// the newest first.
func (a *advisor) find(q Question) Advice {
	all := a.demandsOn(q)
	accepts := make([]version.Demand, len(all))
	for i, d := range all {
		accepts[i] = d.Accepts
	}
	catalog := a.catalog(target{q.Name, q.Layer})
	advice := Advice{IsOffered: len(catalog.Versions()) > 0}
	trials := 0
	for v := range catalog.Accepted(accepts...) {
		obstacle := a.obstacle(q, v.String())
		if obstacle == "" {
			advice.Version, advice.Rejected, advice.Obstacle = v.String(), "", ""
			return advice
		}
		if trials++; trials == 1 {
			advice.Rejected, advice.Obstacle = v.String(), obstacle
		} else if trials == maxTrials {
			break
		}
	}
	if trials > 0 {
		return advice
	}
	if !advice.IsOffered {
		catalog = thresholds(all)
	}
	conflict := catalog.Conflict(accepts...)
	if len(conflict) == 1 && !advice.IsOffered {
		return advice // one demand does not conflict with itself
	}
	for _, i := range conflict {
		advice.Conflict = append(advice.Conflict, Conflicting{all[i].by, all[i].Wants})
	}
	return advice
}

// demandsOn returns the demands on a package, in an order that does not depend on that
// of the packs, so that the same conflict is reported.
func (a *advisor) demandsOn(q Question) []*sharedDemand {
	var all []*sharedDemand
	for _, d := range a.demands[q.Name] {
		if layersMatch(d.Layer, q.Layer) {
			slices.Sort(d.by)
			all = append(all, d)
		}
	}
	if q.Demand != nil {
		all = append(all, &sharedDemand{*q.Demand, []string{q.Demand.By}})
	}
	slices.SortFunc(all, func(x, y *sharedDemand) int {
		return cmp.Or(strings.Compare(x.by[0], y.by[0]), strings.Compare(x.Wants, y.Wants), strings.Compare(x.Layer, y.Layer))
	})
	return all
}

// provider returns an offer that provides an API or a label and can be added, by its key in
// Provides. The parameter provider returns the bundle that provides a package, or nil if there is
// none. If there is no such offer, the result has no name.
func (a *advisor) provider(key string, provider func(name string) *constraint.Bundle) Offer {
	offers := slices.Clone(a.byProvided[key])
	slices.SortStableFunc(offers, func(x, y Offer) int { return strings.Compare(x.Name, y.Name) })
	for len(offers) > 0 {
		name := offers[0].Name
		n := slices.IndexFunc(offers, func(o Offer) bool { return o.Name != name })
		if n < 0 {
			n = len(offers)
		}
		if o, ok := a.newest(offers[:n], provider(name)); ok {
			return o
		}
		offers = offers[n:]
	}
	return Offer{}
}

// newest returns the newest of the offers of a package that satisfies all demands and can
// be used.
func (a *advisor) newest(offers []Offer, existing *constraint.Bundle) (Offer, bool) {
	q := Question{Name: offers[0].Name, Bundle: existing, IsMissing: existing == nil}
	accepts := []version.Demand{}
	for _, d := range a.demandsOn(q) {
		accepts = append(accepts, d.Accepts)
	}
	byVersion := map[string]Offer{}
	var versions []version.Version
	for _, o := range offers {
		if v, err := version.Parse(o.Version); err == nil {
			byVersion[o.Version] = o
			versions = append(versions, v)
		}
	}
	trials := 0
	for v := range version.NewCatalog(versions).Accepted(accepts...) {
		o := byVersion[v.String()]
		if a.Obstacle == nil || a.offerObstacle(o, constraint.Change{Bundle: existing, Package: o.Name, Version: o.Version}) == "" {
			return o, true
		}
		if trials++; trials == maxTrials {
			break
		}
	}
	return Offer{}, false
}

// catalog returns the versions of a package that are offered.
func (a *advisor) catalog(at target) *version.Catalog {
	if c := a.catalogs[at]; c != nil {
		return c
	}
	var versions []version.Version
	for _, o := range a.offers[at.name] {
		if !layersMatch(o.Layer, at.layer) {
			continue
		}
		if v, err := parser(isKubernetes(at.name, at.layer) || isKubernetes(o.Name, o.Layer))(o.Version); err == nil {
			versions = append(versions, v)
		}
	}
	c := version.NewCatalog(versions)
	a.catalogs[at] = c
	return c
}

// thresholds returns releases: if any release satisfies all demands, one of them does. They
// are the first of each interval in which no demand changes.
func thresholds(demands []*sharedDemand) *version.Catalog {
	first, _ := version.Parse("0.0.0")
	versions := []version.Version{first}
	for _, d := range demands {
		versions = append(versions, d.Thresholds...)
	}
	return version.NewCatalog(versions)
}

// isSameVersion reports whether two texts are the same version, by precedence.
func isSameVersion(one, other string) bool {
	a, errA := version.Parse(one)
	b, errB := version.Parse(other)
	return one == other || errA == nil && errB == nil && a.Compare(b) == 0
}
