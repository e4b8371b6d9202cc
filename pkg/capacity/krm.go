package capacity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function check-resources.
func Function() function.Function {
	return function.Function{
		Name: "check-resources",
		Kind: "CheckResources",
		Rules: []function.Rule{
			{ID: string(RuleInsufficient), Severity: function.Error},
			{ID: string(RuleInvalid), Severity: function.Error},
			{ID: string(RuleNoPool), Severity: function.Error},
			{ID: string(RuleUnresolvedRef), Severity: function.Warning},
			{ID: string(RuleSuspiciousUnit), Severity: function.Warning},
			{ID: string(RuleSummary), Severity: function.Info},
		},
		New: func() function.Processor { return &checker{} },
	}
}

// Config is the spec of the kind CheckResources.
type Config struct {
	function.Options
	pack.Choice
	// ClusterContext names the ClusterContext that counts, when there are
	// several.
	ClusterContext string `json:"clusterContext"`
	// MachinePools are the machine pools; they stand in the place of those of the
	// ClusterContext.
	MachinePools []pack.MachinePool `json:"machinePools"`
	// InstanceTypes are what machine pools refer to, beside those of the
	// ClusterContext; of two with one name these count.
	InstanceTypes []pack.InstanceType `json:"instanceTypes"`
}

// checker is one run of check-resources.
type checker struct {
	config Config
	run    *function.Run
	nodes  nodes
	// packs are those that have resource constraints, demands what they ask for,
	// findings what there is to say.
	packs    []*pack.Pack
	demands  []Demand
	findings []Finding
}

func (c *checker) Config() any { return &c.config }

func (c *checker) Wants(item *function.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item)
}

func (c *checker) Process(run *function.Run) {
	c.run = run
	set := pack.Load(run, c.config.Choice)
	for _, p := range set.Chosen {
		run.Guard(p.Resource, func() { c.pack(p) })
	}
	c.nodes = loadNodes(run, &c.config)
	pools, problems := Pools(c.nodes.pools, c.nodes.types)
	for _, p := range problems {
		c.nodes.report(run, p)
	}
	if len(c.packs) > 0 {
		c.findings = append(c.findings, Compare(c.names(), c.demands, pools)...)
	}
	for _, f := range c.findings {
		if f.Rule != RuleNoPool || !c.nodes.unread {
			run.Report(c.finding(f))
		}
	}
	switch {
	case len(set.Packs) == 0 && !set.Unread:
		run.NothingToDo("the list holds no packs: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1); a selector of the function may hide it")
	case len(c.packs) == 0 && len(set.Chosen) > 0 && !set.Unread:
		run.NothingToDo(fmt.Sprintf("none of the packs that are checked (%d) has constraints.resources in its pack.json", len(set.Chosen)))
	}
}

// pack reads what a pack asks for. Its documents are not kept: a large list does
// not have to fit into memory as trees.
func (c *checker) pack(p *pack.Pack) {
	read, ok := c.read(p)
	if !ok {
		return
	}
	index := len(c.packs)
	c.packs = append(c.packs, p)
	demands, findings := Demands([]Pack{read})
	for _, d := range demands {
		d.Pack = index
		c.demands = append(c.demands, d)
	}
	for _, f := range findings {
		f.Pack = index
		c.findings = append(c.findings, f)
	}
}

// read reads a pack, false when it asks for no resources. Its values are read
// only when a component refers to them.
func (c *checker) read(p *pack.Pack) (Pack, bool) {
	if p.Metadata.Embedded() && !mayConstrain(p.Metadata.Text()) {
		return Pack{}, false // the common case, without parsing
	}
	metadata, err := p.Metadata.Mapping()
	if err != nil || !Constrained(metadata) {
		return Pack{}, false // what can not be read was reported
	}
	read := Pack{Name: p.Name, Metadata: metadata}
	if !Components(metadata) {
		return read, true
	}
	effective, faults := p.Effective()
	for _, fault := range faults {
		c.run.Report(fault.Source.Locate(function.Finding{
			Rule: function.RuleInputInvalid.ID, Pack: p.Name,
			Message: fmt.Sprintf("%s: can not be read as values: %v; the components of the pack %q are not counted until this is mended", fault.Source.Name, fault.Err, p.Name),
		}, "", values.ErrorPosition(fault.Err)))
	}
	if effective == nil {
		return read, true
	}
	for i, document := range effective.Documents {
		c.duplicates(p, effective.Layers[i], document)
	}
	read.Values = effective.Tree
	return read, true
}

// mayConstrain reports whether a pack.json may have resource constraints. A slip in
// a name leaves one of its halves, and an escape may stand for any letter.
func mayConstrain(text string) bool {
	return slices.ContainsFunc([]string{fieldConstraints, "reso", "rces", `\`}, func(part string) bool { return strings.Contains(text, part) })
}

// duplicates reports keys that stand twice among values: which one counts is not
// certain.
func (c *checker) duplicates(p *pack.Pack, source *pack.Source, document *values.Document) {
	for _, d := range document.Duplicates() {
		lines := "twice"
		if source.Embedded() {
			lines = fmt.Sprintf("on line %d and again on line %d", d.First.Line, d.Second.Line)
		}
		c.run.Report(source.Locate(function.Finding{
			Rule: function.RuleInputInvalid.ID, Pack: p.Name,
			Message: fmt.Sprintf("%s: the key stands %s; remove one, so that it is certain which one counts (%s)", d.Path, lines, source.Name),
		}, d.Path, d.Second))
	}
}

// names returns the packs by their names alone, those of one name told apart by
// what holds them.
func (c *checker) names() []Pack {
	count := map[string]int{}
	for _, p := range c.packs {
		count[p.Name]++
	}
	named := make([]Pack, len(c.packs))
	for i, p := range c.packs {
		if named[i].Name = p.Name; count[p.Name] > 1 {
			named[i].Name = fmt.Sprintf("%s (%s)", p.Name, p.Resource)
		}
	}
	return named
}

// finding makes a finding of the run, with its place.
func (c *checker) finding(f Finding) function.Finding {
	out := function.Finding{Rule: string(f.Rule), Message: f.Message, Tags: f.Tags, Current: f.Current, Proposed: f.Proposed}
	switch f.Subject {
	case OfMetadata, OfValues:
		p := c.packs[f.Pack]
		source := p.Metadata
		if f.Subject == OfValues {
			source = p.Layers()[max(f.Layer, 0)]
		}
		out.Pack = p.Name
		out = source.Locate(out, f.Key, f.At)
		if f.Subject == OfMetadata && out.InResource {
			out.Message = source.Field + "." + out.Message // which is where the message starts
		} else {
			out.Message = fmt.Sprintf("%s (%s)", out.Message, source.Place(f.At))
		}
	case OfPool:
		out = c.nodes.locatePool(out, f.Pool, f.Field)
	default:
		out.Resource, out.Field = c.nodes.resource, c.nodes.path
		where := "; machine pools stand in spec.machinePools of a ClusterContext (packs.kpt.dev/v1alpha1) or of CheckResources (fn.kpt.dev/v1alpha1)"
		if !c.nodes.found {
			where += ", and a selector of the function may hide a ClusterContext"
		}
		out.Message += where
	}
	return out
}

// nodes are the machine pools and instance types of a run, and where they stand.
type nodes struct {
	pools []pack.MachinePool
	types []pack.InstanceType
	// ofConfig is how many of the instance types are those of the functionConfig,
	// which come first; poolsOfConfig says that the pools are.
	ofConfig      int
	indexes       []int // where the instance types stand in their own list
	poolsOfConfig bool
	cluster       *pack.ClusterContext
	config        function.Resource
	configPath    func(string) string
	faults        []function.Problem
	// resource and path are what a finding about all pools is about.
	resource function.Resource
	path     string
	// found says that there is a ClusterContext, unread that the pools could not
	// be read, which was reported.
	found, unread bool
}

func loadNodes(run *function.Run, config *Config) nodes {
	n := nodes{config: run.ConfigResource(), configPath: run.ConfigPath}
	n.cluster, n.faults = pack.LoadClusterFaults(run, config.ClusterContext)
	n.found = slices.ContainsFunc(run.Items(), pack.WantsCluster)
	add := func(types []pack.InstanceType) {
		given := n.types
		for i, it := range types {
			if it.Name == "" || !slices.ContainsFunc(given, func(other pack.InstanceType) bool { return other.Name == it.Name }) {
				n.types, n.indexes = append(n.types, it), append(n.indexes, i)
			}
		}
	}
	add(config.InstanceTypes)
	n.ofConfig = len(n.types)
	if n.cluster != nil {
		add(n.cluster.InstanceTypes)
	}
	switch {
	case len(config.MachinePools) > 0:
		n.pools, n.poolsOfConfig = config.MachinePools, true
		n.resource, n.path = n.config, n.configPath("machinePools")
	case n.cluster != nil:
		n.pools = n.cluster.MachinePools
		n.resource, n.path = n.cluster.Resource, "spec.machinePools"
	}
	n.unread = len(n.pools) == 0 && (n.hasFault("spec.machinePools") || run.HasConfigFault(n.configPath("machinePools")))
	return n
}

// hasFault reports whether a field of the ClusterContext could not be read.
func (n *nodes) hasFault(field string) bool {
	return slices.ContainsFunc(n.faults, func(p function.Problem) bool { return function.Overlap(p.Path, field) })
}

// locatePool puts a field of a pool into a finding.
func (n *nodes) locatePool(f function.Finding, pool int, field string) function.Finding {
	path := fmt.Sprintf("machinePools[%d]", pool)
	if field != "" {
		path += "." + field
	}
	return n.locate(f, n.poolsOfConfig, path, n.pools[pool].Name)
}

func (n *nodes) locate(f function.Finding, ofConfig bool, path, pool string) function.Finding {
	if pool != "" {
		tags := map[string]string{"pool": pool}
		for key, value := range f.Tags {
			tags[key] = value
		}
		f.Tags = tags
	}
	if ofConfig {
		f.Resource, f.Field = n.config, n.configPath(path)
	} else {
		f.Resource, f.Field = n.cluster.Resource, "spec."+path
	}
	return f
}

// report reports a problem of a pool or an instance type, unless the field could
// not even be decoded, which was reported.
func (n *nodes) report(run *function.Run, p PoolProblem) {
	out := function.Finding{Rule: string(p.Rule)}
	if p.Current != "" {
		out.Current = p.Current
	}
	if p.Proposed != "" {
		out.Proposed = p.Proposed
	}
	ofConfig := n.poolsOfConfig
	if p.Pool >= 0 {
		out = n.locatePool(out, p.Pool, p.Field)
	} else {
		ofConfig = p.InstanceType < n.ofConfig
		out = n.locate(out, ofConfig, fmt.Sprintf("instanceTypes[%d].%s", n.indexes[p.InstanceType], p.Field), "")
	}
	if p.Absent {
		fault := n.hasFault
		if ofConfig {
			fault = run.HasConfigFault
		}
		if fault(out.Field) || p.Field == fieldInstanceType && fault(strings.TrimSuffix(out.Field, p.Field)+fieldCapacity) {
			return
		}
	}
	if out.Message = out.Field + ": " + p.Message; p.Rule == "" {
		out.Rule = function.RuleInputInvalid.ID
		if ofConfig {
			out.Rule = function.RuleConfigInvalid.ID
		}
	}
	run.Report(out)
}
