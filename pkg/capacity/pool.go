package capacity

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Pool is a machine pool, as far as it can be read.
type Pool struct {
	// Origin is the resource that has the pool, at Path.
	Origin *diag.Origin
	Path   string

	Name string
	// Role is the role of the nodes, or 0 if it is unknown.
	Role Role
	// SchedulesWorkloads reports whether a pool of the control plane takes workloads if no pool has
	// the role worker.
	SchedulesWorkloads bool
	// Size is the number of nodes, or nil if it is unknown.
	Size *int64
	// InstanceType is the name of what the nodes are, or "" if the pool has its own capacity.
	InstanceType string
	// Node is the capacity of each node, by type. A type is absent if its amount is unknown.
	Node map[Type]Stock
}

// Stock is the amount of a type that a node has.
type Stock struct {
	// Free is the amount available to packs: the capacity less the Reserved amount.
	Free, Reserved Amount
	// Faulty reports whether the amounts are unknown because of a fault or a suspicious unit, for
	// which Pools returned a finding. Nothing is compared with them, because a shortage would only
	// follow from the fault.
	Faulty bool
	// Assumed reports whether the amounts replace an invalid quantity whose meaning is certain.
	// Pools returned a finding for it.
	Assumed bool
	// Field is the field of the pool that has the capacity or refers to it:
	// `capacity.cpu`, `instanceType`.
	Field string
}

// The path of machine pools, and fields of one.
const (
	pathPools = "spec.machinePools"
	pathTypes = "spec.instanceTypes"

	fieldSize         = "size"
	fieldInstanceType = "instanceType"
	fieldCapacity     = "capacity"
)

// Pools returns the machine pools of the first context that has any, in order. Their instance types
// come from all contexts. If two have the same name, the one of the first context is used. A value
// with a fault is unknown, so that the rest can be compared. A nil context is ignored. isAccepted
// has the same meaning as in [Demands].
//
// The findings have the rule [rule.InputInvalid] or [rule.ResourcesSuspiciousUnit]. Findings about
// absent fields have [diag.KindMissing], so that a caller that could not decode a field can ignore
// them.
func Pools(isAccepted func(diag.Finding) bool, contexts ...*pack.ClusterContext) ([]Pool, []diag.Finding) {
	r := poolReader{isAccepted: isAccepted, types: map[string]map[Type]Stock{}}
	var of *pack.ClusterContext
	for _, c := range contexts {
		if c == nil {
			continue
		}
		r.instanceTypes(c)
		if of == nil && len(c.MachinePools) > 0 {
			of = c
		}
	}
	if of == nil {
		return nil, r.findings
	}
	return r.pools(of), r.findings
}

// poolReader reads machine pools.
type poolReader struct {
	// isAccepted reports whether the user accepts a finding, so that the value counts as right.
	isAccepted func(diag.Finding) bool
	types      map[string]map[Type]Stock // what the nodes of each instance type have
	names      []string                  // the instance types, in order
	isOpen     bool                      // there is one without a name, which was reported
	// findings are the faults so far.
	findings []diag.Finding

	// origin and pool are the resource and the pool that are being read.
	origin *diag.Origin
	pool   string
}

// report adds a finding, and returns it with its place.
func (r *poolReader) report(path string, f diag.Finding) diag.Finding {
	if f.Rule == (diag.Rule{}) {
		f.Rule = rule.InputInvalid
	}
	f.Tags = map[string]string{"pool": r.pool}
	f = f.In(r.origin, path, diag.Position{})
	r.findings = append(r.findings, f)
	return f
}

// instanceTypes reads the instance types of a context that no earlier one replaces.
func (r *poolReader) instanceTypes(c *pack.ClusterContext) {
	r.origin = diag.Whole(c.Resource)
	earlier := maps.Clone(r.types)
	paths := map[string]string{}
	for i, it := range c.InstanceTypes {
		path := fmt.Sprintf("%s[%d]", pathTypes, i)
		if it.Name == "" {
			r.report(path+".name", diag.Missing(""))
			r.isOpen = true
			continue
		}
		if _, ok := earlier[it.Name]; ok {
			continue
		}
		stocks := r.quantities(path, fieldCapacity, it.Capacity)
		if r.isUnique(paths, it.Name, path, "remove one") {
			r.types[it.Name] = stocks
			r.names = append(r.names, it.Name)
		}
	}
}

// isUnique reports whether no earlier path has a name. A duplicate is a finding.
func (r *poolReader) isUnique(paths map[string]string, name, path, action string) bool {
	if first, ok := paths[name]; ok {
		r.report(path+".name", diag.Say("duplicate name %q, also at %s", name, first).Do(action))
		return false
	}
	paths[name] = path
	return true
}

// pools reads the machine pools of a context.
func (r *poolReader) pools(c *pack.ClusterContext) []Pool {
	r.origin = diag.Whole(c.Resource)
	var pools []Pool
	paths := map[string]string{}
	for i, p := range c.MachinePools {
		r.pool = p.Name
		path := fmt.Sprintf("%s[%d]", pathPools, i)
		if p.Name == "" {
			r.report(path+".name", diag.Missing(""))
		} else {
			r.isUnique(paths, p.Name, path, "rename one")
		}
		pools = append(pools, Pool{
			Origin: r.origin, Path: path, Name: p.Name, Role: r.role(path+".role", p.Role), SchedulesWorkloads: p.SchedulesWorkloads,
			Size: r.size(path+"."+fieldSize, p.Size), InstanceType: p.InstanceType, Node: r.node(path, p),
		})
	}
	return pools
}

var roles = []string{"worker", "control-plane", "master"}

// role reads the role of a pool: worker, control-plane, or master, which is the same.
func (r *poolReader) role(path, name string) Role {
	switch name {
	case "worker":
		return Worker
	case "control-plane", "master":
		return ControlPlane
	case "":
		r.report(path, diag.Missing("").Offer(roles))
	default:
		r.report(path, diag.GotName(name, roles))
	}
	return 0
}

// size checks the number of nodes. It returns nil if that is not known.
func (r *poolReader) size(path string, size *int64) *int64 {
	switch {
	case size == nil:
		r.report(path, diag.Missing("").Want("the number of nodes (with autoscaling, to the minimum)"))
	case *size < 0:
		r.report(path, diag.Got(strconv.FormatInt(*size, 10), "at least 0"))
		return nil
	}
	return size
}

// node returns the capacity of each node of a pool. The pool's own capacity replaces the capacity
// of its instance type, type by type, because disks are often chosen with the pool.
func (r *poolReader) node(path string, p pack.MachinePool) map[Type]Stock {
	node := r.instanceType(path+"."+fieldInstanceType, p)
	maps.Copy(node, r.quantities(path, fieldCapacity, p.Capacity))
	reserved := r.quantities(path, "reserved", p.Reserved)
	for _, t := range Types() {
		reserved, hasReserved := reserved[t]
		stock, ok := node[t]
		if !hasReserved || !ok && !reserved.Faulty {
			continue
		}
		left := stock.Free.sub(reserved.Free)
		stock.Assumed = stock.Assumed || reserved.Assumed
		if stock.Faulty = stock.Faulty || reserved.Faulty; !stock.Faulty && left.sign() < 0 {
			if !stock.Assumed {
				r.report(path+"."+reserved.Field, diag.Got(t.words(reserved.Free), "at most "+t.words(stock.Free)+" (the capacity of a node)"))
			}
			stock.Faulty = true
		}
		stock.Free, stock.Reserved = left, reserved.Free
		node[t] = stock
	}
	return node
}

// instanceType returns what each node of a pool has by its instance type.
func (r *poolReader) instanceType(path string, p pack.MachinePool) map[Type]Stock {
	node := map[Type]Stock{}
	known, ok := r.types[p.InstanceType]
	switch {
	case ok:
		for t, stock := range known {
			stock.Field = fieldInstanceType
			node[t] = stock
		}
		return node
	case p.InstanceType != "" && r.isOpen:
	case p.InstanceType != "":
		r.report(path, diag.NotFound("instance type", p.InstanceType, r.names).
			Do(fmt.Sprintf("add %q to instanceTypes, or set the capacity of the pool", p.InstanceType)))
	case p.Capacity == pack.Capacity{}:
		r.report(path, diag.Missing("").Want("an instance type").Do("set instanceType, or the capacity of the pool"))
	default:
		return node
	}
	for _, t := range Types() {
		node[t] = Stock{Faulty: true}
	}
	return node
}

// quantities reads the quantities of a field of a pool or of an instance type.
func (r *poolReader) quantities(path, field string, c pack.Capacity) map[Type]Stock {
	stocks := map[Type]Stock{}
	for i, text := range []pack.Text{c.CPU, c.Memory, c.DiskSize} {
		if text == "" {
			continue
		}
		t := Types()[i]
		at := diag.Join(field, string(t))
		amount, f := t.read(string(text), field == fieldCapacity)
		stock := Stock{Free: amount, Field: at}
		if f != nil {
			var ok bool
			stock.Free, stock.Assumed, ok = settle(amount, r.report(diag.Join(path, at), *f), r.isAccepted)
			stock.Faulty = !ok
		}
		stocks[t] = stock
	}
	return stocks
}
