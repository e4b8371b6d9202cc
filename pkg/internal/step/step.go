// Package step finds the step of a pipeline that a run of a function is.
//
// A Kptfile may run a function several times, each with its own configuration. A list contains the
// Kptfiles, but does not state the step. The configuration identifies it:
//
//	pipeline:
//	  mutators:
//	  - image: ghcr.io/krm-packs/apply-preset:v0.1.0
//	    configPath: preset.yaml
//
// The documentation of kpt defines the terms of a Kptfile.
package step

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/google/shlex"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Suite is the name of the program that has all functions.
const Suite = "packfn"

// Words returns the words of exec, as kpt splits them. Most have no quotes, escapes or
// comments: these are split without the buffers of a lexer.
func Words(exec string) ([]string, error) {
	if strings.ContainsFunc(exec, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("\"'\\#", r) }) {
		return shlex.Split(exec)
	}
	return strings.Fields(exec), nil
}

// Program returns the name of the program that an entry of a pipeline runs: the last part of its
// image without tag and digest, or of the first word of exec, or "" if there is none.
func Program(image, exec string) string {
	if exec != "" {
		words, err := Words(exec)
		if err != nil || len(words) == 0 || words[0] == "" {
			return ""
		}
		return filepath.Base(words[0])
	}
	if image == "" {
		return ""
	}
	name, _, _ := strings.Cut(image, "@")
	name, _, _ = strings.Cut(path.Base(name), ":")
	return name
}

// Function is a function by its name and the kind of its configuration.
// Name is the name of the program, and Kind the kind of the functionConfig.
type Function struct{ Name, Kind string }

// runs reports whether an entry of a pipeline runs the function. config returns the
// configuration of the entry.
func (f Function) runs(e entry, config func() *yaml.Node) bool {
	switch Program(e.image, e.exec) {
	case f.Name:
		return true
	case Suite:
		if words, _ := Words(e.exec); len(words) > 1 {
			return words[1] == f.Name
		}
		return values.Text(values.Field(config(), "kind")) == f.Kind
	}
	return false
}

// Config is the configuration of a run.
type Config struct {
	// Root is nil if there is none.
	Root *yaml.Node
	// Resource has the place of its file, if the client says it.
	Resource diag.Resource
}

// Position is the position of a run among the steps of a pipeline.
type Position struct {
	// IsKnown reports whether the run is a step of the pipeline of the root package.
	IsKnown bool
	// isFirst reports whether no step before it runs the function over all resources.
	isFirst bool
	// MayBeStep reports whether the run may be a step of a pipeline that its list does not contain,
	// because a selector of the step hides the Kptfile.
	MayBeStep bool
	// running are the folders of the subpackages whose pipelines run the function.
	running []string
}

// IsFirst reports whether no other step of a pipeline has run the function over what is at a
// place before. It is true for a run that is no step.
func (p Position) IsFirst(place injection.Place) bool {
	dir := place.Dir()
	for _, sub := range p.running {
		if injection.Within(dir, sub) {
			return false
		}
	}
	return p.isFirst
}

// First returns the position of a first step in the place of a run.
func (p Position) First() Position {
	p.isFirst = true
	return p
}

// Find returns the position of a run over items, which has a configuration.
func Find(f Function, items []*list.Item, config Config) Position {
	var p Position
	var kptfiles []*list.Item
	var places []injection.Place
	for _, item := range items {
		if injection.IsKptfile(item) {
			kptfiles, places = append(kptfiles, item), append(places, injection.PlaceOf(item))
		}
		p.MayBeStep = p.MayBeStep || item.Annotation(list.PackagePathAnnotation) != ""
	}
	root, hasRoot := injection.Root(places)
	p.MayBeStep = p.MayBeStep && !hasRoot
	isNarrow := true // all steps before the run
	for i, kptfile := range kptfiles {
		r := reader{f, items, places[i]}
		steps := r.steps(kptfile)
		if !hasRoot || i != root {
			if len(steps) > 0 {
				p.running = append(p.running, places[i].Dir())
			}
			continue
		}
		for _, e := range steps {
			if p.IsKnown = r.has(e, config); p.IsKnown {
				break
			}
			isNarrow = isNarrow && e.isNarrow
		}
	}
	p.isFirst = !p.IsKnown || isNarrow
	return p
}

// entry is an entry of a pipeline.
type entry struct {
	// image, exec and configPath are the fields of these names.
	image, exec, configPath string
	// configMap and configRef are nil if they are absent.
	configMap, configRef *yaml.Node
	// isNarrow reports whether the entry may not run, or not over all resources.
	isNarrow bool
}

// reader reads the pipeline of a Kptfile.
type reader struct {
	Function
	// items are the resources of the run, and place is the Kptfile.
	items []*list.Item
	place injection.Place
}

// steps returns the mutators that run the function.
func (r *reader) steps(kptfile *list.Item) []entry {
	document, err := kptfile.Document()
	if err != nil {
		return nil // kpt reports it
	}
	mutators := values.Field(document.Root(), "pipeline", "mutators")
	if mutators == nil || mutators.Kind != yaml.SequenceNode {
		return nil
	}
	var steps []entry
	for _, n := range mutators.Content {
		text := func(field string) string { return values.Text(values.Field(n, field)) }
		e := entry{image: text("image"), exec: text("exec"), configPath: text("configPath"), configMap: values.Field(n, "configMap"), configRef: values.Field(n, "configRef")}
		e.isNarrow = text("when") != "" || isFilled(values.Field(n, "selectors")) || isFilled(values.Field(n, "exclude"))
		if r.runs(e, func() *yaml.Node { return r.config(e) }) {
			steps = append(steps, e)
		}
	}
	return steps
}

func isFilled(n *yaml.Node) bool { return n != nil && len(n.Content) > 0 }

// config returns the resource that an entry names as its configuration, or nil if there is none.
func (r *reader) config(e entry) *yaml.Node {
	for _, item := range r.items {
		if !r.isNamed(e, item.Resource()) {
			continue
		}
		if document, err := item.Document(); err == nil {
			return document.Root()
		}
	}
	return nil
}

// isNamed reports whether an entry names a resource as its configuration.
func (r *reader) isNamed(e entry, resource diag.Resource) bool {
	switch {
	case e.configPath != "":
		at := injection.Place{Package: resource.PackagePath, File: resource.File}
		return resource.File != "" && at.Dir() == path.Join(r.place.Dir(), path.Dir(path.Clean(e.configPath))) && path.Base(resource.File) == path.Base(e.configPath)
	case e.configRef != nil:
		field := func(name, value string) bool {
			want := values.Text(values.Field(e.configRef, name))
			return want == "" || want == value
		}
		return field("kind", resource.Kind) && field("name", resource.Name) && field("apiVersion", resource.APIVersion) && field("namespace", resource.Namespace)
	}
	return false
}

// has reports whether an entry has a configuration.
func (r *reader) has(e entry, config Config) bool {
	isNamed := e.configPath != "" || e.configRef != nil
	data := values.Field(config.Root, "data")
	switch {
	case config.Root == nil, !isNamed && config.Resource.File == "" && !isFilled(data) && values.Text(values.Field(config.Root, "kind")) == "ConfigMap":
		return !isNamed && !isFilled(e.configMap)
	case !isNamed:
		return isFilled(e.configMap) && config.Resource.File == "" && values.Equal(textsOf(e.configMap), textsOf(data))
	case e.configPath == "" || config.Resource.File != "":
		return r.isNamed(e, config.Resource)
	}
	// The client does not pass the path of the configuration. If the configuration
	// is not among the resources, the client has taken it out.
	named := r.config(e)
	return named == nil || isSame(named, config.Root)
}

// isSame reports whether two resources are one, of which a client annotates only one.
func isSame(a, b *yaml.Node) bool {
	for _, field := range []string{"name", "namespace"} {
		if values.Text(values.Field(a, "metadata", field)) != values.Text(values.Field(b, "metadata", field)) {
			return false
		}
	}
	return values.Equal(content(a), content(b))
}

// content returns a resource without its metadata.
func content(n *yaml.Node) *yaml.Node {
	rest := node.Map()
	for _, p := range values.Pairs(n) {
		if name, _ := p.Name(); name != "metadata" {
			rest.Content = append(rest.Content, p.Key, p.Value)
		}
	}
	return rest
}

// textsOf returns a mapping whose values are texts, as kpt makes them.
func textsOf(n *yaml.Node) *yaml.Node {
	texts := node.Map()
	for _, p := range values.Pairs(n) {
		texts.Content = append(texts.Content, p.Key, node.Text(values.Text(p.Value)))
	}
	return texts
}
