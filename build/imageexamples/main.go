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
	"strings"

	"github.com/krm-packs/functions/build/internal/examples"
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
	images := examples.NewImages(prefix, tag)
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
		made := images.Replace(relative, string(text))
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
