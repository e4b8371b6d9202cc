package packcheck

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// author checks a pack directory for the author of the pack.
type author struct {
	// dir is the pack directory, pack the pack in it, and found the findings so far.
	dir   *packdir.Pack
	pack  *pack.Pack
	found []diag.Finding
}

func (a *author) add(f diag.Finding, origin *diag.Origin, key string, n *yaml.Node, of diag.Rule) {
	a.found = append(a.found, f.In(origin, key, values.At(n)).For(a.pack.Name).Of(of))
}

// Directory returns findings about a pack directory: problems for users of the pack, and, if it is not deployed as it
// is, what a catalogue requires. Errors of pack.json are no findings here, because functions report them.
func Directory(dir *packdir.Pack, one *pack.Pack, asDeployed bool) []diag.Finding {
	a := &author{dir: dir, pack: one}
	a.fileNames()
	metadata, err := a.pack.Metadata.Document()
	if err != nil {
		return a.found
	}
	a.missingFiles(metadata)
	a.version(metadata)
	if hasImages := a.images(); !asDeployed {
		a.catalogue(metadata, hasImages)
	}
	return a.found
}

// fileNames reports misspelled file names. If a kustomization generates the pack, only the files
// that it names belong to the pack, and other files are not reported.
func (a *author) fileNames() {
	generated := a.generated()
	for _, name := range slices.Sorted(maps.Keys(a.dir.Misspelt)) {
		if generated[packdir.Metadata] && !generated[name] {
			continue
		}
		f := diag.Unknown("file", name, nil).Do("rename it; no function reads it")
		f.Nearest = a.dir.Misspelt[name]
		a.found = append(a.found, f.About(a.pack.Resource, "data["+name+"]").For(a.pack.Name).Of(rule.PackFileName))
	}
}

// generated returns the files of the pack directory that a generator of a kustomization in it names.
func (a *author) generated() map[string]bool {
	names := map[string]bool{}
	for _, file := range list.KustomizationNames {
		text, err := folder.ReadText(filepath.Join(a.dir.Dir, file))
		if err != nil {
			continue
		}
		k, err := kustomization.Parse(file, text, func(*list.Item) bool { return true })
		if err != nil { // the walk reports it
			continue
		}
		for _, g := range k.Generators {
			for _, name := range g.Paths {
				names[name] = true
			}
		}
	}
	return names
}

// missingFiles reports files that pack.json names but that do not exist in the directory:
//
//	"charts": ["charts/vault-0.6.0.tgz"]
func (a *author) missingFiles(metadata *values.Document) {
	for _, list := range []string{"charts", "kubeManifests", "ansibleRoles"} {
		n := values.Field(metadata.Root(), list)
		if n == nil || n.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range n.Content {
			name := filepath.FromSlash(values.Text(entry))
			if !filepath.IsLocal(name) {
				continue
			}
			if !a.dir.Has(name) {
				f := diag.Say("%s is not in the directory of the pack", values.Text(entry))
				a.add(f.Do("add the file, or correct its name"), metadata.Origin(), list, entry, rule.PackMissingFile)
			}
		}
	}
}

// versionOfDir matches the version in the name of a directory, such as vault-0.6.0-addon.
var versionOfDir = regexp.MustCompile(`(?:^|[-_])(v?\d+(?:\.\d+)+[-+.0-9A-Za-z]*?)(?:-addon)?$`)

// version reports a version that begins with a v, and one that differs from the version in the
// name of the directory.
func (a *author) version(metadata *values.Document) {
	n := values.Field(metadata.Root(), "version")
	text := values.Text(n)
	if text == "" {
		return
	}
	if rest, ok := strings.CutPrefix(text, "v"); ok {
		f := diag.Got(text, "a version without a leading v")
		f.Proposed = rest
		a.add(f, metadata.Origin(), "version", n, rule.PackVersion)
	}
	dir, err := filepath.Abs(a.dir.Dir)
	if err != nil {
		return
	}
	name := strings.TrimSuffix(filepath.Base(dir), folder.ArchiveSuffix)
	found := versionOfDir.FindStringSubmatch(name)
	if found == nil || strings.HasSuffix(name, text) {
		return
	}
	have, err := version.Parse(strings.TrimPrefix(text, "v"))
	of, dirErr := version.Parse(strings.TrimPrefix(found[1], "v"))
	if err == nil && dirErr == nil && have.Compare(of) != 0 {
		f := diag.Got(text, found[1]+" (as in the name of the directory "+name+")")
		a.add(f.Do("correct the version, or rename the directory"), metadata.Origin(), "version", n, rule.PackVersion)
	}
}

// images reports faults in pack.content.images of values.yaml, and whether the list has images:
//
//	pack:
//	  content:
//	    images:
//	    - image: docker.io/hashicorp/vault:1.15.2
func (a *author) images() (hasImages bool) {
	if a.pack.Values == nil {
		return false
	}
	document, err := a.pack.Values.Mapping()
	if err != nil {
		return false
	}
	list := values.Field(document.Root(), "pack", "content", "images")
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	for i, entry := range list.Content {
		path := fmt.Sprintf("pack.content.images[%d]", i)
		if n := values.Field(entry, "image"); n != nil {
			hasImages = true
			a.image(n, document.Origin(), diag.Join(path, "image"))
		}
	}
	return hasImages
}

// image reports an image without a tag, and one with the tag latest.
func (a *author) image(n *yaml.Node, origin *diag.Origin, path string) {
	text := values.Text(n)
	if strings.Contains(text, "{{") {
		return
	}
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		a.add(diag.Say("%q is not the name of an image", text), origin, path, n, rule.PackImages)
		return
	}
	tagged, isTagged := named.(reference.Tagged)
	_, isDigested := named.(reference.Digested)
	switch {
	case isDigested:
	case !isTagged:
		a.add(diag.Say("the image %s has no tag", text).Do("add the tag that the pack deploys"), origin, path, n, rule.PackImages)
	case tagged.Tag() == "latest":
		a.add(diag.Say("the image %s has the tag latest, which changes", text).Do("name a version"), origin, path, n, rule.PackImages)
	}
}

// catalogue reports the parts of a pack that a catalogue shows and that are missing here.
func (a *author) catalogue(metadata *values.Document, hasImages bool) {
	has := func(prefix string) bool {
		return slices.ContainsFunc(a.dir.Left, func(name string) bool { return strings.HasPrefix(strings.ToLower(name), prefix) })
	}
	var missing []string
	if !has("readme") {
		missing = append(missing, "README")
	}
	if !has("logo") {
		missing = append(missing, "logo")
	}
	if isOfPlatform := slices.Contains([]string{"os", "k8s"}, a.pack.Layer); !hasImages && !isOfPlatform {
		missing = append(missing, "list of images (pack.content.images in values.yaml)")
	}
	if len(missing) > 0 {
		a.add(diag.Say("the pack has no %s", diag.OneOf(missing)), metadata.Origin(), "", metadata.Root(), rule.PackCatalogue)
	}
}
