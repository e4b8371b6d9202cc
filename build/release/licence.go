package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/licensecheck"
)

// dependency is a module that a program links, or Go's standard library.
type dependency struct {
	path, version string
	sum           string // as go.sum has it; the standard library has none
	texts         []licence
}

// licence is a file with the terms of a dependency.
type licence struct {
	file string // the path in the dependency
	text string
	// id is the licence's SPDX expression, empty for a notice.
	id string
}

// standardLibrary is the name of Go's standard library in package URLs.
const standardLibrary = "stdlib"

// licenceFile and noticeFile match the names of files with terms. A notice has no licence
// of its own, but must be passed on.
var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([.-].*)?$`)
	noticeFile  = regexp.MustCompile(`(?i)^(notice|patents)([.-].*)?$`)
	sourceFile  = regexp.MustCompile(`(?i)\.go$`)
)

// dependencies returns what a program links, with all licences between the root of a
// module and a linked package: copied packages have licences of their own. A module
// without a licence that is known is an error.
func (s *suite) dependencies(name string, platform v1.Platform) ([]dependency, error) {
	packages, err := s.linked(name, platform)
	if err != nil {
		return nil, err
	}
	all, roots := map[string]*dependency{}, map[string]string{}
	seen := map[string]bool{}
	for _, p := range packages {
		var d dependency
		var root string
		switch {
		case p.Standard:
			d, root = dependency{path: standardLibrary, version: strings.TrimPrefix(runtime.Version(), "go")}, goRoot(p.Dir)
		case p.Module == nil:
			return nil, fmt.Errorf("the package in %s has no module", p.Dir)
		case p.Module.Main:
			continue
		case p.Module.Replace != nil:
			return nil, fmt.Errorf("%s is replaced: a release is built of published modules", p.Module.Path)
		default:
			d, root = dependency{path: p.Module.Path, version: p.Module.Version, sum: p.Module.Sum}, p.Module.Dir
		}
		if all[d.path] == nil {
			all[d.path], roots[d.path] = &d, root
		}
		for dir := p.Dir; !seen[dir] && strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			seen[dir] = true
			texts, err := licencesIn(dir, root)
			if err != nil {
				return nil, err
			}
			all[d.path].texts = append(all[d.path].texts, texts...)
		}
	}
	var list []dependency
	for _, d := range all {
		slices.SortFunc(d.texts, func(a, b licence) int { return cmp.Compare(a.file, b.file) })
		if len(d.ids()) == 0 {
			return nil, fmt.Errorf("%s %s has no licence that is known in %s", d.path, d.version, roots[d.path])
		}
		list = append(list, *d)
	}
	slices.SortFunc(list, func(a, b dependency) int { return cmp.Compare(a.path, b.path) })
	return list, nil
}

// goRoot returns the folder of Go around a folder of its standard library.
func goRoot(dir string) string {
	root, _, _ := strings.Cut(dir, filepath.FromSlash("/src/"))
	return strings.TrimSuffix(root, filepath.FromSlash("/src"))
}

// licencesIn reads the licences and notices of a folder.
func licencesIn(dir, root string) ([]licence, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var licences []licence
	for _, entry := range entries {
		isLicence := licenceFile.MatchString(entry.Name())
		if !isLicence && !noticeFile.MatchString(entry.Name()) || !entry.Type().IsRegular() || sourceFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		file, err := filepath.Rel(root, filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		found := licence{file: filepath.ToSlash(file), text: strings.ReplaceAll(string(text), "\r\n", "\n")}
		if isLicence {
			var ids []string
			for _, match := range licensecheck.Scan(text).Match {
				if !match.IsURL && !slices.Contains(ids, match.ID) {
					ids = append(ids, match.ID)
				}
			}
			if len(ids) == 0 {
				return nil, fmt.Errorf("%s: the licence is not known", filepath.Join(dir, entry.Name()))
			}
			found.id = strings.Join(ids, " AND ")
		}
		licences = append(licences, found)
	}
	return licences, nil
}

// ids returns the licences of a dependency, each once.
func (d *dependency) ids() []string {
	var ids []string
	for _, text := range d.texts {
		for id := range strings.SplitSeq(text.id, " AND ") {
			if id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// thirdParty is the text with the terms of everything that a program links. Equal texts
// are in it once.
func (p *program) thirdParty() []byte {
	var texts []string
	users := map[string][]string{}
	for _, d := range p.dependencies {
		for _, l := range d.texts {
			if users[l.text] == nil {
				texts = append(texts, l.text)
			}
			users[l.text] = append(users[l.text], fmt.Sprintf("%s %s (%s)", d.path, d.version, l.file))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The licences and notices of what %s links.\n", p.name)
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), strings.Repeat("=", 80), strings.Trim(text, "\n"))
	}
	return []byte(b.String())
}
