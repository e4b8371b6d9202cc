package release

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// kustomizeKind is the kind of releases that a kustomization has, for messages, and inflationKind the kind
// of the resource that has one of them.
const (
	kustomizeKind = "helmCharts"
	inflationKind = "HelmChartInflationGenerator"
)

// Kustomization is a kustomization, as far as it matters for releases:
//
//	resources: [../base]
//	patches: [{path: web-values.yaml}]
//	configMapGenerator: [{name: web, files: [values.yaml=web.yaml]}]
//	helmCharts: [{name: web, valuesInline: {replicas: 3}}]
type Kustomization struct {
	// file is its path on disk. names are the paths of its resources and components, and patchFiles the
	// paths of its patches.
	file              string
	names, patchFiles []string
	// patches are the patches that are not resources in files of their own.
	patches []patch
	// generated are the files of generated ConfigMaps and Secrets, by kind, name and key.
	generated map[[3]string]string
	// hasCharts is true if the kustomization has the field helmCharts.
	hasCharts bool
}

// patch is a patch for the resources that it selects. Kind and name are regular expressions, as in
// kustomize; "" selects all.
type patch struct{ kind, name string }

// ReadKustomization reads a kustomization, whose path on disk is file.
func ReadKustomization(file string, document *values.Document) *Kustomization {
	root, dir := document.Root(), filepath.Dir(file)
	k := &Kustomization{file: file, generated: map[[3]string]string{}, hasCharts: len(entries(root, "helmCharts")) > 0}
	from := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, list := range []string{"resources", "bases", "components"} {
		for _, n := range entries(root, list) {
			if name := values.Text(n); name != "" && !strings.Contains(name, "\n") {
				k.names = append(k.names, from(name))
			}
		}
	}
	for _, list := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		for _, entry := range entries(root, list) {
			name := cmp.Or(field(entry, "path"), values.Text(entry))
			isFile := name != "" && !strings.Contains(name, "\n")
			if isFile {
				k.patchFiles = append(k.patchFiles, from(name))
			}
			if !isFile || values.Field(entry, "target") != nil {
				k.patches = append(k.patches, patchOf(entry))
			}
		}
	}
	for kind, list := range map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"} {
		for _, entry := range entries(root, list) {
			for _, file := range entries(entry, "files") {
				key, name, isNamed := strings.Cut(values.Text(file), "=")
				if !isNamed {
					key, name = filepath.Base(key), key
				}
				k.generated[[3]string{kind, field(entry, "name"), key}] = from(name)
			}
		}
	}
	return k
}

// patchOf returns what an entry of patches selects: its target, or else the resource that it contains.
//
//	target: {kind: HelmRelease, name: web.*}
//	patch: |
//	  - {op: add, path: /spec/values/replicas, value: 3}
func patchOf(entry *yaml.Node) patch {
	if target := values.Field(entry, "target"); target != nil {
		return patch{field(target, "kind"), field(target, "name")}
	}
	text := cmp.Or(field(entry, "patch"), values.Text(entry))
	for _, item := range list.FileItems([]byte(text), "patch") {
		return patch{item.Kind(), item.Name()}
	}
	return patch{}
}

// isFor reports whether the patch may select a resource.
func (p *patch) isFor(kind, name string) bool {
	matches := func(pattern, text string) bool {
		isMatch, err := regexp.MatchString("^(?:"+pattern+")$", text)
		return pattern == "" || pattern == text || isMatch || err != nil
	}
	return matches(p.kind, kind) && matches(p.name, name)
}

// readAbove indexes the kustomizations by what they name.
func (l *Loader) readAbove() {
	l.above = map[string][]*Kustomization{}
	for _, dir := range slices.Sorted(maps.Keys(l.Kustomizations)) {
		k := l.Kustomizations[dir]
		for _, name := range k.names {
			l.above[name] = append(l.above[name], k)
		}
	}
}

// including returns the kustomizations that a file belongs to: those that name it, and those that include
// one of these.
func (l *Loader) including(file string) (all []*Kustomization) {
	seen := map[*Kustomization]bool{}
	names := []string{file}
	for len(names) > 0 {
		for _, k := range l.above[names[0]] {
			if !seen[k] {
				seen[k] = true
				all, names = append(all, k), append(names, filepath.Dir(k.file))
			}
		}
		names = names[1:]
	}
	return all
}

// generated adds the values of a ConfigMap or Secret that a kustomization generates, and reports whether
// there is one.
func (l *Loader) generated(r *Release, file, kind, name, key string) bool {
	near := l.including(file)
	if k := l.Kustomizations[filepath.Dir(file)]; k != nil {
		near = append(near, k)
	}
	for _, k := range near {
		source, ok := k.generated[[3]string{kind, name, key}]
		if !ok {
			continue
		}
		root, origin, err := l.Files.Values(source)
		if err != nil {
			r.isUnknown("%s, from which the %s %s is generated, cannot be read", filepath.Base(source), kind, name)
			return true
		}
		r.add(origin, "", root)
		return true
	}
	return false
}

// kustomize returns the releases of the field helmCharts of kustomizations, and of the resources that
// stand for an entry of it.
func (l *Loader) kustomize() (releases []*Release) {
	for _, dir := range slices.Sorted(maps.Keys(l.Kustomizations)) {
		k := l.Kustomizations[dir]
		if !k.hasCharts {
			continue
		}
		root, origin, err := l.Files.Values(k.file)
		if err != nil {
			continue
		}
		home := cmp.Or(field(root, "helmGlobals", "chartHome"), "charts")
		for i, n := range values.Field(root, "helmCharts").Content {
			at := fmt.Sprintf("helmCharts[%d]", i)
			where := diag.Where{Origin: origin, Key: at, Position: values.At(n)}
			releases = append(releases, l.helmChart(values.Resolve(n), dir, home, where))
		}
	}
	for _, item := range l.Items {
		if item.Kind() == inflationKind && Wants(item) {
			if root := documentOf(item); root != nil {
				dir := filepath.Dir(l.Files.OnDisk(item.Resource()))
				r := l.helmChart(root, dir, cmp.Or(field(root, "chartHome"), "charts"), where(item, root, "name"))
				r.Kind = inflationKind
				releases = append(releases, r)
			}
		}
	}
	return releases
}

// helmChart returns the release of an entry of helmCharts:
//
//	name: web
//	repo: https://charts.example.com
//	version: 1.2.0
//	valuesFile: values.yaml
//	valuesInline: {replicas: 3}
//	valuesMerge: override
func (l *Loader) helmChart(n *yaml.Node, dir, home string, where diag.Where) *Release {
	name, version, repo := field(n, "name"), field(n, "version"), field(n, "repo")
	r := &Release{Kind: kustomizeKind, Name: name, Where: where, Chart: Chart{Name: name, Version: version, URL: repo}}
	r.As, r.Namespace = cmp.Or(field(n, "releaseName"), "release-name"), field(n, "namespace")
	if name == "" {
		r.Chart.Why = "it names no chart"
		return r
	}
	if home = filepath.FromSlash(home); !filepath.IsAbs(home) {
		home = filepath.Join(dir, home)
	}
	if repo != "" && version != "" {
		r.Chart.Dirs = append(r.Chart.Dirs, filepath.Join(home, name+"-"+version, name))
	}
	r.Chart.Dirs = append(r.Chart.Dirs, filepath.Join(home, name))
	prefix := ""
	if where.Origin.Field != "" { // of a kustomization
		prefix = where.Key
	}
	inline := func() {
		r.add(where.Origin, diag.Join(prefix, "valuesInline"), values.Field(n, "valuesInline"))
	}
	file := func(name string) {
		if root, origin, err := l.Files.Values(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			r.isUnknown("%s cannot be read", name)
		} else {
			r.add(origin, "", root)
		}
	}
	valuesFile := func() {
		if name := field(n, "valuesFile"); name != "" {
			file(name)
		} else if root, err := l.Files.ChartFile(&r.Chart, "values.yaml"); err == nil {
			r.addAuthors("values.yaml", root)
		}
	}
	switch isInline := values.Field(n, "valuesInline") != nil; {
	case !isInline:
		valuesFile()
	case field(n, "valuesMerge") == "merge":
		inline()
		valuesFile()
	case field(n, "valuesMerge") == "replace":
		inline()
	default:
		valuesFile()
		inline()
	}
	for _, more := range entries(n, "additionalValuesFiles") {
		file(values.Text(more))
	}
	return r
}
