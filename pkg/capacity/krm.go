package capacity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Function returns the KRM function check-resources.
func Function() function.Function {
	return function.Function{
		Name:       rule.CheckResources,
		Kind:       "CheckResources",
		Checks:     true,
		NeedsNodes: true,
		Rules:      rule.By(rule.CheckResources),
		Kinds:      pack.Kinds(),
		Waiting:    rule.ResourcesWaiting,
		New:        func() function.Processor { return &processor{} },
	}
}

// Config is the spec of the kind CheckResources.
type Config struct {
	function.Options
	pack.Choice
	// ClusterContext names the ClusterContext to use, if there are several.
	ClusterContext string `json:"clusterContext" absent:"the only ClusterContext"`
	// MachinePools are the machine pools, which replace the pools of the ClusterContext.
	MachinePools []pack.MachinePool `json:"machinePools" absent:"those of the ClusterContext"`
	// InstanceTypes are the types that machine pools refer to, in addition to the instance types of
	// the ClusterContext. They replace types with the same name there.
	InstanceTypes []pack.InstanceType `json:"instanceTypes"`
}

// processor is one run of check-resources.
type processor struct {
	config Config
	// cluster is the ClusterContext, or nil if there is none, or none that can be read.
	cluster *pack.ClusterContext
	// pools are the machine pools of the ClusterContext.
	pools []Pool
	// waits reports whether facts of the cluster are still to be injected.
	waits bool
	// points are the injection points among the ClusterContext and the packs.
	points []injection.Status
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool { return pack.Wants(item) || pack.WantsCluster(item) }

// Process adds up the demands of the chosen packs and compares them with the pools.
func (p *processor) Process(run *function.Run) {
	set := pack.Load(run, p.config.Choice)
	p.readPools(run)
	var demands []Demand
	isConstrained, isMisspelt := len(set.Waiting) > 0, false
	stating := 0 // packs that state requests
	for _, one := range set.Waiting {
		p.points = append(p.points, one.Statuses()...)
	}
	macrosWait := p.waits || slices.ContainsFunc(set.Points(), func(one injection.Status) bool { return one.IsPending })
	for _, one := range set.Chosen {
		run.Guard(one.Resource, func() {
			hasRequests := false
			requested := readDemands(one, run.IsAccepted, macrosWait, func(f diag.Finding) {
				hasRequests = true
				isMisspelt = isMisspelt || f.Nearest != "" && f.Level() == diag.Error
				if f.Rule != rule.ResourcesWaiting { // said once, for all
					run.Report(f)
				}
			})
			demands = append(demands, requested...)
			if hasRequests || len(requested) > 0 {
				stating++
				isConstrained = true
				p.points = append(p.points, one.Statuses()...)
			}
		})
	}
	switch {
	case isConstrained:
		for _, f := range Compare(demands, p.pools) {
			isOpen := f.Rule == rule.ResourcesNoPool && p.waits && len(p.config.MachinePools) == 0
			if isPartial := f.Rule == rule.ResourcesSummary && isMisspelt; !isOpen && !isPartial {
				if f.Rule == rule.ResourcesSummary {
					f.Found = statedBy(stating, len(set.Chosen)) + f.Found
				}
				if p.cluster == nil {
					f.Without = pack.ClusterContextKind
				}
				run.Report(p.located(f))
			}
		}
		if p.cluster != nil {
			p.points = append(p.points, p.cluster.Injection)
		}
		injection.Report(run, p.points, rule.ResourcesWaiting, "requests that depend on it are not compared with machine pools", injection.Advice)
	case len(set.Packs) == 0 && !set.IsPartial():
		run.NothingToDo(pack.NoPacks)
	case len(set.Chosen) > 0 && !run.Failed():
		run.NothingToDo(fmt.Sprintf("the checked packs (%d) have no constraints.resources in pack.json", len(set.Chosen)))
	}
}

// statedBy returns the beginning of a summary that leaves out the packs without requests. It
// returns "" if all packs state requests.
func statedBy(stating, packs int) string {
	if stating == packs {
		return ""
	}
	verb := "state"
	if stating == 1 {
		verb = "states"
	}
	return fmt.Sprintf("%d of %s %s requests; ", stating, diag.Count(packs, "pack"), verb)
}

// readPools reads the machine pools of the functionConfig or of the ClusterContext.
func (p *processor) readPools(run *function.Run) {
	own := &pack.ClusterContext{MachinePools: p.config.MachinePools, InstanceTypes: p.config.InstanceTypes}
	if origin := run.ConfigOrigin(); origin != nil {
		own.Resource = origin.Resource
	}
	p.cluster, _ = pack.LoadCluster(run, p.config.ClusterContext)
	p.waits = p.cluster != nil && p.cluster.Injection.IsPending
	faults := run.Faults()
	var findings []diag.Finding
	p.pools, findings = Pools(run.IsAccepted, own, p.cluster)
	for _, f := range findings {
		switch {
		case f.Kind == diag.KindMissing && isHidden(faults, f):
		case p.waits && (f.Kind == diag.KindNotFound || f.Kind == diag.KindMissing && f.Resource() == p.cluster.Resource):
		case f.Rule == rule.InputInvalid && f.Resource() == own.Resource:
			run.ConfigInvalid(f)
		default:
			run.Report(f)
		}
	}
	p.leaveOpen(faults)
}

// leaveOpen makes unknown what a node lacks and may have: it is still to be injected, or cannot
// be read.
func (p *processor) leaveOpen(faults function.Faults) {
	for i := range p.pools {
		of, isFaulty := p.pools[i].Origin.Resource, false
		for _, path := range []string{p.pools[i].Path + "." + fieldCapacity, p.pools[i].Path + "." + fieldInstanceType, pathTypes} {
			isFaulty = isFaulty || faults.IsHidden(of, path)
		}
		if !p.waits && !isFaulty {
			continue
		}
		for _, t := range Types() {
			if _, ok := p.pools[i].Node[t]; !ok {
				p.pools[i].Node[t] = Stock{Faulty: true}
			}
		}
	}
}

// isHidden reports whether a field only seems to be missing: it is there and cannot be
// decoded, which was reported. An instance type is not missing if there is a capacity.
func isHidden(faults function.Faults, f diag.Finding) bool {
	pool, isInstanceType := strings.CutSuffix(f.Key, fieldInstanceType)
	return faults.IsHidden(f.Resource(), f.Key) || isInstanceType && faults.IsHidden(f.Resource(), pool+fieldCapacity)
}

// located returns a finding with its place. Only one about a role has none, where there
// are not pools.
func (p *processor) located(f diag.Finding) diag.Finding {
	switch {
	case f.Origin != nil:
	case p.cluster != nil: // the field as a whole is missing, for which its misspelt name can be the cause
		f.Kind, f.Found, f.Sentence = diag.KindMissing, "", f.Found
		return f.About(p.cluster.Resource, pathPools)
	default:
		f.Action += ". Declare pools in " + pathPools + " of a ClusterContext (" + pack.GroupVersion + ") or of CheckResources (" +
			function.ConfigGroupVersion + ")"
		f = f.IfUnseen("if there is a ClusterContext")
	}
	return f
}
