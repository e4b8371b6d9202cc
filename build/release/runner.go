package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// runnerFunctions and runnerConfig are the folder of the programs and the list of them in
// the image of Porch's function runner.
const (
	runnerFunctions = "functions"
	runnerConfig    = "config.yaml"
)

// runner adds all functions to an image of Porch's function runner: packfn, a link to it
// for each function, and the functions in the list that the runner's flag --config names.
// The list of the image itself is kept. The base is the name of an image, or a tarball of
// one as `docker save` writes it.
func (s *suite) runner(base, out, tag string) error {
	image, err := open(base)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	platform := v1.Platform{OS: config.OS, Architecture: config.Architecture}
	dir, err := os.MkdirTemp("", "runner")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := s.build("packfn", platform, dir)
	if err != nil {
		return err
	}
	packfn, err := os.ReadFile(p.file)
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(s.root, "build", "porch", runnerConfig))
	if err != nil {
		return err
	}
	list, err := fileOf(image, runnerConfig)
	if err != nil {
		return err
	}
	merged, err := mergeLists(list, string(own))
	if err != nil {
		return err
	}
	files := []file{
		{name: runnerConfig, text: []byte(merged), mode: 0o644},
		{name: runnerFunctions + "/packfn", text: packfn, mode: 0o755},
		{name: "licenses/krm-packs/THIRD-PARTY", text: p.thirdParty(), mode: 0o644},
	}
	names, err := s.programs()
	if err != nil {
		return err
	}
	for _, function := range names {
		if function != "packfn" {
			files = append(files, file{name: runnerFunctions + "/" + function, target: "packfn"})
		}
	}
	layer, err := layerOf(files, p.time)
	if err != nil {
		return err
	}
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return err
	}
	reference, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(out, reference, image)
}

// mergeLists appends the second list of functions to the first one, if there is one.
func mergeLists(first, second string) (string, error) {
	if first == "" {
		return second, nil
	}
	_, entries, ok := strings.Cut(second, "functions:\n")
	if !ok || !slices.Contains(strings.Split(first, "\n"), "functions:") {
		return "", fmt.Errorf("%s: has no list `functions:`, as Porch has it up to version 1.5", runnerConfig)
	}
	if !strings.HasSuffix(first, "\n") {
		first += "\n"
	}
	return first + entries, nil
}

// open reads an image from a tarball or a registry.
func open(base string) (v1.Image, error) {
	if _, err := os.Stat(base); err == nil {
		return tarball.ImageFromPath(base, nil)
	}
	reference, err := name.ParseReference(base)
	if err != nil {
		return nil, err
	}
	return remote.Image(reference, remote.WithAuthFromKeychain(authn.DefaultKeychain))
}

// fileOf returns the text of a file of an image, nothing if it has no such file.
func fileOf(image v1.Image, name string) (string, error) {
	content := mutate.Extract(image)
	defer content.Close()
	for files := tar.NewReader(content); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if strings.TrimPrefix(header.Name, "/") == name {
			text, err := io.ReadAll(files)
			return string(text), err
		}
	}
}
