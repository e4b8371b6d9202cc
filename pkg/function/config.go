package function

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// ConfigGroupVersion is the apiVersion of the functionConfig kinds, by the
// convention of kpt's function catalog.
const ConfigGroupVersion = ConfigGroup + "/v1alpha1"

const ConfigGroup = "fn.kpt.dev"

// Options are the fields that every functionConfig has. Config structs embed it.
type Options struct {
	// Severity overrides the severity of rules: rule id → error, warning, info
	// or off.
	Severity map[string]string `json:"severity" absent:"the severity of each rule"`
}

func (o *Options) options() *Options { return o }

// configFile is the typed form of a functionConfig.
type configFile struct {
	// APIVersion and Kind were checked before. Metadata is not read, and Spec is decoded into the
	// config of the processor.
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       *yaml.Node `json:"spec"`
}

// configMap is the plain form, for `kpt fn eval -- key=value` and `configMap:`.
type configMap struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	// Data has an entry for each option.
	Data      map[string]string `json:"data"`
	Immutable bool              `json:"immutable"`
}

// readConfig fills the processor's configuration from the functionConfig and
// reports its faults. It fills all fields without a fault, so that the run finds
// everything else there is to fix.
func (r *Run) readConfig(processor Processor, config any) {
	n := r.list.Config()
	if n == nil || len(n.Content) == 0 {
		return // kpt fn render without a configuration
	}
	own := TypeMeta{ConfigGroupVersion, r.function.Kind}
	given := TypeMeta{values.Text(values.Field(n, "apiVersion")), values.Text(values.Field(n, "kind"))}
	findings := list.MisspeltKeys(n, true)
	switch {
	case given == configMapType:
		var file configMap
		findings = slices.Concat(findings, decode.Node(n, "", &file), decode.Flat(file.Data, "data", config, own.String()))
	case given == own:
		var file configFile
		findings = append(findings, decode.Node(n, "", &file)...)
		if file.Spec != nil {
			findings = append(findings, decode.Node(file.Spec, "spec", config)...)
		}
	case slices.Contains(r.function.Accepts, given):
		item, err := r.list.ConfigItem()
		if err == nil && item.Fault() != "" {
			err = fmt.Errorf("%s", item.Fault())
		}
		if err != nil {
			findings = append(findings, diag.Say("%v", err))
			break
		}
		processor.(ResourceReader).ReadResource(item)
	case len(findings) > 0 && (given.APIVersion == "" || given.Kind == ""): // which is misspelt
	default:
		findings = append(findings, r.function.otherKind(given))
	}
	for _, f := range findings {
		r.ConfigInvalid(f)
	}
	switch given {
	case configMapType:
	case own: // which no API server has, but kustomize reads
		r.reportAmbiguous(r.ConfigOrigin(), decode.AmbiguousNumbers(values.Field(n, "spec"), "spec", config))
	default: // an object of a cluster
		r.reportAmbiguous(r.ConfigOrigin(), decode.AmbiguousMetadata(n, ""))
	}
}

// reportAmbiguous reports what an API server reads otherwise of a resource.
func (r *Run) reportAmbiguous(origin *diag.Origin, all iter.Seq[diag.Finding]) {
	for f := range all {
		r.Report(f.From(origin))
	}
}

// clusterGroups are the groups with the kinds of the suite, and with the kinds of others that clusters have
// and the suite reads.
var clusterGroups = []string{"packs.kpt.dev", "ocf.capact.io", "config.porch.kpt.dev", "porch.kpt.dev"}

// checkMetadata reports what an API server reads otherwise of the metadata of an item, if it may be an
// object of a cluster.
func (r *Run) checkMetadata(item *list.Item) {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	if isInCluster := item.Annotation(injection.SourceAnnotation) == "cluster"; !isInCluster && !slices.Contains(clusterGroups, group) {
		return
	}
	r.reportAmbiguous(diag.Whole(item.Resource()), item.AmbiguousMetadata())
}

// Fill fills a configuration with the fields of a functionConfig. It leaves out
// fields with faults: the function reports them when it runs.
func Fill(config any, functionConfig *yaml.Node) {
	switch spec := values.Field(functionConfig, "spec"); {
	case values.Text(values.Field(functionConfig, "kind")) == configMapType.Kind:
		decode.Flat(list.Texts(values.Field(functionConfig, "data")), "data", config, "")
	case spec != nil:
		decode.Node(spec, "spec", config)
	}
}

var configMapType = TypeMeta{"v1", "ConfigMap"}

// configTypes are the kinds that a functionConfig of the function may have.
func (f *Function) configTypes() []TypeMeta {
	return slices.Concat([]TypeMeta{{ConfigGroupVersion, f.Kind}}, f.Accepts, []TypeMeta{configMapType})
}

// otherKind returns a finding with the kinds that a function accepts as its functionConfig.
func (f *Function) otherKind(given TypeMeta) diag.Finding {
	var kinds, shown []string
	for _, a := range f.configTypes() {
		if a.Kind == given.Kind {
			finding := diag.GotText(given.APIVersion, fmt.Sprintf("%s for the kind %s", a.APIVersion, a.Kind)).At("apiVersion", diag.Position{})
			group, version, _ := strings.Cut(given.APIVersion, "/")
			right, ofRight, _ := strings.Cut(a.APIVersion, "/")
			if version != "" && version == ofRight && nearest.IsMisspelt(group, right) {
				finding = finding.Meant(given.APIVersion, a.APIVersion, nil)
			}
			return finding
		}
		kinds = append(kinds, a.Kind)
		shown = append(shown, a.String())
	}
	finding := diag.GotName(given.Kind, kinds).At("kind", diag.Position{})
	finding.Accepted = diag.OneOf(shown)
	return finding
}

// reportMisspelt reports an item that is probably meant as a functionConfig of the function, or as
// a resource that it reads, which it is not with the apiVersion or kind it has.
func (r *Run) reportMisspelt(item *list.Item) bool {
	f := r.misspelt(item)
	if f != nil {
		r.Report(f.About(item.Resource(), f.Key).Of(rule.InputInvalid))
	}
	return f != nil
}

// misspelt returns the finding of [Run.reportMisspelt], or nil if there is none.
func (r *Run) misspelt(item *list.Item) *diag.Finding {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	switch {
	case item.Kind() == r.function.Kind && item.APIVersion() != ConfigGroupVersion && (group == ConfigGroup || nearest.IsMisspelt(group, ConfigGroup)):
		return new(diag.GotName(item.APIVersion(), []string{ConfigGroupVersion}).At("apiVersion", diag.Position{}))
	case item.APIVersion() == ConfigGroupVersion && nearest.IsMisspelt(item.Kind(), r.function.Kind):
		return new(diag.GotName(item.Kind(), []string{r.function.Kind}).At("kind", diag.Position{}))
	}
	if item.Annotation(injection.SourceAnnotation) == "cluster" { // the cluster knows its kind
		return nil
	}
	return list.Misspelt(item, r.reads)
}

// readOverrides checks the severity overrides of a configuration and returns
// those that are right.
func (r *Run) readOverrides(config any) map[string]diag.Severity {
	o, ok := config.(interface{ options() *Options })
	if !ok || len(o.options().Severity) == 0 {
		return nil
	}
	overrides := o.options().Severity
	var known []string
	for _, own := range r.function.allRules() {
		if !isFixed(own) {
			known = append(known, own.ID)
		}
	}
	overridden := map[string]diag.Severity{}
	for _, id := range slices.Sorted(maps.Keys(overrides)) {
		path, value := r.ConfigPath("severity"), overrides[id]
		if !r.isFlatConfig() {
			path = diag.Join(path, id)
		}
		switch {
		case rule.Of(id).Fixed:
			r.ConfigInvalid(diag.Say("the severity of %s cannot be changed", id).At(path, diag.Position{}))
		case !slices.Contains(known, id):
			r.ConfigInvalid(diag.Unknown("rule", id, known).At(path, diag.Position{}))
		case !slices.Contains(diag.Severities, value):
			f := diag.GotName(value, diag.Severities).At(path, diag.Position{})
			f.Found += " for " + id
			r.ConfigInvalid(f)
		default:
			overridden[id] = diag.Severity(value)
		}
	}
	return overridden
}

// isFlatConfig reports whether the functionConfig is a ConfigMap.
func (r *Run) isFlatConfig() bool {
	return r.list.ConfigResource().Kind == configMapType.Kind
}

// ConfigPath returns the path of an option in the functionConfig of the run:
// `spec.packs`, or `data.packs` in a ConfigMap.
func (r *Run) ConfigPath(option string) string {
	if r.isFlatConfig() {
		return "data." + option
	}
	return "spec." + option
}

// ConfigOrigin is the origin of findings about the functionConfig, whose keys are paths in it. It
// is nil if there is none.
func (r *Run) ConfigOrigin() *diag.Origin {
	if r.list.Config() == nil {
		return nil
	}
	return diag.Whole(r.list.ConfigResource())
}

// acceptedItem reports which item is the functionConfig of a function that takes other kinds from
// files. It is -1 if none is, or several could be.
func (f *Function) acceptedItem(items []*list.Item) int {
	found := -1
	for i, item := range items {
		if slices.Contains(f.Accepts, TypeMeta{item.APIVersion(), item.Kind()}) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
