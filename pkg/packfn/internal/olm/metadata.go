package olm

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// readMetadata adds the files of the metadata: for each part the first file that has it, else the
// file of its name.
//
//	annotations: {operators.operatorframework.io.bundle.package.v1: vault}   # annotations.yaml
//	properties: [{type: olm.maxOpenShiftVersion, value: "4.16"}]             # properties.yaml
//	dependencies: [{type: olm.package, value: {packageName: etcd, version: ">=0.9.0"}}]
func (b *Bundle) readMetadata(names []string, read func(string) ([]byte, error)) {
	var all []File
	for _, name := range names {
		text, err := read(path.Join(Metadata, name))
		if err == nil {
			all = append(all, File{Path: path.Join(Metadata, name), Text: text})
		} else if slices.Contains(metadataParts, name) && !errors.Is(err, fs.ErrNotExist) {
			b.Faults = append(b.Faults, err)
		}
	}
	for _, part := range metadataParts {
		at := slices.IndexFunc(all, func(f File) bool { return holdsPart(f.Text, part) })
		if at < 0 {
			at = slices.IndexFunc(all, func(f File) bool { return path.Base(f.Path) == part })
		}
		if at >= 0 {
			b.Files = append(b.Files, File{all[at].Path, all[at].Text, part})
		}
	}
}

// holdsPart reports whether a file has a part of the metadata, as opm finds out.
func holdsPart(text []byte, part string) bool {
	field := strings.TrimSuffix(part, path.Ext(part))
	if !bytes.Contains(text, []byte(field)) {
		return false
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return false
	}
	n := values.Field(document.Root(), field)
	if part == annotations {
		return slices.ContainsFunc(values.Pairs(n), func(p values.Pair) bool { return strings.HasPrefix(p.Key.Value, annotationPrefix) })
	}
	return n != nil && n.Kind == yaml.SequenceNode && len(n.Content) > 0
}

// readDefinitions reads which APIs the CustomResourceDefinitions of the bundle define:
//
//	spec:
//	  group: shop.example.com
//	  names: {kind: Shop}
//	  versions: [{name: v1}]
//
// v1beta1 of the kind may have the field version in place of versions.
func (b *Bundle) readDefinitions() {
	for _, f := range b.Files {
		if f.part != "" || !bytes.Contains(f.Text, []byte(definitionKind)) {
			continue
		}
		for _, item := range list.FileItems(f.Text, f.Path) {
			document, err := item.Document()
			if item.Kind() != definitionKind || err != nil {
				continue
			}
			spec := values.Field(document.Root(), "spec")
			names := []string{values.Text(values.Field(spec, "version"))}
			if n := values.Field(spec, "versions"); n != nil && n.Kind == yaml.SequenceNode {
				for _, one := range n.Content {
					names = append(names, values.Text(values.Field(one, "name")))
				}
			}
			for _, name := range names {
				if name != "" {
					b.Defined = append(b.Defined, constraint.GVK{Group: values.Text(values.Field(spec, "group")), Version: name, Kind: values.Text(values.Field(spec, "names", "kind"))})
				}
			}
		}
	}
}
