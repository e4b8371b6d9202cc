// Package examples rewrites the files of examples/, which name programs, for those that run images.
package examples

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
)

// Images replaces the programs that examples name by images.
type Images struct {
	prefix, tag string
	// step is a step of a pipeline, and kustomize the annotation of a functionConfig for
	// kustomize.
	step, kustomize *regexp.Regexp
}

// NewImages returns what replaces the programs by images with a prefix, which is a registry and folder, and a tag.
func NewImages(prefix, tag string) Images {
	var names []string
	for _, f := range suite.All() {
		names = append(names, regexp.QuoteMeta(f.Name))
	}
	name := "(" + strings.Join(names, "|") + ")"
	return Images{
		prefix, tag,
		regexp.MustCompile(`(?m)\bexec: ` + name + `$`),
		regexp.MustCompile(`(?m)\bexec:\n(\s+)path: ` + name + `$`),
	}
}

// Replace returns the text of a file of an example with images.
func (i Images) Replace(path, text string) string {
	switch filepath.Base(path) {
	case "README.md":
		return strings.NewReplacer(" --allow-exec", "", " --enable-exec", "").Replace(text)
	case "config.yaml": // says how tests run the example, as kpt fn eval --exec
		return text
	}
	text = i.step.ReplaceAllString(text, "image: "+i.prefix+"/${1}:"+i.tag)
	return i.kustomize.ReplaceAllString(text, "container:\n${1}image: "+i.prefix+"/${2}:"+i.tag)
}
