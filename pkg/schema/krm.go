package schema

import (
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function validate-pack-values.
func Function() function.Function {
	return FunctionWith(func(*pack.Pack) *values.Document { return nil })
}

// FunctionWith is [Function] for tools that know the values of packs as they were imported: the
// baseline of read-only values. It is nil for a pack that they do not know.
func FunctionWith(baseline func(*pack.Pack) *values.Document) function.Function {
	return function.Function{
		Name:    rule.ValidatePackValues,
		Kind:    Kind,
		Checks:  true,
		Rules:   rule.By(rule.ValidatePackValues),
		Kinds:   pack.Kinds(),
		Waiting: rule.ValuesDeferred,
		New:     func() function.Processor { return &processor{schemas: map[string]readSchema{}, baseline: baseline} },
	}
}

// Kind is the kind of the functionConfig of validate-pack-values.
const Kind = "ValidatePackValues"

// Config is the spec of the kind ValidatePackValues.
type Config struct {
	function.Options
	pack.Choice
	// UnknownKeys is the severity of unknown keys, or ignore if they are not reported.
	UnknownKeys string `json:"unknownKeys" enum:"ignore,warning,error" default:"ignore"`
	// Targets are fields of any resources, each with a schema for its values.
	Targets []Target `json:"targets"`
}

// Target is a field of some resources and the schema of its values.
type Target struct {
	// Selector selects the resources: all fields that are given must be equal.
	Selector selector.Selector `json:"selector" required:"true"`
	// Path is the field, `spec.values` or `data[config.yaml]`: a map, a list, or a string with
	// YAML.
	Path string `json:"path" required:"true"`
	// Schema is the content of a schema.yaml, as a map or as a string. If the values are a list,
	// its keys start with "$[]".
	Schema *yaml.Node `json:"schema" required:"true"`
}

// processor is one run of validate-pack-values.
type processor struct {
	// config is the functionConfig, and run the run of the function.
	config Config
	run    *function.Run
	// points are the injection points that were to be checked.
	points []injection.Status
	// injection tells which resources are pending.
	injection *injection.Reader
	// schemas are the parsed schemas by their text, because many packs can share one.
	schemas map[string]readSchema
	// texts returns the texts in which macros may read values of packs, and which charts run as
	// templates.
	texts func() []string
	// versions are the charts that do not allow the version of the cluster, or nil if that is
	// unknown.
	versions func() *facts.Versions
	// cluster returns the ClusterContext, and whether it is known.
	cluster func() (*pack.ClusterContext, bool)
	// profiles are the cluster profiles of the run.
	profiles []*pack.Profile
	// baseline returns the values of a pack as they were imported, or nil if they are not known.
	baseline func(*pack.Pack) *values.Document
	// meter bounds the work of all checks of the run.
	meter meter.Meter
	// releases are the Helm releases of the run.
	releases releases
}

// readSchema is a parsed schema with its faults.
type readSchema struct {
	// schema is nil for a text that cannot be read, and faults are the errors in it.
	schema *Schema
	faults []diag.Finding
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || p.releases.wants(item) || slices.ContainsFunc(p.config.Targets, func(t Target) bool { return t.Selector.MatchesHead(item) })
}

// Process checks the packs, the releases, the profiles and the targets of the configuration.
func (p *processor) Process(run *function.Run) {
	p.run, p.injection = run, injection.NewReader(run)
	if p.config.UnknownKeys == "" || p.config.UnknownKeys == "ignore" {
		run.SkipRule(rule.ValuesUnknownKey)
	}
	set := pack.Load(run, p.config.Choice)
	p.texts = sync.OnceValue(set.Texts)
	if !p.releases.hasFacts && !slices.ContainsFunc(set.Chosen, func(one *pack.Pack) bool { return one.ChartFacts != nil }) {
		for _, r := range []diag.Rule{rule.ValuesInert, rule.ValuesChartSchema, rule.ValuesChartVersion, rule.ValuesNoChartValues} {
			run.SkipRule(r)
		}
	}
	p.cluster = sync.OnceValues(func() (*pack.ClusterContext, bool) { return pack.Cluster(run) })
	p.profiles = set.Profiles
	p.versions = sync.OnceValue(func() *facts.Versions {
		cluster, _ := p.cluster()
		return facts.NewVersions(cluster)
	})
	for _, one := range set.Chosen {
		run.Guard(one.Resource, func() { p.pack(one) })
	}
	if p.releases.hasFacts && len(p.config.Packs) == 0 {
		p.checkReleases()
	}
	run.Report(p.versions().Findings()...)
	for _, profile := range set.Profiles {
		run.Guard(profile.Resource, func() { p.profile(profile, set) })
	}
	for _, one := range set.Waiting {
		p.points = append(p.points, one.Statuses()...)
	}
	for i := range p.config.Targets {
		p.target(i)
	}
	injection.Report(run, p.points, rule.ValuesDeferred, "values that depend on it are not checked", injection.Advice)
	if len(set.Packs)+len(set.Profiles) == 0 && !set.IsPartial() && len(p.config.Targets) == 0 && !p.releases.hasFacts {
		run.NothingToDo(pack.NoPacks)
	}
}

// pack checks the effective values of a pack with its schema and with the facts about its charts.
func (p *processor) pack(one *pack.Pack) {
	schema := &Schema{}
	if one.Schema != nil {
		schema = p.schema(one.Schema, one.Name)
	}
	effective, faults := one.Effective()
	for _, f := range faults {
		p.run.Report(f.Of(rule.ValuesInvalidYAML).Until("the other values of the pack are not checked"))
	}
	if effective == nil {
		return
	}
	for f := range effective.Duplicates() {
		p.run.Report(f.For(one.Name))
	}
	p.points = append(p.points, one.Statuses()...)
	checked := Values{Tree: effective.Tree, Layers: effective.Documents, Own: effective.Own, Absent: one.OwnValues().Origin, Incomplete: effective.Incomplete, IsPending: one.IsPending()}
	checked.Edited = one.HasValuesOfProfile()
	if record, _ := pack.ParseImported(one.Imported); checked.Edited || record.Version == one.Version {
		checked.Baseline, checked.Recorded = p.baseline(one), record.ReadOnly
	}
	p.sources(one, schema, &checked)
	checked.Variable = p.variables(one)
	presets, _ := one.ReadPresets() // apply-preset reports their faults
	for _, preset := range presets {
		if preset.Add != nil && len(preset.Faults) == 0 {
			checked.Added = append(checked.Added, preset.Add)
		}
		checked.Removed = append(checked.Removed, preset.Remove...)
	}
	var charts *facts.Checker
	if read := p.facts(one); read != nil && !one.IsPending() {
		charts = facts.NewChecker(read, one, effective, p.texts())
		charts.Versions, charts.Meter = p.versions(), &p.meter
	}
	isReported := p.check(schema, checked, one.Name, charts)
	layering(one, effective, func(f diag.Finding) { p.run.Report(f.For(one.Name)) })
	if charts != nil {
		p.run.Report(slices.DeleteFunc(charts.Findings(), isReported)...)
	}
}

// sources adds the values with the sources of macros, if any value has one, for a schema with
// read-only values.
func (p *processor) sources(one *pack.Pack, schema *Schema, checked *Values) {
	isReadOnly := func(e Entry) bool { return e.Template.ReadOnly }
	hasSources := func(d *values.Document) bool { return strings.Contains(d.Text(), hydration.Marker) }
	if !slices.ContainsFunc(schema.Entries, isReadOnly) || !slices.ContainsFunc(checked.Layers, hasSources) {
		return
	}
	if effective, _ := one.EffectiveWithMacros(); effective != nil {
		checked.Sources, checked.OwnSources = effective.Tree, effective.Own
	}
}

// facts returns what the charts of a pack read, or nil if that is unknown.
func (p *processor) facts(one *pack.Pack) *facts.Pack {
	if one.ChartFacts == nil {
		return nil
	}
	document, err := one.ChartFacts.Document()
	if err == nil {
		var read *facts.Pack
		if read, err = facts.Read(document); err == nil {
			return read
		}
	}
	p.run.Report(diag.Unreadable(err).From(one.ChartFacts.Origin).For(one.Name).Do("import the pack again").Of(rule.InputInvalid))
	return nil
}

// check checks values and reports the findings. charts may be nil. The result reports whether the
// pack's own values have a finding of the charts as well.
func (p *processor) check(schema *Schema, checked Values, packName string, charts *facts.Checker) func(diag.Finding) bool {
	checked.Meter = &p.meter
	level := p.config.UnknownKeys
	c := newChecker(schema, checked, func(f diag.Finding) {
		if f.Rule == rule.ValuesUnknownKey {
			f.Severity = diag.Severity(level)
		}
		if f.Rule != rule.ValuesNearKey || !charts.Knows(f.Key) { // values/inert says it, if it is so
			p.run.Report(f.For(packName))
		}
	})
	c.entries()
	if c.unknown = level == "warning" || level == "error"; !checked.IsPending {
		c.overrides()
		c.placeholders()
	}
	return func(f diag.Finding) bool {
		return f.Rule == rule.ValuesMisplaced && c.reported[layerKey{f.Origin, f.Key}]
	}
}

// schema reads a schema and reports its faults.
func (p *processor) schema(source *pack.Source, packName string) *Schema {
	read, known := p.schemas[source.Text()]
	if !known || !source.Embedded {
		document, err := source.Document()
		if err != nil {
			read = readSchema{&Schema{}, []diag.Finding{diag.Unreadable(err).Of(rule.SchemaInvalid)}}
		} else {
			read = values.Derived(document, func() readSchema {
				schema, faults := Parse(document)
				return readSchema{schema, faults}
			})
		}
		if source.Embedded {
			p.schemas[source.Text()] = read
		}
	}
	for _, f := range read.faults {
		p.run.Report(f.From(source.Origin).For(packName))
	}
	schema := *read.schema
	schema.Origin = source.Origin
	return &schema
}
