package olm

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

const (
	// maxCatalog is the size of the largest catalog that is read. Holes make a file large that
	// takes no place on disk.
	maxCatalog = 1 << 30
	// MaxDocuments is how many documents of catalogs are checked together: each bundle stays in
	// memory, to satisfy what others require.
	MaxDocuments = 100_000
	// sniffed is how much of a large file is looked at.
	sniffed = 64 << 10
)

// schemaLine matches a line with the schema of a document of a catalog in YAML, and schemaMember
// in JSON. A pattern for whole texts would need several times as long, and every file is asked.
var (
	schemaLine   = regexp.MustCompile(`^(?:\{ *)?schema: *["']?olm\.`)
	schemaMember = regexp.MustCompile(`"schema"\s*:\s*"olm\.`)
)

// IsCatalog reports whether a text is a file-based catalog, or the beginning of one:
//
//	schema: olm.bundle
//	name: vault.v0.6.0
//	package: vault
func IsCatalog(text []byte) bool {
	if !bytes.Contains(text, []byte("olm.")) {
		return false
	}
	for line := range bytes.Lines(text) {
		if schemaLine.Match(line) {
			return true
		}
	}
	content := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), "- \t\r\n")
	return bytes.HasPrefix(content, []byte("{")) && schemaMember.Match(text)
}

// IsCatalogFile reports whether a file is a file-based catalog that is too large to be read as a
// whole, or any other.
func IsCatalogFile(name string) bool {
	if !kptpackage.IsRead(name) {
		return false
	}
	file, err := folder.OpenFile(name)
	if err != nil {
		return false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, sniffed))
	return err == nil && IsCatalog(text)
}

// Catalog is the file of a catalog. It is opened for each reading.
type Catalog struct {
	Path string
	// Text replaces the content of the file, unless it is nil.
	Text []byte
}

// errTooLarge is returned for a catalog that is only read in part.
var errTooLarge = fmt.Errorf("it has more than %d MiB", maxCatalog>>20)

// limited is a reader that returns an error after a number of bytes.
type limited struct {
	io.Reader
	// left is the number of bytes.
	left int64
}

// Read returns errTooLarge when the bytes are used up.
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.Reader.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// Open opens the catalog.
func (c *Catalog) Open() (io.ReadCloser, error) {
	if c.Text != nil {
		return io.NopCloser(bytes.NewReader(c.Text)), nil
	}
	file, err := folder.OpenFile(c.Path)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&limited{file, maxCatalog}, file}, nil
}

// Reread returns the text of a document of the catalog again.
func (c *Catalog) Reread(d documents.Document) (string, error) {
	if c.Text != nil {
		return string(c.Text[d.Start : d.Start+int64(d.Size)]), nil
	}
	file, err := folder.OpenFile(c.Path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var text strings.Builder
	_, err = io.Copy(&text, io.NewSectionReader(file, d.Start, int64(d.Size)))
	return text.String(), err
}

// Found is what a folder has of OLM.
type Found struct {
	// Bundles are bundle directories, Catalogs the files of catalogs, and Manifests files with a
	// ClusterServiceVersion outside of bundle directories.
	Bundles, Catalogs, Manifests []string
	// Ignored are the files of catalogs that .indexignore names, which opm does not read either. Notes say
	// which .indexignore could not be read.
	Ignored, Notes []string
	// bundles are the bundle directories.
	bundles map[string]bool
}

// AddBundle adds a bundle directory.
func (f *Found) AddBundle(dir string) {
	if f.bundles == nil {
		f.bundles = map[string]bool{}
	}
	if !f.bundles[filepath.Clean(dir)] {
		f.bundles[filepath.Clean(dir)] = true
		f.Bundles = append(f.Bundles, dir)
	}
}

// Add adds what another folder has.
func (f *Found) Add(other *Found) {
	for _, dir := range other.Bundles {
		f.AddBundle(dir)
	}
	f.Catalogs, f.Manifests = append(f.Catalogs, other.Catalogs...), append(f.Manifests, other.Manifests...)
	f.Ignored, f.Notes = append(f.Ignored, other.Ignored...), append(f.Notes, other.Notes...)
}

// IsEmpty reports whether there is nothing.
func (f *Found) IsEmpty() bool { return len(f.Bundles)+len(f.Catalogs)+len(f.Manifests) == 0 }

// Find returns what a file or a folder has of OLM, without the files that .indexignore files in it name.
// Symbolic links in it are not followed.
func Find(name string) (*Found, error) {
	found := &Found{}
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		name, err = filepath.EvalSymlinks(name)
	}
	if err != nil {
		return nil, err
	}
	var ignores *Ignores
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		files, err := folder.Open(name)
		if err != nil {
			return nil, err
		}
		defer files.Close()
		ignores = NewIgnores(files)
		defer func() { found.Notes = ignores.Notes }()
	}
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir() && found.IsPart(path):
			return fs.SkipDir
		case entry.IsDir():
			if IsBundle(path) {
				found.AddBundle(path)
			}
			return nil
		}
		if entry.Type().IsRegular() {
			relative, err := filepath.Rel(name, path)
			if err != nil {
				return err
			}
			found.file(path, func() bool { return ignores != nil && ignores.Match(filepath.ToSlash(relative)) })
		}
		return nil
	})
	return found, err
}

// IsPart reports whether a folder is the manifests or metadata folder of a bundle.
func (f *Found) IsPart(dir string) bool {
	base := filepath.Base(dir)
	return (base == Metadata || base == Manifests) && f.Has(filepath.Dir(dir))
}

// Has reports whether a folder is one of the bundle directories.
func (f *Found) Has(dir string) bool { return f.bundles[filepath.Clean(dir)] }

// file adds a file of OLM. isIgnored reports whether it is no part of a catalog.
func (f *Found) file(name string, isIgnored func() bool) {
	if !kptpackage.IsRead(name) {
		return
	}
	if IsCatalogFile(name) {
		if isIgnored() {
			f.Ignored = append(f.Ignored, name)
		} else {
			f.Catalogs = append(f.Catalogs, name)
		}
		return
	}
	if text, err := folder.ReadText(name); err == nil && bytes.Contains(text, []byte(versionKind)) {
		f.Manifests = append(f.Manifests, name)
	}
}
