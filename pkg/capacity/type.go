package capacity

// Type is a type of resource that a pack may ask for.
type Type string

// The types of the pack constraints document, and the units of their minLimit.
const (
	CPU      Type = "cpu"      // millicores
	Memory   Type = "memory"   // Mi, 2²⁰ bytes
	DiskSize Type = "diskSize" // GB, 10⁹ bytes
)

// Types returns the types, in the order in which findings name them.
func Types() []Type { return []Type{CPU, Memory, DiskSize} }

func typeNames() []string {
	var names []string
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return names
}

// limit is the unit of a minLimit, and how messages call it.
func (t Type) limit() (size Amount, name string) {
	switch t {
	case CPU:
		return fraction(1_000_000), "millicores"
	case Memory:
		return whole(1 << 20), "Mi"
	}
	return whole(billion), "GB (10^9 bytes)"
}

// example is a quantity for messages.
func (t Type) example() string {
	if t == CPU {
		return "a quantity of cores such as 500m or 1.5"
	}
	return "a quantity of bytes such as 512Mi or 2Gi"
}

// Role is a set of roles of nodes.
type Role uint8

// The roles. The pack constraints document calls the control plane master.
const (
	Worker Role = 1 << iota
	ControlPlane

	bothRoles = Worker | ControlPlane
)

// String names the role.
func (r Role) String() string {
	switch r {
	case Worker:
		return "worker"
	case ControlPlane:
		return "control-plane"
	case bothRoles:
		return "worker and control-plane"
	}
	return "no role"
}
