package dependency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/version"
)

// Offer is a version of a package that could be chosen.
type Offer struct{ Name, Layer, Version string }

// Demand is what somebody asks of the version of a package.
type Demand struct {
	// By says who asks: `"elastic-stack" (stack.yaml)`.
	By string
	// Layer is the layer of the packs that it is about, "" for any.
	Layer string
	// Wants says what is asked, to follow "wants": `3.3.2 or newer`.
	Wants string
	// Accepts judges a version.
	Accepts version.Demand
	// Turns are the least releases from which on the verdict may be another.
	Turns []version.Version
}

// Advisor knows which versions there are to choose from and who demands what of
// them. It is not safe for concurrent use.
type Advisor struct {
	offers   map[string][]Offer
	demands  map[string][]*asked
	catalogs map[target]*version.Catalog
	advice   map[target]Advice
}

// target is a package as one who needs it sees it.
type target struct{ name, layer string }

// asked is one demand of several.
type asked struct {
	Demand
	by []string
}

// Advice is what can be done about the version of a package.
type Advice struct {
	// Version is the newest version that all who need the package accept, a
	// release where there is one; "" when none is known.
	Version string
	// Offered says that there are versions to choose from.
	Offered bool
	// Conflict are the fewest demands that no version satisfies together, when
	// there is no Version.
	Conflict []Conflicting
}

// Conflicting is a demand that can not be met together with others.
type Conflicting struct {
	// By are those who have the demand.
	By    []string
	Wants string
}

// NewAdvisor makes an advisor of what could be chosen.
func NewAdvisor(offers []Offer) *Advisor {
	a := &Advisor{
		offers: map[string][]Offer{}, demands: map[string][]*asked{},
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

// Add adds a demand on a package. All demands have to be there before the first
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
	a.demands[name] = append(a.demands[name], &asked{d, []string{d.By}})
}

// AddPack adds the demands of a pack on others.
func (a *Advisor) AddPack(p *Pack) {
	for i := range p.Dependencies {
		d := &p.Dependencies[i]
		if d.Pack != p.Name && d.Type != Upgrade {
			a.addDependency(p.who(), d)
		}
	}
}

// AddInstalled adds the bounds of a pack that runs today on what may replace it.
func (a *Advisor) AddInstalled(p *Pack) {
	for i := range p.Dependencies {
		if d := &p.Dependencies[i]; d.Type == Upgrade {
			a.addDependency("the installed "+p.who(), d)
		}
	}
}

func (a *Advisor) addDependency(by string, d *Dependency) {
	if d.unchecked || d.Range.IsOpen() {
		return
	}
	demand := Demand{By: by, Layer: d.Layer, Wants: d.Range.String()}
	bounds := d.Range
	demand.Accepts = func(v version.Version) bool { return bounds.Place(v) == version.Within }
	if d.Type == NotSupported {
		demand.Wants = "none of " + demand.Wants
		demand.Accepts = func(v version.Version) bool { return bounds.Place(v) != version.Within }
		if !bounds.Max.IsOpen() {
			demand.Turns = append(demand.Turns, bounds.Max.After())
		}
	} else if !bounds.Min.IsOpen() {
		demand.Turns = append(demand.Turns, bounds.Min.Version())
	}
	a.Add(d.Pack, demand)
}

// who names the pack in messages, with its place.
func (p *Pack) who() string {
	if p.Where == "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return fmt.Sprintf("%q (%s)", p.Name, p.Where)
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
	var who []*asked
	for _, d := range a.demands[at.name] {
		if layersMatch(d.Layer, at.layer) {
			slices.Sort(d.by)
			who = append(who, d)
		}
	}
	// Of several sets that exclude each other, which one is told must not depend
	// on the order of the list.
	slices.SortFunc(who, func(x, y *asked) int {
		return cmp.Or(strings.Compare(x.by[0], y.by[0]), strings.Compare(x.Wants, y.Wants), strings.Compare(x.Layer, y.Layer))
	})
	var demands []version.Demand
	for _, d := range who {
		demands = append(demands, d.Accepts)
	}
	catalog := a.catalog(at)
	advice := Advice{Offered: len(catalog.Versions()) > 0}
	if v, ok := catalog.Newest(demands...); ok {
		advice.Version = v.String()
		return advice
	}
	if !advice.Offered {
		catalog = turns(who)
	}
	excluded := catalog.Exclude(demands...)
	if len(excluded) == 1 && !advice.Offered {
		return advice // one can not exclude itself
	}
	for _, i := range excluded {
		advice.Conflict = append(advice.Conflict, Conflicting{who[i].by, who[i].Wants})
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

// turns are releases of which one satisfies all demands if any release does:
// the first of each stretch over which no verdict changes.
func turns(who []*asked) *version.Catalog {
	first, _ := version.Parse("0.0.0")
	versions := []version.Version{first}
	for _, d := range who {
		versions = append(versions, d.Turns...)
	}
	return version.NewCatalog(versions)
}
