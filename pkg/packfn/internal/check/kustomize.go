package check

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// kustomizations are the kustomizations of a tree, by folder.
type kustomizations map[string]*kustomization

// kustomization holds the fields of a kustomization that check uses. Check reads the files that
// kustomize would read, but runs nothing:
//
//	resources: [../base, vault.yaml]
//	namePrefix: dev-
//	transformers: [apply-preset.yaml]
type kustomization struct {
	// file is the path of the kustomization in the tree.
	file string
	// names are the paths in the kustomization, and remote the addresses in it.
	names, remote []string
	// functions are the paths of generators, transformers and validators.
	functions []string
	// isComponent is true for the kind Component, which is no set of its own.
	isComponent bool
	// generators are the entries of configMapGenerator.
	generators []generator
	// changes maps each field that changes resources to the kinds that it changes; "" means any
	// kind.
	changes map[string][]string
}

// addressed are substrings of entries that are addresses, not paths.
var addressed = []string{"://", "github.com", "?ref=", "git@", "git::"}

// add parses a kustomization. One that cannot be parsed is added without names. isCheck is the
// method of the checker.
func (k kustomizations) add(file string, text []byte, isCheck func(*list.Item) bool) error {
	dir := path.Dir(file)
	one := &kustomization{file: file, changes: map[string][]string{}}
	k[dir] = one
	document, err := values.Parse(string(text))
	if err != nil {
		return err
	}
	root := document.Root()
	one.isComponent = values.Text(values.Field(root, "kind")) == "Component"
	for _, field := range []string{"resources", "bases", "components", "crds", "generators", "transformers", "validators"} {
		for _, entry := range entries(root, field) {
			name := values.Text(entry)
			switch {
			case strings.Contains(name, "\n"): // an inline resource instead of a path
				if slices.ContainsFunc(list.FileItems([]byte(name), "function"), func(item *list.Item) bool { return !isCheck(item) }) {
					one.changes[field] = []string{""}
				}
			case slices.ContainsFunc(addressed, func(part string) bool { return strings.Contains(name, part) }):
				one.remote = append(one.remote, name)
			case name != "":
				one.names = append(one.names, from(dir, name))
				if slices.Contains([]string{"generators", "transformers", "validators"}, field) {
					one.functions = append(one.functions, from(dir, name))
				}
			}
		}
	}
	for _, field := range []string{"namePrefix", "nameSuffix"} {
		if values.Text(values.Field(root, field)) != "" {
			one.changes[field] = []string{""}
		}
	}
	for _, field := range []string{"patches", "patchesStrategicMerge", "patchesJson6902", "replacements"} {
		for _, entry := range entries(root, field) {
			one.changes[field] = append(one.changes[field], targets(entry)...)
		}
	}
	one.readGenerators(dir, root)
	return nil
}

// from resolves a path in a kustomization against the directory of the kustomization.
func from(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// entries returns the elements of a list field.
func entries(n *yaml.Node, field string) (entries []*yaml.Node) {
	list := values.Field(n, field)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, entry := range list.Content {
		entries = append(entries, values.Resolve(entry))
	}
	return entries
}

// targets returns the kinds that a patch or a replacement changes; "" means any kind:
//
//	patches:
//	- target: {kind: ConfigMap}
//	  patch: …
func targets(entry *yaml.Node) (kinds []string) {
	if kind := values.Text(values.Field(entry, "target", "kind")); kind != "" {
		return []string{kind}
	}
	for _, target := range entries(entry, "targets") {
		kinds = append(kinds, values.Text(values.Field(target, "select", "kind")))
	}
	text := values.Text(values.Field(entry, "patch"))
	if entry.Kind == yaml.ScalarNode {
		text = entry.Value
	}
	for _, item := range list.FileItems([]byte(text), "patch") {
		if item.Kind() != "" {
			kinds = append(kinds, item.Kind())
		}
	}
	if kinds == nil {
		kinds = []string{""}
	}
	return kinds
}

// onlyChecks reports whether a file contains only functionConfigs of functions that check runs.
func (w *kustomizing) onlyChecks(name string) bool {
	file := w.byPath[name]
	return file != nil && !slices.ContainsFunc(file.Items(), func(item *list.Item) bool { return !w.checker.isCheck(item) })
}

// isCheck reports whether an item is the functionConfig of a function that check itself runs.
// Such a function only checks, so as a transformer it changes no resources that other checks
// read.
func (c *checker) isCheck(item *list.Item) bool {
	return groupOf(item.APIVersion()) == groups[1] && slices.ContainsFunc(c.checks, func(f function.Function) bool { return f.Kind == item.Kind() })
}

// readKustomizations returns a set for each kustomization that is not a component and that no
// other one names, and the files that no kustomization names.
func (t *tree) readKustomizations() (sets []*fileSet, left []*kptpackage.File) {
	named := map[string]bool{}
	for dir, one := range t.kustomizations {
		for _, name := range one.names {
			if name != dir {
				named[name] = true
			}
		}
	}
	w := &kustomizing{tree: t, byPath: map[string]*kptpackage.File{}, visited: map[string]bool{}, taken: map[string]bool{}, texts: map[string]generated{}, left: mostShared + manifold*len(t.files)}
	for _, one := range t.kustomizations {
		w.left += manifold * (1 + len(one.names))
	}
	for _, u := range t.closed {
		for _, file := range u.Files {
			at := path.Join(t.relative(u.Dir), file.Path)
			w.byPath[at] = &kptpackage.File{Path: at, Package: ".", Text: file.Text}
		}
	}
	for _, file := range t.files {
		w.byPath[file.Path] = file
	}
	dirs := slices.Sorted(maps.Keys(t.kustomizations))
	for _, dir := range dirs {
		if !named[dir] && !t.kustomizations[dir].isComponent {
			sets = append(sets, w.set(dir))
		}
	}
	for _, dir := range dirs { // kustomizations that name each other
		if !w.visited[dir] && !t.kustomizations[dir].isComponent {
			sets = append(sets, w.set(dir))
		}
	}
	if w.left < 0 {
		t.checker.skip(report.Limit, t.dir, 0, "the kustomizations share too many files; they are checked as directories")
		return nil, t.files
	}
	if w.size > mostGenerated+manifoldBytes*w.distinct {
		t.checker.skip(report.Limit, t.dir, 0, "the kustomizations generate ConfigMaps of more than %d MiB; the files are checked as directories", mostGenerated>>20)
		return nil, t.files
	}
	for _, file := range t.files {
		if !w.taken[file.Path] {
			left = append(left, file)
		}
	}
	return slices.DeleteFunc(sets, func(s *fileSet) bool { return len(s.sources) == 0 }), left
}

// kustomizing collects the files that kustomizations name.
type kustomizing struct {
	*tree
	// byPath are the files of the tree by their paths.
	byPath map[string]*kptpackage.File
	// visited are the folders that were visited, and taken the files that belong to a set.
	visited, taken map[string]bool
	// left is the remaining number of steps.
	left int
	// texts are the files that generators read, by their paths in the tree. size is the total
	// size of the generated ConfigMaps, and distinct the total size of their files.
	texts          map[string]generated
	size, distinct int
}

// set returns the set of a kustomization.
func (w *kustomizing) set(root string) *fileSet {
	one := &source{dir: root}
	seen, made := map[string]bool{}, map[string]*joined{}
	var used []*kustomization
	var visit func(dir string)
	visit = func(dir string) {
		if w.left--; seen[dir] || w.left < 0 {
			return
		}
		seen[dir], w.visited[dir] = true, true
		k := w.kustomizations[dir]
		used = append(used, k)
		for _, name := range k.names {
			if w.left--; w.left < 0 {
				return
			}
			if slices.Contains(k.functions, name) && !w.onlyChecks(name) {
				k.changes["functions"] = []string{""}
			}
			switch file := w.byPath[name]; {
			case w.kustomizations[name] != nil:
				visit(name)
			case file != nil && !seen[name]:
				seen[name], w.taken[name] = true, true
				one.files = append(one.files, file)
			}
		}
		for _, g := range k.generators {
			w.generate(made, k, g)
		}
	}
	visit(root)
	slices.SortFunc(one.files, func(a, b *kptpackage.File) int { return strings.Compare(a.Path, b.Path) })
	s := newSet(root)
	s.isKustomized = true
	if len(one.files) > 0 {
		s.sources = append(s.sources, one)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if j := made[name]; j.File(packdir.Metadata) != nil || j.annotations[pack.ValuesOfAnnotation] != "" {
			if at := j.paths[packdir.Metadata]; at != "" && !seen[at] { // a file that the user can open
				seen[at], j.file = true, at
			}
			s.sources = append(s.sources, &source{dir: path.Dir(j.file), joined: j})
		}
	}
	if len(s.sources) > 0 {
		s.isPartial = w.skip(used, one.files)
	}
	return s
}

// skip records the changes that the kustomizations of a set make and that check does not apply, and the
// paths that are not read. It reports whether there are such paths.
func (w *kustomizing) skip(used []*kustomization, files []*kptpackage.File) (isPartial bool) {
	kinds := map[string]bool{"": true, "ConfigMap": true}
	for _, file := range files {
		for _, item := range list.Flat(file.Text, file.Path, nil) {
			kinds[item.Kind()] = true
		}
	}
	for _, k := range used {
		var what []string
		for _, field := range slices.Sorted(maps.Keys(k.changes)) {
			if slices.ContainsFunc(k.changes[field], func(kind string) bool { return kinds[kind] }) {
				what = append(what, field)
			}
		}
		if len(what) > 0 {
			w.checker.skip(report.OtherFunction, w.onDisk(k.file), 0, "not applied: %s; kustomize build, piped to packfn check -, checks the result", diag.AllOf(what))
		}
		for _, address := range k.remote {
			isPartial = true
			w.checker.skip(report.Outside, w.onDisk(k.file), 0, "not read: %s, which is an address", address)
		}
		for _, name := range k.names {
			if w.byPath[name] == nil && w.kustomizations[name] == nil {
				isPartial = w.skipAbsent(k, name, w.tree.absent(name)) || isPartial
			}
		}
	}
	return isPartial
}

// skipAbsent records a path in a kustomization that is not read. It does nothing, and returns false, if
// why is empty.
func (w *kustomizing) skipAbsent(k *kustomization, name, why string) bool {
	if why != "" {
		w.checker.skip(report.Outside, w.onDisk(k.file), 0, "not read: %s, which %s", name, why)
	}
	return why != ""
}
