package pack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is config.yaml and resources.yaml as in TestCases, where EACH stands for one line of the file each after the
// other. The outcome is what is found and loaded, and with the file texts also the texts that may have macros. With the
// file rotated the outcome is the same if the list begins with another resource.
func TestLoad(t *testing.T) {
	cases.Table(t, "load/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, each := range strings.Split(strings.TrimSuffix(c.Text("each"), "\n"), "\n") {
			config, resources := c.Text("config.yaml"), strings.ReplaceAll(c.Text("resources.yaml"), "EACH", each)
			if c.Has("each") {
				fmt.Fprintln(&b, "$ "+each)
			}
			p := load(t, config, resources)
			b.WriteString(p.text(t))
			if c.Has("texts") {
				fmt.Fprintf(&b, "texts: %q\n", p.Set.Texts())
			}
			if c.Has("rotated") {
				documents := strings.Split(resources, "---\n")
				for range documents[1:] {
					documents = append(documents[1:], documents[0])
					if got := load(t, config, strings.Join(documents, "---\n")).overrides(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(p.overrides()))) {
						t.Errorf("in another order: got %q", got)
					}
				}
			}
			asked := &asking{}
			out := functiontest.Run(t, function.Function{Name: "probe", Kind: "Probe", New: func() function.Processor { return asked }}, "", resources)
			if !strings.Contains(config, "clusterContext") && (p.Cluster != nil || !asked.isKnown) {
				fmt.Fprintf(&b, "asked for the cluster: Kubernetes %q, known %v\n", asked.kubernetes, asked.isKnown)
				if len(out.Findings) > 0 {
					t.Errorf("who only asks finds %q", functiontest.Facts(out.Findings))
				}
			}
		}
		return b.String()
	})
}

// asking is a function that only asks for the cluster.
type asking struct {
	probe
	kubernetes string
	isKnown    bool
}

func (a *asking) Process(run *function.Run) {
	cluster, isKnown := Cluster(run)
	a.isKnown = isKnown
	a.kubernetes, _ = cluster.Kubernetes()
}

// text prints what was found and loaded.
func (p *probe) text(t *testing.T) string {
	var b strings.Builder
	printf := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\n", arguments...) }
	for i, facts := range functiontest.Facts(p.Found) {
		printf("%s: %s", facts, p.Found[i].Message())
	}
	for _, f := range p.ClusterFaults {
		printf("fault of the cluster at %q: %s", f.Key, f.Message())
	}
	overrides := p.overrides()
	for i, one := range p.Set.Packs {
		printf("%s", strings.Join(strings.Fields("pack "+one.Name+" "+one.Version+" "+one.Layer+" of "+one.Resource.String()), " "))
		printSources(printf, one)
		if overrides[i] != "" {
			printf("  overrides: %s", overrides[i])
		}
		printPresets(t, printf, one)
	}
	if !slices.Equal(p.Set.Chosen, p.Set.Packs) {
		printf("chosen: %s", strings.Join(resources(p.Set.Chosen), ", "))
	}
	for _, one := range slices.Concat(p.Set.Packs, p.Set.Waiting) {
		if len(one.Points) > 0 {
			var names []string
			for _, point := range one.Points {
				names = append(names, strings.TrimSpace(point.Resource.Name+" "+map[bool]string{true: "replace"}[point.Replace]))
			}
			printf("points of %s: %s, waits %v", one.Name, strings.Join(names, ", "), one.IsPending())
		}
	}
	for _, one := range p.Set.Waiting {
		printf("waiting: %s", one.Name)
	}
	p.printProfiles(t, printf)
	if p.Set.Unread || p.Set.IsPartial() {
		printf("unread: %v, partial: %v", p.Set.Unread, p.Set.IsPartial())
	}
	if f := p.Set.NotFound("prometheus"); (f.Unseen != "") == p.Set.Unread {
		t.Errorf("the advice is %q", f.Action)
	}
	printCluster(printf, p.Cluster)
	return b.String()
}

func resources(packs []*Pack) []string {
	var names []string
	for _, one := range packs {
		names = append(names, one.Resource.Name)
	}
	return names
}

func printSources(printf func(string, ...any), p *Pack) {
	for _, s := range []*Source{p.Metadata, p.Values, p.Schema, p.Presets, p.Properties, p.Dependencies} {
		switch {
		case s != nil && s.Embedded:
			printf("  %s in %s: %q", s.Name, s.Field, s.Text())
		case s != nil:
			printf("  %s as %s: %q", s.Field, s.Name, sourceText(s))
		}
	}
	for _, file := range files {
		if p.Hides(file) {
			printf("  hides %s", file)
		}
	}
	switch effective, faults := p.Effective(); {
	case len(faults) > 0 || effective == nil:
		printf("  effective values: not known %q", functiontest.Facts(faults))
	case effective.Incomplete:
		printf("  effective values: incomplete")
	}
	if p.HasValuesOfProfile() {
		printf("  the values are of a profile")
	}
}

// sourceText returns a source, also one that is a map of the resource.
func sourceText(s *Source) string {
	d, err := s.Mapping()
	if err != nil || s.Embedded {
		return s.Text()
	}
	return nodeText(d.Root())
}

func nodeText(n *yaml.Node) string {
	text, _ := yaml.Marshal(n)
	return strings.TrimSpace(string(text))
}

func printPresets(t *testing.T, printf func(string, ...any), p *Pack) {
	presets, faults := p.ReadPresets()
	for _, preset := range presets {
		added := "nothing"
		if preset.Add != nil {
			added = "a=" + values.Text(values.Field(preset.Add.Root(), "a"))
		}
		printf("  preset %s/%s/%s at %s -%v +%s", preset.Name, preset.DisplayName, preset.Group, preset.Position, preset.Remove, added)
		faults = append(faults, preset.Faults...)
	}
	for i, fact := range functiontest.Facts(faults) {
		printf("  fault:%s: %s", fact, faults[i].Message())
		if faults[i].Kind == diag.KindUnreadable && strings.Contains(faults[i].Found, "line ") {
			t.Errorf("two places: %s", faults[i].Message())
		}
	}
}

func (p *probe) printProfiles(t *testing.T, printf func(string, ...any)) {
	for _, profile := range p.Set.Profiles {
		var of []string
		for _, one := range profile.Of {
			if one == nil {
				of = append(of, "-")
				continue
			}
			of = append(of, strings.TrimSpace(one.Name+" "+one.Version))
			if !profile.Has(one) || profile.Has(&Pack{}) {
				t.Errorf("%s: not its own", one.Name)
			}
		}
		printf("profile of %s", strings.Join(of, ", "))
	}
	for i, a := range p.Set.Packs {
		for _, b := range p.Set.Packs[i+1:] {
			if p.Set.AreApart(a.Resource, b.Resource) {
				printf("%s and %s are apart", a.Resource.Name, b.Resource.Name)
			}
		}
	}
}

func printCluster(printf func(string, ...any), c *ClusterContext) {
	if c == nil {
		return
	}
	printf("cluster %s, waits %v: %v", c.Resource.Name, c.Injection.IsPending, map[string]string(c.System))
	if c.Version != (diag.Resource{}) {
		printf("  version of %s", c.Version.Name)
	}
	if len(c.Variables)+len(c.Macros) > 0 {
		printf("  variables: %v, macros: %v", c.Variables, c.Macros)
	}
	for _, n := range slices.Concat(c.Properties, c.Constraints) {
		printf("  entry: %q", nodeText(n))
	}
	for _, pool := range c.MachinePools {
		text, _ := json.Marshal(pool)
		printf("  pool: %s", text)
	}
	for _, one := range c.InstanceTypes {
		text, _ := json.Marshal(one)
		printf("  instance type: %s", text)
	}
}

// overrides are the overrides of each pack in their order.
func (p *probe) overrides() []string {
	var all []string
	for _, one := range p.Set.Packs {
		var texts []string
		for _, o := range one.Overrides {
			texts = append(texts, fmt.Sprintf("%s %s%s %q", o.Values.Resource.Name, o.Scope, map[bool]string{true: " replace"}[o.Replace], sourceText(o.Values)))
		}
		all = append(all, strings.Join(texts, ", "))
	}
	return all
}
