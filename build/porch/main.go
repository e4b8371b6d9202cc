// Command porch writes what Porch needs to run the suite, from the list of functions and
// the version: go run ./build/porch, from the root of the repository.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
)

// namespace is where Porch's function runner looks for FunctionConfigs, and functions is
// the folder of the programs in its image.
const (
	namespace = "porch-fn-system"
	functions = "/functions/"
)

// functionConfig is Porch's FunctionConfig, with the fields that are used here. Porch
// finds it by its name, which must be the name of the image.
type functionConfig struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Metadata   metadata `yaml:"metadata"`
	Spec       spec     `yaml:"spec"`
}

type metadata struct {
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace"`
}

type spec struct {
	Image          string         `yaml:"image"`
	Prefixes       []string       `yaml:"prefixes"`
	PodExecutor    podExecutor    `yaml:"podExecutor"`
	BinaryExecutor binaryExecutor `yaml:"binaryExecutor"`
}

type podExecutor struct {
	Tags       []string `yaml:"tags"`
	TimeToLive string   `yaml:"timeToLive"`
}

type binaryExecutor struct {
	Tags []string `yaml:"tags"`
	Path string   `yaml:"path"`
}

// runnerList is the list of programs of Porch's function runner up to version 1.5.
type runnerList struct {
	Functions []runnerFunction `yaml:"functions"`
}

type runnerFunction struct {
	Function string   `yaml:"function"`
	Images   []string `yaml:"images"`
}

func main() {
	files, err := generate()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join("build", "porch", name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate returns the files by their names.
func generate() (map[string][]byte, error) {
	names := []string{"packfn"}
	for _, f := range suite.All() {
		names = append(names, f.Name)
	}
	var configs []any
	var list runnerList
	for _, name := range names {
		configs = append(configs, functionConfig{
			APIVersion: "config.porch.kpt.dev/v1alpha1",
			Kind:       "FunctionConfig",
			Metadata:   metadata{name, namespace},
			Spec: spec{
				Image:       name,
				Prefixes:    []string{strings.TrimSuffix(function.ImagePrefix, "/")},
				PodExecutor: podExecutor{[]string{function.Release}, "30m"},
				// A floating tag may be newer than the program of the runner, so it has none.
				BinaryExecutor: binaryExecutor{[]string{function.Release}, functions + name},
			},
		})
		list.Functions = append(list.Functions, runnerFunction{name, []string{function.Image(name)}})
	}
	files := map[string][]byte{}
	var err error
	for name, documents := range map[string][]any{"functionconfigs.yaml": configs, "config.yaml": {list}} {
		if files[name], err = encode(documents); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func encode(documents []any) ([]byte, error) {
	b := bytes.NewBufferString("# Written by go run ./build/porch.\n")
	encoder := yaml.NewEncoder(b)
	encoder.SetIndent(2)
	for _, document := range documents {
		if err := encoder.Encode(document); err != nil {
			return nil, err
		}
	}
	err := encoder.Close()
	return b.Bytes(), err
}
