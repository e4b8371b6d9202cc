package check

import (
	"maps"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

// kustomizationNames are the names of the files that make a folder a kustomization.
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomizations are the folders with a kustomization, and the paths that each names.
type kustomizations map[string][]string

// add reads a kustomization. What cannot be read names nothing.
func (k kustomizations) add(dir string, text []byte) {
	k[dir] = []string{}
	document, err := values.Parse(string(text))
	if err != nil {
		return
	}
	for _, field := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
		list := values.Field(document.Root(), field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range list.Content {
			k[dir] = append(k[dir], path.Join(dir, values.Text(values.Resolve(entry))))
		}
	}
}

// of returns the kustomization that a file is in, and false for none.
func (k kustomizations) of(file *kptpackage.File) (dir string, ok bool) {
	for dir = path.Dir(file.Path); k[dir] == nil && dir != "."; dir = path.Dir(dir) {
	}
	return dir, k[dir] != nil
}

// mostShared bounds how often files and names are taken again, if many kustomizations name the
// same ones.
const (
	mostShared = 10_000
	manifold   = 10 // for each that there is
)

// groups returns the files that are deployed together: those of each kustomization that no
// other one names, with those of the kustomizations that it names, and all other files. It
// reports false, and one group of all, if that would be too many.
func (k kustomizations) groups(files []*kptpackage.File) (groups [][]*kptpackage.File, ok bool) {
	own, byPath := map[string][]int{}, map[string]int{} // indexes of files
	for i, file := range files {
		byPath[file.Path] = i
		if dir, ok := k.of(file); ok {
			own[dir] = append(own[dir], i)
		}
	}
	named := map[string]bool{}
	left := mostShared + manifold*len(files)
	for dir, names := range k {
		left += manifold * (1 + len(names))
		for _, name := range names {
			if name != dir {
				named[name] = true
			}
		}
	}
	visited, taken := map[string]bool{}, map[int]bool{}
	start := func(root string) {
		var in []int
		seen := map[string]bool{}
		for todo := []string{root}; len(todo) > 0; {
			dir := todo[0]
			todo = todo[1:]
			if seen[dir] {
				continue
			}
			seen[dir], visited[dir] = true, true
			if left -= 1 + len(own[dir]) + len(k[dir]); left < 0 {
				return
			}
			in = append(in, own[dir]...)
			for _, name := range k[dir] {
				if i, ok := byPath[name]; ok {
					in = append(in, i)
				} else if k[name] != nil {
					todo = append(todo, name)
				}
			}
		}
		slices.Sort(in)
		var group []*kptpackage.File
		for _, i := range slices.Compact(in) {
			group, taken[i] = append(group, files[i]), true
		}
		groups = append(groups, group)
	}
	dirs := slices.Sorted(maps.Keys(k))
	for _, dir := range dirs {
		if !named[dir] {
			start(dir)
		}
	}
	for _, dir := range dirs { // those that name each other
		if !visited[dir] {
			start(dir)
		}
	}
	if left < 0 {
		return [][]*kptpackage.File{files}, false
	}
	var rest []*kptpackage.File
	for i, file := range files {
		if !taken[i] {
			rest = append(rest, file)
		}
	}
	groups = append(groups, rest)
	return slices.DeleteFunc(groups, func(group []*kptpackage.File) bool { return len(group) == 0 }), true
}
