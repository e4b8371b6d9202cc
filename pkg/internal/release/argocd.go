package release

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// argo returns the releases of Applications, and of the templates of ApplicationSets:
//
//	kind: Application
//	spec:
//	  source:
//	    repoURL: https://charts.example.com
//	    chart: web
//	    targetRevision: 1.2.*
//	    helm: {valueFiles: [values-prod.yaml], valuesObject: {replicas: 3}}
//
// One with several sources is several releases.
func (l *Loader) argo() (releases []*Release) {
	for _, item := range l.Items {
		if !strings.HasPrefix(item.APIVersion(), argoGroup+"/") || !Is(item) {
			continue
		}
		spec := []string{"spec"}
		if item.Kind() == "ApplicationSet" {
			spec = []string{"spec", "template", "spec"}
		}
		root := documentOf(item)
		if root == nil {
			continue
		}
		a := &application{Loader: l, item: item, spec: values.Field(root, spec...), path: strings.Join(spec, "."), refs: map[string]*yaml.Node{}}
		a.isPatched = item.Kind() == "ApplicationSet" && field(root, "spec", "templatePatch") != ""
		for _, source := range entries(a.spec, "sources") {
			if ref := field(source, "ref"); ref != "" {
				a.refs[ref] = source
			}
		}
		if sources := entries(a.spec, "sources"); len(sources) > 0 { // spec.source does not count then
			for i, source := range sources {
				releases = append(releases, a.release(source, fmt.Sprintf("%s.sources[%d]", a.path, i))...)
			}
		} else if source := values.Field(a.spec, "source"); source != nil {
			releases = append(releases, a.release(source, a.path+".source")...)
		}
	}
	return releases
}

// application is an Application, or an ApplicationSet.
type application struct {
	*Loader
	// item is the resource, spec the spec of the Application, and path the path of the spec in the
	// item.
	item *list.Item
	spec *yaml.Node
	path string
	// isPatched reports whether an ApplicationSet has a patch for its template, which is a text.
	isPatched bool
	// refs are the sources that value files may name as `$name`.
	refs map[string]*yaml.Node
}

// release returns the release of a source, or none if the source is not a chart. The chart of a path in a
// repository is a chart if there is a Chart.yaml, or if the source has options for Helm.
func (a *application) release(source *yaml.Node, at string) []*Release {
	of, helm := a.item.Resource(), values.Field(source, "helm")
	name, dir := field(source, "chart"), field(source, "path")
	r := &Release{Kind: of.Kind, Name: nameOf(of), Chart: Chart{Name: name, URL: field(source, "repoURL")}}
	r.Where = diag.Where{Origin: diag.Whole(of), Key: at, Position: values.At(source)}
	for _, n := range []string{field(source, "repoURL"), name, dir, field(source, "targetRevision")} {
		if strings.Contains(n, "{{") && (name != "" || dir != "") {
			r.Chart.Why = "a part of its source is replaced when the ApplicationSet makes Applications"
		}
	}
	switch {
	case name != "":
		r.Chart.Version = field(source, "targetRevision")
	case dir != "" && (helm != nil || a.isChart(&r.Chart, dir)):
		r.Chart.Dir, r.Chart.IsDir = path.Clean(dir), true
	default: // manifests, or the source of value files
		return nil
	}
	if a.isPatched {
		r.isUnknown("templatePatch may change it")
	}
	r.As = cmp.Or(field(helm, "releaseName"), of.Name)
	r.Namespace = cmp.Or(field(helm, "namespace"), field(a.spec, "destination", "namespace"))
	r.IsUnchecked = field(helm, "skipSchemaValidation") == "true"
	for _, n := range entries(helm, "valueFiles") {
		a.valueFile(r, dir, values.Text(n), field(helm, "ignoreMissingValueFiles") == "true")
	}
	object, text := values.Field(helm, "valuesObject"), values.Field(helm, "values")
	switch {
	case object != nil:
		r.add(diag.Whole(of), at+".helm.valuesObject", object)
		r.hidden(text, at+".helm.values")
	case text != nil && text.Kind == yaml.ScalarNode:
		a.text(r, of, at+".helm.values", at+".helm.values", text)
	}
	a.parameters(r, helm, at)
	return []*Release{r}
}

// isChart reports whether a folder of a repository has a Chart.yaml.
func (a *application) isChart(c *Chart, dir string) bool {
	root, ok := a.Files.Root(c.URL)
	if !ok {
		return false
	}
	_, _, err := a.Files.Values(filepath.Join(root, filepath.FromSlash(path.Join("/", dir, "Chart.yaml"))))
	return err == nil
}

// hidden records values as a text beside valuesObject, which hides them.
func (r *Release) hidden(text *yaml.Node, at string) {
	if values.Text(text) != "" {
		r.Hidden = &diag.Where{Origin: r.Where.Origin, Key: at, Position: values.At(text)}
	}
}

// valueFile adds a file of values. A path is from the chart, one that begins with a slash from the root of
// the repository, and one that begins with `$name` from the root of another source's repository.
func (a *application) valueFile(r *Release, dir, name string, ignoresMissing bool) {
	isUnknown := func(why string) { r.isUnknown("the value file %s %s", name, why) }
	c, inside := &r.Chart, path.Join(dir, name)
	url := c.URL
	ref, rest, _ := strings.Cut(strings.TrimPrefix(name, "$"), "/")
	isRef := strings.HasPrefix(name, "$")
	switch {
	case strings.Contains(name, "{{"):
		isUnknown("is known when the ApplicationSet makes Applications")
		return
	case strings.Contains(name, "://"):
		isUnknown("is an address")
		return
	case strings.ContainsAny(name, "*?["):
		isUnknown("is a pattern")
		return
	case isRef && a.refs[ref] == nil:
		isUnknown("names no source")
		return
	case isRef:
		url, inside = field(a.refs[ref], "repoURL"), rest
	case strings.HasPrefix(name, "/"):
		inside = name
	}
	if !isRef && !c.IsDir {
		if root, err := a.Files.ChartFile(c, inside); err == nil {
			r.addAuthors(inside, root)
		} else if !ignoresMissing {
			isUnknown("of the chart cannot be read")
		}
		return
	}
	top, ok := a.Files.Root(url)
	if !ok {
		isUnknown("is in another repository")
		return
	}
	root, origin, err := a.Files.Values(filepath.Join(top, filepath.FromSlash(path.Join("/", inside))))
	switch {
	case err == nil:
		r.add(origin, "", root)
	case !ignoresMissing:
		isUnknown("cannot be read")
	}
}

// parameters adds the values of Helm's --set, --set-string and --set-file:
//
//	parameters: [{name: image.tag, value: v2, forceString: true}]
//	fileParameters: [{name: config, path: files/config.json}]
func (a *application) parameters(r *Release, helm *yaml.Node, at string) {
	for _, field := range []string{"parameters", "fileParameters"} {
		var settings []setting
		for _, entry := range entries(helm, field) {
			name := values.Field(entry, "name")
			if values.Text(name) == "" {
				continue
			}
			value := node.Text(facts.Unknown)
			if text := values.Field(entry, "value"); field == "parameters" && text != nil && !isList(name.Value) {
				value = typed(text.Value, values.Text(values.Field(entry, "forceString")) == "true")
			}
			settings = append(settings, setting{name, value})
		}
		if len(settings) > 0 {
			r.set(r.Where.Origin, at+".helm."+field, settings...)
		}
	}
}

// typed returns the value that --set makes of a text: true, null and numbers are no texts.
func typed(text string, isString bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	tag := n.ShortTag()
	if !isString && strings.HasPrefix(text, "{") || facts.IsOpen(text) { // a list
		return node.Text(facts.Unknown)
	}
	if isString || tag != "!!bool" && tag != "!!null" && tag != "!!int" || strings.HasPrefix(text, "0") && len(text) > 1 {
		return node.Text(text)
	}
	return n
}
