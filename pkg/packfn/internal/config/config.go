// Package config reads packfn.yaml, the configuration file of packfn.
//
// The nearest file counts as a whole. Its paths are relative to its folder.
//
//	apiVersion: packs.kpt.dev/v1alpha1
//	kind: PackfnConfig
//	sources: [packs/]
//	exclude: [vendor/]
//	severity: {values/unknown-key: error}
//
// Flags of the command line win over the file.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/ruleset"
	"github.com/krm-packs/functions/pkg/values"
)

// Name is the name of the file.
const Name = "packfn.yaml"

// PackfnConfig is the configuration of packfn for a repository. Each field has a flag, which
// wins.
type PackfnConfig struct {
	// APIVersion is the version of the format.
	APIVersion string `json:"apiVersion" required:"true" enum:"packs.kpt.dev/v1alpha1"`
	// Kind is always PackfnConfig.
	Kind string `json:"kind" required:"true" enum:"PackfnConfig"`
	// Sources are folders with pack directories and archives, and registries, oci://HOST/BASE.
	// packfn checks the values of packs in packages with the charts there, and packfn upgrade finds
	// old versions of packs there. Flag: --source.
	Sources []string `json:"sources"`
	// Catalogs are file-based catalogs of OLM, and folders with bundles that could be installed:
	// they can satisfy what bundles require. Flag: --catalog.
	Catalogs []string `json:"catalogs"`
	// Exclude are patterns of files and folders that packfn check leaves out, in the syntax of
	// .gitignore. Flag: --exclude.
	Exclude []string `json:"exclude"`
	// Severity overrides the severity of rules: error, warning, info or off. Flag: --severity.
	Severity map[string]diag.Severity `json:"severity"`
	// FailOn sets what makes the exit code 1: error (the default), or warning for errors and warnings,
	// skipped for errors and what was not checked, skipped/REASON for one reason of it, or several of
	// these in a list; or never. Flag: --fail-on.
	FailOn FailOn `json:"failOn"`
	// Functions are programs for functions of other suites, by their images, with or without a registry and
	// a tag or a range of tags: set-namespace is the function of kpt's catalog. A relative path begins at the
	// folder of packfn.yaml; a program without a slash is looked for on PATH. They run only with the flag
	// --allow-exec. Flag: --function.
	Functions map[string]string `json:"functions"`
	// FunctionConfigs are files with FunctionConfigs of Porch, whose programs are used like Functions.
	FunctionConfigs Paths `json:"functionConfigs"`
	// Programs is the folder where relative paths in FunctionConfigs begin.
	Programs string `json:"programs"`
	// Checks configures packfn check.
	Checks Checks `json:"checks"`
	// Fleet configures packfn fleet.
	Fleet Fleet `json:"fleet"`
}

// Checks configures packfn check.
type Checks struct {
	// Template renders the charts of packs. Flag: --template.
	Template bool `json:"template"`
	// AsWritten checks packages as they are on disk, without their mutators. Flag: --as-written.
	AsWritten bool `json:"asWritten"`
	// Scopes are the scopes of policies in Capact's own files, by file: GLOBAL, ACTION or
	// WORKFLOW. The scope of other files is GLOBAL. Flag: --scope.
	Scopes map[string]string `json:"scopes"`
}

// Fleet configures packfn fleet.
type Fleet struct {
	// Set are files or folders with PackageVariantSets and PackageVariants. Flag: --set.
	Set Paths `json:"set"`
	// Upstream are the folders of upstream packages, by REPO/PACKAGE or REPO/PACKAGE@REVISION.
	// Flag: --upstream.
	Upstream map[string]string `json:"upstream"`
}

// Paths are one path or a list of them.
type Paths []string

// DecodeNode reads a string or a list of strings.
func (p *Paths) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	return oneOrMore((*[]string)(p), n, path)
}

// oneOrMore reads a string or a list of strings.
func oneOrMore(all *[]string, n *yaml.Node, path string) []diag.Finding {
	if n.Kind == yaml.SequenceNode {
		return decode.Node(n, path, all)
	}
	*all = make([]string, 1)
	findings := decode.Node(n, path, &(*all)[0])
	if len(findings) > 0 {
		*all = nil
	}
	return findings
}

// Skipped is the value of failOn for what was not checked; with a reason after a slash it is for that
// reason alone.
const Skipped = "skipped"

// SkippedReasons are the values of failOn for what was not checked.
var SkippedReasons = skippedReasons()

// skippedReasons returns the names by which a configuration can refer to what was not checked.
func skippedReasons() []string {
	all := []string{Skipped}
	for _, reason := range report.Reasons {
		all = append(all, Skipped+"/"+reason)
	}
	return all
}

// FailOns are the values of failOn.
var FailOns = slices.Concat([]string{"error", "warning"}, SkippedReasons, []string{"never"})

// FailOn is one of [FailOns], or a list of them.
type FailOn []string

// DecodeNode reads a string or a list of strings.
func (f *FailOn) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	findings := oneOrMore((*[]string)(f), n, path)
	for i, value := range *f {
		at, entry := path, n
		if n.Kind == yaml.SequenceNode {
			at, entry = fmt.Sprintf("%s[%d]", path, i), n.Content[i]
		}
		if !slices.Contains(FailOns, value) {
			findings = append(findings, diag.GotName(value, FailOns).In(nil, at, values.At(entry)))
		}
	}
	return findings
}

// OfFailOn returns failOn, or its default.
func (c *PackfnConfig) OfFailOn() []string {
	if len(c.FailOn) == 0 {
		return []string{"error"}
	}
	return c.FailOn
}

// File is a configuration file.
type File struct {
	PackfnConfig
	// Path is the file, "" without one. Dir is its folder.
	Path, Dir string
	// Unused are files in the folders where it was looked for with almost its name.
	Unused []string
	// root is the content, for the lines of its fields.
	root *yaml.Node
}

// Find reads the configuration of a folder: the file in it, or in the nearest folder above it
// up to root, which is above it or the same. Without one the configuration is empty.
func Find(dir, root string) (*File, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return nil, err
	}
	var unused []string
	for dir := range parents.Of(dir) {
		name := filepath.Join(dir, Name)
		_, err := os.Lstat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		unused = append(unused, almost(dir, err == nil)...)
		if err == nil {
			file, err := readInside(name, root)
			if err == nil {
				file.Unused = unused
			}
			return file, err
		}
		if dir == root {
			break
		}
	}
	return &File{Unused: unused}, nil
}

// almost returns the files of a folder whose names are similar to the name of a configuration.
// isThere is true if the configuration exists: a file whose name differs only in letter case may
// be the same file then.
func almost(dir string, isThere bool) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if name := entry.Name(); entry.Type().IsRegular() && isAlmost(name) && !(isThere && strings.EqualFold(name, Name)) {
			names = append(names, FromHere(filepath.Join(dir, name)))
		}
	}
	return names
}

// isAlmost reports whether a name is similar to the name of a configuration: it has a leading
// dot, or a typo in the name or in the extension. Other names, such as pack.yaml, may be
// anything, and so may copies of editors.
func isAlmost(name string) bool {
	stem, extension := strings.TrimPrefix(strings.TrimSuffix(name, filepath.Ext(name)), "."), filepath.Ext(name)
	own, ownExtension := strings.TrimSuffix(Name, filepath.Ext(Name)), filepath.Ext(Name)
	return !strings.HasPrefix(name, Name) && (stem == own || nearest.IsTypo(stem, own)) && (extension == ownExtension || nearest.IsTypo(extension, ownExtension))
}

// readInside reads a file that the user has not named: it must be below root.
func readInside(name, root string) (*File, error) {
	files, err := folder.Open(root)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	relative, _ := filepath.Rel(root, name)
	text, err := files.ReadText(relative)
	if err != nil {
		return nil, err
	}
	return parse(text, name, root)
}

// Read reads a configuration file. An error has all faults. A file in a package is one, unless
// .krmignore hides it: kpt would read it as a resource. Packages above root do not count.
func Read(name, root string) (*File, error) {
	text, err := folder.ReadText(name)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return parse(text, absolute, root)
}

// parse reads a configuration file. It is an error if kpt would read the file as a resource of a
// package.
func parse(text []byte, absolute, root string) (*File, error) {
	name := FromHere(absolute)
	f := &File{Path: name, Dir: filepath.Dir(absolute)}
	if err := f.checkPlace(absolute, root); err != nil {
		return nil, err
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.root = document.Root(); f.root == nil {
		return nil, fmt.Errorf("%s: is empty, but must be a PackfnConfig (%s)", name, pack.GroupVersion)
	}
	findings := decode.Node(f.root, "", &f.PackfnConfig)
	for _, f := range f.faults() { // a value that could not be read is empty
		if !slices.ContainsFunc(findings, func(known diag.Finding) bool { return known.Key == f.Key }) {
			findings = append(findings, f)
		}
	}
	slices.SortStableFunc(findings, func(a, b diag.Finding) int { return cmp.Compare(a.Position.Line, b.Position.Line) })
	var faults []error
	for i := range findings {
		at := &findings[i]
		faults = append(faults, fmt.Errorf("%s:%d: %s: %s", name, max(1, at.Position.Line), cmp.Or(at.Key, "PackfnConfig"), at.Message()))
	}
	return f, errors.Join(faults...)
}

// FromHere returns an absolute path as one from the working directory, if that is possible.
func FromHere(name string) string {
	if working, err := os.Getwd(); err == nil && filepath.IsAbs(name) {
		if relative, err := filepath.Rel(working, name); err == nil {
			return relative
		}
	}
	return name
}

// faults returns the findings about the values of fields.
func (f *File) faults() (findings []diag.Finding) {
	add := func(fault diag.Finding, path string, keys ...string) {
		findings = append(findings, fault.At(path, values.At(values.Field(f.root, keys...))))
	}
	for _, id := range slices.Sorted(maps.Keys(f.Severity)) {
		if fault := ruleset.SeverityFault(id, f.Severity[id]); fault != nil {
			add(*fault, "severity["+id+"]", "severity", id)
		}
	}
	for i, pattern := range f.Exclude {
		if err := checkPattern(strings.TrimSpace(pattern)); err != nil {
			add(diag.Say("%v", err), fmt.Sprintf("exclude[%d]", i), "exclude")
		}
	}
	for i, source := range f.Sources {
		at := fmt.Sprintf("sources[%d]", i)
		if source == "" {
			add(diag.Got("an empty string", "a folder or a registry"), at, "sources")
		}
		if _, err := registry.Parse(source); registry.Is(source) && err != nil {
			add(diag.Say("%v", err), at, "sources")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Checks.Scopes)) {
		if scope := f.Checks.Scopes[name]; !slices.Contains(capact.ScopeNames, scope) {
			add(diag.GotName(scope, capact.ScopeNames), "checks.scopes["+name+"]", "checks", "scopes", name)
		}
	}
	for i, set := range f.Fleet.Set {
		if set == "" {
			add(diag.Got("an empty string", "a file or a folder"), fmt.Sprintf("fleet.set[%d]", i), "fleet", "set")
		}
	}
	for _, of := range slices.Sorted(maps.Keys(f.Fleet.Upstream)) {
		if f.Fleet.Upstream[of] == "" {
			add(diag.Got("an empty string", "a folder"), "fleet.upstream["+of+"]", "fleet", "upstream", of)
		}
	}
	return findings
}

// checkPlace refuses a file that kpt reads as a resource.
func (f *File) checkPlace(absolute, root string) error {
	for dir := range parents.Of(f.Dir) {
		if kptpackage.IsPackage(dir) {
			hidden, err := isHidden(dir, absolute)
			if err != nil || hidden {
				return err
			}
			relative, _ := filepath.Rel(dir, absolute)
			return fmt.Errorf("%s: is in the package %s, where kpt reads it as a resource; move it above the package, or add the line %s to %s",
				f.Path, FromHere(dir), filepath.ToSlash(relative), FromHere(filepath.Join(dir, ".krmignore")))
		}
		if dir == root {
			break
		}
	}
	return nil
}

// isHidden reports whether the .krmignore of a package hides a file of it, or a folder with it.
func isHidden(dir, name string) (bool, error) {
	files, err := folder.Open(dir)
	if err != nil {
		return false, err
	}
	defer files.Close()
	matcher, err := kptpackage.ReadIgnore(files, ".", dir)
	if err != nil {
		return false, err
	}
	for at := range parents.Of(name) {
		if at == dir {
			break
		}
		if matcher.Match(at, at != name) {
			return true, nil
		}
	}
	return false, nil
}

// path returns a path of the file as one from the working directory.
func (f *File) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return FromHere(filepath.Join(f.Dir, filepath.FromSlash(name)))
}

// Shown are the sources: registries, and paths from the working directory.
func (f *File) Shown() (sources []string) {
	for _, source := range f.Sources {
		if !registry.Is(source) {
			source = f.path(source)
		}
		sources = append(sources, source)
	}
	return sources
}

// OfCatalogs are the catalogs as paths from the working directory.
func (f *File) OfCatalogs() (catalogs []string) {
	for _, name := range f.Catalogs {
		catalogs = append(catalogs, f.path(name))
	}
	return catalogs
}

// Line is the line of a key, `fleet.set`; 0 without it.
func (f *File) Line(key string) int {
	return values.At(values.Field(f.root, strings.Split(key, ".")...)).Line
}

// Sets are the paths of [Fleet.Set].
func (f *File) Sets() (sets []string) {
	for _, set := range f.Fleet.Set {
		sets = append(sets, f.path(set))
	}
	return sets
}

// AddPrograms adds the programs for functions of other suites to a set.
func (f *File) AddPrograms(s *program.Set) error {
	for _, image := range slices.Sorted(maps.Keys(f.Functions)) {
		from := fmt.Sprintf("%s:%d: functions[%s]", f.Path, values.At(values.Field(f.root, "functions", image)).Line, image)
		if err := s.Add(image, f.Functions[image], f.path("."), from); err != nil {
			return err
		}
	}
	for _, name := range f.FunctionConfigs {
		if err := s.AddFunctionConfigs(f.path(name), f.path(f.Programs)); err != nil {
			return fmt.Errorf("%s:%d: functionConfigs: %w", f.Path, f.Line("functionConfigs"), err)
		}
	}
	return nil
}

// Scopes returns the scopes of Capact policies in files.
func (f *File) Scopes() (capact.Scopes, error) {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(f.Checks.Scopes)) {
		texts = append(texts, f.Checks.Scopes[name]+"="+f.path(name))
	}
	return capact.ParseScopes(texts)
}

// Upstreams are the upstream packages as packfn fleet takes them, REPO/PACKAGE=DIR.
func (f *File) Upstreams() (upstreams []string) {
	for _, of := range slices.Sorted(maps.Keys(f.Fleet.Upstream)) {
		upstreams = append(upstreams, of+"="+f.path(f.Fleet.Upstream[of]))
	}
	return upstreams
}
