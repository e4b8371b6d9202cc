package pack

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "pack")) }

// The cases are in testdata/cases. They can say in spec.loaded of their config which packs are loaded.
func TestCases(t *testing.T) { functiontest.Cases(t, (&probe{}).function()) }

// probe is a function that only loads, and keeps what it got.
type probe struct {
	config probeConfig
	// Set, Cluster and ClusterFaults are what the loaders returned.
	Set           *Set
	Cluster       *ClusterContext
	ClusterFaults []diag.Finding
	// Found is what the run found.
	Found []diag.Finding
	// isUsed reports whether the run has the probe. A run over corrected items gets another one.
	isUsed bool
}

type probeConfig struct {
	function.Options
	Choice
	ClusterContext string `json:"clusterContext"`
	// Loaded are the names of the resources that must be loaded as packs, or "none", in a case.
	Loaded []string `json:"loaded"`
}

func (p *probe) Config() any { return &p.config }

func (p *probe) Wants(item *list.Item) bool { return Wants(item) || WantsCluster(item) }

func (p *probe) Process(run *function.Run) {
	p.Set = Load(run, p.config.Choice)
	p.Cluster, p.ClusterFaults = LoadCluster(run, p.config.ClusterContext)
	loaded := []string{"none"}
	for i, one := range p.Set.Packs {
		loaded = append(loaded[:i], one.Resource.Name)
	}
	if p.config.Loaded != nil && !slices.Equal(p.config.Loaded, loaded) {
		run.ConfigInvalid(diag.Say("the packs %s are loaded", strings.Join(loaded, ", ")).At(run.ConfigPath("loaded"), diag.Position{}))
	}
}

func (p *probe) function() function.Function {
	return function.Function{Name: "probe", Kind: "Probe", Rules: rule.By(rule.CheckDependencies), New: func() function.Processor {
		if p.isUsed {
			return &probe{}
		}
		p.isUsed = true
		return p
	}}
}

// load runs the probe over YAML documents with a functionConfig, see
// functiontest.List.
func load(t *testing.T, config, documents string) *probe {
	t.Helper()
	p := &probe{}
	out := functiontest.Run(t, p.function(), config, documents)
	p.Found = out.Findings
	return p
}
