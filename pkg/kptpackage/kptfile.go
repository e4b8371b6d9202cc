package kptpackage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"github.com/google/shlex"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Kptfile is what the suite reads of a Kptfile.
type Kptfile struct {
	// Annotations are those of its metadata.
	Annotations map[string]string
	// Mutators and Validators are the functions of the pipeline, in their order.
	Mutators, Validators []Function
}

// kptfileFields are all fields of a Kptfile: kpt refuses others. They are those of the newest
// kpt; older versions refuse some of them.
type kptfileFields struct {
	APIVersion string `yaml:"apiVersion" json:"apiVersion" required:"true" enum:"kpt.dev/v1"`
	Kind       string `yaml:"kind" json:"kind" required:"true" enum:"Kptfile"`
	Metadata   struct {
		Name        string            `yaml:"name" json:"name"`
		Namespace   string            `yaml:"namespace" json:"namespace"`
		Labels      map[string]string `yaml:"labels" json:"labels"`
		Annotations map[string]string `yaml:"annotations" json:"annotations"`
	} `yaml:"metadata" json:"metadata"`
	Upstream struct {
		Type           string     `yaml:"type" json:"type"`
		Git            gitLocator `yaml:"git" json:"git"`
		UpdateStrategy string     `yaml:"updateStrategy" json:"updateStrategy"`
	} `yaml:"upstream" json:"upstream"`
	UpstreamLock struct {
		Type    string     `yaml:"type" json:"type"`
		Git     gitLocator `yaml:"git" json:"git"`
		Generic struct {
			StoreID         string `yaml:"storeID" json:"storeID"`
			ResourceID      string `yaml:"resourceID" json:"resourceID"`
			ResourceVersion string `yaml:"resourceVersion" json:"resourceVersion"`
		} `yaml:"generic" json:"generic"`
	} `yaml:"upstreamLock" json:"upstreamLock"`
	Info struct {
		Site           string   `yaml:"site" json:"site"`
		Emails         []string `yaml:"emails" json:"emails"`
		License        string   `yaml:"license" json:"license"`
		LicenseFile    string   `yaml:"licenseFile" json:"licenseFile"`
		Description    string   `yaml:"description" json:"description"`
		Keywords       []string `yaml:"keywords" json:"keywords"`
		Man            string   `yaml:"man" json:"man"`
		ReadinessGates []struct {
			ConditionType string `yaml:"conditionType" json:"conditionType"`
		} `yaml:"readinessGates" json:"readinessGates"`
	} `yaml:"info" json:"info"`
	Pipeline struct {
		Mutators   []Function `yaml:"mutators" json:"mutators"`
		Validators []Function `yaml:"validators" json:"validators"`
	} `yaml:"pipeline" json:"pipeline"`
	Inventory struct {
		Namespace   string            `yaml:"namespace" json:"namespace"`
		Name        string            `yaml:"name" json:"name"`
		InventoryID string            `yaml:"inventoryID" json:"inventoryID"`
		Labels      map[string]string `yaml:"labels" json:"labels"`
		Annotations map[string]string `yaml:"annotations" json:"annotations"`
	} `yaml:"inventory" json:"inventory"`
	Status struct {
		Conditions []struct {
			Type    string `yaml:"type" json:"type"`
			Status  string `yaml:"status" json:"status"`
			Reason  string `yaml:"reason" json:"reason"`
			Message string `yaml:"message" json:"message"`
		} `yaml:"conditions" json:"conditions"`
		RenderStatus map[string]any `yaml:"renderStatus" json:"-"` // kpt writes it
	} `yaml:"status" json:"status"`
}

type gitLocator struct {
	Repo      string `yaml:"repo" json:"repo"`
	Directory string `yaml:"directory" json:"directory"`
	Ref       string `yaml:"ref" json:"ref"`
	Commit    string `yaml:"commit" json:"commit"`
}

// Function is one entry of a pipeline.
type Function struct {
	Image      string            `yaml:"image" json:"image"`
	Exec       string            `yaml:"exec" json:"exec"`
	ConfigPath string            `yaml:"configPath" json:"configPath"`
	ConfigMap  map[string]string `yaml:"configMap" json:"configMap"`
	// ConfigRef names the resource of the package that is the functionConfig; nil for
	// none. kpt has it since 1.0.
	ConfigRef *ConfigRef `yaml:"configRef" json:"configRef"`
	Name      string     `yaml:"name" json:"name"`
	Tag       string     `yaml:"tag" json:"tag"`
	Selectors []Selector `yaml:"selectors" json:"selectors"`
	Exclude   []Selector `yaml:"exclude" json:"exclude"`
	// When is an expression of CEL over the resources; the function is skipped if it is
	// false. kpt has it since 1.0.
	When string `yaml:"when" json:"when"`
}

// ConfigRef names a resource. An empty APIVersion or Namespace matches any.
type ConfigRef struct {
	APIVersion string `yaml:"apiVersion" json:"apiVersion"`
	Kind       string `yaml:"kind" json:"kind"`
	Name       string `yaml:"name" json:"name"`
	Namespace  string `yaml:"namespace" json:"namespace"`
}

// String returns the reference for messages: `v1/ConfigMap "name" in namespace "x"`.
func (r *ConfigRef) String() string {
	text := fmt.Sprintf("%s %q", path.Join(r.APIVersion, r.Kind), r.Name)
	if r.Namespace != "" {
		text += fmt.Sprintf(" in namespace %q", r.Namespace)
	}
	return text
}

// Selector chooses resources for a function of a pipeline.
type Selector struct {
	APIVersion  string            `yaml:"apiVersion" json:"apiVersion"`
	Kind        string            `yaml:"kind" json:"kind"`
	Name        string            `yaml:"name" json:"name"`
	Namespace   string            `yaml:"namespace" json:"namespace"`
	Labels      map[string]string `yaml:"labels" json:"labels"`
	Annotations map[string]string `yaml:"annotations" json:"annotations"`
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
	var file kptfileFields
	decoder := yaml.NewDecoder(bytes.NewReader(text)) // as kpt reads it
	decoder.KnownFields(true)
	err := decoder.Decode(&file)
	if errors.Is(err, io.EOF) {
		return nil, errors.New("kpt refuses the Kptfile: it is empty")
	}
	if err != nil || file.APIVersion != "kpt.dev/v1" || file.Kind != "Kptfile" {
		return nil, refusal(text, err)
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
	return &Kptfile{Annotations: file.Metadata.Annotations, Mutators: file.Pipeline.Mutators, Validators: file.Pipeline.Validators}, nil
}

// refusal says in the words of the suite why kpt refuses a Kptfile. err is what kpt's
// decoder says, nil when only the version or kind is wrong.
func refusal(text []byte, err error) error {
	document, parseErr := values.Parse(string(text))
	if parseErr != nil {
		return parseErr
	}
	var file kptfileFields
	findings := decode.Node(document.Root(), "", &file)
	isVersion := func(f diag.Finding) bool { return f.Key == "apiVersion" || f.Key == "kind" }
	if at := slices.IndexFunc(findings, isVersion); at >= 0 { // what else is wrong follows from it
		findings, err = findings[at:], nil
	}
	for i := range findings {
		// A finding may be stricter than kpt, unless kpt's decoder names its line.
		f := &findings[i]
		if err == nil || strings.Contains(err.Error(), fmt.Sprintf("line %d:", f.Position.Line)) {
			return fmt.Errorf("kpt refuses the Kptfile: line %d: %s: %s", max(1, f.Position.Line), f.Key, f.Message())
		}
	}
	return fmt.Errorf("kpt refuses the Kptfile: %s", diag.OneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
}

// fault says why kpt refuses a function, "" when it does not.
func (f *Function) fault() string {
	if f.Image != "" {
		if _, err := reference.Parse(f.Image); err != nil {
			return fmt.Sprintf("image %q is not a name of an image: %v", f.Image, err)
		}
	}
	switch {
	case f.Image == "" && f.Exec == "":
		return "set image or exec"
	case f.Image != "" && f.Exec != "":
		return "image and exec are both set; remove one"
	case f.ConfigPath != "" && len(f.ConfigMap) > 0:
		return "configPath and configMap are both set; remove one"
	case f.ConfigRef != nil && f.ConfigPath != "":
		return "configRef and configPath are both set; remove one"
	case f.ConfigRef != nil && len(f.ConfigMap) > 0:
		return "configRef and configMap are both set; remove one"
	case f.ConfigRef != nil && f.ConfigRef.Kind == "":
		return "configRef has no kind; add it"
	case f.ConfigRef != nil && f.ConfigRef.Name == "":
		return "configRef has no name; add it"
	case f.ConfigPath != "" && !filepath.IsLocal(filepath.FromSlash(f.ConfigPath)):
		return "configPath must be a path in the package"
	}
	return ""
}
