package capacity

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
)

// Pool is a machine pool whose nodes are known.
type Pool struct {
	// Name names the pool in messages.
	Name string
	// Role is what the nodes do; 0 when it is not known.
	Role Role
	// SchedulesWorkloads says that a pool of the control plane takes workloads
	// when there is no worker pool.
	SchedulesWorkloads bool
	// Size is the number of nodes, nil when it is not known.
	Size *int64
	// InstanceType is the name of what the nodes are, "" when the capacity is the
	// pool's own.
	InstanceType string
	// Node is what is left of a node for packs: its capacity less what is
	// reserved. A type that is absent is not known.
	Node map[Type]Amount
	// Own are the types of which the pool itself says how much a node has, and not
	// its instance type.
	Own map[Type]bool
	// Reserved is what was taken off.
	Reserved map[Type]Amount
	// Faulty are the types that are not known because of a problem, which Pools
	// has reported.
	Faulty map[Type]bool
}

// Fields of a machine pool.
const (
	fieldSize         = "size"
	fieldInstanceType = "instanceType"
	fieldCapacity     = "capacity"
)

// PoolProblem is something wrong with a machine pool or an instance type.
type PoolProblem struct {
	// Rule is RuleSuspiciousUnit, or "" for what can not be read.
	Rule Rule
	// Pool is the index of the pool, -1 for an instance type, whose index then
	// is InstanceType.
	Pool, InstanceType int
	// Field is where it is in the pool or instance type, `capacity.cpu`.
	Field string
	// Absent says that the field is not there, or has a type of value that was
	// not taken.
	Absent bool
	// Message does not repeat the field.
	Message string
	// Current and Proposed are a quantity and the one that was probably meant.
	Current, Proposed string
}

// Pools reads machine pools. All of them are returned, in order: what has a
// problem is not known, and the rest is compared all the same.
func Pools(pools []pack.MachinePool, instanceTypes []pack.InstanceType) ([]Pool, []PoolProblem) {
	r := poolReader{types: map[string]capacities{}}
	for i, it := range instanceTypes {
		r.instanceType(i, it)
	}
	var out []Pool
	first := map[string]int{}
	for i, p := range pools {
		r.at = PoolProblem{Pool: i, InstanceType: -1}
		if before, twice := first[p.Name]; twice && p.Name != "" {
			r.fail("name", "the pool %q stands twice (machinePools[%d] too); give one of them another name", p.Name, before)
		} else {
			first[p.Name] = i
		}
		out = append(out, r.pool(p))
	}
	return out, r.problems
}

// capacities are the amounts of a node that could be read, and those that could
// not.
type capacities struct {
	known  map[Type]Amount
	faulty map[Type]bool
}

type poolReader struct {
	types    map[string]capacities
	names    []string
	problems []PoolProblem
	at       PoolProblem // where the reader is
}

func (r *poolReader) fail(field, format string, args ...any) *PoolProblem {
	p := r.at
	p.Field, p.Message = field, fmt.Sprintf(format, args...)
	r.problems = append(r.problems, p)
	return &r.problems[len(r.problems)-1]
}

func (r *poolReader) instanceType(i int, it pack.InstanceType) {
	r.at = PoolProblem{Pool: -1, InstanceType: i}
	if it.Name == "" {
		r.fail("name", "is required").Absent = true
		return
	}
	c := r.capacity(fieldCapacity, it.Capacity)
	if _, twice := r.types[it.Name]; twice {
		r.fail("name", "the instance type %q stands twice, and the first counts; remove one", it.Name)
		return
	}
	r.types[it.Name] = c
	r.names = append(r.names, it.Name)
}

func (r *poolReader) pool(p pack.MachinePool) Pool {
	out := Pool{
		Name: p.Name, SchedulesWorkloads: p.SchedulesWorkloads, InstanceType: p.InstanceType,
		Node: map[Type]Amount{}, Own: map[Type]bool{}, Faulty: map[Type]bool{},
	}
	switch p.Role {
	case "worker":
		out.Role = Worker
	case "control-plane", "master":
		out.Role = ControlPlane
	default:
		r.fail("role", "is required: worker or control-plane").Absent = true
	}
	switch {
	case p.Size == nil:
		r.fail(fieldSize, "is required: the number of nodes, with autoscaling the least").Absent = true
	case *p.Size < 0:
		r.fail(fieldSize, "got %d, want the number of nodes, 0 or more", *p.Size)
	default:
		out.Size = p.Size
	}
	r.node(p, &out)
	return out
}

// node finds out what is left of a node. The pool's own capacity wins over that
// of the instance type, type by type: disks are often chosen with the pool.
func (r *poolReader) node(p pack.MachinePool, out *Pool) {
	var of capacities
	switch it, known := r.types[p.InstanceType]; {
	case known:
		of = it
	case p.InstanceType != "":
		of.faulty = map[Type]bool{CPU: true, Memory: true, DiskSize: true}
		options := "none are given"
		if len(r.names) > 0 {
			options = "known are " + strings.Join(r.names, ", ")
		}
		r.fail(fieldInstanceType, "no instance type is named %q%s; %s: add it to instanceTypes, or give the pool a capacity", p.InstanceType, nearest.Hint(p.InstanceType, r.names), options)
	case p.Capacity == pack.Capacity{}:
		of.faulty = map[Type]bool{CPU: true, Memory: true, DiskSize: true}
		r.fail(fieldInstanceType, "the pool has neither an instanceType nor a capacity: give one of them").Absent = true
	}
	own, reserved := r.capacity(fieldCapacity, p.Capacity), r.capacity("reserved", p.Reserved)
	out.Reserved = reserved.known
	for _, t := range Types() {
		amount, known := own.known[t]
		out.Own[t] = known
		faulty := own.faulty[t]
		if !known && !faulty {
			amount, known = of.known[t]
			faulty = of.faulty[t]
		}
		left := amount.Sub(reserved.known[t])
		switch {
		case faulty || reserved.faulty[t]:
			out.Faulty[t] = true
		case known && left.Sign() < 0:
			r.fail("reserved."+string(t), "got %s, which is more than a node has (%s)", t.Words(reserved.known[t]), t.Words(amount))
			out.Faulty[t] = true
		case known:
			out.Node[t] = left
		}
	}
}

// capacity reads the quantities of a field.
func (r *poolReader) capacity(field string, c pack.Capacity) capacities {
	out := capacities{map[Type]Amount{}, map[Type]bool{}}
	ofNode := field == fieldCapacity
	for _, t := range Types() {
		text := string(map[Type]pack.Text{CPU: c.CPU, Memory: c.Memory, DiskSize: c.DiskSize}[t])
		if text == "" {
			continue
		}
		at := field + "." + string(t)
		amount, err := ParseQuantity(text)
		var wrong *QuantityError
		switch {
		case errors.As(err, &wrong):
			proposed := t.propose(text, wrong, ofNode)
			p := r.fail(at, "got %s, want %s%s", wrong.Found, t.example(), meant(proposed))
			if proposed != "" {
				p.Current, p.Proposed = text, proposed
			}
			out.faulty[t] = true
			continue
		case amount.Sign() < 0:
			r.fail(at, "got %s, want %s, 0 or more", text, t.example())
			out.faulty[t] = true
			continue
		}
		if odd, is := t.suspect(text, amount, ofNode); is {
			p := r.fail(at, "got %s, which %s%s", text, odd.reason, meant(odd.proposed))
			p.Rule, p.Current, p.Proposed = RuleSuspiciousUnit, text, odd.proposed
		}
		out.known[t] = amount
	}
	return out
}

// meant ends messages about a slip.
func meant(proposed string) string {
	if proposed == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", proposed)
}

// String names the pool and its nodes: `pool "workers" (3 × m5.xlarge)`.
func (p Pool) String() string {
	size := "?"
	if p.Size != nil {
		size = fmt.Sprint(*p.Size)
	}
	of := p.InstanceType
	if of == "" {
		of = "nodes"
		if size == "1" {
			of = "node"
		}
	} else {
		of = "× " + of
	}
	return fmt.Sprintf("pool %q (%s %s)", p.Name, size, of)
}

// capacityField is the field that says how much of a type a node has.
func (p Pool) capacityField(t Type) string {
	if p.InstanceType != "" && !p.Own[t] {
		return fieldInstanceType
	}
	return fieldCapacity + "." + string(t)
}

// larger says which nodes would have more of a type; amount is how much of it,
// or "".
func (p Pool) larger(t Type, amount string) string {
	field := p.capacityField(t)
	switch {
	case field == fieldInstanceType && amount == "":
		return "choose a larger instance type"
	case field == fieldInstanceType:
		return "choose an instance type with " + amount
	case amount == "":
		return "choose larger nodes (" + field + ")"
	}
	return fmt.Sprintf("choose nodes with %s (%s)", amount, field)
}

// total is what all nodes of the pool have for packs.
func (p Pool) total(t Type) Amount { return p.Node[t].Times(*p.Size) }

// takes are the roles whose demands the pool has to satisfy.
func (p Pool) takes(hasWorkers bool) Role {
	if p.Role == ControlPlane && p.SchedulesWorkloads && !hasWorkers {
		return bothRoles
	}
	return p.Role
}

// sizeFor is how many nodes a need takes, nil when a node has nothing of it.
func (p Pool) sizeFor(t Type, need Amount) *big.Int {
	if p.Node[t].Sign() <= 0 {
		return nil
	}
	return need.over(p.Node[t])
}
