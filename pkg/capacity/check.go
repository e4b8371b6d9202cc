package capacity

import (
	"fmt"
	"math/big"
	"strings"
)

// Check compares what packs ask for with what machine pools have, and returns
// all findings: what is wrong with the constraints of packs, which pools have
// not enough, and a summary of each pool.
func Check(packs []Pack, pools []Pool) []Finding {
	demands, findings := Demands(packs)
	return append(findings, Compare(packs, demands, pools)...)
}

// Compare compares demands, those of Demands for the same packs, with machine
// pools. A demand of a role has to fit into each pool of the role, together with
// all others of the role; what is equal fits.
func Compare(packs []Pack, demands []Demand, pools []Pool) []Finding {
	c := comparison{packs: packs, demands: demands, sums: map[sum]Amount{}, most: map[sum]Amount{}}
	for _, d := range demands {
		key := sum{d.Type, d.Roles}
		if total := d.Total(); total.Sign() > 0 {
			c.sums[key] = c.sums[key].Add(total)
		}
		if d.single() && d.Request.Cmp(c.most[key]) > 0 {
			c.most[key] = d.Request
		}
	}
	for _, p := range pools {
		c.hasWorkers = c.hasWorkers || p.Role == Worker || p.Role == 0 // which may be one
	}
	c.roles(pools)
	for i := range pools {
		c.pool(i, &pools[i])
	}
	return c.findings
}

// sum is what the demands of one type and one set of roles are added up by.
type sum struct {
	of    Type
	roles Role
}

type comparison struct {
	packs      []Pack
	demands    []Demand
	sums       map[sum]Amount
	most       map[sum]Amount // the largest single requests
	hasWorkers bool
	findings   []Finding
}

// need is what is asked of a pool that takes the demands of some roles.
func (c *comparison) need(t Type, takes Role) Amount {
	var need Amount
	for roles := Worker; roles <= bothRoles; roles++ {
		if roles&takes != 0 {
			need = need.Add(c.sums[sum{t, roles}])
		}
	}
	return need
}

// of returns the demands that a pool takes and that are more than nothing.
func (c *comparison) of(t Type, takes Role) []Demand {
	var of []Demand
	for _, d := range c.demands {
		if d.Type == t && d.Roles&takes != 0 && d.Total().Sign() > 0 {
			of = append(of, d)
		}
	}
	return of
}

// roles reports roles that something is asked of, and that no pool has.
func (c *comparison) roles(pools []Pool) {
	var taken Role
	for _, p := range pools {
		if p.Role == 0 {
			return // it may be the one that is missing
		}
		taken |= p.takes(c.hasWorkers)
	}
	for _, role := range []Role{ControlPlane, Worker} {
		if role&taken != 0 {
			continue
		}
		var types []string
		var asking []Demand
		for _, t := range Types() {
			if c.need(t, role).Sign() > 0 {
				types = append(types, string(t))
				asking = append(asking, c.of(t, role)...)
			}
		}
		if len(asking) == 0 {
			continue
		}
		f := Finding{Rule: RuleNoPool, Subject: OfCluster, Tags: map[string]string{"role": role.String()}}
		found := "there are no machine pools"
		if len(pools) > 0 {
			found = fmt.Sprintf("no machine pool has the role %s", role)
		}
		also := ""
		if role == Worker {
			also = ", or a control-plane pool that has schedulesWorkloads: true"
		}
		f.Message = fmt.Sprintf("%s, but packs ask %s of it (%s): add a pool of the role %s%s", found, strings.Join(types, ", "), c.askers(asking), role, also)
		if len(pools) == 0 {
			f.Message = strings.Replace(f.Message, "of it", "of the role "+role.String(), 1)
		}
		c.findings = append(c.findings, f)
	}
}

// askers names the packs of some demands.
func (c *comparison) askers(demands []Demand) string {
	var names []string
	seen := map[string]bool{}
	for _, d := range demands {
		if name := c.packs[d.Pack].Name; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) > shownDemands {
		return strings.Join(names[:shownDemands], ", ") + fmt.Sprintf(" and %d more", len(names)-shownDemands)
	}
	return strings.Join(names, ", ")
}

// pool compares one pool.
func (c *comparison) pool(i int, p *Pool) {
	takes := p.takes(c.hasWorkers)
	if p.Role == 0 {
		return // what is asked of it is not known
	}
	enough := big.NewInt(0) // the size at which every type is enough; nil when none is
	var short []Finding
	for _, t := range Types() {
		need := c.need(t, takes)
		if need.Sign() == 0 || p.Faulty[t] {
			continue
		}
		if _, known := p.Node[t]; !known {
			c.add(i, Finding{Rule: RuleInsufficient, Field: fieldCapacity, Message: fmt.Sprintf(
				"%s: %s: packs need %s, but it is not known how much its nodes have: add %s to the capacity of the pool or of its instance type", p, t, t.Words(need), t),
				Tags: map[string]string{"type": string(t), "need": t.Text(need)}})
			continue
		}
		fits := c.largest(i, p, t, takes)
		size := p.sizeFor(t, need)
		switch {
		case size == nil || !fits:
			enough = nil
		case enough != nil && enough.Cmp(size) < 0:
			enough = size
		}
		if p.Size != nil && need.Cmp(p.total(t)) > 0 {
			short = append(short, c.short(p, t, takes, need, fits))
		}
	}
	for _, f := range short {
		f.Field = fieldSize
		if f.Current = *p.Size; enough != nil && enough.IsInt64() {
			f.Proposed = enough.Int64()
		}
		c.add(i, f)
	}
	c.summary(i, p, takes)
}

func (c *comparison) add(pool int, f Finding) {
	f.Subject, f.Pool = OfPool, pool
	c.findings = append(c.findings, f)
}

// short says that a pool has not enough of a type.
func (c *comparison) short(p *Pool, t Type, takes Role, need Amount, fits bool) Finding {
	have := p.total(t)
	asking := c.of(t, takes)
	largest(asking, c.packs, Demand.Total)
	remedy := "more nodes do not help, since nothing is left of one: " + p.larger(t, "")
	if size := p.sizeFor(t, need); size != nil {
		more := new(big.Int).Sub(size, big.NewInt(*p.Size))
		nodes := "nodes"
		if more.Cmp(big.NewInt(1)) == 0 {
			nodes = "node"
		}
		remedy = fmt.Sprintf("%s more %s of this type would do (size %s)", more, nodes, size)
		if !fits {
			remedy = fmt.Sprintf("%s, since a single request does not fit into a node; for the rest %s more %s would do", p.larger(t, ""), more, nodes)
		}
	}
	return Finding{
		Rule: RuleInsufficient,
		Message: fmt.Sprintf("%s: %s: packs need %s, but it has %s (%d × %s%s), %s too little; most is asked by %s; %s",
			p, t, t.Words(need), t.Words(have), *p.Size, t.Words(p.Node[t]), reserved(p, t), t.Words(need.Sub(have)), list(asking, c.packs), remedy),
		Tags: map[string]string{"type": string(t), "need": t.Text(need), "have": t.Text(have), "short": t.Text(need.Sub(have))},
	}
}

// reserved says what nodes keep for themselves.
func reserved(p *Pool, t Type) string {
	if p.Reserved[t].Sign() == 0 {
		return ""
	}
	return fmt.Sprintf(" after %s reserved", t.Words(p.Reserved[t]))
}

// largest reports single requests that do not fit into one node, and whether all
// of them do. A minLimit is no single request: it is asked of a pool.
func (c *comparison) largest(i int, p *Pool, t Type, takes Role) bool {
	var most Amount
	for roles := Worker; roles <= bothRoles; roles++ {
		if m := c.most[sum{t, roles}]; roles&takes != 0 && m.Cmp(most) > 0 {
			most = m
		}
	}
	if most.Cmp(p.Node[t]) <= 0 {
		return true
	}
	var over []Demand
	for _, d := range c.of(t, takes) {
		if d.single() && d.Request.Cmp(p.Node[t]) > 0 {
			over = append(over, d)
		}
	}
	largest(over, c.packs, func(d Demand) Amount { return d.Request })
	need, have := over[0].Request, p.Node[t]
	for at := range over {
		over[at].Replicas = 1 // one replica is what does not fit
	}
	c.add(i, Finding{
		Rule:  RuleInsufficient,
		Field: p.capacityField(t),
		Message: fmt.Sprintf("%s: %s: a single request is larger than a node, which has %s%s: %s; more nodes do not help: %s, or ask for less",
			p, t, t.Words(have), reserved(p, t), list(over, c.packs), p.larger(t, t.Words(need.Add(p.Reserved[t])))),
		Tags: map[string]string{"type": string(t), "need": t.Text(need), "have": t.Text(have), "short": t.Text(need.Sub(have)), "node": "true"},
	})
	return false
}

// summary says what share of a pool is asked for.
func (c *comparison) summary(i int, p *Pool, takes Role) {
	if p.Size == nil {
		return
	}
	tags := map[string]string{}
	var parts []string
	for _, t := range Types() {
		if _, known := p.Node[t]; !known {
			continue
		}
		need, have := c.need(t, takes), p.total(t)
		part := fmt.Sprintf("%s %s of %s", t, t.Words(need), t.Words(have))
		if have.Sign() > 0 {
			share := need.percent(have).String() + "%"
			if share == "0%" && need.Sign() > 0 {
				share = "<1%"
			}
			part += " (" + share + ")"
			tags[string(t)+".share"] = share
		}
		parts = append(parts, part)
		tags[string(t)+".need"], tags[string(t)+".have"] = t.Text(need), t.Text(have)
	}
	if len(parts) == 0 {
		return
	}
	c.add(i, Finding{Rule: RuleSummary, Message: fmt.Sprintf("%s: packs need %s", p, strings.Join(parts, ", ")), Tags: tags})
}
