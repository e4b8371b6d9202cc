package pack

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// ClusterContext is all that the functions know of a cluster.
type ClusterContext struct {
	// Resource holds it.
	Resource function.Resource `json:"-"`
	// System are the system facts, nested by the dots of their names:
	// `cluster.name`.
	System Facts `json:"system"`
	// Variables and Macros are what `.spectro.var.X` and `.spectro.macro.X`
	// stand for.
	Variables map[string]Text `json:"variables"`
	Macros    map[string]Text `json:"macros"`
	// Properties and Constraints join those of the virtual cluster operator.
	Properties  []*yaml.Node `json:"properties"`
	Constraints []*yaml.Node `json:"constraints"`
	// MachinePools are the groups of like nodes.
	MachinePools []MachinePool `json:"machinePools"`
	// InstanceTypes are what machine pools refer to.
	InstanceTypes []InstanceType `json:"instanceTypes"`
}

// MachinePool is a group of like nodes.
type MachinePool struct {
	Name string `json:"name" required:"true"`
	// Role is control-plane, also written master, or worker.
	Role string `json:"role" enum:"worker,control-plane,master"`
	// SchedulesWorkloads says that a pool of the control plane also takes
	// workloads.
	SchedulesWorkloads bool `json:"schedulesWorkloads"`
	// Size is the number of nodes; with autoscaling the least. Nil when it is
	// not given.
	Size *int64 `json:"size"`
	// InstanceType names one of the instance types; Capacity stands in its
	// place.
	InstanceType string   `json:"instanceType"`
	Capacity     Capacity `json:"capacity"`
	// Reserved is what each node keeps for itself.
	Reserved Capacity `json:"reserved"`
}

// InstanceType is a kind of node.
type InstanceType struct {
	Name     string   `json:"name" required:"true"`
	Capacity Capacity `json:"capacity"`
}

// Capacity is what a node has, in Kubernetes quantities as written.
type Capacity struct {
	CPU      Text `json:"cpu"`
	Memory   Text `json:"memory"`
	DiskSize Text `json:"diskSize"`
}

// Text is a scalar by its source text: 1.30 stays 1.30, quoted or not.
type Text string

// DecodeNode takes any scalar.
func (t *Text) DecodeNode(n *yaml.Node, path string) []function.Problem {
	if n.Kind != yaml.ScalarNode {
		return []function.Problem{{Path: path, Message: fmt.Sprintf("got %s, want text", function.KindOf(n))}}
	}
	*t = Text(n.Value)
	return nil
}

// Facts are texts by their dotted names.
type Facts map[string]string

// DecodeNode flattens nested maps. Names with dots are taken as they are.
func (f *Facts) DecodeNode(n *yaml.Node, path string) []function.Problem {
	if n.Kind != yaml.MappingNode {
		return []function.Problem{{Path: path, Message: fmt.Sprintf("got %s, want a mapping", function.KindOf(n))}}
	}
	*f = Facts{}
	return f.add(n, path, "")
}

func (f *Facts) add(n *yaml.Node, path, prefix string) []function.Problem {
	var problems []function.Problem
	for at := 0; at+1 < len(n.Content); at += 2 {
		name, value := prefix+n.Content[at].Value, values.Resolve(n.Content[at+1])
		switch value.Kind {
		case yaml.MappingNode:
			problems = append(problems, f.add(value, path, name+".")...)
		case yaml.ScalarNode:
			if _, twice := (*f)[name]; twice {
				problems = append(problems, function.Problem{Path: path + "." + name, Message: "is given twice"})
			}
			if !values.IsNull(value) {
				(*f)[name] = value.Value
			}
		default:
			problems = append(problems, function.Problem{Path: path + "." + name, Message: fmt.Sprintf("got %s, want text", function.KindOf(value))})
		}
	}
	return problems
}

// WantsCluster reports whether an item is a ClusterContext of the package.
func WantsCluster(item *function.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return group == Group && item.Kind() == "ClusterContext" && !InCluster(item)
}

// LoadCluster reads the ClusterContext among the wanted items of a run: the one
// of a name, or the only one when the name is empty. It returns nil when there
// is none, when there are several and none is named, which is a fault of the
// configuration, and when it can not be read as a whole.
func LoadCluster(run *function.Run, name string) *ClusterContext {
	if cluster, whole := LoadClusterParts(run, name); whole {
		return cluster
	}
	return nil
}

// LoadClusterParts is LoadCluster for those who can use what could be read of a
// ClusterContext that has faults. whole is false when facts may be missing: all
// or some of it could not be read, or it is not known which one counts. That was
// reported. Without any ClusterContext it is true, and cluster is nil.
func LoadClusterParts(run *function.Run, name string) (cluster *ClusterContext, whole bool) {
	cluster, faults := LoadClusterFaults(run, name)
	return cluster, len(faults) == 0
}

// LoadClusterFaults is LoadClusterParts for those who have to know which fields
// could not be read. The faults were reported. The path of a fault of the whole
// is empty, and the cluster then nil.
func LoadClusterFaults(run *function.Run, name string) (*ClusterContext, []function.Problem) {
	var found []*function.Item
	var names []string
	for _, item := range run.Items() {
		if WantsCluster(item) {
			names = append(names, item.Name())
			if name == "" || item.Name() == name {
				found = append(found, item)
			}
		}
	}
	slices.Sort(names)
	path := run.ConfigPath("clusterContext")
	message := ""
	switch {
	case name != "" && len(found) == 0:
		message = fmt.Sprintf("%s: no ClusterContext is named %q%s; if it is in the package, a selector of the function may hide it", path, name, nearest.Hint(name, names))
	case len(found) == 0:
		return nil, nil
	case len(found) > 1 && (name != "" || names[0] == names[len(names)-1]): // a name does not tell them apart
		message = fmt.Sprintf("%s: the list holds %d ClusterContexts of the name %q; give each a name of its own, or remove all but one", path, len(found), found[0].Name())
	case len(found) > 1:
		message = fmt.Sprintf("the list holds %d ClusterContexts (%s); name the one that counts in %s", len(found), strings.Join(names, ", "), path)
	default:
		return readCluster(run, found[0])
	}
	run.ConfigInvalid(path, message)
	return nil, []function.Problem{{Message: message}}
}

func readCluster(run *function.Run, item *function.Item) (*ClusterContext, []function.Problem) {
	resource := item.Resource()
	whole := func(field, message string) (*ClusterContext, []function.Problem) {
		run.Invalid(resource, field, message)
		return nil, []function.Problem{{Message: message}}
	}
	if item.APIVersion() != GroupVersion {
		return whole("apiVersion", fmt.Sprintf("got %q, want %s", item.APIVersion(), GroupVersion))
	}
	document, err := item.Document()
	if err != nil {
		return whole("", fmt.Sprintf("%s can not be read: %v", resource, err))
	}
	var file kindFile[*ClusterContext]
	problems := function.Decode(document.Root(), "", &file)
	for _, p := range problems {
		run.Invalid(resource, p.Path, p.String())
	}
	if file.Spec != nil {
		file.Spec.Resource = resource
	}
	return file.Spec, problems
}
