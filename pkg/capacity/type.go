package capacity

// Type is a type of resource that a pack can request.
type Type string

// The types of the pack constraints document, and the units of their minLimit.
const (
	CPU      Type = "cpu"      // millicores
	Memory   Type = "memory"   // Mi, 2²⁰ bytes
	DiskSize Type = "diskSize" // GB, 10⁹ bytes
)

// Types returns the types, in the order in which findings name them.
func Types() []Type { return []Type{CPU, Memory, DiskSize} }

// example describes a quantity for messages.
func (t Type) example() string {
	switch t {
	case CPU:
		return "a quantity of cores such as 500m or 1.5"
	case Memory, DiskSize:
		return "a quantity of bytes such as 512Mi or 2Gi"
	}
	return "a quantity such as 500m or 2Gi"
}

// units returns the units that people write amounts of a type in, in the order in
// which they are tried, and the finer ones that make every amount exact.
func (t Type) units() (usual, fine []string) {
	switch t {
	case CPU:
		return []string{"m"}, []string{"u", "n"}
	case DiskSize:
		return []string{"G", "M", "Gi", "Mi"}, []string{"", "m", "u", "n"}
	}
	return []string{"Gi", "Mi", "G", "M"}, []string{"", "m", "u", "n"}
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
	return "unknown"
}
