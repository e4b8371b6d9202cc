// Package packdir reads pack directories: pack.json, values.yaml, schema.yaml and
// presets.yaml as packs are published.
//
//	vault-0.6.0/
//	  pack.json        {"name": "vault", "version": "0.6.0", "layer": "addon", "charts": ["charts/vault.tgz"]}
//	  values.yaml
//	  schema.yaml
//	  presets.yaml
//	  charts/vault.tgz
//
// An archive of such a directory (.tar.gz) is read in the same way, without unpacking it to disk.
package packdir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// Metadata is the name of the file that makes a directory a pack directory.
const Metadata = "pack.json"

// FileNames are the files that functions read of a pack, in the order in which import
// writes them.
var FileNames = []string{Metadata, "values.yaml", "schema.yaml", "presets.yaml", "properties.yaml", "dependencies.yaml"}

// File is a text file of a pack.
type File struct {
	// Name is the path in the directory, with slashes.
	Name string
	Text []byte
}

// Pack is a pack directory.
type Pack struct {
	// Dir is the directory as the user named it, or below that.
	Dir string
	// Digest is the digest of the archive, `sha256:…`, which is the same in a registry. It is ""
	// for a directory.
	Digest string
	// Name and Version are the fields of pack.json. If the name cannot be read, Name is the name
	// of the directory, and Fault is the reason.
	Name, Version string
	// Fault is nil if pack.json can be read.
	Fault error
	// Files are the files that functions read, and the files that the caller requested.
	Files []File
	// Left are the names of the other files and folders, sorted.
	Left []string
	// Misspelt maps files in Left that probably have a misspelled name to the name that functions
	// read.
	Misspelt map[string]string
}

// File returns the text of a file, or nil if the pack does not contain it.
func (p *Pack) File(name string) []byte {
	for _, f := range p.Files {
		if f.Name == name {
			return f.Text
		}
	}
	return nil
}

// Is reports whether a path is a pack directory, or may be the archive of one.
func Is(name string) bool {
	if folder.IsArchive(name) {
		return true
	}
	info, err := os.Stat(filepath.Join(name, Metadata))
	return err == nil && !info.IsDir()
}

// IsFound reports whether a directory that the user did not name is a pack directory. A
// pack.json of another program has none of the fields that name a pack, and no other file of
// a pack beside it.
func IsFound(dir string) bool {
	if !Is(dir) {
		return false
	}
	text, err := folder.ReadText(filepath.Join(dir, Metadata))
	document, fault := values.Parse(string(text))
	return err != nil || fault != nil || firstOf(dir, FileNames[1:]...) != "" ||
		slices.ContainsFunc([]string{"name", "version", "layer"}, func(field string) bool { return values.Field(document.Root(), field) != nil })
}

// Find returns the pack directories that a path names: the directory itself, or all
// below it, sorted, and archives of them. None is an error, and so is one that holds half a
// pack.
func Find(dir string) ([]string, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case folder.IsArchive(dir):
		return []string{dir}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; name the directory of a pack, or an archive NAME-VERSION%s", dir, folder.ArchiveSuffix)
	}
	var found []string
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir() && folder.IsArchive(path):
			found = append(found, path)
			return nil
		case !entry.IsDir():
			return nil
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case Is(path):
			found = append(found, path)
			return fs.SkipDir
		}
		return half(path)
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, noPack(dir)
	}
	return found, nil
}

func noPack(dir string) error {
	return fmt.Errorf("%s holds no pack: a pack directory has the file %s", dir, Metadata)
}

// In returns the pack directories in a folder, sorted, also the folder itself. A file has
// none.
func In(dir string) (found []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return err
		case entry.Name() == ".git":
			return fs.SkipDir
		case IsFound(path):
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// half reports a directory that has files of a pack, but no pack.json. One with a
// Chart.yaml is a Helm chart.
func half(dir string) error {
	name, hint := firstOf(dir, FileNames[1:4]...), ""
	if name == "" || IsChart(dir) {
		return nil
	}
	if other := misnamed(dir); other != "" {
		hint = "; rename " + other
	}
	return fmt.Errorf("%s holds half a pack: it has %s, but no %s%s", dir, name, Metadata, hint)
}

// IsChart reports whether a directory is a Helm chart.
func IsChart(dir string) bool { return firstOf(dir, "Chart.yaml") != "" }

// firstOf returns the first of several names that exists in a directory, or "" if none does.
func firstOf(dir string, names ...string) string {
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return name
		}
	}
	return ""
}

// Misnamed returns an error for a directory that would be a pack directory if its pack.json
// had this name.
func Misnamed(dir string) error {
	if Is(dir) || misnamed(dir) == "" {
		return nil
	}
	return half(dir)
}

// IsMisnamed reports whether the name of a file is a slip of pack.json.
func IsMisnamed(name string) bool { return name != Metadata && isMisspelt(name, Metadata) }

// misnamed returns the file of a directory whose name is a misspelling of pack.json, or "" if
// there is none.
func misnamed(dir string) string {
	entries, _ := os.ReadDir(dir) // what cannot be read has no such file
	for _, entry := range entries {
		if !entry.IsDir() && IsMisnamed(entry.Name()) {
			return entry.Name()
		}
	}
	return ""
}

// Read reads a pack directory as [Open] does. A pack without a name is an error.
func Read(dir string, with ...string) (*Pack, error) {
	p, err := Open(dir, with...)
	if err != nil {
		return nil, err
	}
	return p, p.Fault
}

// Open reads a pack directory with the files that functions read. with names further
// text files, by their paths in the directory; those that are absent are left out.
func Open(dir string, with ...string) (*Pack, error) {
	p := &Pack{Dir: dir, Misspelt: map[string]string{}}
	files, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	p.Digest = files.Digest()
	for _, name := range slices.Concat(FileNames, with) {
		if p.File(name) != nil {
			continue
		}
		switch text, err := files.ReadText(filepath.FromSlash(name)); {
		case err == nil:
			p.Files = append(p.Files, File{name, text})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case name == Metadata:
			return nil, noPack(dir)
		}
	}
	if p.Fault = p.readMetadata(); p.Fault != nil {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		p.Name = strings.TrimSuffix(filepath.Base(absolute), folder.ArchiveSuffix)
	}
	entries, err := fs.ReadDir(files.Files(), ".")
	for _, entry := range entries {
		name := entry.Name()
		if p.File(name) != nil {
			continue
		}
		p.Left = append(p.Left, name)
		for _, known := range FileNames {
			if !entry.IsDir() && p.File(known) == nil && isMisspelt(name, known) {
				p.Misspelt[name] = known
			}
		}
	}
	return p, err
}

// Has reports whether the directory has a file or a folder.
func (p *Pack) Has(name string) bool {
	files, err := folder.Open(p.Dir)
	if err == nil {
		defer files.Close()
		_, err = files.Resolve(name)
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// readMetadata takes name and version from pack.json. The functions read it as YAML,
// so that is what it must be.
func (p *Pack) readMetadata() error {
	path := filepath.Join(p.Dir, Metadata)
	document, err := values.Parse(string(p.File(Metadata)))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p.Name = values.Text(values.Field(document.Root(), "name"))
	p.Version = values.Text(values.Field(document.Root(), "version"))
	if p.Name == "" {
		return fmt.Errorf("%s has no name; set the field name", path)
	}
	return nil
}

// isMisspelt reports whether a name differs from the name of a known file only in letter case, in
// .yml instead of .yaml, or by a single typo.
func isMisspelt(name, known string) bool {
	lower := strings.ToLower(name)
	if stem, ok := strings.CutSuffix(lower, ".yml"); ok {
		lower = stem + ".yaml"
	}
	return lower == known || nearest.IsTypo(lower, known)
}

// Item returns the pack as the resource that functions read: a ConfigMap with its files.
// The resource is named after the pack, and its file is pack.json.
func (p *Pack) Item() *list.Item { return p.ItemIn(Metadata, nil) }

// ItemIn is Item with annotations, at a path of a file.
func (p *Pack) ItemIn(file string, annotations map[string]string) *list.Item {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %q\n", p.Name) // %q is a scalar of YAML, too
	for i, key := range slices.Sorted(maps.Keys(annotations)) {
		if i == 0 {
			b.WriteString("  annotations:\n")
		}
		fmt.Fprintf(&b, "    %q: %q\n", key, annotations[key])
	}
	b.WriteString("data:\n")
	for _, f := range p.Files {
		fmt.Fprintf(&b, "  %q: %q\n", f.Name, f.Text)
	}
	return list.FileItem([]byte(b.String()), file, 0)
}
