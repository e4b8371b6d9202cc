package function

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Results are the results of a ResourceList. They have the form of the results of kpt's SDK, which a test compares. They
// are declared here because the start of a program that links the SDK takes six times as long as the start of an empty one.
type Results []*Result

// Result is a finding as clients read it.
type Result struct {
	Message     string            `yaml:"message,omitempty" json:"message,omitempty"`
	Severity    diag.Severity     `yaml:"severity,omitempty" json:"severity,omitempty"`
	ResourceRef *ResourceRef      `yaml:"resourceRef,omitempty" json:"resourceRef,omitempty"`
	Field       *Field            `yaml:"field,omitempty" json:"field,omitempty"`
	File        *File             `yaml:"file,omitempty" json:"file,omitempty"`
	Tags        map[string]string `yaml:"tags,omitempty" json:"tags,omitempty"`
}

// ResourceRef is the resource that a result is about.
type ResourceRef struct {
	APIVersion string `yaml:"apiVersion,omitempty" json:"apiVersion,omitempty"`
	Kind       string `yaml:"kind,omitempty" json:"kind,omitempty"`
	Name       string `yaml:"name,omitempty" json:"name,omitempty"`
	Namespace  string `yaml:"namespace,omitempty" json:"namespace,omitempty"`
}

// Field is a field of the resource. CurrentValue is its value, ProposedValue the one that mends it.
type Field struct {
	Path          string `yaml:"path,omitempty" json:"path,omitempty"`
	CurrentValue  any    `yaml:"currentValue,omitempty" json:"currentValue,omitempty"`
	ProposedValue any    `yaml:"proposedValue,omitempty" json:"proposedValue,omitempty"`
}

// File is the file with the resource. Index is the place of the resource in the file, from 0.
type File struct {
	Path  string `yaml:"path,omitempty" json:"path,omitempty"`
	Index int    `yaml:"index,omitempty" json:"index,omitempty"`
}

// result makes the result of a finding.
func result(f *diag.Finding) *Result {
	out := &Result{
		Message:  f.Message() + " [" + f.Rule.ID + "]",
		Severity: f.Severity,
		Tags:     map[string]string{"rule": f.Rule.ID},
	}
	resource := f.Resource()
	if ref := (ResourceRef{APIVersion: resource.APIVersion, Kind: resource.Kind, Namespace: resource.Namespace, Name: resource.Name}); ref != (ResourceRef{}) {
		out.ResourceRef = &ref
	}
	if resource.File != "" {
		out.File = &File{Path: resource.File, Index: resource.Index}
	}
	if path := f.Path(); path != "" {
		out.Field = &Field{Path: path, CurrentValue: asText(f.Current), ProposedValue: asText(f.Proposed)}
	}
	tag := func(name, value string) {
		if value != "" {
			out.Tags[name] = value
		}
	}
	for name, value := range f.Tags {
		tag(name, value)
	}
	tag("pack", f.Pack)
	if f.Origin != nil && f.Origin.Field != "" {
		tag("key", f.Key)
	}
	if f.Origin != nil && f.Origin.Embedded && f.Position.Line > 0 {
		tag("line", strconv.Itoa(f.Position.Line))
		if f.Position.Column > 0 {
			tag("column", strconv.Itoa(f.Position.Column))
		}
	}
	return out
}

// resultsAtOnce is the number of results that are printed at once: each printing takes
// a buffer of 128 KiB, and the tree of one result some kilobytes.
const resultsAtOnce = 64

// printResults prints results as a YAML list. It returns nil if there are none.
func printResults(results Results) ([]byte, error) {
	var all []byte
	for some := range slices.Chunk(results, resultsAtOnce) {
		text, err := values.Print([]*Result(some))
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}

// asText returns a number or a bool as text. Porch reads the values of results as text, and
// fails to render a package if a result has a number there.
func asText(value any) any {
	switch value.(type) {
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(value)
	}
	return value
}
