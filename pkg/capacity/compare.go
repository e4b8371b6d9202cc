package capacity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Compare compares demands with machine pools, and returns the pools that have too
// little, the roles that no pool has, and a summary of each pool. Each pool of a role
// must have all demands of the role together; exactly enough passes. The finding about
// a role has no origin if there are no pools at all.
func Compare(demands []Demand, pools []Pool) []diag.Finding {
	c := newComparison(demands)
	for i := range pools {
		c.hasWorkers = c.hasWorkers || pools[i].Role == Worker || pools[i].Role == 0 // an unknown role may be worker
	}
	c.roles(pools)
	for i := range pools {
		c.pool(&pools[i])
	}
	return c.findings
}

// newComparison adds up demands.
func newComparison(demands []Demand) *comparison {
	c := &comparison{demands: demands, totals: map[group]Amount{}, singles: map[group]Amount{}, shared: map[string]bool{}, sorted: map[order][]Demand{}}
	first := map[string]*pack.Pack{}
	for _, d := range demands {
		if earlier, ok := first[d.Pack.Name]; ok && earlier != d.Pack {
			c.shared[d.Pack.Name] = true
		}
		first[d.Pack.Name] = d.Pack
		if d.Doubtful {
			continue
		}
		key := group{d.Type, d.Roles}
		if total := d.total(); total.sign() > 0 {
			c.totals[key] = c.totals[key].add(total)
		}
		if d.isSingle() && d.Request.cmp(c.singles[key]) > 0 {
			c.singles[key] = d.Request
		}
	}
	return c
}

// comparison compares demands with pools.
type comparison struct {
	// demands are all demands.
	demands []Demand
	// totals are the sums of the demands, by type and roles.
	totals  map[group]Amount
	singles map[group]Amount // the largest single requests
	// shared are the names that several packs have.
	shared map[string]bool
	// hasWorkers reports whether a pool has the role worker, or an unknown role.
	hasWorkers bool
	// sorted are the demands that count, by type and by the roles that a pool serves, the
	// largest first: by total, or by single request.
	sorted map[order][]Demand
	// findings are the shortages so far.
	findings []diag.Finding
}

// order is the key of sorted demands.
type order struct {
	group
	// isSingle orders by single requests, otherwise by totals.
	isSingle bool
}

// group is the key by which demands are added up.
type group struct {
	// of is the type of the resource, and roles are the roles that the demands name.
	of    Type
	roles Role
}

// need returns the total that a pool must have that serves some roles.
func (c *comparison) need(t Type, served Role) Amount {
	var need Amount
	for roles := Worker; roles <= bothRoles; roles++ {
		if roles&served != 0 {
			need = need.add(c.totals[group{t, roles}])
		}
	}
	return need
}

// demandsOf returns the demands of a type whose amount is not zero.
func (c *comparison) demandsOf(t Type, served Role) []Demand {
	var demands []Demand
	for _, d := range c.demands {
		if d.Type == t && d.Roles&served != 0 && d.total().sign() > 0 {
			demands = append(demands, d)
		}
	}
	return demands
}

// counted returns the demands that make up the need, the largest first. If isSingle is true, it
// returns the demands that one node must satisfy. Equal demands are sorted by name, not in the
// order of the packs.
func (c *comparison) counted(t Type, served Role, isSingle bool) []Demand {
	key := order{group{t, served}, isSingle}
	demands, ok := c.sorted[key]
	if ok {
		return demands
	}
	demands = slices.DeleteFunc(c.demandsOf(t, served), func(d Demand) bool { return d.Doubtful || isSingle && !d.isSingle() })
	size := Demand.total
	if isSingle {
		size = func(d Demand) Amount { return d.Request }
	}
	slices.SortStableFunc(demands, func(a, b Demand) int {
		return cmp.Or(size(b).cmp(size(a)), cmp.Compare(c.packName(a), c.packName(b)), cmp.Compare(a.Key, b.Key))
	})
	c.sorted[key] = demands
	return demands
}

// packName returns the name of the pack of a demand. If several packs share a name, it adds the
// resource that holds the pack.
func (c *comparison) packName(d Demand) string {
	if c.shared[d.Pack.Name] {
		return fmt.Sprintf("%s (%s)", d.Pack.Name, d.Pack.Resource)
	}
	return d.Pack.Name
}

// maxNames is the largest number of names in a message.
const maxNames = 3

// listFirst lists the first of n names.
func listFirst(n int, name func(int) string) string {
	var names []string
	for i := range min(n, maxNames) {
		names = append(names, name(i))
	}
	text := strings.Join(names, ", ")
	if n > maxNames {
		text += fmt.Sprintf(" and %d more", n-maxNames)
	}
	return text
}

// roles reports the roles of demands that no pool has.
func (c *comparison) roles(pools []Pool) {
	var served Role
	for i := range pools {
		if pools[i].Role == 0 {
			return // it may be the missing role
		}
		served |= pools[i].serves(c.hasWorkers)
	}
	for _, role := range []Role{ControlPlane, Worker} {
		if role&served != 0 {
			continue
		}
		var types, packs []string
		for _, t := range Types() {
			demands := c.demandsOf(t, role)
			if len(demands) > 0 {
				types = append(types, string(t))
			}
			for _, d := range demands {
				packs = append(packs, c.packName(d))
			}
		}
		if len(types) == 0 {
			continue
		}
		slices.Sort(packs)
		packs = slices.Compact(packs)
		f := diag.Say("no machine pool has the role %s, but packs request %s from this role (%s)",
			role, diag.AllOf(types), listFirst(len(packs), func(i int) string { return packs[i] })).
			Do("add a pool of this role").Of(rule.ResourcesNoPool)
		if role == Worker {
			f.Action += ", or set schedulesWorkloads: true on a control-plane pool"
		}
		if len(pools) > 0 {
			f = f.In(pools[0].Origin, pathPools, diag.Position{})
		}
		f.Tags = map[string]string{"role": role.String()}
		c.findings = append(c.findings, f)
	}
}

// pool compares one pool.
func (c *comparison) pool(p *Pool) {
	served := p.serves(c.hasWorkers)
	if served == 0 {
		return // what it must have is unknown
	}
	var short []shortage
	size, isEnough := int64(0), true // for all types
	for _, t := range Types() {
		need := c.need(t, served)
		stock, ok := p.Node[t]
		switch {
		case need.sign() == 0 || stock.Faulty:
			continue
		case !ok:
			c.unknown(p, t, need)
			continue
		}
		nodes, ok := stock.nodes(need)
		if !c.fitsNode(p, t, served) || !ok {
			nodes, isEnough = 0, false
		}
		size = max(size, nodes)
		if p.Size != nil && need.cmp(p.total(t)) > 0 {
			short = append(short, shortage{t, need, c.counted(t, served, false), nodes})
		}
	}
	for _, s := range short {
		f := c.short(p, s)
		if f.Current = *p.Size; isEnough {
			f.Proposed = size
		}
		c.add(p, fieldSize, f)
	}
	c.summary(p, served)
}

// add adds a finding about a field of a pool, or about the pool if the field is "".
func (c *comparison) add(p *Pool, field string, f diag.Finding) {
	f.Tags["pool"] = p.Name
	c.findings = append(c.findings, f.In(p.Origin, diag.Join(p.Path, field), diag.Position{}))
}

// summary adds what share of a pool the packs request.
func (c *comparison) summary(p *Pool, served Role) {
	if p.Size == nil {
		return
	}
	tags := map[string]string{}
	var parts []string
	for _, t := range Types() {
		if stock, ok := p.Node[t]; !ok || stock.Faulty {
			continue
		}
		need, have := c.need(t, served), p.total(t)
		part := fmt.Sprintf("%s %s of %s", t, t.words(need), t.words(have))
		if have.sign() > 0 {
			share := need.percent(have)
			part += " (" + share + ")"
			tags[string(t)+".share"] = share
		}
		parts = append(parts, part)
		tags[string(t)+".need"], tags[string(t)+".have"] = t.Text(need), t.Text(have)
	}
	if len(parts) > 0 {
		f := diag.Say("%s: packs need %s", p, strings.Join(parts, ", ")).Of(rule.ResourcesSummary)
		f.Tags = tags
		c.add(p, "", f)
	}
}
