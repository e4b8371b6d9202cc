package shown

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// Known contains the schemas of the packs whose values are in a file.
type Known struct {
	// schemas returns the schemas of the packs by name. There are several if both the old and the
	// new version of a file are known. A value is a secret if any of them marks it as one.
	schemas func() map[string][]*schema.Schema
	// beside is the schema.yaml of a pack directory, or nil.
	beside *schema.Schema
	// isPartial is true if other folders may have packs.
	isPartial bool
}

// KnownOf knows the packs in files, which are read when a file has values for a pack of another one.
func KnownOf(files iter.Seq2[string, []byte]) *Known {
	return &Known{schemas: sync.OnceValue(func() map[string][]*schema.Schema {
		all := map[string][]*schema.Schema{}
		for name, text := range files {
			if !strings.Contains(string(text), "schema") {
				continue
			}
			for name, some := range schemasOf(list.FileItems(text, name)) {
				all[name] = append(all[name], some...)
			}
		}
		return all
	})}
}

// maxSiblings is the number of files of a folder whose packs KnownIn reads.
const maxSiblings = 100

// KnownIn knows the packs in the files of a folder and of others, or the schema of the pack directory
// that the folder is.
func KnownIn(dir string, others ...string) *Known {
	known := KnownOf(func(yield func(string, []byte) bool) {
		for _, dir := range append([]string{dir}, others...) {
			entries, _ := os.ReadDir(dir)
			for i, entry := range entries {
				if ext := filepath.Ext(entry.Name()); i >= maxSiblings || ext != ".yaml" && ext != ".yml" {
					continue
				}
				if text, err := folder.ReadText(filepath.Join(dir, entry.Name())); err == nil && !yield(entry.Name(), text) {
					return
				}
			}
		}
	})
	known.isPartial = true
	if text, err := folder.ReadText(filepath.Join(dir, "schema.yaml")); err == nil {
		if document, err := values.Parse(string(text)); err == nil && document.Root() != nil {
			known.beside, _ = schema.Parse(document)
		}
	}
	return known
}

// schemasOf returns the schemas of the packs among resources, by the names of these.
func schemasOf(items []*list.Item) map[string][]*schema.Schema {
	all := map[string][]*schema.Schema{}
	for _, item := range items {
		isTyped := item.Is(pack.GroupVersion, "Pack")
		if !isTyped && !pack.IsConfigMap(item) {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue
		}
		root := document.Root()
		name, text := "", ""
		n := values.Field(root, "spec", "schema")
		if isTyped {
			if name = values.Text(values.Field(root, "spec", "name")); name == "" {
				name = item.Name()
			}
		} else {
			n = values.Field(root, "data", "schema.yaml")
			metadata, err := values.Parse(values.Text(values.Field(root, "data", "pack.json")))
			if err != nil {
				continue
			}
			name = values.Text(values.Field(metadata.Root(), "name"))
		}
		if n == nil || name == "" {
			continue
		}
		inner := values.Of(n)
		if text = values.Text(n); text != "" {
			if inner, err = values.Parse(text); err != nil {
				continue
			}
		}
		if inner.Root() != nil {
			parsed, _ := schema.Parse(inner)
			all[name] = append(all[name], parsed)
		}
	}
	return all
}

// schemasFor returns the schemas of the pack that a resource is, or has values for.
func (r *reader) schemasFor(item *list.Item) []*schema.Schema {
	name := pack.Overridden(item)
	if !pack.IsOverride(item) {
		for of := range schemasOf([]*list.Item{item}) {
			name = of
		}
	}
	if name == "" || r.known == nil {
		return r.own[name]
	}
	return append(slices.Clip(r.own[name]), r.known.schemas()[name]...)
}

// entries are the schema entries by key.
type entries map[string][]*schema.Entry

// context returns the context of a value of the current resource.
func (r *reader) context(path string, isSecret bool) schema.Context {
	c := schema.Context{Context: secret.Context{Path: path, IsSecret: isSecret || r.isUnknown}}
	if r.entries == nil {
		return c
	}
	key := strings.ReplaceAll(path, "[]", "."+values.Wildcard)
	if found := r.entries[key]; len(found) > 0 {
		c.Entry = found[0]
	}
	for end := len(key); end > 0 && !c.IsSecret; end = strings.LastIndexByte(key[:end], '.') {
		c.IsSecret = slices.ContainsFunc(r.entries[key[:end]], func(e *schema.Entry) bool {
			return e.Template.Format != nil && e.Template.Format.Secret()
		})
	}
	return c
}

// entriesOf returns the entries of several schemas by their keys.
func entriesOf(schemas []*schema.Schema) entries {
	all := entries{}
	for _, s := range schemas {
		for i := range s.Entries {
			all[s.Entries[i].Key] = append(all[s.Entries[i].Key], &s.Entries[i])
		}
	}
	return all
}
