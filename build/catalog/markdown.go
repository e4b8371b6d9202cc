package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
)

// catalogImage replaces an image of this repository.
const catalogImage = imagePrefix + "/${1}:" + imageTag

var (
	// image is an image of this repository, such as ghcr.io/krm-packs/apply-preset:vX.Y.Z.
	image = regexp.MustCompile(regexp.QuoteMeta(function.ImagePrefix) + `([a-z-]+)(:[\w.-]+)?`)
	// link is a link to a file, such as ](../../docs/concepts.md#glossary).
	link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
)

// markdown returns a document of a folder as it is in the catalog: with the images of the catalog, and with links to this
// repository in place of paths that lead out of the folder.
func (c catalog) markdown(folder, text string) string {
	text = image.ReplaceAllString(text, catalogImage)
	return link.ReplaceAllStringFunc(text, func(found string) string {
		parts := link.FindStringSubmatch(found)
		target := path.Join(folder, parts[1])
		if strings.HasPrefix(target+"/", folder+"/") {
			return found
		}
		kind := "blob"
		if info, err := os.Stat(filepath.Join(c.root, target)); err == nil && info.IsDir() {
			kind = "tree"
		}
		return "](https://github.com/krm-packs/functions/" + kind + "/" + function.Release + "/" + target + parts[2] + ")"
	})
}

// titled gives the README of an example the title that the catalog requires, which has the name of the example in words:
// `# apply-preset: config ref (an example of a functionConfig by its name)`. A title that has it stays.
func titled(name, example, text string) string {
	title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	words := strings.ReplaceAll(strings.TrimPrefix(example, name), "-", " ")
	if strings.Contains(title, name) && strings.Contains(strings.ToLower(title), words) {
		return text
	}
	return "# " + name + ":" + words + " (" + strings.TrimPrefix(title, name+": ") + ")\n" + rest
}
