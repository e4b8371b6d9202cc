package discovery

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// Options say what is looked for.
type Options struct {
	// Functions are the functions of the suite. IsCheck reports whether an item is the functionConfig of one that changes
	// nothing.
	Functions []function.Function
	IsCheck   func(*list.Item) bool
	// Replace maps paths on disk to texts that are read instead of the files.
	Replace map[string][]byte
	// Excluded reports whether a file or folder below the paths is skipped. It may be nil.
	Excluded func(name string, isDir bool) bool
	// Display returns a path as reports show it.
	Display func(path string) string
}

// Found is what is in the paths that the user names.
type Found struct {
	options Options
	// Inputs are the packages, packs, modules and profiles. Each is checked separately. Tree contains the files
	// outside of packages in folders, and Named the resource files that the user names.
	Inputs []Input
	Tree   *Tree
	Named  []*kptpackage.File
	// OLM are the bundles and catalogs of OLM outside of packages.
	OLM olm.Found
	// Manifests are the files with manifests of Capact, by their absolute paths.
	Manifests  []*kptpackage.File
	isManifest map[string]bool
	// Misnamed are the files on disk whose name is nearly Kptfile.
	Misnamed []string
	// Misplaced are files with a known form that no check reads where they are, and Skipped the files that are not
	// checked.
	Misplaced []Misplaced
	Skipped   []Skipped
	// Faults are about files that cannot be read, Unread about kustomizations, and Notes about files with patterns of
	// ignored files.
	Faults, Unread []Fault
	Notes          []string
}

// Fault is an error about a path on disk.
type Fault struct {
	Path string
	Err  error
}

func (f *Found) fault(path string, err error) { f.Faults = append(f.Faults, Fault{path, err}) }

// Find returns what is in paths. It returns an error for a path that cannot be read, or that contains nothing that
// packfn recognizes. The path - is standard input.
func Find(paths []string, options Options) (*Found, error) {
	f := &Found{options: options, isManifest: map[string]bool{}}
	f.Tree = NewTree(".", &f.options)
	if len(paths) == 1 {
		f.Tree.Dir = paths[0]
	}
	if err := f.find(paths); err != nil {
		return nil, err
	}
	return f, f.open()
}

// IsManifest reports whether a path on disk is one of Manifests.
func (f *Found) IsManifest(name string) bool {
	absolute, err := filepath.Abs(name)
	return err == nil && f.isManifest[absolute]
}

// nothingIn returns the error for a path that contains nothing to check. The path is probably
// wrong, and a report without findings would hide that.
func nothingIn(name string) error {
	return fmt.Errorf("%s: no resource and no pack is here. Give a package, a file of resources or a pack directory", name)
}

// find adds an input for each path that the user names.
func (f *Found) find(paths []string) error {
	for _, name := range paths {
		in := Input{Path: name}
		if name == "-" {
			in.Kind = Standard
			f.Inputs = append(f.Inputs, in)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		switch {
		case packdir.Is(name): // or an archive of one
			in.Kind = Pack
		case info.IsDir() && kptpackage.IsPackage(name):
			in.Kind = Package
		case info.IsDir():
			in.Kind = folderInput
		case filepath.Ext(name) == terraform.Extension:
			in.Kind = Module
		default:
			in.Kind = fileInput
		}
		f.Inputs = append(f.Inputs, in)
	}
	return nil
}

// open replaces the folders and files among the inputs with their content: other inputs, files
// with resources, catalogs, bundles, and manifests for the Capact hub.
func (f *Found) open() (err error) {
	named := f.Inputs
	f.Inputs = nil
	for _, in := range named {
		switch in.Kind {
		case fileInput:
			err = f.file(in.Path)
		case folderInput:
			err = f.walk(in.Path)
		default:
			f.Inputs = append(f.Inputs, in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file handles a file that the user names.
func (f *Found) file(name string) error {
	text, err := f.ReadText(name)
	if err != nil {
		if f.takeLarge(name) {
			return nil
		}
		return err
	}
	f.TakeMisnamed(name)
	if why := fileForm(filepath.ToSlash(name)); why != "" {
		f.fault(filepath.Dir(name), kptpackage.NewFault(filepath.Dir(name), filepath.Base(name), diag.Position{Line: 1, Column: 1}, "%s", why))
		return nil
	}
	if f.take(Input{Path: name, Text: text}) {
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
	f.Named = append(f.Named, file)
	return nil
}

// ReadText returns the text of a file on disk, or what replaces it.
func (f *Found) ReadText(name string) ([]byte, error) {
	if text, ok := f.options.Replace[name]; ok {
		return text, nil
	}
	return folder.ReadText(name)
}

// take adds a file outside of packages if it is a catalog, a Capact manifest or a profile, and
// reports whether it is one of these.
func (f *Found) take(in Input) bool {
	switch {
	case olm.IsCatalog(in.Text):
		f.OLM.Catalogs = append(f.OLM.Catalogs, in.Path)
	case f.takeManifests(in.Path, in.Text):
	case filepath.Ext(in.Path) == ".json" && in.isProfile():
		in.Kind = Profile
		f.Inputs = append(f.Inputs, in)
	default:
		return false
	}
	return true
}

// takeLarge adds a file that is too large to be read as a whole if it is a catalog, and reports
// whether it is one.
func (f *Found) takeLarge(name string) bool {
	if !olm.IsCatalogFile(name) {
		return false
	}
	f.OLM.Catalogs = append(f.OLM.Catalogs, name)
	return true
}

// isProfile reports whether a JSON file is a cluster profile. A file that the user named may be
// incomplete.
func (in *Input) isProfile() bool {
	if !in.IsNamed() {
		return palette.IsCertain(in.Text)
	}
	return !capact.Is(in.Text) && content.FormIn(in.Path, in.Text) == nil && palette.Is(in.Text)
}

// TakeMisnamed records a file on disk if its name is nearly Kptfile, and its directory contains
// no Kptfile.
func (f *Found) TakeMisnamed(onDisk string) {
	if dir := filepath.Dir(onDisk); kptpackage.IsMisnamed(filepath.Base(onDisk)) && !kptpackage.IsPackage(dir) {
		f.Misnamed = append(f.Misnamed, onDisk)
	}
}

// takeManifests adds a file with Capact manifests, and reports whether it is such a file.
func (f *Found) takeManifests(name string, text []byte) bool {
	absolute, err := filepath.Abs(name)
	if err != nil || !capact.IsManifest(text) {
		return false
	}
	if !f.isManifest[absolute] {
		f.isManifest[absolute] = true
		f.Manifests = append(f.Manifests, &kptpackage.File{Path: absolute, Package: ".", Text: text})
	}
	return true
}

// fileForm returns the message for a file that must not be named alone, such as a pack.json, or
// "" if the file may contain resources.
func fileForm(name string) string {
	if path.Base(name) == packdir.Metadata {
		return "this is the pack.json of a pack; name its directory: " + path.Dir(name)
	}
	if slices.Contains(list.KustomizationNames, path.Base(name)) {
		return "this is a kustomization; name its directory: " + path.Dir(name)
	}
	return ""
}
