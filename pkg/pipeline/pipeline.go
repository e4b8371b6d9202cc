// Package pipeline runs the functions of this suite that a Kptfile names, in this
// process and on items in memory.
package pipeline

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/kptpackage"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Step is a function of a pipeline.
type Step struct {
	// Package is the path of the package whose Kptfile names it.
	Package string
	// Field is its place there, `pipeline.validators[0]`.
	Field string
	// Mutator says that it is among the mutators.
	Mutator bool
	// Entry is the entry of the Kptfile.
	Entry kptpackage.Function
	// Function is the function of this suite; its Name is "" for another program.
	Function function.Function
	// Config is the functionConfig, nil for none.
	Config *yaml.Node
	// ConfigFile is the path of the file that holds it, "" when the Kptfile does.
	ConfigFile string
}

// Steps returns the functions of the pipelines of a package and its subpackages, in
// the order in which kpt runs them: those of the deepest packages first, and in each
// the mutators before the validators.
func Steps(p *kptpackage.Package, functions []function.Function) ([]Step, error) {
	var steps []Step
	for _, dir := range Packages(p) {
		kptfile := p.Kptfiles[dir]
		for _, part := range []struct {
			name    string
			entries []kptpackage.Function
		}{{"mutators", kptfile.Mutators}, {"validators", kptfile.Validators}} {
			for i, entry := range part.entries {
				step := Step{Package: dir, Field: fmt.Sprintf("pipeline.%s[%d]", part.name, i), Mutator: part.name == "mutators", Entry: entry}
				if err := step.readConfig(p); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", path.Join(p.Dir, dir, kptpackage.KptfileName), step.Field, err)
				}
				step.findFunction(functions)
				steps = append(steps, step)
			}
		}
	}
	return steps, nil
}

// findFunction sets the function that the entry runs: by the name of its program, or for
// packfn, which is all of them, by its first argument or the kind of the functionConfig.
func (s *Step) findFunction(functions []function.Function) {
	name, given := s.Entry.Program(), function.TypeMeta{}
	if name == "packfn" {
		name = ""
		if words := strings.Fields(s.Entry.Exec); len(words) > 1 {
			name = words[1]
		}
		given = function.TypeMeta{APIVersion: values.Text(values.Field(s.Config, "apiVersion")), Kind: values.Text(values.Field(s.Config, "kind"))}
	}
	for _, f := range functions {
		kinds := append([]function.TypeMeta{{APIVersion: function.ConfigGroupVersion, Kind: f.Kind}}, f.Accepts...)
		if f.Name == name || name == "" && slices.Contains(kinds, given) {
			s.Function = f
		}
	}
}

// Packages returns the paths of a package and its subpackages, the deepest first.
func Packages(p *kptpackage.Package) []string {
	var dirs []string
	for dir := range p.Kptfiles {
		dirs = append(dirs, dir)
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a, b)) })
	return dirs
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}

// Within reports whether a package is another one or below it.
func Within(pkg, dir string) bool {
	return dir == "." || pkg == dir || strings.HasPrefix(pkg, dir+"/")
}

// readConfig makes the functionConfig as kpt does.
func (s *Step) readConfig(p *kptpackage.Package) error {
	if s.Entry.ConfigPath == "" {
		if len(s.Entry.ConfigMap) > 0 {
			s.Config = configMap(s.Entry.ConfigMap)
		}
		return nil
	}
	s.ConfigFile = path.Join(s.Package, s.Entry.ConfigPath)
	for _, file := range p.Files {
		if file.Path != s.ConfigFile {
			continue
		}
		items := file.Items()
		if len(items) != 1 {
			return fmt.Errorf("configPath %s holds %d resources, want one", s.Entry.ConfigPath, len(items))
		}
		document, err := items[0].Document()
		if err != nil {
			return fmt.Errorf("configPath %s: %w", s.Entry.ConfigPath, err)
		}
		s.Config = document.Root()
		return nil
	}
	return fmt.Errorf("configPath %s does not exist in the package", s.Entry.ConfigPath)
}

// configMap makes the functionConfig that kpt makes of the field configMap.
func configMap(entries map[string]*yaml.Node) *yaml.Node {
	text := func(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value} }
	mapping := func(content ...*yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
	}
	var data []*yaml.Node
	for key, n := range entries {
		data = append(data, text(key), text(n.Value))
	}
	return mapping(text("apiVersion"), text("v1"), text("kind"), text("ConfigMap"),
		text("metadata"), mapping(text("name"), text("function-input")),
		text("data"), mapping(data...))
}

// Selects reports whether the function gets an item of its package.
func (s *Step) Selects(item *list.Item) (bool, error) {
	matches := func(selectors []kptpackage.Selector) (bool, error) {
		for _, selector := range selectors {
			if ok, err := selected(selector, item); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}
	if len(s.Entry.Selectors) > 0 {
		if ok, err := matches(s.Entry.Selectors); !ok || err != nil {
			return false, err
		}
	}
	excluded, err := matches(s.Entry.Exclude)
	return !excluded, err
}

func selected(s kptpackage.Selector, item *list.Item) (bool, error) {
	for _, pair := range [][2]string{
		{s.APIVersion, item.APIVersion()}, {s.Kind, item.Kind()}, {s.Name, item.Name()}, {s.Namespace, item.Namespace()},
	} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false, nil
		}
	}
	if len(s.Labels) == 0 && len(s.Annotations) == 0 {
		return true, nil
	}
	labels, annotations, err := item.Metadata()
	if err != nil {
		return false, err
	}
	return contains(labels, s.Labels) && contains(annotations, s.Annotations), nil
}

func contains(all, wanted map[string]string) bool {
	for key, value := range wanted {
		if given, ok := all[key]; !ok || given != value {
			return false
		}
	}
	return true
}

// Run runs a function over items, as one list. Changes stay in the items. The list that
// results has the items of the function, new ones included.
func Run(f function.Function, config *yaml.Node, items []*list.Item) (function.Outcome, []*list.Item) {
	l := &list.List{Items: slices.Clone(items)}
	if config != nil {
		l.SetConfig(config)
	}
	outcome := function.Evaluate(f, l)
	return outcome, l.Items
}
