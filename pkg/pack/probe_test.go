package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
)

// probe is a function that only loads, and keeps what it got.
type probe struct {
	config probeConfig
	// Set and Cluster are what the loaders returned.
	Set     *Set
	Cluster *ClusterContext
	// Faults are the results of the run, one line each: resource, field, message.
	Faults []string
}

type probeConfig struct {
	function.Options
	Choice
	ClusterContext string `json:"clusterContext"`
}

func (p *probe) Config() any { return &p.config }

func (p *probe) Wants(item *function.Item) bool { return Wants(item) || WantsCluster(item) }

func (p *probe) Process(run *function.Run) {
	p.Set = Load(run, p.config.Choice)
	p.Cluster = LoadCluster(run, p.config.ClusterContext)
}

// load runs the probe over YAML documents; config is the spec of its
// functionConfig, in flow style.
func load(t *testing.T, config, documents string) *probe {
	t.Helper()
	functionConfig := ""
	if config != "" {
		functionConfig = "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: config}, spec: " + config + "}"
	}
	return loadWith(t, functionConfig, documents)
}

// loadWith is load with a whole functionConfig.
func loadWith(t *testing.T, functionConfig, documents string) *probe {
	t.Helper()
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	if functionConfig != "" {
		text += "functionConfig: " + functionConfig + "\n"
	}
	text += "items:\n"
	for document := range strings.SplitSeq(strings.TrimPrefix(documents, "\n"), "---\n") {
		text += "- " + strings.ReplaceAll(strings.TrimRight(document, "\n"), "\n", "\n  ") + "\n"
	}
	list, err := function.Read([]byte(text))
	if err != nil {
		t.Fatalf("reading the list: %v\n%s", err, text)
	}
	p := &probe{}
	outcome := function.Evaluate(function.Function{
		Name: "probe", Kind: "Probe", New: func() function.Processor { return p },
	}, list)
	for _, r := range outcome.Results {
		where := "-"
		if r.ResourceRef != nil {
			where = strings.TrimSpace(r.ResourceRef.Kind + " " + r.ResourceRef.Name)
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		if line := r.Tags["line"]; line != "" {
			where += " line " + line
		}
		p.Faults = append(p.Faults, fmt.Sprintf("%s | %s", where, r.Message))
	}
	return p
}

// names are the names of the packs that were loaded.
func (p *probe) names() string {
	var names []string
	for _, pack := range p.Set.Packs {
		names = append(names, pack.Name)
	}
	return strings.Join(names, ",")
}
