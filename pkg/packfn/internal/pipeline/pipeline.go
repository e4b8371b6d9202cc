// Package pipeline runs the functions of this suite that a Kptfile names, in this
// process and on items in memory.
//
//	pipeline:
//	  mutators:
//	  - image: ghcr.io/krm-packs/apply-preset:v0.1.0
//	    configPath: preset.yaml
//	    selectors: [{kind: ConfigMap}]
//
// [Steps] returns the functions in the order in which kpt runs them. selector.go chooses the resources
// of a step, when.go evaluates its condition, and explain.go adds to a finding what the Kptfile
// explains. [Checker] reports the faults of the Kptfiles themselves.
package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/rule"
)

// Step is a function of a pipeline.
type Step struct {
	// Package is the path of the package whose Kptfile names it.
	Package string
	// Field is its place there, `pipeline.validators[0]`.
	Field string
	// Mutator is true if the step is a mutator.
	Mutator bool
	// Entry is the entry of the Kptfile.
	Entry kptpackage.Function
	// Function is the function of this suite. Its Name is "" if the step runs another program.
	Function function.Function
	// Program runs in place of a function of another suite, or is nil.
	Program *program.Program
	// Config is the functionConfig, or nil if there is none.
	Config *yaml.Node
	// ConfigFile is the path of the file that contains the functionConfig, or "" if it is in the
	// Kptfile.
	ConfigFile string
	// ConfigIndex is its index in that file.
	ConfigIndex int

	folder string
	// kptfile is the Kptfile, for the lines of its fields.
	kptfile *kptpackage.Kptfile
	// injects is the field of the first inject-config that runs later in this pipeline.
	injects string
}

// Kptfile returns the path of the Kptfile that names the function, in the folder of the
// packages.
func (s *Step) Kptfile() string { return KptfileOf(s.Package) }

// KptfileOf returns the path of the Kptfile of a package.
func KptfileOf(dir string) string { return path.Join(dir, kptpackage.KptfileName) }

// Fault returns an error about the function as one of the Kptfile, at its line and field.
func (s *Step) Fault(err error) error {
	return kptpackage.NewFault(s.folder, s.Kptfile(), diag.Position{Line: s.kptfile.Line(s.Field), Column: 1}, "%s: %v", s.Field, err)
}

// Steps returns the functions of the pipelines of a package and its subpackages, in the order in
// which kpt runs them: subpackages before their parent package, and in each package the mutators
// before the validators.
func Steps(p *kptpackage.Package, functions []function.Function) ([]Step, []error) {
	files, local := map[string]*kptpackage.File{}, map[string][]*kptpackage.File{}
	for _, file := range p.Files {
		files[file.Path] = file
		local[file.Package] = append(local[file.Package], file)
	}
	read := func(file *kptpackage.File) []*list.Item {
		return list.FileItems(file.Text, strings.TrimPrefix(file.Path, file.Package+"/"))
	}
	return StepsOf(p.Dir, p.Kptfiles, functions, func(pkg, name string) (items []*list.Item, ok bool) {
		if name == "" {
			for _, file := range local[pkg] {
				items = append(items, read(file)...)
			}
			return items, true
		}
		if file := files[path.Join(pkg, name)]; file != nil && file.Package == pkg {
			return read(file), true
		}
		return nil, false
	})
}

// StepsOf is like [Steps] for Kptfiles by the paths of their packages in a folder. items returns
// the resources of a file in a package, and whether the file exists. For the name "", it returns
// the resources of all files of the package, without its subpackages. A function that kpt cannot
// configure is reported as a [kptpackage.Fault], and left out of the steps.
func StepsOf(folder string, kptfiles map[string]*kptpackage.Kptfile, functions []function.Function, items func(pkg, name string) ([]*list.Item, bool)) (steps []Step, faults []error) {
	for _, dir := range order(kptfiles) {
		kptfile, first := kptfiles[dir], len(steps)
		steps = slices.Grow(steps, len(kptfile.Mutators)+len(kptfile.Validators))
		for field, entry := range kptfile.Functions() {
			one := Step{Package: dir, Field: field, Mutator: strings.HasPrefix(field, "pipeline.mutators"), Entry: entry, folder: folder, kptfile: kptfile}
			if err := one.readConfig(items); err != nil {
				faults = append(faults, one.Fault(err))
				continue
			}
			one.findFunction(functions)
			steps = append(steps, one)
		}
		own := steps[first:]
		for i := range own {
			if own[i].Function.Name == rule.InjectConfig {
				for j := range own[:i] {
					own[j].injects = cmp.Or(own[j].injects, own[i].Field)
				}
			}
		}
	}
	return steps, faults
}

// Suite is the name of the program that has all functions.
const Suite = step.Suite

// findFunction finds the function of this suite that an entry names: by the name of its
// program or image, as the first argument of packfn, or, when packfn has none, by the
// kind of the functionConfig.
func (s *Step) findFunction(functions []function.Function) {
	name := s.Entry.Program()
	if name == Suite {
		if words, _ := s.Entry.Command(); len(words) > 1 {
			name = words[1]
		} else {
			s.Function, _ = function.ByKind(functions, s.Config)
			return
		}
	}
	for _, f := range functions {
		if f.Name == name {
			s.Function = f
		}
	}
}

// Names are the names of functions.
func Names(functions []function.Function) (names []string) {
	for _, f := range functions {
		names = append(names, f.Name)
	}
	return names
}

// Meant returns the function of this suite that an entry for another program probably means: its
// name is misspelled, or lacks a word. It returns "" for all other entries.
func (s *Step) Meant(functions []function.Function) string {
	names, program := Names(functions), s.Entry.Program()
	if s.Function.Name != "" || program == Suite {
		return ""
	}
	if name := nearest.Misspelt(program, names); name != "" {
		return name
	}
	given := strings.Split(program, "-")
	at := slices.IndexFunc(names, func(name string) bool {
		words := strings.Split(name, "-")
		return len(given) > 1 && !slices.ContainsFunc(given, func(word string) bool { return !slices.Contains(words, word) })
	})
	if at < 0 {
		return ""
	}
	return names[at]
}

// Arguments are the arguments that the function gets.
func (s *Step) Arguments() []string {
	words, _ := s.Entry.Command()
	if len(words) > 1 && s.Entry.Program() == Suite {
		words = words[1:]
	}
	return words[min(1, len(words)):]
}

// order returns the paths of packages, each after those below it.
func order(kptfiles map[string]*kptpackage.Kptfile) []string {
	var dirs []string
	below := Below(kptfiles)
	var visit func(string)
	visit = func(dir string) {
		for _, sub := range below[dir] {
			visit(sub)
		}
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	visit("")
	return dirs
}

// Below returns the paths of the direct subpackages of each package, sorted. Below "" are
// the packages that are in no other one.
func Below(kptfiles map[string]*kptpackage.Kptfile) map[string][]string {
	below := map[string][]string{}
	for sub := range kptfiles {
		above := ""
		for dir := range parents.OfSlash(sub) {
			if _, ok := kptfiles[dir]; ok && dir != sub {
				above = dir
				break
			}
		}
		below[above] = append(below[above], sub)
	}
	for _, subs := range below {
		slices.Sort(subs)
	}
	return below
}

// Within reports whether a package is another one or below it.
func Within(pkg, dir string) bool {
	return dir == "." || pkg == dir || strings.HasPrefix(pkg, dir+"/")
}

// readConfig makes the functionConfig as kpt does.
func (s *Step) readConfig(items func(pkg, name string) ([]*list.Item, bool)) error {
	if s.Entry.ConfigRef != nil {
		all, _ := items(s.Package, "")
		item, err := s.Referred(all)
		if err != nil {
			return err
		}
		document, err := item.Document()
		if err != nil {
			return fmt.Errorf("configRef %s: %w", s.Entry.ConfigRef, err)
		}
		s.Config, s.ConfigFile, s.ConfigIndex = document.Root(), path.Join(s.Package, item.Resource().File), item.Resource().Index
		return nil
	}
	if s.Entry.ConfigPath == "" {
		if len(s.Entry.ConfigMap) > 0 {
			s.Config = configMap(s.Entry.ConfigMap)
		}
		return nil
	}
	s.ConfigFile = path.Join(s.Package, s.Entry.ConfigPath)
	found, ok := items(s.Package, path.Clean(s.Entry.ConfigPath))
	if !ok {
		return fmt.Errorf("configPath %s does not exist in the package%s", s.Entry.ConfigPath, nearest.Hint(path.Clean(s.Entry.ConfigPath), files(items, s.Package)))
	}
	if len(found) != 1 {
		return fmt.Errorf("configPath %s must contain one resource, got %d", s.Entry.ConfigPath, len(found))
	}
	document, err := found[0].Document()
	if err != nil {
		return fmt.Errorf("configPath %s: %w", s.Entry.ConfigPath, err)
	}
	s.Config = document.Root()
	return nil
}

// Configs returns what reports of a resource in a file whether it only configures functions: it
// is the functionConfig of one of the steps, or of the group of functionConfigs.
func Configs(steps []Step) func(item *list.Item, file string) bool {
	type place struct {
		file  string
		index int
	}
	named := map[place]bool{}
	for i := range steps {
		if steps[i].ConfigFile != "" {
			named[place{steps[i].ConfigFile, steps[i].ConfigIndex}] = true
		}
	}
	return func(item *list.Item, file string) bool {
		return named[place{file, item.Resource().Index}] || path.Dir(item.APIVersion()) == path.Dir(function.ConfigGroupVersion)
	}
}

// files are the paths of the files in a package that have resources.
func files(items func(pkg, name string) ([]*list.Item, bool), pkg string) (names []string) {
	all, _ := items(pkg, "")
	for _, item := range all {
		names = append(names, item.Resource().File)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Referred returns the item of the package that the field configRef refers to. Like kpt, it
// returns an error if there is none, or more than one.
func (s *Step) Referred(items []*list.Item) (*list.Item, error) {
	ref := s.Entry.ConfigRef
	var found []*list.Item
	var names, kinds []string // near which the reference may be
	for _, item := range items {
		if item.Kind() == ref.Kind {
			names = append(names, item.Name())
		}
		if item.Name() == ref.Name {
			kinds = append(kinds, item.Kind())
		}
		if item.Kind() == ref.Kind && item.Name() == ref.Name &&
			(ref.APIVersion == "" || item.APIVersion() == ref.APIVersion) && (ref.Namespace == "" || item.Namespace() == ref.Namespace) {
			found = append(found, item)
		}
	}
	switch len(found) {
	case 0:
		hint := cmp.Or(nearest.Hint(ref.Name, names), nearest.Hint(ref.Kind, kinds))
		if i := slices.IndexFunc(items, func(item *list.Item) bool { return item.Fault() != "" }); i >= 0 && hint == "" {
			hint = fmt.Sprintf("; %s: %s", items[i].Resource().File, diag.OneLine(items[i].Fault()))
		}
		return nil, fmt.Errorf("configRef %s does not exist in the package%s", ref, hint)
	case 1:
		return found[0], nil
	}
	places := make([]string, len(found))
	for i, item := range found {
		places[i] = item.Resource().File
	}
	return nil, fmt.Errorf("configRef %s matches %d resources (%s), want one; add apiVersion or namespace", ref, len(found), strings.Join(places, ", "))
}

// configMap makes the functionConfig that kpt makes of the field configMap.
func configMap(entries map[string]string) *yaml.Node {
	var data []*yaml.Node
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		data = append(data, node.Text(key), node.Text(entries[key]))
	}
	return node.Resource("v1", "ConfigMap", "function-input", node.Text("data"), node.Map(data...))
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
