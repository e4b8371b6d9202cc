package capacity

import (
	"fmt"
	"slices"

	"gopkg.in/inf.v0"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// serves returns the roles whose demands a pool must have, or 0 if they are unknown.
func (p *Pool) serves(hasWorkers bool) Role {
	if p.Role == ControlPlane && p.SchedulesWorkloads && !hasWorkers {
		return bothRoles
	}
	return p.Role
}

// total returns what all nodes of a pool have for packs.
func (p *Pool) total(t Type) Amount { return p.Node[t].Free.times(*p.Size) }

// String names the pool and its nodes: `pool "workers" (3 × m5.xlarge)`.
func (p *Pool) String() string {
	switch {
	case p.Size == nil && p.InstanceType == "":
		return fmt.Sprintf("pool %q", p.Name)
	case p.Size == nil:
		return fmt.Sprintf("pool %q (%s)", p.Name, p.InstanceType)
	case p.InstanceType == "":
		return fmt.Sprintf("pool %q (%s)", p.Name, countNodes(*p.Size))
	}
	return fmt.Sprintf("pool %q (%d × %s)", p.Name, *p.Size, p.InstanceType)
}

// countNodes returns a number with its noun.
func countNodes(n int64) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}

// nodes returns how many nodes have an amount together, or false if no number does.
func (s Stock) nodes(need Amount) (n int64, ok bool) {
	if s.Free.sign() <= 0 {
		return 0, false
	}
	return need.per(s.Free, inf.RoundUp).Unscaled()
}

// after writes for a message what was taken off: ` after 200m reserved`.
func (s Stock) after(t Type) string {
	if s.Reserved.sign() == 0 {
		return ""
	}
	return fmt.Sprintf(" after %s reserved", t.words(s.Reserved))
}

// larger advises to choose larger nodes, in terms of the field that states their capacity.
func (s Stock) larger(with string) string {
	if s.Field == fieldInstanceType {
		return "choose an instance type with " + with
	}
	return fmt.Sprintf("choose nodes with %s (%s)", with, s.Field)
}

// name names a pool whose amounts of a type are compared. If a quantity was corrected by another
// finding, the name mentions it.
func (c *comparison) name(p *Pool, t Type) string {
	isAssumed := func(d Demand) bool { return d.Assumed }
	if p.Node[t].Assumed || slices.ContainsFunc(c.counted(t, p.serves(c.hasWorkers), false), isAssumed) {
		return p.String() + ", with the units that resources/suspicious-unit assumes"
	}
	return p.String()
}

// shortage is a type that a pool has less of than it must have.
type shortage struct {
	// of is the type, need the amount that the demands come to, and demands are those.
	of      Type
	need    Amount
	demands []Demand
	// nodes is the number of nodes that is enough, or 0 if more nodes are not a remedy.
	nodes int64
}

// short makes the finding of a shortage.
func (c *comparison) short(p *Pool, s shortage) diag.Finding {
	t, stock, have := s.of, p.Node[s.of], p.total(s.of)
	missing := s.need.sub(have)
	f := diag.Say("%s: packs need %s of %s, but the pool has %s (%d × %s%s): %s short. Largest requests: %s",
		c.name(p, t), t.words(s.need), t, t.words(have), *p.Size, t.words(stock.Free), stock.after(t), t.words(missing), c.largest(s.demands, Demand.amount)).
		Do(stock.larger("more " + string(t))).Of(rule.ResourcesInsufficient)
	if s.nodes > 0 {
		f.Action = fmt.Sprintf("add %s (size %d)", countNodes(s.nodes-*p.Size), s.nodes)
	}
	f.Tags = map[string]string{"type": string(t), "need": t.Text(s.need), "have": t.Text(have), "short": t.Text(missing)}
	return f
}

// unknown reports that the amount of a type on the nodes of a pool is unknown.
func (c *comparison) unknown(p *Pool, t Type, need Amount) {
	f := diag.Say("%s: packs need %s of %s, but the %s of a node is unknown", c.name(p, t), t.words(need), t, t).
		Do(fmt.Sprintf("add %s to the capacity of the pool or of its instance type", t)).Of(rule.ResourcesInsufficient)
	f.Tags = map[string]string{"type": string(t), "need": t.Text(need)}
	c.add(p, fieldCapacity, f)
}

// fitsNode reports whether each single request fits one node of a pool. It adds those
// that do not. A minLimit is not a single request: the pool as a whole must have it.
func (c *comparison) fitsNode(p *Pool, t Type, served Role) bool {
	stock := p.Node[t]
	var need Amount
	for roles := Worker; roles <= bothRoles; roles++ {
		if single := c.singles[group{t, roles}]; roles&served != 0 && single.cmp(need) > 0 {
			need = single
		}
	}
	if need.cmp(stock.Free) <= 0 {
		return true
	}
	over := c.counted(t, served, true)
	fitting, _ := slices.BinarySearchFunc(over, stock.Free, func(d Demand, free Amount) int {
		if d.Request.cmp(free) > 0 {
			return -1
		}
		return 1
	})
	over = over[:fitting]
	f := diag.Say("%s: a node has %s of %s%s, but a single request needs more: %s",
		c.name(p, t), t.words(stock.Free), t, stock.after(t), c.largest(over, func(d Demand) string { return t.words(d.Request) })).
		Do(stock.larger(fmt.Sprintf("%s of %s", t.words(need.add(stock.Reserved)), t)) + ", or lower the request").Of(rule.ResourcesInsufficient)
	f.Tags = map[string]string{"type": string(t), "need": t.Text(need), "have": t.Text(stock.Free), "short": t.Text(need.sub(stock.Free)), "node": "true"}
	c.add(p, stock.Field, f)
	return false
}

// largest lists the first of some demands: `vault server.cpu (3 × 500m)`.
func (c *comparison) largest(demands []Demand, amount func(Demand) string) string {
	return listFirst(len(demands), func(i int) string {
		return fmt.Sprintf("%s %s (%s)", c.packName(demands[i]), demands[i].Key, amount(demands[i]))
	})
}
