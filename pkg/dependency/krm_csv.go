package dependency

import (
	"fmt"
	"strings"

	"github.com/blang/semver/v4"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// csvFields are the fields of a ClusterServiceVersion that matter here. It has many others.
type csvFields struct {
	_ struct{} `unknown:"slips"`
	// Metadata has annotations, which can contain properties as JSON.
	Metadata struct {
		_           struct{}              `unknown:"slips"`
		Annotations map[string]*yaml.Node `json:"annotations"`
	} `json:"metadata"`
	// Spec has the version, the lowest version of Kubernetes, and the APIs that the operator owns or
	// requires.
	Spec struct {
		_              struct{}  `unknown:"slips"`
		Version        pack.Text `json:"version"`
		MinKubeVersion pack.Text `json:"minKubeVersion"`
		CRDs           struct {
			_        struct{}     `unknown:"slips"`
			Owned    []*yaml.Node `json:"owned"`
			Required []*yaml.Node `json:"required"`
		} `json:"customresourcedefinitions"`
		Services struct {
			_        struct{}     `unknown:"slips"`
			Owned    []*yaml.Node `json:"owned"`
			Required []*yaml.Node `json:"required"`
		} `json:"apiservicedefinitions"`
	} `json:"spec"`
}

// apiFields are the fields of a custom resource definition or an API service.
type apiFields struct {
	_ struct{} `unknown:"slips"`
	// Name of a custom resource definition is `plural.group`.
	Name pack.Text `json:"name"`
	// Group, Version and Kind are the API. A custom resource definition has its group in its name.
	Group   pack.Text `json:"group"`
	Version pack.Text `json:"version" required:"true"`
	Kind    pack.Text `json:"kind" required:"true"`
}

// serviceVersion reads a ClusterServiceVersion as a bundle.
func (p *processor) serviceVersion(resource diag.Resource, document *values.Document) *constraint.Bundle {
	var fields csvFields
	for _, f := range decode.Node(document.Root(), "", &fields) {
		p.invalid(f.From(diag.Whole(resource)))
	}
	spec := &fields.Spec
	b := &constraint.Bundle{Name: resource.Name, Version: string(spec.Version), Resource: resource}
	p.version(b)
	if n := fields.Metadata.Annotations[skipRangeAnnotation]; !values.IsNull(n) {
		if f := checkSkipRange(b.Name, values.Text(n), b.Version); f != nil {
			p.run.Report(f.About(resource, "metadata.annotations["+skipRangeAnnotation+"]"))
		}
	}
	for _, name := range propertiesAnnotations {
		p.annotated(b, name, fields.Metadata.Annotations[name])
	}
	p.minKubeVersion(b, string(spec.MinKubeVersion))
	for _, list := range []struct {
		field        string
		nodes        []*yaml.Node
		isDefinition bool
		isRequired   bool
	}{
		{"spec.customresourcedefinitions.owned", spec.CRDs.Owned, true, false},
		{"spec.customresourcedefinitions.required", spec.CRDs.Required, true, true},
		{"spec.apiservicedefinitions.owned", spec.Services.Owned, false, false},
		{"spec.apiservicedefinitions.required", spec.Services.Required, false, true},
	} {
		o := &diag.Origin{Resource: resource, Field: list.field, Name: list.field}
		for i, n := range list.nodes {
			key := fmt.Sprintf("[%d]", i)
			gvk, findings := readAPI(values.Resolve(n), key, list.isDefinition)
			for _, f := range findings {
				p.invalid(f.From(o))
			}
			if len(findings) == 0 {
				b.APIs = append(b.APIs, constraint.API{GVK: gvk, Required: list.isRequired, Entry: constraint.Entry{Node: values.Resolve(n), Key: key, Origin: o}})
			}
		}
	}
	if with := p.with.Candidates; with != nil && with.Defined != nil {
		for _, gvk := range with.Defined(resource) {
			b.APIs = append(b.APIs, constraint.API{GVK: gvk})
		}
	}
	return b
}

// minKubeVersion checks the version of the cluster's Kubernetes against the lowest that a
// ClusterServiceVersion accepts, or "" for any.
func (p *processor) minKubeVersion(b *constraint.Bundle, text string) {
	const key = "spec.minKubeVersion"
	lowest, err := version.ParseBound(text, version.ParseKubernetes)
	if err != nil {
		p.invalid(diag.GotText(text, version.Form).About(b.Resource, key))
		return
	}
	if lowest.IsOpen() {
		return
	}
	accepted := version.Range{Min: lowest}
	p.advisor.add("kubernetes", Demand{
		By: fmt.Sprintf("%s (%s)", b, constraint.Where(b.Resource)), Wants: accepted.String(), Thresholds: []version.Version{lowest.Version()},
		Accepts: func(v version.Version) bool { return accepted.Place(v) == version.Within },
	})
	cluster := p.kubernetes()
	if cluster == nil {
		return
	}
	found, err := cluster.version(true)
	if err == nil && accepted.Place(found) == version.Within {
		return
	}
	f := diag.Say("%s requires Kubernetes %s, but the cluster has %s (%s)", b, accepted, cluster.Version, constraint.Where(cluster.Origin.Resource)).Of(rule.RequirementUnsatisfied)
	if err != nil {
		f = diag.Say("%s requires Kubernetes %s, but the version of the cluster is %q (%s)", b, accepted, cluster.Version, constraint.Where(cluster.Origin.Resource)).
			Do("correct the version of the cluster").Of(rule.ConstraintInvalid)
	}
	f.Tags = map[string]string{"bundle": b.Name}
	if f = f.About(b.Resource, key); p.with.Candidates != nil {
		p.tooNew = append(p.tooNew, tooNew{packageNameOf(b), f})
		return
	}
	p.run.Report(f)
}

// readAPI reads a custom resource definition, or else an API service.
//
//	{name: vaults.example.com, version: v1, kind: Vault}              # a definition
//	{group: metrics.example.com, version: v1, kind: Metric}          # an API service
func readAPI(n *yaml.Node, key string, isDefinition bool) (constraint.GVK, []diag.Finding) {
	var fields apiFields
	if values.IsNull(n) {
		return constraint.GVK{}, []diag.Finding{diag.Got("null", "a map with version and kind").At(key, values.At(n))}
	}
	findings := decode.Node(n, key, &fields)
	group := string(fields.Group)
	if isDefinition && n.Kind == yaml.MappingNode {
		var ok bool
		if _, group, ok = strings.Cut(string(fields.Name), "."); !ok {
			f := diag.GotText(string(fields.Name), "plural.group")
			if fields.Name == "" {
				f = diag.Missing("").Want("plural.group")
			}
			findings = append(findings, f.At(diag.Join(key, "name"), values.At(n)))
		}
	}
	return constraint.GVK{Group: group, Version: string(fields.Version), Kind: string(fields.Kind)}, findings
}

// version checks the version of a ClusterServiceVersion. OLM reads it as
// github.com/operator-framework/api/pkg/lib/version does, and opm, which makes catalogs, is stricter.
func (p *processor) version(b *constraint.Bundle) {
	if b.Version == "" {
		return
	}
	tolerant, err := semver.ParseTolerant(b.Version)
	f := diag.GotText(b.Version, constraint.VersionForm).Of(rule.ConstraintInvalid)
	if err == nil {
		if _, err = semver.Parse(b.Version); err == nil {
			return
		}
		f = f.Propose(b.Version, tolerant.String())
		f.Note = "OLM reads it, but opm refuses it in a catalog"
		f.Severity = diag.Warning
	}
	p.run.Report(f.About(b.Resource, "spec.version"))
}

// propertiesAnnotations are the annotations of a ClusterServiceVersion that hold properties as JSON:
//
//	olm.properties: '[{"type": "olm.label", "value": {"label": "certified"}}]'
//	operatorframework.io/properties: '{"properties": [{"type": "olm.label", "value": {"label": "certified"}}]}'
//
// Authors write the first one, which opm reads. OLM writes all properties of a bundle into the second
// one when it installs the bundle, so that a property may be in both.
var propertiesAnnotations = []string{"olm.properties", "operatorframework.io/properties"}

// annotated reads the properties in an annotation of a ClusterServiceVersion.
func (p *processor) annotated(b *constraint.Bundle, annotation string, n *yaml.Node) {
	if values.IsNull(n) {
		return
	}
	o := &diag.Origin{
		Resource: b.Resource, Field: "metadata.annotations[" + annotation + "]",
		Name: "annotation " + annotation, Embedded: true, Authored: true,
	}
	document, err := values.ParseJSON(values.Text(n), sizedKey)
	if err != nil {
		p.invalid(diag.Unreadable(err).From(o))
		return
	}
	if annotation == propertiesAnnotations[0] {
		addProperties(b, p.items(o, document, document.Root(), ""))
		return
	}
	addProperties(b, p.entries(o, document, "properties"))
}

// addProperties adds properties to a bundle. What it has already is left out, as opm does.
func addProperties(b *constraint.Bundle, entries []constraint.Entry) {
	if len(b.Properties) == 0 || len(entries) == 0 {
		b.Properties = append(b.Properties, entries...)
		return
	}
	known := map[string]bool{}
	for _, e := range b.Properties {
		if text, ok := values.JSON(e.Node); ok {
			known[text] = true
		}
	}
	for _, e := range entries {
		if text, ok := values.JSON(e.Node); !ok || !known[text] {
			b.Properties = append(b.Properties, e)
		}
	}
}
