package kptpackage

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/values"
)

// Kptfile is what the suite reads of a Kptfile.
type Kptfile struct {
	// Name is metadata.name.
	Name string
	// Annotations are the annotations in its metadata.
	Annotations map[string]string
	// Mutators and Validators are the functions of the pipeline, in their order.
	Mutators, Validators []Function
	// Unknown are the fields that no known version of kpt has, with their paths as keys.
	Unknown []diag.Finding

	// text is the text that was read, for the lines of fields.
	text []byte
}

// At returns a field with the line of it, or of the nearest field above it that is there, for
// messages: `line 7: pipeline.mutators[0]`. A Kptfile that was not read from a text has no lines.
func (k *Kptfile) At(field string) string {
	if line := k.Line(field); line > 0 {
		return fmt.Sprintf("line %d: %s", line, field)
	}
	return field
}

// Line returns the line of a field, or of the nearest field above it that is there; 0 for a
// Kptfile that was not read from a text.
func (k *Kptfile) Line(field string) int {
	if len(k.text) == 0 {
		return 0
	}
	return place.NewFile(KptfileName, k.text).Resource(0, field).Line
}

// Functions yields the functions of the pipeline in order, with their fields, such as
// `pipeline.mutators[0]`.
func (k *Kptfile) Functions() iter.Seq2[string, Function] {
	return func(yield func(string, Function) bool) {
		for i, f := range slices.Concat(k.Mutators, k.Validators) {
			field := fmt.Sprintf("pipeline.mutators[%d]", i)
			if i >= len(k.Mutators) {
				field = fmt.Sprintf("pipeline.validators[%d]", i-len(k.Mutators))
			}
			if !yield(field, f) {
				return
			}
		}
	}
}

// kptfileFields are all fields of a Kptfile that kpt v1.0.1 knows. Older versions reject some of
// them.
type kptfileFields struct {
	// APIVersion and Kind must be exactly these.
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
		// PreserveExplicitNull is for kpt pkg update. kpt has it since 1.0.1.
		PreserveExplicitNull bool `yaml:"preserveExplicitNull" json:"preserveExplicitNull"`
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
		RenderStatus anything `yaml:"renderStatus" json:"renderStatus"` // kpt writes it
	} `yaml:"status" json:"status"`
}

// Kinds has a pointer to the type of a Kptfile.
func Kinds() map[string]any { return map[string]any{"Kptfile": new(kptfileFields)} }

// anything is a field whose content is not read.
type anything struct{}

func (*anything) UnmarshalYAML(*yaml.Node) error               { return nil }
func (*anything) DecodeNode(*yaml.Node, string) []diag.Finding { return nil }

// gitLocator is the place of a package in git. Ref is a branch or a tag, and Commit the commit that a
// lock has.
type gitLocator struct {
	Repo      string `yaml:"repo" json:"repo"`
	Directory string `yaml:"directory" json:"directory"`
	Ref       string `yaml:"ref" json:"ref"`
	Commit    string `yaml:"commit" json:"commit"`
}

// Function is one entry of a pipeline.
type Function struct {
	// Image names a function that runs in a container, and Exec a command that runs on the host.
	Image string `yaml:"image" json:"image"`
	Exec  string `yaml:"exec" json:"exec"`
	// ConfigPath is the file of the functionConfig in the package, and ConfigMap its entries.
	ConfigPath string            `yaml:"configPath" json:"configPath"`
	ConfigMap  map[string]string `yaml:"configMap" json:"configMap"`
	// ConfigRef names the resource of the package that is the functionConfig, or is nil. kpt
	// supports it since 1.0.
	ConfigRef *ConfigRef `yaml:"configRef" json:"configRef"`
	// Name is for people. Tag replaces the tag of the image.
	Name string `yaml:"name" json:"name"`
	Tag  string `yaml:"tag" json:"tag"`
	// Selectors choose the resources that the function gets, and Exclude those that it does not get.
	Selectors []Selector `yaml:"selectors" json:"selectors"`
	Exclude   []Selector `yaml:"exclude" json:"exclude"`
	// When is an expression of CEL over the resources; the function is skipped if it is
	// false. kpt has it since 1.0.
	When string `yaml:"when" json:"when"`
}

// ConfigRef names a resource. An empty APIVersion or Namespace matches any.
type ConfigRef struct {
	// APIVersion is the group and version.
	APIVersion string `yaml:"apiVersion" json:"apiVersion"`
	// Kind is the kind.
	Kind string `yaml:"kind" json:"kind"`
	// Name is metadata.name.
	Name string `yaml:"name" json:"name"`
	// Namespace is metadata.namespace.
	Namespace string `yaml:"namespace" json:"namespace"`
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
	// APIVersion is the group and version of the resources.
	APIVersion string `yaml:"apiVersion" json:"apiVersion"`
	// Kind is the kind of the resources.
	Kind string `yaml:"kind" json:"kind"`
	// Name is metadata.name.
	Name string `yaml:"name" json:"name"`
	// Namespace is metadata.namespace.
	Namespace string `yaml:"namespace" json:"namespace"`
	// Labels and Annotations are those that the resources have.
	Labels      map[string]string `yaml:"labels" json:"labels"`
	Annotations map[string]string `yaml:"annotations" json:"annotations"`
	// ResourceFileRegexp matches a part of the path of the file from the root package. kpt
	// has it since 1.0.1.
	ResourceFileRegexp *Regexp `yaml:"resourceFileRegexp" json:"resourceFileRegexp"`
}

// Regexp is a regular expression of a Kptfile.
type Regexp struct {
	*regexp.Regexp
	// err is the reason why the expression cannot be compiled.
	err error
}

// UnmarshalYAML reads the expression. It keeps an error in the expression as a fault of the function.
func (r *Regexp) UnmarshalYAML(n *yaml.Node) error {
	var text string
	err := n.Decode(&text)
	if err == nil {
		r.Regexp, r.err = regexp.Compile(text)
	}
	return err
}

// DecodeNode takes any text: [Regexp.UnmarshalYAML] has read it.
func (r *Regexp) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	var text string
	return decode.Node(n, path, &text)
}

// Command returns the words of exec, as kpt splits them.
func (f *Function) Command() ([]string, error) { return step.Words(f.Exec) }

// Program returns the name of the program that a function runs: the last part of its image
// without tag and digest, or of the first word of exec. It returns "" if there is none.
func (f *Function) Program() string { return step.Program(f.Image, f.Exec) }

// ParseKptfile parses a Kptfile. It returns a [Fault] if kpt rejects the Kptfile. Unknown fields
// are not a fault, because a newer kpt may know them.
//
//	apiVersion: kpt.dev/v1
//	kind: Kptfile
//	metadata: {name: platform}
//	pipeline:
//	  validators: [{image: ghcr.io/krm-packs/validate-pack-values:v0.1.0}]
func ParseKptfile(text []byte) (*Kptfile, error) {
	if at := emptyFirst.FindIndex(text); at != nil {
		return nil, rejected(1+bytes.Count(text[:at[1]], []byte("\n")), "", "kpt reads the first document of the file, and it is empty; remove this line")
	}
	file, isPlain := plainFields(text)
	var err error
	if !isPlain {
		decoder := yaml.NewDecoder(bytes.NewReader(text)) // as kpt reads it
		decoder.KnownFields(true)
		err = decoder.Decode(&file)
	}
	k := &Kptfile{text: text}
	if err != nil || file.APIVersion != "kpt.dev/v1" || file.Kind != "Kptfile" {
		document, syntaxErr := values.Parse(string(text))
		if syntaxErr != nil {
			f := diag.Unreadable(syntaxErr)
			return nil, rejected(f.Position.Line, "", f.Message())
		}
		if values.IsNull(document.Root()) {
			return nil, rejected(1, "", "it is empty")
		}
		findings := decode.Node(document.Root(), "", &kptfileFields{})
		for _, f := range findings {
			if f.Kind == diag.KindUnknown {
				f.Position = diag.Position{} // it is the position of the key
				k.Unknown = append(k.Unknown, f)
			}
		}
		file = kptfileFields{}
		err = yaml.NewDecoder(bytes.NewReader(text)).Decode(&file)
		if err != nil || file.APIVersion != "kpt.dev/v1" || file.Kind != "Kptfile" {
			return nil, refusal(findings, err)
		}
	}
	k.Name, k.Annotations, k.Mutators, k.Validators = file.Metadata.Name, file.Metadata.Annotations, file.Pipeline.Mutators, file.Pipeline.Validators
	for at, f := range k.Functions() {
		if field, fault, needed := f.fault(); fault != "" {
			if f := k.misspelt(at+field, needed); f != nil {
				return nil, rejected(k.Line(f.Key), f.Key, f.Message())
			}
			return nil, rejected(k.Line(at+field), at+field, fault)
		}
	}
	return k, nil
}

// misspelt returns the finding about a field below a path that is a misspelling of one of the
// names, or nil if there is none.
func (k *Kptfile) misspelt(path string, names []string) *diag.Finding {
	for i, f := range k.Unknown {
		parent := f.Key[:max(strings.LastIndexByte(f.Key, '.'), 0)]
		if parent == path && slices.Contains(names, f.Nearest) {
			return &k.Unknown[i]
		}
	}
	return nil
}

// plainFields reads a Kptfile in which the strict reader finds no fault: that needs the
// document which functions read, too. It is not ok for all others, and for those with a
// [Regexp], which only the decoder fills.
func plainFields(text []byte) (file kptfileFields, ok bool) {
	if bytes.Contains(text, []byte("resourceFileRegexp")) {
		return file, false
	}
	document, err := values.Parse(string(text))
	if err != nil || document.Root() == nil || len(decode.Node(document.Root(), "", &file)) > 0 {
		return kptfileFields{}, false
	}
	return file, true
}
