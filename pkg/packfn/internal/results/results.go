// Package results reads the results of functions that kpt saves (a FunctionResultList)
// and that Porch has in the status of a PackageRevisionResources, of any function.
//
//	apiVersion: kpt.dev/v1
//	kind: FunctionResultList
//	items:
//	- image: ghcr.io/krm-packs/validate-pack-values:v0.1.0
//	  exitCode: 1
//	  results:
//	  - message: registry.port must be a number from 5000 to 5005 [values/format]
//	    severity: error
//	    file: {path: site.yaml}
//
// A result becomes a finding of a report, with the rule in its tags. If the package is given, the line
// in the file is looked up by the field.
package results

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// file is a FunctionResultList. Fields of other functions' results are kept out.
type file struct {
	// Items are the functions that ran, each with its results.
	Items []struct {
		Image    string   `yaml:"image"`
		Exec     string   `yaml:"exec"`
		Pkg      string   `yaml:"pkg"`
		Stderr   string   `yaml:"stderr"`
		ExitCode int      `yaml:"exitCode"`
		Results  []result `yaml:"results"`
	} `yaml:"items"`
}

// result is a result of any function.
type result struct {
	Message     string `yaml:"message"`
	Severity    string `yaml:"severity"`
	ResourceRef struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Namespace  string `yaml:"namespace"`
		Name       string `yaml:"name"`
	} `yaml:"resourceRef"`
	Field struct {
		Path          string `yaml:"path"`
		CurrentValue  any    `yaml:"currentValue"`
		ProposedValue any    `yaml:"proposedValue"`
	} `yaml:"field"`
	File struct {
		Path  string `yaml:"path"`
		Index int    `yaml:"index"`
	} `yaml:"file"`
	Tags map[string]string `yaml:"tags"`
}

// versions are the apiVersions that kpt and Porch have written, by kind.
var versions = map[string][]string{
	"FunctionResultList":       {"kpt.dev/v1", "kpt.dev/v1alpha2"},
	"PackageRevisionResources": {"porch.kpt.dev/v1alpha1"},
}

// Read reads results files. dir is the package that they are about, or "" if it is not available.
// Findings have no lines then. root is the folder that paths are relative to.
func Read(files []string, dir, root string) (*report.Report, error) {
	r := reader{dir: dir, root: root, report: &report.Report{}, places: map[string]*place.File{}}
	for _, name := range files {
		if err := r.read(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	r.report.Finish()
	return r.report, nil
}

// reader adds results to a report.
type reader struct {
	// dir is the package of the files, or "", and root the folder that paths are relative to.
	dir, root string
	// report gets the findings, and places are the files that positions were looked up in.
	report *report.Report
	places map[string]*place.File
}

// read reads a file of results.
func (r *reader) read(name string) error {
	text, err := folder.ReadText(name)
	if _, isBinary := errors.AsType[*folder.EncodingError](err); isBinary {
		return fmt.Errorf("%s; if it is a shard of packfn fleet, add --merge", folder.Reason(err))
	}
	if err != nil {
		return errors.New(folder.Reason(err)) // the caller names the file
	}
	return r.add(name, text)
}

// add takes the results in the document of a file.
func (r *reader) add(name string, text []byte) error {
	document, err := values.Parse(string(text))
	if err != nil {
		return err
	}
	root, err := functionResults(document.Root())
	if err != nil || root == nil {
		return err
	}
	var f file
	if err := root.Decode(&f); err != nil {
		return fmt.Errorf("not a FunctionResultList: %w", err)
	}
	for i, item := range f.Items {
		from := values.Field(root, "items").Content[i]
		function := kptpackage.Function{Image: item.Image, Exec: item.Exec}
		for j, one := range item.Results {
			found := r.finding(function.Program(), item.Pkg, one)
			found.Near = r.near(name, values.Field(from, "results").Content[j])
			r.report.Findings = append(r.report.Findings, found)
		}
		if item.ExitCode != 0 && len(item.Results) == 0 {
			r.report.Findings = append(r.report.Findings, report.Finding{
				Rule: "function/failed", Severity: diag.Error, Function: function.Program(), Unrecorded: report.Unrecorded{Near: r.near(name, from)},
				Message: diag.OneLine(fmt.Sprintf("%s failed with exit code %d: %s", cmp.Or(function.Program(), "a function"), item.ExitCode, item.Stderr)),
			})
		}
	}
	return nil
}

// near returns the place of a result in the file of results.
func (r *reader) near(name string, n *yaml.Node) report.Place {
	return report.Place{File: r.display(name), Line: n.Line, Column: n.Column}
}

// display returns the path of a file from the root.
func (r *reader) display(name string) string {
	if absolute, err := filepath.Abs(name); err == nil {
		if relative, err := filepath.Rel(r.root, absolute); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.ToSlash(name)
}

// functionResults returns the results in a document: the document itself, or the results that
// Porch stores in the status of a PackageRevisionResources. It returns nil if there are none.
func functionResults(root *yaml.Node) (*yaml.Node, error) {
	if root == nil || root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("must be a FunctionResultList, the results that kpt saves, got %s", values.KindOf(root))
	}
	kind, version := values.Text(values.Field(root, "kind")), values.Text(values.Field(root, "apiVersion"))
	switch known := versions[kind]; {
	case known == nil:
		return nil, fmt.Errorf("the kind must be FunctionResultList, the results that kpt saves, or PackageRevisionResources, got %q", kind)
	case !slices.Contains(known, version):
		return nil, fmt.Errorf("%s of the unknown version %q. Available: %s", kind, version, diag.Quoted(version, known))
	case kind == "FunctionResultList":
		return root, nil
	}
	return values.Field(root, "status", "renderStatus", "result"), nil
}

// finding makes a finding of a result.
func (r *reader) finding(function, pkg string, one result) report.Finding {
	out := report.Finding{
		Rule: one.Tags["rule"], Severity: diag.Severity(strings.ToLower(one.Severity)), Message: diag.OneLine(one.Message), Function: function,
		Target: report.Target{Field: one.Field.Path, Key: one.Tags["key"], Pack: one.Tags["pack"]}, Current: one.Field.CurrentValue, Proposed: one.Field.ProposedValue,
		Accepted: one.Tags["rule"] == rule.Accepted.ID, Tags: maps.Clone(one.Tags),
	}
	if out.Rule == "" {
		out.Rule = cmp.Or(function, "result")
	}
	out.Message = strings.TrimSuffix(out.Message, " ["+out.Rule+"]")
	switch out.Severity {
	case diag.Error, diag.Warning, diag.Info:
	case "":
		out.Severity = diag.Info // as the specification of functions has it
	default:
		out.Severity = diag.Error
	}
	for _, name := range []string{"rule", "key", "pack", "line", "column"} {
		delete(out.Tags, name)
	}
	if len(out.Tags) == 0 {
		out.Tags = nil
	}
	if ref := one.ResourceRef; ref.Kind != "" || ref.Name != "" {
		out.Resource = &report.Resource{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name}
	}
	if one.File.Path != "" {
		r.locate(&out, pkg, one)
	}
	return out
}

// place returns a file of the package that the results are about, nil if it cannot be read.
func (r *reader) place(name string) *place.File {
	file, known := r.places[name]
	if known {
		return file
	}
	if dir, err := folder.Open(r.dir); err == nil {
		defer dir.Close()
		if text, err := dir.ReadText(filepath.FromSlash(name)); err == nil {
			file = place.NewFile(name, text)
		}
	}
	r.places[name] = file
	return file
}

// locate finds the line of a result in its file.
func (r *reader) locate(out *report.Finding, pkg string, one result) {
	out.File = path.Join(filepath.ToSlash(pkg), one.File.Path)
	if r.dir == "" {
		return
	}
	out.File = r.display(filepath.Join(r.dir, filepath.FromSlash(one.File.Path)))
	file := r.place(one.File.Path)
	if file == nil {
		return
	}
	line, _ := strconv.Atoi(one.Tags["line"])
	column, _ := strconv.Atoi(one.Tags["column"])
	resource := diag.Resource{File: one.File.Path, Index: one.File.Index}
	// Whether the field is a text with lines is in the file, not in the result.
	f := diag.Finding{Where: diag.Where{Origin: &diag.Origin{Resource: resource, Field: one.Field.Path, Embedded: one.Field.Path != ""}, Key: out.Key, Position: diag.Position{Line: line, Column: column}}}
	at := place.In{File: file, Index: resource.Index}.Of(&f)
	out.Line, out.Column = at.Line, at.Column
}
