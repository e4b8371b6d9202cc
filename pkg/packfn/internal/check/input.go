package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// input is a path that the user names, or something below it that is a unit of its own.
type input struct {
	// kind decides which unit the input becomes.
	kind inputKind
	// path is its path on disk.
	path string
	// text is the text of a file outside of packages, such as a profile.
	text []byte
	// excludes reports whether a file is excluded. It is nil for an input that the user named.
	excludes func(name string, isDir bool) bool
}

// inputKind is the medium of an input.
type inputKind int

const (
	packInput inputKind = iota
	packageInput
	moduleInput // of Terraform
	profileInput
	standardInput // standard input
	fileInput     // any other file that the user names
	folderInput   // and any other folder
)

func (in *input) isNamed() bool { return in.excludes == nil }

// nothingIn returns the error for a path that contains nothing to check. The path is probably
// wrong, and a report without findings would hide that.
func nothingIn(name string) error {
	return fmt.Errorf("%s: no resource and no pack is here. Give a package, a file of resources or a pack directory", name)
}

// errNoInput is the error for an empty standard input.
var errNoInput = errors.New("standard input is empty; write resources to it, such as kustomize build overlays/prod | packfn check -")

// newChecker returns a checker, and the units below the paths.
func newChecker(paths []string, options Options) (*checker, []*unit, error) {
	c := &checker{Options: options, report: &report.Report{}, checks: options.checking(), on: map[string]bool{}, faulty: map[filePosition]bool{}, told: map[filePosition]bool{}, missing: map[string][]string{}, bundles: &candidates{}, ofSets: newRoom(), read: map[filePosition]bool{}, targets: map[filePosition]bool{}, charted: map[filePosition]bool{}, counted: map[filePosition]bool{}, released: map[*unit]int{}}
	c.chartRun = c.Shared.chartRun()
	c.catalog = &chart.Catalog{Run: c.chartRun, Archive: c.Archive, Display: c.Display, Store: c.Facts}
	if c.Evaluator == nil {
		c.Evaluator = &child.Process{}
	}
	defer c.Evaluator.Close()
	if err := c.openSources(); err != nil {
		return nil, nil, err
	}
	if err := c.openCatalogs(); err != nil {
		return nil, nil, err
	}
	if err := c.find(paths); err != nil {
		return nil, nil, err
	}
	if err := c.open(); err != nil {
		return nil, nil, err
	}
	units, err := c.units(len(paths) == 1)
	return c, units, err
}

// find adds an input for each path that the user names.
func (c *checker) find(paths []string) error {
	c.tree = &tree{checker: c, dir: ".", kustomizations: kustomizations{}, isGenerating: map[string]bool{}, rest: map[string][]string{}}
	if len(paths) == 1 {
		c.tree.dir = paths[0]
	}
	for _, name := range paths {
		in := input{path: name}
		if name == Standard {
			in.kind = standardInput
			c.inputs = append(c.inputs, in)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		switch {
		case packdir.Is(name): // or an archive of one
			in.kind = packInput
		case info.IsDir() && kptpackage.IsPackage(name):
			in.kind = packageInput
		case info.IsDir():
			in.kind = folderInput
		case filepath.Ext(name) == terraform.Extension:
			in.kind = moduleInput
		default:
			in.kind = fileInput
		}
		c.inputs = append(c.inputs, in)
	}
	return nil
}

// open replaces the folders and files among the inputs with their content: other inputs, files
// with resources, catalogs, bundles, and manifests for the Capact hub.
func (c *checker) open() (err error) {
	named := c.inputs
	c.inputs = nil
	for _, in := range named {
		switch in.kind {
		case fileInput:
			err = c.file(in.path)
		case folderInput:
			err = c.walk(in.path)
		default:
			c.inputs = append(c.inputs, in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file handles a file that the user names.
func (c *checker) file(name string) error {
	text, err := c.readText(name)
	if err != nil {
		if c.takeLarge(name) {
			return nil
		}
		return err
	}
	c.takeMisnamed(name)
	if why := fileForm(filepath.ToSlash(name)); why != "" {
		c.fault(filepath.Dir(name), kptpackage.NewFault(filepath.Dir(name), filepath.Base(name), diag.Position{Line: 1, Column: 1}, "%s", why))
		return nil
	}
	if c.take(input{path: name, text: text}) {
		return nil
	}
	file := &kptpackage.File{Path: filepath.ToSlash(name), Package: ".", Text: text}
	items := file.Items()
	if len(items) == 0 {
		return nothingIn(name)
	}
	if items[0].Is(pack.GroupVersion, content.ConfigKind) {
		return fmt.Errorf("%s is the configuration of packfn; read it with packfn config --config %s", name, name)
	}
	c.named = append(c.named, file)
	return nil
}

// take adds a file outside of packages if it is a catalog, a Capact manifest or a profile, and
// reports whether it is one of these.
func (c *checker) take(in input) bool {
	switch {
	case olm.IsCatalog(in.text):
		c.olm.Catalogs = append(c.olm.Catalogs, in.path)
	case c.takeManifests(in.path, in.text):
	case filepath.Ext(in.path) == ".json" && in.isProfile():
		in.kind = profileInput
		c.inputs = append(c.inputs, in)
	default:
		return false
	}
	return true
}

// takeLarge adds a file that is too large to be read as a whole if it is a catalog, and reports
// whether it is one.
func (c *checker) takeLarge(name string) bool {
	if !olm.IsCatalogFile(name) {
		return false
	}
	c.olm.Catalogs = append(c.olm.Catalogs, name)
	return true
}

// isProfile reports whether a JSON file is a cluster profile. A file that the user named may be
// incomplete.
func (in *input) isProfile() bool {
	if !in.isNamed() {
		return transfer.IsPalette(in.text)
	}
	return !capact.Is(in.text) && content.FormIn(in.path, in.text) == nil && transfer.IsProfile(in.text)
}
