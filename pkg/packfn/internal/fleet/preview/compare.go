package preview

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Patches are the changes since an earlier preview. [Preview.groupChanges] makes them of the rows.
type Patches struct {
	// Outcomes are the packages that are refused in this preview or in the earlier one; absent if
	// the earlier preview has no record of outcomes.
	Outcomes *Verdicts `json:"outcomes,omitempty"`
	// Same is the number of packages without a change.
	Same int `json:"same" required:"true"`
	// New, Gone and Unknown list packages as REPO/PACKAGE: packages that are new, packages that
	// no longer exist, and packages that could not be rendered.
	New     []string `json:"new,omitempty"`
	Gone    []string `json:"gone,omitempty"`
	Unknown []string `json:"unknown,omitempty"`
	// Groups are equal changes.
	Groups []Patch `json:"groups" required:"true"`
}

// Verdicts groups packages, REPO/PACKAGE, by their outcome in this preview and in an earlier one.
// A package that cannot be computed counts as refused.
type Verdicts struct {
	NewlyRefused    []string `json:"newlyRefused" required:"true"`
	NoLongerRefused []string `json:"noLongerRefused" required:"true"`
	RefusedAsBefore []string `json:"refusedAsBefore" required:"true"`
	// hasNewError is true if a set has an error that the earlier preview did not report.
	hasNewError bool
}

// Patch is a change of one or several packages.
type Patch struct {
	// Packages are the names of the packages, REPO/PACKAGE, with this change.
	Packages []string `json:"packages" required:"true"`
	// Patch is the unified difference of the first of them. Values are masked unless
	// the user asked for them.
	Patch string `json:"patch" required:"true"`

	// files are the changed files of the first package.
	files []fileChange
	// NamesDiffer is true if the changes of the packages are equal except for the name of the
	// cluster.
	NamesDiffer bool `json:"-"`
}

// namedList is a list of packages with its title.
type namedList struct {
	Title string
	// Names are the packages, REPO/PACKAGE.
	Names []string
}

// Lists returns the packages without a change to show.
func (p *Patches) Lists() []namedList {
	return []namedList{{"new", p.New}, {"gone", p.Gone}, {"not rendered", p.Unknown}}
}

// Lists returns the packages that are refused in this preview or in the earlier one.
func (v *Verdicts) Lists() []namedList {
	if v == nil {
		return nil
	}
	return []namedList{{"newly refused", v.NewlyRefused}, {"no longer refused", v.NoLongerRefused}, {"refused as before", v.RefusedAsBefore}}
}

// IsWorse reports whether a package is refused that was not, a set has a new error, or a cluster refuses a change
// since the earlier preview. The outcomes of that preview must be known.
func (p *Preview) IsWorse() bool {
	v := p.Patches.Outcomes
	return len(v.NewlyRefused) > 0 || v.hasNewError || p.hasChangeError
}

// earlier holds the part of a comparison with an earlier preview that concerns the whole fleet.
type earlier struct {
	// Gone are the packages that no longer exist.
	Gone []string `json:"gone,omitempty"`
	// HasOutcomes is true if the outcomes of the earlier preview are known. HasNewError is true
	// if a set has an error that the earlier preview did not report.
	HasOutcomes bool `json:"hasOutcomes,omitempty"`
	HasNewError bool `json:"hasNewError,omitempty"`
	// HasValues is true if values in changes are not masked.
	HasValues bool `json:"hasValues,omitempty"`
}

// since describes how a package differs from an earlier preview.
type since struct {
	// Is is the state of the package: the same, changed, new, or not rendered.
	Is state `json:"is"`
	// WasRefused is true if the package could not be deployed in the earlier preview.
	WasRefused bool `json:"wasRefused,omitempty"`
	// Raw is a digest of the change, and At the index of the change in a shard.
	Raw digest `json:"raw,omitzero"`
	At  int    `json:"at,omitempty"`

	// change is the change of the files, or nil if the files are equal or unknown. Packages with the
	// same change share it.
	change *change
}

// state is the result of the comparison of a package with the earlier one.
type state string

const (
	isSame    state = "same"
	isChanged state = "changed"
	isNew     state = "new"
	isUnknown state = "not rendered"
)

// states lists the states in the order of their meaning for a reader.
var states = []state{isSame, isChanged, isNew, isUnknown}

// change is a change that several packages may share.
type change struct {
	// Key is a digest of the added and removed lines, without the names of clusters.
	Key digest `json:"key"`
	// Files are the changed files of the first package.
	Files []fileChange `json:"files"`
}

// fileChange is the change of a file.
type fileChange struct {
	// Path is the path in the package, with slashes.
	Path string `json:"path"`
	// Text is the unified diff, masked for the audience of the preview. Record is the diff masked
	// for a record; it is set only in a shard whose Text contains all values.
	Text   string `json:"text"`
	Record string `json:"record,omitempty"`

	// old and new are the contents before and after, nil if the file does not exist. They are dropped
	// as soon as the texts are made.
	old, new []byte
}

// Compare compares a preview with an earlier one that wrote its packages to a folder: the
// outcomes, if the folder records them, and the files of the packages. The audience decides which
// values are masked.
func (p *Preview) Compare(dir string, audience diag.Audience) error {
	names, err := listPackages(dir)
	if err != nil {
		return err
	}
	p.earlier = &earlier{HasValues: audience == diag.All}
	p.Audience = audience
	before, err := readRecord(dir)
	switch {
	case errors.Is(err, errNoRecord):
		p.Notes = append(p.Notes, fmt.Sprintf("%s: outcomes cannot be compared: %v", dir, err))
		before = &record{}
	case err != nil:
		return err
	default:
		p.earlier.HasOutcomes = true
		p.earlier.HasNewError = slices.ContainsFunc(p.setErrors(), func(fingerprint string) bool { return !slices.Contains(before.SetErrors, fingerprint) })
	}
	if p.Shard != nil {
		p.Inputs += fmt.Sprintf(" %x", digestOf(fmt.Sprint(slices.Sorted(maps.Keys(names)), p.earlier.HasOutcomes)))
	}
	changes := map[digest]*change{}
	for i := range p.Rows {
		row := &p.Rows[i]
		row.since = &since{Is: isUnknown}
		_, row.since.WasRefused = before.Refused[row.Name()]
		switch {
		case row.Files == nil:
		case !names[row.Name()]:
			row.since.Is = isNew
		default:
			earlier, err := kptpackage.AllFiles(filepath.Join(dir, filepath.FromSlash(row.Name())))
			if err != nil {
				return err
			}
			p.compare(row, earlier, changes)
		}
	}
	for _, name := range p.Made {
		delete(names, name)
	}
	p.earlier.Gone = slices.Sorted(maps.Keys(names))
	if p.Shard == nil {
		p.groupChanges()
	}
	return nil
}

// compare compares the files of a package with its files in the earlier preview.
func (p *Preview) compare(row *Row, before map[string][]byte, changes map[digest]*change) {
	files, key, raw := comparePackage(row, before)
	if len(files) == 0 {
		row.since.Is = isSame
		return
	}
	row.since.Is, row.since.Raw = isChanged, raw
	if row.since.change = changes[key]; row.since.change != nil {
		return
	}
	known := shown.KnownOf(func(yield func(string, []byte) bool) {
		for _, file := range row.Files {
			if !yield(file.Path, file.Text) {
				return
			}
		}
	})
	for i := range files {
		f := &files[i]
		text := f.Text
		f.Text = patch.Shown(text, f.Path, f.old, f.new, known, p.Audience)
		if p.Shard != nil && p.earlier.HasValues {
			f.Record = patch.Shown(text, f.Path, f.old, f.new, known, diag.Record)
		}
		f.old, f.new = nil, nil
	}
	changes[key] = &change{key, files}
	row.since.change = changes[key]
}

// comparePackage returns the changed files of a package with all values, and two digests of the
// added and removed lines. Packages with the same change have the same key, which ignores the
// name of the cluster; raw includes that name.
func comparePackage(row *Row, before map[string][]byte) (files []fileChange, key, raw digest) {
	var lines strings.Builder
	compare := func(name string, old, new []byte) {
		if bytes.Equal(old, new) {
			return
		}
		text := patch.Of(name, old, new)
		files = append(files, fileChange{Path: name, Text: text, old: old, new: new})
		fmt.Fprintf(&lines, "%s\x00", name)
		for line := range strings.Lines(text) {
			if line[0] == '+' || line[0] == '-' || !strings.HasPrefix(text, "---") {
				lines.WriteString(line)
			}
		}
	}
	for _, file := range row.Files {
		compare(file.Path, before[file.Path], file.Text)
		delete(before, file.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		compare(name, before[name], nil)
	}
	text := lines.String()
	return files, digestOf(strings.ReplaceAll(text, row.Repo, "\x01")), digestOf(text)
}

// groupChanges groups equal changes, the change of the most packages first, and lists the
// packages that have no change to show.
func (p *Preview) groupChanges() {
	c := &Patches{Gone: p.earlier.Gone, Groups: []Patch{}}
	v := &Verdicts{NewlyRefused: []string{}, NoLongerRefused: []string{}, RefusedAsBefore: []string{}, hasNewError: p.earlier.HasNewError}
	index := map[digest]int{}
	var raws []digest
	for i := range p.Rows {
		row := &p.Rows[i]
		name, s := row.Name(), row.since
		switch s.Is {
		case isSame:
			c.Same++
		case isNew:
			c.New = append(c.New, name)
		case isUnknown:
			c.Unknown = append(c.Unknown, name)
		case isChanged:
			at, known := index[s.change.Key]
			if !known {
				at = len(raws)
				index[s.change.Key] = at
				raws, c.Groups = append(raws, s.Raw), append(c.Groups, Patch{files: s.change.Files})
			}
			group := &c.Groups[at]
			group.Packages = append(group.Packages, name)
			group.NamesDiffer = group.NamesDiffer || s.Raw != raws[at]
		}
		switch isRefused := row.Outcome != Deployable; {
		case isRefused && s.WasRefused:
			v.RefusedAsBefore = append(v.RefusedAsBefore, name)
		case isRefused:
			v.NewlyRefused = append(v.NewlyRefused, name)
		case s.WasRefused:
			v.NoLongerRefused = append(v.NoLongerRefused, name)
		}
	}
	for i := range c.Groups {
		for _, file := range c.Groups[i].files {
			c.Groups[i].Patch += p.textOf(&file)
		}
	}
	slices.SortStableFunc(c.Groups, func(a, b Patch) int {
		return cmp.Or(cmp.Compare(len(b.Packages), len(a.Packages)), cmp.Compare(a.Packages[0], b.Packages[0]))
	})
	if p.earlier.HasOutcomes {
		c.Outcomes = v
	}
	p.Patches = c
}

// textOf returns the diff of a file as the preview shows it.
func (p *Preview) textOf(f *fileChange) string {
	if f.Record != "" && p.Audience != diag.All {
		return f.Record
	}
	return f.Text
}

// listPackages returns the paths of the packages in a folder: the outermost folders with a
// Kptfile.
func listPackages(dir string) (map[string]bool, error) {
	if err := folder.Require(dir); err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case entry.Name() == ".git", name != dir && staging.IsStaged(entry.Name()):
			return fs.SkipDir
		case name == dir || !kptpackage.IsPackage(name):
			return nil
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		packages[filepath.ToSlash(relative)] = true
		return fs.SkipDir
	})
	return packages, err
}
