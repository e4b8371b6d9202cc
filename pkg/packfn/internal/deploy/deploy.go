// Package deploy renders the resources that packs deploy: their charts and manifests, with the
// effective values.
//
// It does not contact a cluster, and its output is reproducible: the time is constant, and
// functions such as genCA return marked placeholders.
//
// # The way of the data
//
//	pack, effective values ─ chart.Run.Sources ─→ charts ─ helm.Renderer ─→ manifests ─→ Rendered
//
// The engine that renders is another process (package helm). Its messages come back as findings at the
// value that the template reads, with everything masked that may come from values (failure.go).
// image.go finds the images in the manifests, diff.go compares two results, and suffix.go reports
// templates that look at the suffix of a Kubernetes version.
package deploy

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Deployer renders packs.
type Deployer struct {
	// Renderer renders in another process.
	Renderer *helm.Renderer
	// Charts reads the charts, and shares them between packs.
	Charts *chart.Run
	// Cluster contains facts about the cluster from the user. Its version replaces the version in
	// a package, and its APIs are added to the APIs in a package.
	Cluster Cluster
	// Suffixes also renders charts for the Kubernetes version without a suffix such as -eks-1 in
	// 1.33.1-eks-1, and reports differences.
	Suffixes bool
}

// Rendered contains the manifests that a pack or a release deploys.
type Rendered struct {
	// Pack is the pack, or stands for the release.
	Pack *pack.Pack
	// Release is the name of the release in messages, `HelmRelease apps/web`, or "". The name of Pack is the
	// name in Helm then.
	Release string
	// Namespace is the namespace of the release, or of the charts of the pack.
	Namespace string
	// Manifests are the resources, in the order of the charts.
	Manifests []Manifest
	// Findings explain which charts and manifests are left out.
	Findings []diag.Finding
	// Macros is the number of values with a macro, which are rendered unresolved.
	Macros int

	// isHelm is true if Helm deploys the manifests, and false if Argo CD or kustomize does, which run only its
	// engine.
	isHelm bool
	// secrets are the texts of values that may be secrets, because neither the charts nor the
	// directory of the pack contain them.
	secrets []string
}

// Deployer identifies the pack or the release.
func (r *Rendered) Deployer() breaking.Deployer {
	if r.Release == "" {
		return DeployerOf(r.Pack)
	}
	return breaking.Deployer{Name: r.Release, Package: r.Pack.Resource.PackagePath}
}

// DeployerOf identifies a pack.
func DeployerOf(p *pack.Pack) breaking.Deployer {
	return breaking.Deployer{Name: "pack " + p.Name, Package: p.Resource.PackagePath}
}

// Folder returns the folder for the manifests of the pack or the release: `vault`, `apps/web`.
func (r *Rendered) Folder() string {
	if r.Release == "" {
		return r.Pack.Name
	}
	return path.Join(r.Namespace, r.Pack.Name)
}

// Manifest is a resource of a chart or a manifest.
type Manifest struct {
	// Source is the template as Helm names it, `web/templates/a.yaml`, or the manifest,
	// `manifests/a.yaml`.
	Source string
	// Text is a YAML document.
	Text string
	// IsTest is true if the manifest is only created to test a release.
	IsTest bool
	// Path is the path on disk of what it is written in: of the template, of the manifest, or of the chart if
	// that is an archive. Written is the text of the template or the manifest, or nil if it is unknown.
	Path    string
	Written []byte
}

// ValuesError is the reason why the values of a pack are unknown.
// reason is a sentence.
type ValuesError struct{ reason string }

func (e *ValuesError) Error() string { return e.reason }

// Render renders the charts and manifests in the directory of a pack. It returns a [ValuesError],
// or another error if nothing can be rendered. Faults of a single chart are findings.
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
	k := &rendering{Deployer: d, helm: helm.Pack{Renderer: d.Renderer}, values: newLayers(p, effective), out: &Rendered{Pack: p, isHelm: true}, cluster: cluster, dir: dir}
	_, k.out.Namespace = chart.Release(k.values.root, "", "")
	sources, err := d.Charts.Sources(p, dir)
	if err != nil {
		return nil, err
	}
	k.out.Findings = append(k.out.Findings, sources.Findings...)
	for _, source := range sources.Charts {
		if err := k.chart(source); err != nil {
			return nil, err
		}
	}
	for _, m := range sources.Manifests {
		if err := k.manifest(&m); err != nil {
			return nil, err
		}
	}
	if err := k.suffixes(); err != nil {
		return nil, err
	}
	published := publishedIn(dir)
	k.out.secrets = secrets(k.values.root, func(text string) bool {
		return strings.Contains(published, text) || slices.ContainsFunc(sources.Charts, func(s chart.Source) bool { return s.Has(text) })
	})
	k.images()
	return k.out, nil
}

// publishedIn returns the values.yaml in the directory of a pack, or "" if there is none.
func publishedIn(dir string) string {
	in, err := folder.Open(dir)
	if err != nil {
		return ""
	}
	defer in.Close()
	text, _ := in.ReadText("values.yaml")
	return string(text)
}

// rendering is the state of the rendering of a pack.
type rendering struct {
	*Deployer
	// helm is the pack for the renderer, values are its values, and out gets the result.
	helm   helm.Pack
	values *layers
	out    *Rendered
	// cluster are the facts about the cluster.
	cluster Cluster
	// dir is the directory of the pack, or "" for a release.
	dir string
	// suffixed are the charts to render without the suffix of the version.
	suffixed []suffixed
	// release is the release, or nil for a pack.
	release *Release
}

// render renders a chart with values. It also returns how many of them hold a macro.
func (k *rendering) render(job *helm.Job, own *yaml.Node) (result *helm.Result, macros int, err error) {
	if job.Values, macros, err = printed(own); err != nil {
		return nil, 0, err
	}
	k.out.Macros += macros
	job.Namespace = cmp.Or(k.out.Namespace, defaultNamespace)
	job.Kubernetes, job.IsKnown = cmp.Or(k.cluster.Kubernetes, helm.DefaultKubernetes), k.cluster.Kubernetes != ""
	job.APIs = append(helm.APIs(job.Kubernetes), k.cluster.APIs...)
	result, err = k.helm.Render(job)
	return result, macros, err
}

// chart renders a chart of the pack.
func (k *rendering) chart(source chart.Source) error {
	job := helm.Job{Archive: source.Archive, Files: source.Unpacked}
	if job.Release, _ = chart.Release(k.values.root, source.Key, source.Name); k.release != nil {
		job.Release = k.release.As
	}
	result, macros, err := k.render(&job, values.Field(k.values.root, "charts", source.Key))
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, failure := range result.Failures {
		f := k.failed(source, failure, macros)
		if f.Action == "" || !asked[f.Key] { // many templates may ask for a value
			k.add(f)
		}
		asked[f.Key] = asked[f.Key] || f.Action != ""
	}
	k.take(result, "", func(m *Manifest) { k.written(source, m) })
	if _, release := releaseOf(job.Kubernetes); k.Suffixes && job.IsKnown && len(result.Failures) == 0 && release != nil {
		k.suffixed = append(k.suffixed, suffixed{source, job, result.Manifests})
	}
	return nil
}

// take adds the manifests of a result. source is their source, or "" to keep the source that Helm
// reports. written sets what each is written in.
func (k *rendering) take(result *helm.Result, source string, written func(*Manifest)) {
	for _, m := range result.Manifests {
		isTest := len(m.Hooks) > 0 && !slices.ContainsFunc(m.Hooks, func(event string) bool { return event != "test" })
		made := Manifest{Source: cmp.Or(source, m.Source), Text: strings.TrimSpace(m.Text) + "\n", IsTest: isTest}
		written(&made)
		k.out.Manifests = append(k.out.Manifests, made)
	}
}

// written sets what a manifest of a chart is written in: its template if the pack and the chart are folders, else
// the archive. The templates of a subchart that is an archive in the folder of a chart are at its Chart.yaml.
func (k *rendering) written(source chart.Source, m *Manifest) {
	name, text := source.Written(m.Source)
	m.Path, m.Written = filepath.Join(k.dir, filepath.FromSlash(source.Path)), text
	switch {
	case folder.IsArchive(k.dir):
		m.Path = k.dir
	case source.Archive != nil:
	case source.Unpacked[name] != nil:
		m.Path = filepath.Join(m.Path, filepath.FromSlash(name))
	default:
		m.Path = filepath.Join(m.Path, "Chart.yaml")
	}
}

// defaultNamespace is the namespace of a release that names none.
const defaultNamespace = "default"

// add adds a finding about the pack or the release.
func (k *rendering) add(f diag.Finding) {
	if k.release == nil {
		f = f.For(k.out.Pack.Name)
	}
	k.out.Findings = append(k.out.Findings, f)
}

// manifest renders a manifest as a chart with one template.
func (k *rendering) manifest(m *chart.Manifest) error {
	if m.Fault != nil {
		k.add(*m.Fault)
		return nil
	}
	own, isTemplate := m.Values(k.values.root)
	result, macros, err := k.render(&helm.Job{Release: m.Key, Files: m.Files(isTemplate)}, own)
	if err != nil {
		return err
	}
	text := string(m.Text)
	for _, failure := range result.Failures {
		message := strings.ReplaceAll(failure.Message, "manifest/"+chart.ManifestFile, m.Path)
		f := diag.Say("the manifest %s fails: %s", m.Path, k.shown(failure, message, []string{text, m.Path}, func(part string) bool { return strings.Contains(text, part) }))
		// Palette gives manifests facts of the cluster, which packfn does not know.
		if macros > 0 || strings.Contains(text, ".Spectro.") {
			f.Tags = map[string]string{TagUnsure: "true"}
		}
		k.add(k.values.fault(f, append([]string{"manifests", m.Key}, m.Asks(failure.Message)...)...).Of(rule.ValuesChartFails))
	}
	k.take(result, m.Path, func(made *Manifest) {
		if made.Path, made.Written = k.dir, m.Text; !folder.IsArchive(k.dir) {
			made.Path = filepath.Join(k.dir, filepath.FromSlash(m.Path))
		}
	})
	return nil
}

// printed returns values as YAML, and how many of them hold a macro. Aliases and merge keys
// are resolved; each scalar is as it was written, since Helm reads YAML by other rules.
func printed(n *yaml.Node) ([]byte, int, error) {
	if values.IsNull(n) {
		return nil, 0, nil
	}
	macros := 0
	text, err := yaml.Marshal(plain(n, &macros))
	return text, macros, err
}

// plain returns values without aliases and comments, and counts the macros in them.
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
