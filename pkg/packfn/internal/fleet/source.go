package fleet

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// source holds the files of --set or --objects, and their items.
type source struct {
	// items are the resources in the files.
	items []*list.Item
	// texts are the contents of the files, by the paths that items have.
	texts map[string][]byte
	// packages are the files in packages, by their paths.
	packages map[string]packageFile
	// config is the functionConfig for expand-variant-set in a Kptfile among the files, or nil.
	config *yaml.Node
	// faults are errors about Kptfiles and other files that kpt rejects.
	faults []error
	// unread are the files outside of packages that contain no resource. ignored are the files
	// and directories that git ignores.
	unread, ignored []string
	// notes are about git files that could not be read.
	notes []string
	// unparsed are the documents in unread files that are not valid YAML.
	unparsed []*list.Item
}

// packageFile is a file that kpt reads in a package.
type packageFile struct {
	// of is the package that the file belongs to.
	of *kptpackage.Package
	*kptpackage.File
}

// readSource reads files and folders. In a folder, files outside of packages are read as packfn
// check reads them: files without a resource are left out. A file in a package must contain
// resources, because kpt reads it.
func readSource(o *Options, paths []string) (*source, error) {
	s := &source{texts: map[string][]byte{}, packages: map[string]packageFile{}}
	resources := content.NewResources(o.Functions)
	for _, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		var p *kptpackage.Package
		if info.IsDir() {
			p, err = s.readFolder(name)
		} else {
			p, err = kptpackage.ReadFile(name)
		}
		if err != nil {
			return nil, err
		}
		isPackage := packagesOf(p)
		for _, file := range p.Files {
			at := filepath.ToSlash(filepath.Join(p.Dir, file.Path))
			if _, known := s.texts[at]; known {
				continue
			}
			items := list.Flat(file.Text, at, nil)
			switch {
			case isPackage(file.Package):
				s.packages[at] = packageFile{p, file}
			case info.IsDir() && !slices.ContainsFunc(items, isResource) && !resources.Has(file):
				s.unread = append(s.unread, at)
				s.unparsed = append(s.unparsed, slices.DeleteFunc(items, isParsed)...)
				continue
			}
			s.texts[at] = file.Text
			s.items = append(s.items, items...)
		}
		steps, faults := pipeline.Steps(p, o.Functions)
		s.faults = slices.Concat(s.faults, s.withoutUnread(p, isPackage), faults)
		for _, step := range steps {
			if step.Function.Name == rule.ExpandVariantSet && s.config == nil {
				s.config = step.Config
			}
		}
	}
	return s, nil
}

// packagesOf returns a function that reports whether a folder of p is a package, including a
// package whose Kptfile kpt rejects.
func packagesOf(p *kptpackage.Package) func(dir string) bool {
	known := map[string]bool{}
	return func(dir string) bool {
		if _, ok := known[dir]; !ok {
			known[dir] = kptpackage.IsPackage(filepath.Join(p.Dir, filepath.FromSlash(dir)))
		}
		return known[dir]
	}
}

// readFolder reads a folder. Outside of packages it skips files that git ignores, and Helm
// charts, because their templates are not resources.
func (s *source) readFolder(dir string) (*kptpackage.Package, error) {
	git, err := gitignore.Open(dir)
	if err != nil {
		return nil, err
	}
	defer git.Close()
	defer func() { s.notes = append(s.notes, git.Notes()...) }()
	charts := map[string]bool{}
	isChart := func(inside string) bool {
		if _, known := charts[inside]; !known {
			charts[inside] = packdir.IsChart(filepath.Join(dir, filepath.FromSlash(inside)))
		}
		return charts[inside]
	}
	return kptpackage.ReadWithout(dir, func(name string, isDir bool) bool {
		if git.Ignores(name, isDir) {
			s.ignored = append(s.ignored, filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(name))))
			return true
		}
		if isDir || !isBelow(path.Dir(name), isChart) {
			return false
		}
		s.unread = append(s.unread, filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(name))))
		return true
	})
}

// isResource reports whether an item is meant to be a resource: it has an apiVersion and a kind,
// and also metadata if the item has a fault.
func isResource(item *list.Item) bool {
	if item.APIVersion() == "" || item.Kind() == "" {
		return false
	}
	if item.Fault() == "" {
		return true
	}
	document, err := item.Document()
	return err == nil && values.Field(document.Root(), "metadata") != nil
}

func isParsed(item *list.Item) bool {
	_, err := item.Document()
	return err == nil
}

// withoutUnread returns the faults of a folder, except faults about files outside of packages
// that are not text and do not contain an API group of the suite. Such files count as files
// without a resource.
func (s *source) withoutUnread(p *kptpackage.Package, isPackage func(string) bool) (faults []error) {
	for _, err := range p.Faults {
		fault, ok := errors.AsType[*kptpackage.Fault](err)
		if !ok || fault.File == "" || isBelow(path.Dir(fault.File), isPackage) {
			faults = append(faults, err)
			continue
		}
		_, err := folder.ReadText(fault.Path())
		if encoding, ok := errors.AsType[*folder.EncodingError](err); ok && !content.NamesGroup(bytes.ReplaceAll(encoding.Text, []byte{0}, nil)) {
			s.unread = append(s.unread, filepath.ToSlash(fault.Path()))
			continue
		}
		faults = append(faults, fault)
	}
	return faults
}

// isBelow reports whether the predicate holds for a folder, or for any of its parents below the
// root.
func isBelow(dir string, is func(string) bool) bool {
	for at := range parents.OfSlash(dir) {
		if is(at) {
			return true
		}
	}
	return false
}

// advice returns the advice for a file of a package that is not a resource, or "" for a file
// outside of packages.
func (s *source) advice(name string) string {
	file, ok := s.packages[name]
	if !ok {
		return ""
	}
	return kptpackage.Advice(file.Package, file.Path, func(name string) *kptpackage.File {
		return s.packages[filepath.ToSlash(filepath.Join(file.of.Dir, name))].File
	})
}

// informUnread adds infos about the files of the sources that were left out.
func (in *input) informUnread(o *Options) {
	var all []string
	union := func(a, b []string) int {
		both := slices.Concat(a, b)
		slices.Sort(both)
		both = slices.Compact(both)
		for _, name := range both {
			all = append(all, o.Display(name))
		}
		return len(both)
	}
	unread := discovery.Unread{Files: union(in.setsOf.unread, in.objectsOf.unread), Ignored: union(in.setsOf.ignored, in.objectsOf.ignored)}
	if len(all) > 0 {
		in.inform(rule.InputNotRead, "not checked: %s: %s", unread, diag.SomeOf(all))
	}
	notes := slices.Concat(in.setsOf.notes, in.objectsOf.notes)
	slices.Sort(notes)
	for _, note := range slices.Compact(notes) {
		in.inform(rule.InputNotRead, "%s", note)
	}
}

// inform adds an info about the inputs of the whole fleet, or a warning about an option without effect:
// what is meant is missing then.
func (in *input) inform(of diag.Rule, format string, args ...any) {
	f := diag.Say(format, args...).Of(of)
	if of == rule.ConfigNoEffect {
		f.Severity = diag.Warning
	}
	in.sets.Findings = append(in.sets.Findings, report.Of("", &f))
}
