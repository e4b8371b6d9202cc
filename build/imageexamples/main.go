// Command imageexamples writes a copy of examples/ whose functions are images, for Porch
// and for kpt without --allow-exec: go run ./build/imageexamples, from the root of the
// repository.
//
// The examples themselves name programs (exec:), which need no registry. Everything else
// is the same, including the expected results.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
)

func main() {
	standard := filepath.Join(".cache", "image-examples")
	out := flag.String("o", standard, "the folder to write, absent or empty")
	prefix := flag.String("prefix", "ghcr.io/krm-packs", "the registry and folder of the images")
	tag := flag.String("tag", "", "the tag of the images (default the one in build/VERSION)")
	flag.Parse()
	var err error
	if *out == standard { // it holds what an earlier run wrote
		err = os.RemoveAll(standard)
	}
	if err == nil {
		err = write("examples", *out, *prefix, *tag)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(from, to, prefix, tag string) error {
	if tag == "" {
		version, err := os.ReadFile(filepath.Join("build", "VERSION"))
		if err != nil {
			return err
		}
		tag = strings.TrimSpace(string(version))
	}
	if entries, err := os.ReadDir(to); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", to)
	}
	images := newImages(prefix, tag)
	changed := 0
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		made := images.replace(relative, string(text))
		if made != string(text) {
			changed++
		}
		name := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(made), 0o644)
	})
	if err == nil && changed == 0 {
		err = errors.New("no example names a function: run this at the root of the repository")
	}
	return err
}

// images replaces programs by images.
type images struct {
	prefix, tag string
	// step is a step of a pipeline, and kustomize the annotation of a functionConfig for
	// kustomize.
	step, kustomize *regexp.Regexp
}

func newImages(prefix, tag string) images {
	var names []string
	for _, f := range suite.All() {
		names = append(names, regexp.QuoteMeta(f.Name))
	}
	name := "(" + strings.Join(names, "|") + ")"
	return images{
		prefix, tag,
		regexp.MustCompile(`(?m)\bexec: ` + name + `$`),
		regexp.MustCompile(`(?m)\bexec:\n(\s+)path: ` + name + `$`),
	}
}

func (i images) replace(path, text string) string {
	switch filepath.Base(path) {
	case "README.md":
		return strings.NewReplacer(" --allow-exec", "", " --enable-exec", "").Replace(text)
	case "config.yaml": // says how tests run the example, as kpt fn eval --exec
		return text
	}
	text = i.step.ReplaceAllString(text, "image: "+i.prefix+"/${1}:"+i.tag)
	return i.kustomize.ReplaceAllString(text, "container:\n${1}image: "+i.prefix+"/${2}:"+i.tag)
}
