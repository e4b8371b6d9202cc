package sets

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// onlyChecks reports whether a file contains only functionConfigs of functions that check runs.
func (w *kustomizing) onlyChecks(name string) bool {
	file := w.byPath[name]
	return file != nil && !slices.ContainsFunc(file.Items(), func(item *list.Item) bool { return !w.options.IsCheck(item) })
}

// readKustomizations returns a set for each kustomization that is not a component and that no
// other one names, and the files that no kustomization names.
func (t *Tree) readKustomizations() (sets []*Set, left []*kptpackage.File) {
	named := map[string]bool{}
	for dir, one := range t.Kustomizations {
		for _, name := range one.Names {
			if name != dir {
				named[name] = true
			}
		}
	}
	w := &kustomizing{Tree: t, byPath: map[string]*kptpackage.File{}, visited: map[string]bool{}, taken: map[string]bool{}, texts: map[string]generated{}, left: mostShared + manifold*len(t.Files)}
	for _, one := range t.Kustomizations {
		w.left += manifold * (1 + len(one.Names))
	}
	for _, p := range t.closed {
		for _, file := range p.Files {
			at := path.Join(t.Relative(p.Dir), file.Path)
			w.byPath[at] = &kptpackage.File{Path: at, Package: ".", Text: file.Text}
		}
	}
	for _, file := range t.Files {
		w.byPath[file.Path] = file
	}
	dirs := slices.Sorted(maps.Keys(t.Kustomizations))
	for _, dir := range dirs {
		if !named[dir] && !t.Kustomizations[dir].IsComponent {
			sets = append(sets, w.set(dir))
		}
	}
	for _, dir := range dirs { // kustomizations that name each other
		if !w.visited[dir] && !t.Kustomizations[dir].IsComponent {
			sets = append(sets, w.set(dir))
		}
	}
	if w.left < 0 {
		t.options.Skip(report.Limit, t.Dir, 0, "the kustomizations share too many files; they are checked as directories")
		return nil, t.Files
	}
	if w.size > mostGenerated+manifoldBytes*w.distinct {
		t.options.Skip(report.Limit, t.Dir, 0, "the kustomizations generate ConfigMaps of more than %d MiB; the files are checked as directories", mostGenerated>>20)
		return nil, t.Files
	}
	for _, file := range t.Files {
		if !w.taken[file.Path] {
			left = append(left, file)
		}
	}
	return slices.DeleteFunc(sets, func(s *Set) bool { return len(s.Sources) == 0 }), left
}

// kustomizing collects the files that kustomizations name.
type kustomizing struct {
	*Tree
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
func (w *kustomizing) set(root string) *Set {
	one := &Source{Dir: root}
	seen, made := map[string]bool{}, map[string]*Joined{}
	var used []*kustomization.File
	var visit func(dir string)
	visit = func(dir string) {
		if w.left--; seen[dir] || w.left < 0 {
			return
		}
		seen[dir], w.visited[dir] = true, true
		k := w.Kustomizations[dir]
		used = append(used, k)
		for _, name := range k.Names {
			if w.left--; w.left < 0 {
				return
			}
			if slices.Contains(k.Functions, name) && !w.onlyChecks(name) {
				k.Changes["functions"] = []string{""}
			}
			switch file := w.byPath[name]; {
			case w.Kustomizations[name] != nil:
				visit(name)
			case file != nil && !seen[name]:
				seen[name], w.taken[name] = true, true
				one.Files = append(one.Files, file)
			}
		}
		for _, g := range k.Generators {
			w.generate(made, k, g)
		}
	}
	visit(root)
	slices.SortFunc(one.Files, func(a, b *kptpackage.File) int { return strings.Compare(a.Path, b.Path) })
	s := newSet(root)
	s.IsKustomized = true
	if len(one.Files) > 0 {
		s.Sources = append(s.Sources, one)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if j := made[name]; j.File(packdir.Metadata) != nil || j.Annotations[pack.ValuesOfAnnotation] != "" {
			if at := j.Paths[packdir.Metadata]; at != "" && !seen[at] { // a file that the user can open
				seen[at], j.Path = true, at
			}
			s.Sources = append(s.Sources, &Source{Dir: path.Dir(j.Path), Joined: j})
		}
	}
	if len(s.Sources) > 0 {
		s.IsPartial = w.skip(used, one.Files)
	}
	return s
}

// skip records the changes that the kustomizations of a set make and that check does not apply, and the
// paths that are not read. It reports whether there are such paths.
func (w *kustomizing) skip(used []*kustomization.File, files []*kptpackage.File) (isPartial bool) {
	kinds := map[string]bool{"": true, "ConfigMap": true}
	for _, file := range files {
		for _, item := range list.Flat(file.Text, file.Path, nil) {
			kinds[item.Kind()] = true
		}
	}
	for _, k := range used {
		var what []string
		for _, field := range slices.Sorted(maps.Keys(k.Changes)) {
			if slices.ContainsFunc(k.Changes[field], func(kind string) bool { return kinds[kind] }) {
				what = append(what, field)
			}
		}
		if len(what) > 0 {
			w.options.Skip(report.OtherFunction, w.OnDisk(k.Path), 0, "not applied: %s; kustomize build, piped to packfn check -, checks the result", diag.AllOf(what))
		}
		for _, address := range k.Remote {
			isPartial = true
			w.options.Skip(report.Outside, w.OnDisk(k.Path), 0, "not read: %s, which is an address", address)
		}
		for _, name := range k.Names {
			if w.byPath[name] == nil && w.Kustomizations[name] == nil {
				isPartial = w.skipAbsent(k, name, w.Absent(name)) || isPartial
			}
		}
	}
	return isPartial
}

// skipAbsent records a path in a kustomization that is not read. It does nothing, and returns false, if
// why is empty.
func (w *kustomizing) skipAbsent(k *kustomization.File, name, why string) bool {
	if why != "" {
		w.options.Skip(report.Outside, w.OnDisk(k.Path), 0, "not read: %s, which %s", name, why)
	}
	return why != ""
}
