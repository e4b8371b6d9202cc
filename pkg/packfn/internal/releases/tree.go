package releases

import (
	"path/filepath"

	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// InTree returns the releases in the files outside of packages, or nil if there are none, with the files and the resources
// that they are read from.
func InTree(t *discovery.Tree, f *Files, room *list.Room) (releases []*release.Release, files []*kptpackage.File, all []*list.Item) {
	if len(t.Helm.Files)+len(t.Helm.Kustomizations)+len(t.Helm.Charts) == 0 {
		return nil, nil, nil
	}
	byPath := map[string]*kptpackage.File{}
	var items []*list.Item
	read := map[string][]*list.Item{}
	add := func(file *kptpackage.File) []*list.Item {
		if byPath[file.Path] == nil {
			byPath[file.Path] = file
			files, read[file.Path] = append(files, file), list.Flat(file.Text, file.Path, room)
		}
		return read[file.Path]
	}
	for _, file := range t.Helm.Files {
		items = append(items, add(file)...)
	}
	l := &release.Loader{Files: f, Items: items, Kustomizations: map[string]*release.Kustomization{}}
	for name, document := range t.Helm.Kustomizations {
		name = f.Absolute(name)
		l.Kustomizations[filepath.Dir(name)] = release.ReadKustomization(name, document)
	}
	l.Others = func(kind, name string) (found []*list.Item) {
		for _, at := range t.Helm.Configs[name] {
			file := byPath[at]
			if file == nil {
				text, err := t.Read(at)
				if err != nil {
					continue
				}
				file = &kptpackage.File{Path: at, Package: ".", Text: text}
			}
			for _, item := range add(file) {
				if item.Kind() == kind && item.Name() == name {
					found = append(found, item)
				}
			}
		}
		return found
	}
	releases = append([]*release.Release{}, l.Load()...)
	for _, dir := range t.Helm.Charts {
		if one := l.Umbrella(f.Absolute(dir)); one != nil {
			releases = append(releases, one)
		}
	}
	for _, file := range files {
		all = append(all, read[file.Path]...)
	}
	return releases, files, all
}
