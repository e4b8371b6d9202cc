// Package deploy says what packs deploy: their charts as Helm renders them, and their
// manifests, with the effective values.
//
//	d := deploy.Deployer{Renderer: &helm.Renderer{}, Charts: &chart.Run{}}
//	rendered, err := d.Render(p, "packs/vault-0.6.0", deploy.Cluster{Kubernetes: "1.33.2"})
//	for _, m := range rendered.Manifests { … }
//
// Nothing is asked of a cluster, and the same input gives the same text: there is one time,
// and functions such as genCA give marked texts.
package deploy

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/chart"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/helm"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Deployer renders packs.
type Deployer struct {
	Renderer *helm.Renderer
	Charts   *chart.Run
	// Cluster is what the user says of the cluster. Its version replaces that of a package,
	// and its APIs are added to those of a package.
	Cluster Cluster
}

// Rendered is what a pack deploys.
type Rendered struct {
	Pack      *pack.Pack
	Manifests []Manifest
	// Findings say which charts and manifests are left out, and why.
	Findings []diag.Finding
	// Macros is the number of values that hold a macro: they are rendered as they are.
	Macros int

	// secrets are texts of values that may be secrets: those that neither the charts nor the
	// directory of the pack has.
	secrets []string
}

// Manifest is a resource of a chart or a manifest.
type Manifest struct {
	// Source is the template as Helm names it, `web/templates/a.yaml`, or the manifest,
	// `manifests/a.yaml`.
	Source string
	Text   string
	// IsTest says that it is only made to test a release.
	IsTest bool
}

// ValuesError says why the values of a pack are unknown.
type ValuesError struct{ reason string }

func (e *ValuesError) Error() string { return e.reason }

// Render renders what is in the directory of a pack. An error is a [ValuesError], or says why
// nothing can be rendered; what concerns one chart is a finding.
func (d *Deployer) Render(p *pack.Pack, dir string, cluster Cluster) (*Rendered, error) {
	effective, faults := p.Effective()
	if len(faults) > 0 {
		return nil, &ValuesError{faults[0].Message()}
	}
	if effective == nil {
		return nil, &ValuesError{"its values cannot be read; see packfn check"}
	}
	if effective.Incomplete {
		return nil, &ValuesError{"an override cannot be read; see packfn check"}
	}
	cluster.Kubernetes = cmp.Or(d.Cluster.Kubernetes, cluster.Kubernetes)
	cluster.APIs = slices.Concat(cluster.APIs, d.Cluster.APIs)
	k := &rendering{Deployer: d, values: newLayers(p, effective), out: &Rendered{Pack: p}, cluster: cluster}
	sources, findings := d.Charts.Sources(p, dir)
	k.out.Findings = append(k.out.Findings, findings...)
	for _, source := range sources {
		if err := k.chart(source); err != nil {
			return nil, err
		}
	}
	if err := k.manifests(dir); err != nil {
		return nil, err
	}
	published := publishedIn(dir)
	k.out.secrets = secrets(k.values.root, func(text string) bool {
		return strings.Contains(published, text) || slices.ContainsFunc(sources, func(s chart.Source) bool { return s.Has(text) })
	})
	return k.out, nil
}

// publishedIn returns the values.yaml of the directory of a pack, "" if it has none.
func publishedIn(dir string) string {
	in, err := folder.Open(dir)
	if err != nil {
		return ""
	}
	defer in.Close()
	text, _ := in.ReadText("values.yaml")
	return string(text)
}

// rendering is that of one pack.
type rendering struct {
	*Deployer
	values  *layers
	out     *Rendered
	cluster Cluster
}

func (k *rendering) job(release string, given []byte) *helm.Job {
	kubernetes := cmp.Or(k.cluster.Kubernetes, helm.DefaultKubernetes)
	job := &helm.Job{
		Values: given, Release: release, Namespace: "default",
		Kubernetes: kubernetes, IsKnown: k.cluster.Kubernetes != "",
		APIs: append(helm.APIs(kubernetes), k.cluster.APIs...),
	}
	if namespace := values.Text(values.Field(k.values.root, "pack", "namespace")); namespace != "" {
		job.Namespace = namespace
	}
	return job
}

// chart renders a chart of the pack.
func (k *rendering) chart(source chart.Source) error {
	own := values.Field(k.values.root, "charts", source.Key)
	given, macros, err := printed(own)
	if err != nil {
		return err
	}
	k.out.Macros += macros
	release := source.Name
	for _, name := range []string{source.Key, source.Name} {
		if override := values.Text(values.Field(k.values.root, "pack", "releaseNameOverride", name)); override != "" {
			release = override
		}
	}
	job := k.job(release, given)
	job.Archive, job.Files = source.Archive, included(source.Unpacked)
	result, err := k.Renderer.Render(job)
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, failure := range result.Failures {
		if f := k.failed(source, failure, macros); f.Action == "" || !asked[f.Key] { // many templates may ask for a value
			asked[f.Key] = f.Action != ""
			k.add(f)
		}
	}
	k.take(result, "")
	return nil
}

// take adds the manifests of a result. source is their place, "" for that of Helm.
func (k *rendering) take(result *helm.Result, source string) {
	for _, m := range result.Manifests {
		one := Manifest{Source: m.Source, Text: strings.TrimSpace(m.Text) + "\n"}
		if source != "" {
			one.Source = source
		}
		one.IsTest = len(m.Hooks) > 0 && !slices.ContainsFunc(m.Hooks, func(event string) bool { return event != "test" })
		k.out.Manifests = append(k.out.Manifests, one)
	}
}

func (k *rendering) add(f diag.Finding) {
	k.out.Findings = append(k.out.Findings, f.For(k.out.Pack.Name))
}

// manifests renders those that pack.json names. A manifest with values below
// `manifests.NAME` is a template over them; another one is taken as it is.
func (k *rendering) manifests(dir string) error {
	p := k.out.Pack
	if p.Metadata == nil {
		return nil
	}
	metadata, err := p.Metadata.Document()
	if err != nil {
		return nil // which was reported
	}
	list := values.Field(metadata.Root(), "kubeManifests")
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil
	}
	in, err := folder.Open(dir)
	if err != nil {
		return err
	}
	defer in.Close()
	for _, entry := range list.Content {
		name := values.Text(entry)
		text, err := in.ReadText(filepath.FromSlash(name))
		if err != nil {
			said := diag.Say("the manifest %s cannot be read: %s", name, diag.OneLine(err.Error()))
			if errors.Is(err, fs.ErrNotExist) {
				said = diag.Say("the manifest %s is not in the directory of the pack", name)
			}
			k.add(said.Do("add the file, or correct its name").In(metadata.Origin(), "kubeManifests", values.At(entry)).Of(rule.PackMissingFile))
			continue
		}
		if err := k.manifest(name, text); err != nil {
			return err
		}
	}
	return nil
}

// manifest renders a manifest as a chart with one template.
func (k *rendering) manifest(name string, text []byte) error {
	key := strings.TrimSuffix(path.Base(name), path.Ext(name))
	has := false
	for _, pair := range values.Pairs(values.Field(k.values.root, "manifests")) {
		if found, ok := pair.Name(); ok && found == key {
			has = true
		}
	}
	file := "templates/manifest.yaml"
	if !has {
		text = []byte("{{`" + strings.ReplaceAll(string(text), "`", "`}}{{\"`\"}}{{`") + "`}}")
	}
	given, macros, err := printed(values.Field(k.values.root, "manifests", key))
	if err != nil {
		return err
	}
	k.out.Macros += macros
	job := k.job(key, given)
	job.Files = map[string][]byte{"Chart.yaml": []byte("apiVersion: v2\nname: manifest\nversion: 0.0.0\n"), file: text}
	result, err := k.Renderer.Render(job)
	if err != nil {
		return err
	}
	for _, failure := range result.Failures {
		message := strings.ReplaceAll(failure.Message, "manifest/"+file, name)
		f := diag.Say("the manifest %s fails: %s", name, k.shown(message, func(part string) bool { return strings.Contains(string(text), part) }))
		// Palette gives manifests facts of the cluster, which packfn does not know.
		if macros > 0 || strings.Contains(string(text), ".Spectro.") {
			f.Tags = map[string]string{TagUnsure: "true"}
		}
		k.add(k.values.fault(f, "manifests", key).Of(rule.ValuesChartFails))
	}
	k.take(result, name)
	return nil
}

// printed returns values as YAML, and how many of them hold a macro. Aliases and merge keys
// are resolved; each scalar is as it was written, since Helm reads YAML by other rules.
func printed(n *yaml.Node) ([]byte, int, error) {
	if values.IsNull(n) {
		return []byte("{}\n"), 0, nil
	}
	macros := 0
	text, err := yaml.Marshal(plain(n, &macros))
	if err != nil {
		return nil, 0, fmt.Errorf("its values: %w", err)
	}
	return text, macros, nil
}

func plain(n *yaml.Node, macros *int) *yaml.Node {
	n = values.Resolve(n)
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	switch n.Kind {
	case yaml.ScalarNode:
		if template.HasMacro(n.Value) {
			*macros++
		}
	case yaml.MappingNode:
		out.Style = 0
		for _, pair := range values.Pairs(n) {
			out.Content = append(out.Content, plain(pair.Key, macros), plain(pair.Value, macros))
		}
	case yaml.SequenceNode:
		out.Style = 0
		for _, element := range n.Content {
			out.Content = append(out.Content, plain(element, macros))
		}
	}
	return out
}
