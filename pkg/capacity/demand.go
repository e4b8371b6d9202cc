package capacity

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/values"
)

// Pack is a pack as far as it asks for resources.
type Pack struct {
	// Name names the pack in messages; it may say more than the pack's name when
	// several bear that.
	Name string
	// Metadata is the content of pack.json.
	Metadata *values.Document
	// Values are the effective values that references lead into, nil when they
	// are not known: then components ask for nothing.
	Values *values.Tree
}

// Demand is what one minLimit or component asks for.
type Demand struct {
	Type Type
	// Roles are those whose pools have to have it. Each of them has to have all
	// of it.
	Roles Role
	// Request is what one replica asks for, and what is asked of a pool as a
	// whole when the demand is a minLimit.
	Request  Amount
	Replicas int64
	// Limit says that the demand is a minLimit.
	Limit bool
	// Pack is the index of the pack.
	Pack int
	// Key is the path of the request in the values, "minLimit" for one.
	Key string
}

// Total is the demand of all replicas.
func (d Demand) Total() Amount { return d.Request.Times(d.Replicas) }

// single reports whether the request is that of a pod, which one node has to
// satisfy.
func (d Demand) single() bool { return !d.Limit && d.Replicas > 0 }

// describe names a demand for a message: `vault server.cpu (3 × 500m)`.
func (d Demand) describe(packs []Pack) string {
	amount := d.Type.Words(d.Request)
	if !d.Limit && d.Replicas != 1 {
		amount = fmt.Sprintf("%d × %s", d.Replicas, amount)
	}
	return fmt.Sprintf("%s %s (%s)", packs[d.Pack].Name, d.Key, amount)
}

// largest sorts demands by size, the largest first. What is equally large is
// in the order of names, so that it does not depend on that of the packs.
func largest(demands []Demand, packs []Pack, size func(Demand) Amount) {
	slices.SortStableFunc(demands, func(a, b Demand) int {
		return cmp.Or(
			size(b).Cmp(size(a)),
			cmp.Compare(packs[a.Pack].Name, packs[b.Pack].Name),
			cmp.Compare(a.Key, b.Key),
		)
	})
}

// shownDemands is how many demands a message names.
const shownDemands = 3

// list names the first of some demands.
func list(demands []Demand, packs []Pack) string {
	out := ""
	for i, d := range demands {
		if i == shownDemands {
			return out + fmt.Sprintf(" and %d more", len(demands)-i)
		}
		if i > 0 {
			out += ", "
		}
		out += d.describe(packs)
	}
	return out
}
