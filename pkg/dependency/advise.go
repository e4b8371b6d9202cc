package dependency

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/version"
)

// Offer is a version of a package that could be chosen.
type Offer struct{ Name, Layer, Version string }

// Demand is what a pack or bundle requires of the version of a package.
type Demand struct {
	// By names it: `pack "elastic-stack" (stack.yaml)`.
	By string
	// Layer is the layer of the packs that it is about, "" for any.
	Layer string
	// Wants names the versions, to follow "requires": `3.3.2 or newer`.
	Wants string
	// Accepts reports whether a version is one of them.
	Accepts version.Demand
	// Thresholds are the lowest releases at which Accepts may change.
	Thresholds []version.Version
}

// Advisor knows which versions could be chosen, and all demands on them. It is not safe
// for concurrent use.
type Advisor struct {
	offers   map[string][]Offer
	demands  map[string][]*sharedDemand
	catalogs map[target]*version.Catalog
	advice   map[target]Advice
}

// target is a package of a layer, "" for any.
type target struct{ name, layer string }

// sharedDemand is a demand that several packs or bundles have.
type sharedDemand struct {
	Demand
	by []string
}

// Advice is what can be done about the version of a package.
type Advice struct {
	// Version is the newest version that satisfies all demands, a release if there is one;
	// "" when none is known.
	Version string
	// IsOffered says that there are versions to choose from.
	IsOffered bool
	// Conflict is the smallest set of demands that no version satisfies together, if there
	// is no Version.
	Conflict []Conflicting
}

// Conflicting is a demand that conflicts with others.
type Conflicting struct {
	// By names the packs and bundles that have the demand.
	By    []string
	Wants string
}

// NewAdvisor returns an advisor for the versions that could be chosen.
func NewAdvisor(offers []Offer) *Advisor {
	a := &Advisor{
		offers: map[string][]Offer{}, demands: map[string][]*sharedDemand{},
		catalogs: map[target]*version.Catalog{}, advice: map[target]Advice{},
	}
	for _, o := range offers {
		a.offers[o.Name] = append(a.offers[o.Name], o)
	}
	return a
}

// Names returns the names of the packages on offer, in order.
func (a *Advisor) Names() []string {
	var names []string
	for name := range a.offers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Add adds a demand on a package. All demands must be added before the first
// advice.
func (a *Advisor) Add(name string, d Demand) {
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

// AddPack adds the demands of a pack on others.
func (a *Advisor) AddPack(p *Pack) {
	for i := range p.Dependencies {
		d := &p.Dependencies[i]
		if d.Pack != p.Name && d.Type != Upgrade {
			a.addDependency(p.title(diag.Position{}), d)
		}
	}
}

// AddInstalled adds the bounds of a pack that runs today on what can replace it.
func (a *Advisor) AddInstalled(p *Pack) {
	for i := range p.Dependencies {
		if d := &p.Dependencies[i]; d.Type == Upgrade {
			a.addDependency("the installed "+p.title(diag.Position{}), d)
		}
	}
}

func (a *Advisor) addDependency(by string, d *Dependency) {
	if d.isUnchecked || d.Range.IsOpen() {
		return
	}
	demand := Demand{By: by, Layer: d.Layer, Wants: d.Range.String()}
	bounds := d.Range
	demand.Accepts = func(v version.Version) bool { return bounds.Place(v) == version.Within }
	if d.Type == NotSupported {
		demand.Wants = "none of " + demand.Wants
		demand.Accepts = func(v version.Version) bool { return bounds.Place(v) != version.Within }
		if !bounds.Max.IsOpen() {
			demand.Thresholds = append(demand.Thresholds, bounds.Max.After())
		}
	} else if !bounds.Min.IsOpen() {
		demand.Thresholds = append(demand.Thresholds, bounds.Min.Version())
	}
	a.Add(d.Pack, demand)
}

// Advise says what can be done about the version of a package, of a layer unless
// it is "".
func (a *Advisor) Advise(name, layer string) Advice {
	at := target{name, layer}
	if advice, known := a.advice[at]; known {
		return advice
	}
	advice := a.find(at)
	a.advice[at] = advice
	return advice
}

func (a *Advisor) find(at target) Advice {
	var found []*sharedDemand
	for _, d := range a.demands[at.name] {
		if layersMatch(d.Layer, at.layer) {
			slices.Sort(d.by)
			found = append(found, d)
		}
	}
	// Which of several conflicts is reported must not depend on the order of the packs.
	slices.SortFunc(found, func(x, y *sharedDemand) int {
		return cmp.Or(strings.Compare(x.by[0], y.by[0]), strings.Compare(x.Wants, y.Wants), strings.Compare(x.Layer, y.Layer))
	})
	var demands []version.Demand
	for _, d := range found {
		demands = append(demands, d.Accepts)
	}
	catalog := a.catalog(at)
	advice := Advice{IsOffered: len(catalog.Versions()) > 0}
	if v, ok := catalog.Newest(demands...); ok {
		advice.Version = v.String()
		return advice
	}
	if !advice.IsOffered {
		catalog = thresholds(found)
	}
	excluded := catalog.Conflict(demands...)
	if len(excluded) == 1 && !advice.IsOffered {
		return advice // one demand does not conflict with itself
	}
	for _, i := range excluded {
		advice.Conflict = append(advice.Conflict, Conflicting{found[i].by, found[i].Wants})
	}
	return advice
}

// catalog is the versions that are offered of a package.
func (a *Advisor) catalog(at target) *version.Catalog {
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

// thresholds returns releases of which one satisfies all demands if any release does: the
// first of each interval in which no demand changes.
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
