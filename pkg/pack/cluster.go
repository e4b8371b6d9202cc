package pack

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// ClusterContext has the facts of a cluster.
type ClusterContext struct {
	// Resource holds it.
	Resource diag.Resource `json:"-"`
	// Injection is the injection status of the facts. While they are pending, the ClusterContext has
	// none, because the facts of a placeholder are not facts of the cluster.
	Injection injection.Status `json:"-"`
	// Version holds the version of Kubernetes, if that is a [StandIn] and not Resource.
	Version diag.Resource `json:"-"`
	// System are the system facts, nested by the dots of their names.
	System Facts `json:"system"`
	// Variables are the values of the macros `.spectro.var.NAME`.
	Variables map[string]Text `json:"variables"`
	// Macros are the values of the macros `.spectro.macro.NAME`.
	Macros map[string]Text `json:"macros"`
	// Properties are OLM properties that the cluster provides: bundles can require them.
	Properties []*yaml.Node `json:"properties" scalars:"any"`
	// Constraints are OLM constraints that every bundle and pack must satisfy.
	Constraints []*yaml.Node `json:"constraints" scalars:"any"`
	// MachinePools are the groups of like nodes.
	MachinePools []MachinePool `json:"machinePools"`
	// InstanceTypes are the types that machine pools refer to.
	InstanceTypes []InstanceType `json:"instanceTypes"`
}

// MachinePool is a group of like nodes.
type MachinePool struct {
	// Name is the name of the pool in findings.
	Name string `json:"name" required:"true"`
	// Role is what the nodes do. master means control-plane.
	Role string `json:"role" enum:"worker,control-plane,master" absent:"required"`
	// SchedulesWorkloads means that a control-plane pool also runs workloads.
	SchedulesWorkloads bool `json:"schedulesWorkloads"`
	// Size is the number of nodes, with autoscaling the minimum.
	Size *int64 `json:"size" absent:"required"`
	// InstanceType names one of the instance types.
	InstanceType string `json:"instanceType"`
	// Capacity is the capacity of each node. Its fields replace the fields of the instance type.
	Capacity Capacity `json:"capacity"`
	// Reserved is the capacity of each node that workloads cannot use.
	Reserved Capacity `json:"reserved"`
}

// InstanceType is a kind of node.
type InstanceType struct {
	// Name is what machine pools refer to.
	Name string `json:"name" required:"true"`
	// Capacity is the capacity of a node of the type.
	Capacity Capacity `json:"capacity"`
}

// Capacity is the capacity of a node, in Kubernetes quantities as written.
type Capacity struct {
	// CPU is a quantity of cores: 4, or 3500m.
	CPU Text `json:"cpu"`
	// Memory is a quantity of bytes: 16Gi.
	Memory Text `json:"memory"`
	// DiskSize is a quantity of bytes: 60G.
	DiskSize Text `json:"diskSize"`
}

// Text is a scalar by its source text.
type Text = decode.Text

// Facts are texts by their dotted names.
type Facts map[string]string

// IsString reports whether API servers take the value of a system name for a string: all but ports.
func (*Facts) IsString(name string) bool { return !strings.HasSuffix(name, "port") }

// DecodeNode flattens nested maps. Names with dots are taken as they are.
//
//	system:
//	  kubernetes: {version: 1.33.2}   # the fact kubernetes.version
//	  cluster.name: edge              # the fact cluster.name
func (f *Facts) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind != yaml.MappingNode {
		return []diag.Finding{diag.Got(values.KindOf(n), "a map").At(path, values.At(n))}
	}
	*f = Facts{}
	return f.add(n, path, "", map[string]diag.Position{})
}

// add adds the facts of a mapping. Names of nested mappings are joined by dots, and first has the
// names so far.
func (f *Facts) add(n *yaml.Node, path, prefix string, first map[string]diag.Position) []diag.Finding {
	var findings []diag.Finding
	for key, value := range fields(n) {
		name := prefix + key.Value
		switch value.Kind {
		case yaml.MappingNode:
			findings = append(findings, f.add(value, path, name+".", first)...)
		case yaml.ScalarNode:
			if earlier, ok := first[name]; ok {
				findings = append(findings, diag.Duplicate(earlier, values.At(key)).At(diag.Join(path, name), values.At(key)))
			}
			if first[name] = values.At(key); !values.IsNull(value) {
				(*f)[name] = value.Value
			}
		default:
			findings = append(findings, diag.Got(values.KindOf(value), "a string").At(diag.Join(path, name), values.At(value)))
		}
	}
	return findings
}

// IsCluster reports whether an item is a ClusterContext of the package.
func IsCluster(item *list.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return group == Group && item.Kind() == ClusterContextKind && !InCluster(item)
}

// WantsCluster reports whether an item is a ClusterContext of the package, or a Kptfile, whose
// conditions state whether the ClusterContext is pending.
func WantsCluster(item *list.Item) bool { return IsCluster(item) || injection.Wants(item) }

// LoadCluster returns the ClusterContext among the wanted items of a run: the one with the given
// name, or the only one if the name is empty. If there is none, it returns nil without a fault.
// Values of a StandIn take precedence over the values of the ClusterContext.
//
// The faults were reported already. Their paths name the missing facts. An empty path means that
// all facts are missing: the ClusterContext cannot be read, or there are several and none is named.
// Otherwise the ClusterContext contains everything that could be read.
func LoadCluster(run Run, name string) (*ClusterContext, []diag.Finding) {
	cluster, faults := loadCluster(run, name)
	for _, item := range run.Items() {
		if !IsCluster(item) || item.Name() != StandIn {
			continue
		}
		over, _ := readCluster(run, item)
		if cluster == nil {
			return over, faults
		}
		if version := over.System[kubernetesVersion]; version != "" {
			if cluster.System = maps.Clone(cluster.System); cluster.System == nil {
				cluster.System = Facts{}
			}
			cluster.System[kubernetesVersion], cluster.Version = version, over.Resource
		}
		cluster.Properties = append(cluster.Properties, over.Properties...)
	}
	return cluster, faults
}

// StandIn is the name of the ClusterContext that contains what the user of a tool gives in
// place of the ClusterContext of the package, such as --kube-version. No resource can have
// this name.
const StandIn = "--kube-version"

// kubernetesVersion is the system fact.
const kubernetesVersion = "kubernetes.version"

// loadCluster finds the ClusterContext of a run: the named one, or the only one. It returns findings
// if there is none that can be used.
func loadCluster(run Run, name string) (*ClusterContext, []diag.Finding) {
	var found []*list.Item
	var names []string
	for _, item := range run.Items() {
		if item.Name() == StandIn {
			continue
		}
		if isNearCluster(item) && (name == "" || item.Name() == name) {
			// Load reports it. Until it is corrected nothing is known of the cluster.
			return nil, []diag.Finding{diag.Got(item.APIVersion()+" "+item.Kind(), GroupVersion+" ClusterContext")}
		}
		if IsCluster(item) {
			names = append(names, item.Name())
			if name == "" || item.Name() == name {
				found = append(found, item)
			}
		}
	}
	slices.Sort(names)
	var f diag.Finding
	switch {
	case name != "" && len(found) == 0:
		f = diag.NotFound(ClusterContextKind, name, names)
	case len(found) == 0:
		return nil, nil
	case len(found) > 1 && (name != "" || names[0] == names[len(names)-1]): // a name cannot choose
		f = diag.Say("the package has %d ClusterContexts named %q", len(found), found[0].Name()).Do("give each its own name, or remove all but one")
	case len(found) > 1:
		f = diag.Say("the package has %d ClusterContexts (%s)", len(found), strings.Join(names, ", ")).Do("name one here")
	default:
		return readCluster(run, found[0])
	}
	f.Without = ClusterContextKind
	run.ConfigInvalid(f.At(run.ConfigPath("clusterContext"), diag.Position{}))
	return nil, []diag.Finding{f}
}

// KubernetesPath is the field of a ClusterContext with the version of Kubernetes.
const KubernetesPath = "spec.system." + kubernetesVersion

// Kubernetes returns the version of Kubernetes, or "" if it is unknown, and the resource that has
// it at [KubernetesPath]. Nothing is known of a nil ClusterContext.
func (c *ClusterContext) Kubernetes() (version string, in diag.Resource) {
	if c == nil {
		return "", in
	}
	return c.System[kubernetesVersion], cmp.Or(c.Version, c.Resource)
}

// Cluster returns the only ClusterContext, or nil if there is none, and whether all of it is known.
// It reports nothing: other functions report faults of the ClusterContext.
func Cluster(run Run) (*ClusterContext, bool) {
	cluster, faults := LoadCluster(Quiet(run), "")
	return cluster, len(faults) == 0 && (cluster == nil || !cluster.Injection.IsPending)
}

// Quiet returns a run that reports nothing.
func Quiet(run Run) Run { return quiet{run} }

// quiet is a run that reports nothing.
type quiet struct{ Run }

func (quiet) Report(...diag.Finding)     {}
func (quiet) ConfigInvalid(diag.Finding) {}

// readCluster reads a ClusterContext, and reports its faults.
//
//	apiVersion: packs.kpt.dev/v1alpha1
//	kind: ClusterContext
//	spec:
//	  system: {kubernetes: {version: 1.33.2}}
//	  variables: {HOST: web.example.com}
//	  machinePools: [{name: workers, role: worker, size: 3, capacity: {cpu: "4", memory: 16Gi}}]
func readCluster(run Run, item *list.Item) (*ClusterContext, []diag.Finding) {
	resource := item.Resource()
	whole := func(field string, f diag.Finding) (*ClusterContext, []diag.Finding) {
		f.Without = ClusterContextKind
		run.Report(f.About(resource, field).Of(rule.InputInvalid))
		return nil, []diag.Finding{f.At("", diag.Position{})}
	}
	if item.APIVersion() != GroupVersion {
		return whole("apiVersion", diag.GotText(item.APIVersion(), GroupVersion))
	}
	document, err := item.Document()
	if err != nil {
		return whole("", diag.Unreadable(err))
	}
	status := injection.NewReader(run).Of(item)
	if status.IsPending {
		return &ClusterContext{Resource: resource, Injection: status}, nil
	}
	read := values.Derived(document, func() clusterFile { return readClusterFile(document) })
	origin := diag.Whole(resource)
	for _, f := range read.findings {
		if read.spec == nil {
			f.Without = ClusterContextKind
		}
		if f.Rule == (diag.Rule{}) {
			f = f.Of(rule.InputInvalid)
		}
		run.Report(f.From(origin))
	}
	if read.spec == nil {
		return nil, slices.Clone(read.findings)
	}
	for _, f := range read.unknown {
		run.Report(f.About(resource, "spec."+f.Key).Of(rule.InputInvalid))
	}
	for f := range decode.Ambiguous(document.Root(), "", new(kindFile[*ClusterContext])) {
		run.Report(f.From(origin))
	}
	spec := *read.spec
	spec.Resource, spec.Injection, spec.Properties = resource, status, slices.Clip(spec.Properties)
	return &spec, slices.Clone(read.findings)
}

// clusterFile is a ClusterContext with its faults, and the system facts that are none.
type clusterFile struct {
	// spec is the content, or nil if it cannot be read.
	spec              *ClusterContext
	findings, unknown []diag.Finding
}

// readClusterFile decodes a ClusterContext. Placeholders that the user has not filled count as absent,
// and are findings.
func readClusterFile(document *values.Document) (read clusterFile) {
	var file kindFile[*ClusterContext]
	root, placeholders := unfilled(document.Root(), "")
	isPlaceholder := map[string]bool{}
	for _, f := range placeholders {
		isPlaceholder[f.Key] = true
	}
	isAbsent := func(f diag.Finding) bool { return isPlaceholder[f.Key] }
	read.findings = slices.Concat(slices.DeleteFunc(decode.Node(root, "", &file), isAbsent), placeholders)
	if read.spec = file.Spec; read.spec != nil {
		read.spec.System, read.unknown = read.spec.System.Known()
	}
	return read
}
