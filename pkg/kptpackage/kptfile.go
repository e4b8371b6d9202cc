package kptpackage

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/shlex"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Kptfile is what the suite reads of a Kptfile.
type Kptfile struct {
	// Annotations are those of its metadata.
	Annotations map[string]string
	// Mutators and Validators are the functions of the pipeline, in their order.
	Mutators, Validators []Function
}

// Function is one entry of a pipeline.
type Function struct {
	Image      string                `json:"image"`
	Exec       string                `json:"exec"`
	ConfigPath string                `json:"configPath"`
	ConfigMap  map[string]*yaml.Node `json:"configMap"`
	Name       string                `json:"name"`
	Tag        string                `json:"tag"`
	Selectors  []Selector            `json:"selectors"`
	Exclude    []Selector            `json:"exclude"`
}

// Selector chooses resources for a function of a pipeline.
type Selector struct {
	APIVersion  string            `json:"apiVersion"`
	Kind        string            `json:"kind"`
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// Command returns the words of exec, as kpt splits them.
func (f *Function) Command() ([]string, error) { return shlex.Split(f.Exec) }

// Program returns the name of the program that a function runs: the last part of its
// image without tag and digest, or of the first word of exec.
func (f *Function) Program() string {
	if f.Exec != "" {
		words, err := f.Command()
		if err != nil || len(words) == 0 {
			return ""
		}
		return filepath.Base(words[0])
	}
	name, _, _ := strings.Cut(f.Image, "@")
	name, _, _ = strings.Cut(path.Base(name), ":")
	return name
}

// ParseKptfile reads a Kptfile. What kpt refuses is an error.
func ParseKptfile(text []byte) (*Kptfile, error) {
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, err
	}
	var file struct {
		APIVersion   string     `json:"apiVersion" required:"true" enum:"kpt.dev/v1"`
		Kind         string     `json:"kind" required:"true" enum:"Kptfile"`
		Metadata     *yaml.Node `json:"metadata"`
		Upstream     *yaml.Node `json:"upstream"`
		UpstreamLock *yaml.Node `json:"upstreamLock"`
		Info         *yaml.Node `json:"info"`
		Pipeline     struct {
			Mutators   []Function `json:"mutators"`
			Validators []Function `json:"validators"`
		} `json:"pipeline"`
		Inventory *yaml.Node `json:"inventory"`
		Status    *yaml.Node `json:"status"`
	}
	if document.Root() == nil {
		return nil, errors.New("kpt refuses the Kptfile: it is empty")
	}
	if findings := decode.Node(document.Root(), "", &file); len(findings) > 0 {
		f := findings[0]
		return nil, fmt.Errorf("kpt refuses the Kptfile: line %d: %s: %s", max(1, f.Position.Line), f.Key, f.Message())
	}
	for _, part := range []struct {
		name      string
		functions []Function
	}{{"mutators", file.Pipeline.Mutators}, {"validators", file.Pipeline.Validators}} {
		for i := range part.functions {
			if fault := part.functions[i].fault(); fault != "" {
				return nil, fmt.Errorf("kpt refuses the Kptfile: pipeline.%s[%d]: %s", part.name, i, fault)
			}
		}
	}
	annotations := list.Texts(values.Field(file.Metadata, "annotations"))
	return &Kptfile{Annotations: annotations, Mutators: file.Pipeline.Mutators, Validators: file.Pipeline.Validators}, nil
}

// fault says why kpt refuses a function, "" when it does not.
func (f *Function) fault() string {
	switch {
	case f.Image == "" && f.Exec == "":
		return "set image or exec"
	case f.Image != "" && f.Exec != "":
		return "image and exec are both set; remove one"
	case f.ConfigPath != "" && len(f.ConfigMap) > 0:
		return "configPath and configMap are both set; remove one"
	case f.ConfigPath != "" && !filepath.IsLocal(filepath.FromSlash(f.ConfigPath)):
		return "configPath must be a path in the package"
	}
	return ""
}
