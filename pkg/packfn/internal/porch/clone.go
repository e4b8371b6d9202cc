// Package porch does to packages in memory what Porch does in a cluster, with equal
// results: it clones them, and merges a newer upstream into them.
//
// It follows Porch v1.5.3. Porch writes all resources again in its own layout. This
// package writes only the changes, so that lines stay.
//
// clone.go makes a package a copy of its upstream, as for a new PackageVariant: with the upstream in
// the Kptfile and the name in the context of the package. merge.go merges an upgrade, and kptfile.go
// the Kptfiles. A resource is recognized in all versions by its file, its kind, and the
// name that it has upstream, which a comment keeps:
//
//	metadata: # kpt-merge: default/vault
//	  name: vault-eu
package porch

import (
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// Git is the place of a package in a git repository.
type Git struct {
	// Repo is the address of the repository, Directory the path of the package in it, and Ref a branch
	// or a tag.
	Repo, Directory, Ref string
	// Commit is "" where it is unknown. Then it is not written.
	Commit string
}

// Clone makes a package a copy of another one.
type Clone struct {
	// Package is the name of the copy.
	Package string
	// Upstream is the place of the original.
	Upstream Git
	// IsDeployment is true if the copy is in a deployment repository. Porch creates the package
	// context only there.
	IsDeployment bool
}

// The file and the name of the ConfigMap with the context of a package.
const (
	contextFile = "package-context.yaml"
	contextName = "kptfile.kpt.dev"
)

// Apply returns the copy of a package. It returns an error if a resource cannot be edited.
func (c Clone) Apply(tree *workspace.Package) (*workspace.Package, error) {
	items := tree.Items()
	for _, item := range items {
		if isKptfile(item) && workspace.PackageOf(item) == "." {
			if err := edit(item, func(d *values.Document) (*values.Document, error) {
				d, err := d.Set(values.Keys("metadata", "name"), values.Of(textNode(c.Package)))
				if err != nil {
					return nil, err
				}
				return c.Upstream.set(d)
			}); err != nil {
				return nil, err
			}
		}
	}
	if c.IsDeployment {
		items = c.withContexts(items)
	}
	if err := Identify(items); err != nil {
		return nil, err
	}
	return tree.Annotated(items)
}

// isKptfile reports whether an item is a Kptfile that kpt reads.
func isKptfile(item *list.Item) bool {
	return item.Is("kpt.dev/v1", "Kptfile") && item.Resource().File == kptpackage.KptfileName
}

// set writes where a package comes from into its Kptfile.
func (g Git) set(d *values.Document) (*values.Document, error) {
	place := []*yaml.Node{textNode("repo"), textNode(g.Repo), textNode("directory"), textNode(g.Directory), textNode("ref"), textNode(g.Ref)}
	for _, field := range []string{"upstream", "upstreamLock"} {
		content := place
		if field == "upstreamLock" && g.Commit != "" {
			content = append(content, textNode("commit"), textNode(g.Commit))
		}
		from := node.Map(textNode("type"), textNode("git"), textNode("git"), node.Map(content...))
		var err error
		if d, err = d.Set(values.Keys(field), values.Of(from)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// withContexts gives each package a new context, in place of those that are there.
func (c Clone) withContexts(items []*list.Item) []*list.Item {
	var kept, kptfiles []*list.Item
	old := map[string]*list.Item{}
	count := map[string]int{} // of the resources in the files of contexts
	for _, item := range items {
		at := workspace.PathOf(item)
		if isKptfile(item) {
			kptfiles = append(kptfiles, item)
		}
		if path.Base(at) == contextFile {
			count[at] = max(count[at], item.Resource().Index+1)
		}
		if !item.Is("v1", "ConfigMap") || item.Name() != contextName {
			kept = append(kept, item)
		} else if path.Base(at) == contextFile && old[at] == nil {
			old[at] = item
		}
	}
	for _, kptfile := range kptfiles {
		pkg := workspace.PackageOf(kptfile)
		at := path.Join(pkg, contextFile)
		text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n  name: %s\n  package-path: %s\n",
			contextName, values.Quote(nameOf(kptfile)), values.Quote(c.Package))
		if item := old[at]; item != nil {
			item.ReplaceText(text)
			kept = append(kept, item)
			continue
		}
		item := list.FileItem([]byte(text), contextFile, count[at]).InPackage(kptfile.Annotation(list.PackagePathAnnotation))
		item.Keep()
		kept = append(kept, item)
	}
	return kept
}

// nameOf returns the name of an item as it is now.
func nameOf(item *list.Item) string {
	if _, ok := item.Edited(); ok {
		return item.Next().Name()
	}
	return item.Name()
}

// edit changes an item.
func edit(item *list.Item, change func(*values.Document) (*values.Document, error)) error {
	d, err := item.Next().Document()
	if err == nil {
		d, err = change(d)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", workspace.PathOf(item), item.Resource(), err)
	}
	item.Replace(d)
	return nil
}

// identifier is the annotation that names the resource of the upstream.
const identifier = "internal.kpt.dev/upstream-identifier"

// Identify marks resources with the upstream resources that they come from, in an annotation and
// in a comment, so that a merge finds them even if they are renamed.
func Identify(items []*list.Item) error {
	for _, item := range items {
		if isRead := path.Ext(item.Resource().File) != ".json"; isRead && item.Fault() != "" {
			if _, err := item.Document(); err != nil {
				return fmt.Errorf("%s: %w", workspace.PathOf(item), err)
			}
		}
		if item.Fault() != "" || nameOf(item) == "" && item.Namespace() == "" || path.Ext(item.Resource().File) == ".json" {
			continue
		}
		if err := edit(item, identified); err != nil {
			return err
		}
	}
	return nil
}

// IdentifyFile is [Identify] for a file that kpt does not read, because .krmignore names it.
// Porch reads all YAML files, so it returns an error if Porch cannot read the file. Other files
// are returned unchanged.
func IdentifyFile(file workspace.File) (workspace.File, error) {
	if ext := path.Ext(file.Path); ext != ".yaml" && ext != ".yml" {
		return file, nil
	}
	items := list.FileItems(file.Text, file.Path)
	if err := Identify(items); err != nil {
		return file, err
	}
	var texts [][]byte
	for _, item := range items {
		texts = append(texts, item.Next().Text())
	}
	return workspace.File{Path: file.Path, Text: list.JoinFile(file.Text, texts)}, nil
}

// identified writes the annotation and the comment by which a merge recognizes a resource later.
func identified(d *values.Document) (*values.Document, error) {
	metadata := values.Field(d.Root(), "metadata")
	name, namespace := values.Text(values.Field(metadata, "name")), values.Text(values.Field(metadata, "namespace"))
	text, origin := withComment(d.Text(), namespace+"/"+name)
	if namespace, name, _ = strings.Cut(origin, "/"); namespace == "" {
		namespace = "default"
	}
	if text != d.Text() {
		var err error
		if d, err = values.Parse(text); err != nil {
			return nil, err
		}
	}
	group, _, ok := strings.Cut(values.Text(values.Field(d.Root(), "apiVersion")), "/")
	if !ok {
		group = ""
	}
	value := strings.Join([]string{group, values.Text(values.Field(d.Root(), "kind")), namespace, name}, "|")
	at := values.Keys("metadata", "annotations", identifier)
	if old := values.Follow(d.Root(), at); old != nil && values.Text(old) == value {
		return d, nil
	}
	return d.Set(at, values.Of(textNode(value)))
}

// mergePrefix begins the comment that names the resource of the upstream.
const mergePrefix = "kpt-merge:"

// withComment puts the comment into a text in block form, and returns what it names. A
// comment of a package further up stays.
func withComment(text, origin string) (string, string) {
	start := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		rest, ok := strings.CutPrefix(line, "metadata:")
		if !ok {
			start += len(line)
			continue
		}
		rest = strings.TrimSpace(rest)
		if _, known, ok := strings.Cut(rest, mergePrefix); ok && strings.HasPrefix(rest, "#") {
			return text, strings.TrimSpace(known)
		}
		if rest != "" && !strings.HasPrefix(rest, "#") {
			break // a mapping in flow form
		}
		end := line[len(strings.TrimRight(line, "\r\n")):]
		return text[:start] + "metadata: # " + mergePrefix + " " + origin + end + text[start+len(line):], origin
	}
	return text, origin
}

// textNode is a text to write, in quotes where a reader could take it for something else.
func textNode(text string) *yaml.Node {
	n := node.Text(text)
	if values.Quote(text) != text {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
