package dependency

import (
	"path"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// halves pairs the ClusterServiceVersions and ConfigMaps of a metadata directory that form one
// bundle.
type halves struct {
	// metadata are the ConfigMaps, by their ClusterServiceVersion.
	metadata map[*list.Item]*list.Item
	// isPaired are the ConfigMaps that are read with their ClusterServiceVersion.
	isPaired map[*list.Item]bool
}

// half is a half of a bundle.
type half struct {
	// item is the ClusterServiceVersion or the ConfigMap.
	item *list.Item
	// folder is the folder above manifests/ or metadata/, or "" if it is in no such folder.
	folder string
	// name is the name of its package, or "" if it is not known.
	name string
}

// findHalves finds the halves of bundles. Two are one bundle when they are the only
// ones in the same folder above manifests/ and metadata/, or else the only ones of a
// package.
func (p *processor) findHalves() halves {
	found := halves{map[*list.Item]*list.Item{}, map[*list.Item]bool{}}
	var versions, folders []half
	for _, item := range p.run.Items() {
		if item.Kind() == "ClusterServiceVersion" && wantsBundle(item) {
			name, _ := constraint.CutName(item.Name())
			versions = append(versions, half{item, folderAbove(item, "manifests"), name})
		}
	}
	if len(versions) == 0 {
		return found
	}
	for _, item := range p.run.Items() {
		if item.Kind() == "ConfigMap" && wantsBundle(item) {
			if name, ok := metadataPackage(item); ok {
				folders = append(folders, half{item, folderAbove(item, "metadata"), name})
			}
		}
	}
	for _, key := range []func(half) string{func(h half) string { return h.folder }, func(h half) string { return h.name }} {
		pairs := map[string][2][]*list.Item{}
		for side, all := range [2][]half{versions, folders} {
			for _, h := range all {
				if k := key(h); k != "" && found.metadata[h.item] == nil && !found.isPaired[h.item] {
					pair := pairs[k]
					pair[side] = append(pair[side], h.item)
					pairs[k] = pair
				}
			}
		}
		for _, pair := range pairs {
			if len(pair[0]) == 1 && len(pair[1]) == 1 {
				found.metadata[pair[0][0]], found.isPaired[pair[1][0]] = pair[1][0], true
			}
		}
	}
	return found
}

// folderAbove returns the folder above the one that an item is in, when that has a name.
func folderAbove(item *list.Item, name string) string {
	r := item.Resource()
	dir := path.Dir(r.File)
	if path.Base(dir) != name {
		return ""
	}
	return r.PackagePath + "\x00" + path.Dir(dir)
}

// metadataPackage returns the package of a ConfigMap of a metadata folder, or "" if it is not
// given. It is false for other ConfigMaps.
func metadataPackage(item *list.Item) (name string, ok bool) {
	document, err := item.Document()
	if err != nil {
		return "", false // reported later
	}
	files := values.Field(document.Root(), "data")
	if values.Field(files, "pack.json") != nil || len(catalogsIn(files)) > 0 ||
		values.Field(files, propertiesFile) == nil && values.Field(files, dependenciesFile) == nil {
		return "", false
	}
	annotations, err := values.Parse(values.Text(values.Field(files, annotationsFile)))
	if err != nil {
		return "", true
	}
	return values.Text(values.Field(annotations.Root(), "annotations", packageAnnotation)), true
}
