package release

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// helmRelease is a HelmRelease with its document.
type helmRelease struct {
	*list.Item
	// root is the content of the resource.
	root *yaml.Node
}

// hasChart reports whether the HelmRelease names a chart. One that does not is a patch.
func (h *helmRelease) hasChart() bool {
	return field(h.root, "spec", "chart", "spec", "chart") != "" || values.Field(h.root, "spec", "chartRef") != nil
}

// flux returns the releases of HelmReleases:
//
//	kind: HelmRelease
//	spec:
//	  chart: {spec: {chart: podinfo, version: 6.x, sourceRef: {kind: HelmRepository, name: podinfo}}}
//	  valuesFrom: [{kind: ConfigMap, name: podinfo}]
//	  values: {replicaCount: 2}
//
// A HelmRelease without a chart is a patch of another one.
func (l *Loader) flux() (releases []*Release) {
	var all, patches []*helmRelease
	for _, item := range l.Items {
		if !Is(item) || item.Kind() != "HelmRelease" {
			continue
		}
		h := &helmRelease{item, documentOf(item)}
		if h.root == nil {
			continue
		}
		if h.hasChart() {
			all = append(all, h)
		} else {
			patches = append(patches, h)
		}
	}
	byName := map[string][]*helmRelease{}
	for _, h := range all {
		byName[h.Name()] = append(byName[h.Name()], h)
	}
	patchesOf := map[*helmRelease][]*helmRelease{}
	for _, p := range patches {
		bases := l.bases(p, byName[p.Name()])
		for _, base := range bases {
			patchesOf[base] = append(patchesOf[base], p)
		}
		if len(bases) == 0 {
			r := l.helmRelease(patched{p})
			r.Chart.Why = "it names no chart, and no HelmRelease that it patches is among the files"
			releases = append(releases, r)
		}
	}
	for _, base := range all {
		if len(patchesOf[base]) == 0 {
			releases = append(releases, l.helmRelease(patched{base}))
		}
		for _, p := range patchesOf[base] {
			releases = append(releases, l.helmRelease(patched{base, p}))
		}
	}
	return releases
}

// bases returns the HelmReleases of a name that a patch is for: those in kustomizations that the
// kustomization with the patch includes, or else the only one in another file.
func (l *Loader) bases(p *helmRelease, named []*helmRelease) (bases []*helmRelease) {
	isSame := func(h *helmRelease) bool {
		return h.Namespace() == p.Namespace() || h.Namespace() == "" || p.Namespace() == ""
	}
	file := l.Files.OnDisk(p.Resource())
	for _, h := range named {
		for _, k := range l.including(l.Files.OnDisk(h.Resource())) {
			if isSame(h) && slices.Contains(k.patchFiles, file) && !slices.Contains(bases, h) {
				bases = append(bases, h)
			}
		}
	}
	if bases == nil && len(named) == 1 && isSame(named[0]) {
		bases = named
	}
	return bases
}

// patched is a HelmRelease with its patches. The last patch has precedence.
type patched []*helmRelease

// get returns a field of the spec.
func (p patched) get(keys ...string) *yaml.Node {
	for _, one := range slices.Backward(p) {
		if n := values.Field(one.root, append([]string{"spec"}, keys...)...); n != nil {
			return n
		}
	}
	return nil
}

func (p patched) text(keys ...string) string { return values.Text(p.get(keys...)) }

// helmRelease returns the release of a HelmRelease, with what patches it.
func (l *Loader) helmRelease(p patched) *Release {
	h := p[0]
	of := h.Resource()
	for _, one := range p { // kustomize may set the namespace
		of.Namespace = cmp.Or(one.Namespace(), of.Namespace)
	}
	r := &Release{Kind: h.Kind(), Name: nameOf(of), Where: where(h.Item, h.root, "spec", "chart", "spec", "chart"), Chart: l.fluxChart(p)}
	if last := p[len(p)-1]; last != h { // the user looks at the patch
		r.Where = where(last.Item, last.root, "spec")
	}
	r.Namespace = cmp.Or(p.text("targetNamespace"), of.Namespace)
	r.As = cmp.Or(p.text("releaseName"), strings.TrimPrefix(p.text("targetNamespace")+"-"+of.Name, "-"))
	r.IsUnchecked = p.text("install", "disableSchemaValidation") == "true" && p.text("upgrade", "disableSchemaValidation") == "true"
	files := entries(p.get("chart", "spec", "valuesFiles"))
	if last := p.get("chart", "spec", "valuesFile"); last != nil { // the field of early versions
		files = append(files, last)
	}
	l.valuesFiles(r, files, p.text("chart", "spec", "ignoreMissingValuesFiles") == "true")
	for _, one := range slices.Backward(p) { // a patch replaces the list
		if values.Field(one.root, "spec", "valuesFrom") != nil {
			for _, ref := range entries(one.root, "spec", "valuesFrom") {
				l.valuesFrom(r, one, ref)
			}
			break
		}
	}
	for _, one := range p {
		r.add(diag.Whole(one.Resource()), "spec.values", values.Field(one.root, "spec", "values"))
	}
	r.setTargets(p)
	l.changed(r, h)
	return r
}

// fluxChart returns the chart of a HelmRelease.
func (l *Loader) fluxChart(p patched) Chart {
	of, get := p[0].Item, func(keys ...string) *yaml.Node { return p.get(append([]string{"chart", "spec"}, keys...)...) }
	if ref := p.get("chartRef"); ref != nil {
		source, root := l.source(of, ref)
		switch {
		case field(ref, "kind") == "HelmChart" && root != nil:
			of, get = source, func(keys ...string) *yaml.Node { return values.Field(root, append([]string{"spec"}, keys...)...) }
		case field(ref, "kind") == "OCIRepository" && root != nil:
			url := field(root, "spec", "url")
			c := Chart{Name: path.Base(url), URL: url, Version: cmp.Or(field(root, "spec", "ref", "semver"), field(root, "spec", "ref", "tag"))}
			if c.Version == "" && field(root, "spec", "ref", "digest") != "" {
				c.Why = "the OCIRepository " + field(ref, "name") + " names its chart by a digest"
			}
			return c
		default:
			return Chart{Why: fmt.Sprintf("its chart is in the %s %s, which is not among the files", cmp.Or(field(ref, "kind"), "source"), field(ref, "name"))}
		}
	}
	c := Chart{Name: values.Text(get("chart")), Version: strings.TrimPrefix(values.Text(get("version")), "*")}
	_, root := l.source(of, get("sourceRef"))
	c.URL = field(root, "spec", "url")
	switch kind := values.Text(get("sourceRef", "kind")); {
	case c.Name == "":
		c.Why = "it names no chart"
	case strings.Contains(c.Name, "${") || strings.Contains(c.Version, "${"):
		c.Why = "Flux replaces a part of the chart's name or version later"
	case kind == "GitRepository" || kind == "Bucket":
		c.Dir, c.IsDir, c.Name, c.Version = path.Clean(c.Name), true, "", ""
	}
	return c
}

// source returns the source that a reference names, in the namespace of the item if it names none.
func (l *Loader) source(of *list.Item, ref *yaml.Node) (*list.Item, *yaml.Node) {
	found := l.find(of, field(ref, "kind"), cmp.Or(field(ref, "namespace"), of.Namespace()), field(ref, "name"))
	if found == nil {
		return nil, nil
	}
	return found, documentOf(found)
}

// find returns the resource of a kind and a name: the one in the same file as another resource, or in the
// same folder, or the only one. It returns nil if there is none, or if it is unknown which one is meant.
func (l *Loader) find(of *list.Item, kind, namespace, name string) *list.Item {
	if name == "" {
		return nil
	}
	at := lookup{l.Files.OnDisk(of.Resource()), kind, namespace, name}
	found, isKnown := l.found[at]
	if !isKnown {
		found = l.search(at)
		l.found[at] = found
	}
	return found
}

// search is [Loader.find] without the results that are kept.
func (l *Loader) search(at lookup) *list.Item {
	kind, namespace, name, file := at.kind, at.namespace, at.name, at.file
	all := l.named[kind+"\x00"+name]
	if len(all) == 0 && l.Others != nil {
		all = l.Others(kind, name)
	}
	var found []*list.Item
	for _, item := range all {
		if namespace == "" || item.Namespace() == "" || item.Namespace() == namespace {
			found = append(found, item)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	for _, isNear := range []func(other string) bool{
		func(other string) bool { return other == file },
		func(other string) bool { return filepath.Dir(other) == filepath.Dir(file) },
	} {
		near := slices.DeleteFunc(slices.Clone(found), func(item *list.Item) bool { return !isNear(l.Files.OnDisk(item.Resource())) })
		if len(near) == 1 {
			return near[0]
		}
	}
	return nil
}

// valuesFiles adds the files of the chart that replace its values.yaml. Their paths are from the root of
// the repository, or from the chart in a chart repository.
func (l *Loader) valuesFiles(r *Release, files []*yaml.Node, ignoresMissing bool) {
	for _, n := range files {
		name := values.Text(n)
		root, origin, err := l.chartFile(r, name)
		switch {
		case err != nil && !ignoresMissing:
			r.isUnknown("the file %s of the chart cannot be read", name)
		case err == nil && origin == nil:
			r.addAuthors(name, root)
		case err == nil:
			r.add(origin, "", root)
		}
	}
}

// chartFile returns a file that a HelmRelease names as values. The origin is nil for a file of a chart in a
// chart repository.
func (l *Loader) chartFile(r *Release, name string) (root *yaml.Node, origin *diag.Origin, err error) {
	if !r.Chart.IsDir {
		root, err = l.Files.ChartFile(&r.Chart, name)
		return root, nil, err
	}
	dir, ok := l.Files.Root(r.Chart.URL)
	if !ok {
		return nil, nil, errElsewhere
	}
	return l.Files.Values(filepath.Join(dir, filepath.FromSlash(path.Join("/", name))))
}

var errElsewhere = errors.New("it is in another repository")

// valuesFrom adds the values of a ConfigMap or Secret:
//
//	valuesFrom:
//	- kind: ConfigMap
//	  name: podinfo
//	  valuesKey: prod.yaml     # values.yaml if absent
//	- kind: Secret
//	  name: redis
//	  valuesKey: password
//	  targetPath: redis.password
func (l *Loader) valuesFrom(r *Release, h *helmRelease, ref *yaml.Node) {
	kind, name, key := field(ref, "kind"), field(ref, "name"), cmp.Or(field(ref, "valuesKey"), "values.yaml")
	if field(ref, "targetPath") != "" {
		return
	}
	what := fmt.Sprintf("%s of the %s %s", key, kind, name)
	item := l.find(h.Item, kind, h.Namespace(), name)
	if item == nil {
		if l.generated(r, l.Files.OnDisk(h.Resource()), kind, name, key) {
			return
		}
		if field(ref, "optional") != "true" {
			r.isUnknown("the %s %s is not among the files", kind, name)
		}
		return
	}
	root := documentOf(item)
	if values.Field(root, "sops") != nil {
		r.isUnknown("the %s %s is encrypted", kind, name)
		return
	}
	for _, data := range []string{"stringData", "data"} {
		n := values.Field(root, data, key)
		switch {
		case n == nil || n.Kind != yaml.ScalarNode || kind != "Secret" && data == "stringData":
		case kind == "Secret" && data == "data":
			r.encoded(item.Resource(), key, what, n)
			return
		default:
			l.text(r, item.Resource(), data+"["+key+"]", what, n)
			return
		}
	}
	r.isUnknown("the %s %s has no %s", kind, name, key)
}

// setTargets adds the values at the target paths of references, which are not known. Flux lets most of them
// overwrite the values of the HelmRelease, so no value there is compared with a schema.
func (r *Release) setTargets(p patched) {
	for _, one := range slices.Backward(p) {
		if values.Field(one.root, "spec", "valuesFrom") == nil {
			continue
		}
		for i, ref := range entries(one.root, "spec", "valuesFrom") {
			if target := values.Field(ref, "targetPath"); values.Text(target) != "" {
				r.set(diag.Whole(one.Resource()), fmt.Sprintf("spec.valuesFrom[%d].targetPath", i), setting{target, node.Text(facts.Unknown)})
			}
		}
		return
	}
}

// encoded adds values in Base64. No finding can be at a line of such a text.
//
//	kind: Secret
//	data: {values.yaml: cmVwbGljYXM6IDMK}   # replicas: 3
func (r *Release) encoded(resource diag.Resource, key, what string, n *yaml.Node) {
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	if err != nil {
		r.isUnknown("%s is not Base64", what)
		return
	}
	document, err := values.Parse(string(text))
	if err != nil || document.Root() != nil && document.Root().Kind != yaml.MappingNode {
		r.isUnknown("%s cannot be read as a map", what)
		return
	}
	if root := document.Root(); root != nil {
		origin := &diag.Origin{Resource: resource, Field: "data[" + key + "]", Authored: true}
		r.Layers = append(r.Layers, facts.Layer{Root: withoutPlaces(root, n), Origin: origin, IsFlat: true})
	}
}

// withoutPlaces returns a tree whose nodes have the place of another node.
func withoutPlaces(n, at *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Line, c.Column, c.Content = at.Line, at.Column, nil
	for _, e := range n.Content {
		c.Content = append(c.Content, withoutPlaces(e, at))
	}
	return &c
}

// maxPatches is the number of patches for the resources of a file that are looked at. With more, a release
// may have any of them.
const maxPatches = 500

// changed adds what Flux and kustomize change in a HelmRelease later, which is unknown.
func (l *Loader) changed(r *Release, h *helmRelease) {
	file := l.Files.OnDisk(h.Resource())
	all, isKnown := l.patchesOf[file]
	if !isKnown {
		all = l.readPatches(file)
		l.patchesOf[file] = all
	}
	if len(all) > maxPatches {
		r.isUnknown("the kustomizations that include it have more than %d patches that are not applied here", maxPatches)
		return
	}
	for _, p := range slices.SortedFunc(maps.Keys(all), func(a, b patch) int { return cmp.Compare(a.kind+" "+a.name, b.kind+" "+b.name) }) {
		if p.isFor(h.Kind(), h.Name()) {
			r.isUnknown("%s", all[p])
		}
	}
}

// readPatches returns the patches for the resources of a file that are not applied here, with the reason why a
// release that one selects is unknown.
func (l *Loader) readPatches(file string) map[patch]string {
	all := map[patch]string{}
	for _, k := range l.including(file) {
		for _, p := range k.patches {
			all[p] = filepath.Base(k.file) + " has a patch for it that is not applied here"
		}
	}
	for dir := range parents.Of(file) {
		for _, k := range l.deployed[dir] {
			for _, p := range k.patches {
				all[p] = "the Kustomization " + k.file + " of Flux has a patch for it"
			}
		}
	}
	return all
}

// readDeployed reads the Kustomizations of Flux that have patches, by the folders that they deploy:
//
//	kind: Kustomization
//	spec:
//	  path: ./apps/prod
//	  patches: [{target: {kind: HelmRelease}, patch: …}]
func (l *Loader) readDeployed() {
	l.deployed = map[string][]*Kustomization{}
	top, ok := l.Files.Root("")
	for _, item := range l.Items {
		if !ok || !strings.HasPrefix(item.APIVersion(), deployGroup+"/") || !item.Mentions("patches") {
			continue
		}
		root := documentOf(item)
		k := &Kustomization{file: nameOf(item.Resource())}
		for _, entry := range entries(root, "spec", "patches") {
			k.patches = append(k.patches, patchOf(entry))
		}
		dir := filepath.Join(top, filepath.FromSlash(path.Join("/", field(root, "spec", "path"))))
		l.deployed[dir] = append(l.deployed[dir], k)
	}
}
