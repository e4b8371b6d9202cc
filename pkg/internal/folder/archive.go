package folder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/krm-packs/functions/pkg/internal/parents"
)

// maxFiles is the largest number of files and directories in an archive.
const maxFiles = 10_000

// ArchiveSuffix is the end of the names of archives of packs, as they are published.
const ArchiveSuffix = ".tar.gz"

// IsArchive reports whether a path names an archive: a file NAME-VERSION.tar.gz.
func IsArchive(name string) bool {
	if !strings.HasSuffix(name, ArchiveSuffix) {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// Limit bounds the content of an archive.
type Limit struct {
	// Bytes is the size of the files and their headers, unpacked.
	Bytes int64
	// Entries is the number of files, folders and others.
	Entries int
	// TooLarge and TooMany are the errors for more.
	TooLarge, TooMany error
}

// bounded fails beyond a number of bytes.
type bounded struct {
	io.Reader
	// left is the number of bytes that may still be read, and beyond the error after them.
	left   int64
	beyond error
}

// Read reads, and fails once there were more bytes than allowed.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, b.beyond // a reader ignores an error with all that it wants
	}
	return n, err
}

// Unpack returns what a gzipped text unpacks to. Its reader fails with beyond after a number
// of bytes.
func Unpack(packed []byte, most int64, beyond error) (io.Reader, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return &bounded{unpacked, most, beyond}, nil
}

// mostPath is the number of bytes of the longest path in an archive, which is the limit of Linux.
const mostPath = 4096

// Untar calls visit for each entry of a gzipped tar archive. A path that leads out of the
// archive is an error, and so are one that is a file and a folder, one of more than 4,096 bytes,
// and an archive whose checksum is wrong.
func Untar(packed []byte, limit Limit, visit func(name string, header *tar.Header, content io.Reader) error) error {
	all, err := Unpack(packed, limit.Bytes, limit.TooLarge)
	if err != nil {
		return err
	}
	archive := tar.NewReader(all)
	isFolder := map[string]bool{} // false for a file
	for entries := 0; ; entries++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if entries >= limit.Entries {
			return limit.TooMany
		}
		name := strings.ReplaceAll(header.Name, `\`, "/")
		if path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") {
			return fmt.Errorf("the path %q leads out of the archive", header.Name)
		}
		if len(name) > mostPath {
			return fmt.Errorf("the path %q… has %d bytes; an archive can have at most %d", header.Name[:64], len(name), mostPath)
		}
		for at := range parents.OfSlash(path.Clean(name)) {
			isAbove := header.Typeflag == tar.TypeDir || at != path.Clean(name)
			if before, isKnown := isFolder[at]; isKnown && before != isAbove {
				return fmt.Errorf("%q is there as a file and as a folder", at)
			} else if isKnown {
				break
			}
			isFolder[at] = isAbove
		}
		if err := visit(name, header, archive); err != nil {
			return err
		}
	}
	_, err = io.Copy(io.Discard, all) // the checksum is behind the archive
	return err
}

var limit = Limit{
	Bytes: MaxBytes, Entries: maxFiles,
	TooLarge: fmt.Errorf("it has more than %d MiB", MaxBytes>>20),
	TooMany:  fmt.Errorf("it has more than %d files", maxFiles),
}

// openArchive reads an archive into memory. If all its files are in one folder, that is
// the folder that is opened.
func openArchive(name string) (*Folder, error) {
	packed, err := Read(name, MaxBytes)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	err = Untar(packed, limit, func(name string, header *tar.Header, content io.Reader) error {
		switch name = path.Clean(name); header.Typeflag {
		case tar.TypeDir, tar.TypeXGlobalHeader:
			return nil
		case tar.TypeReg:
		case tar.TypeSymlink, tar.TypeLink:
			return fmt.Errorf("%q is a link to %q; an archive of a pack can have only files and folders", header.Name, header.Linkname)
		default:
			return fmt.Errorf("%q is neither a file nor a folder", header.Name)
		}
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("%q is not the path of a file", header.Name)
		}
		if files[name] != nil {
			return fmt.Errorf("%q is there twice", header.Name)
		}
		text, err := io.ReadAll(content)
		files[name] = &fstest.MapFile{Data: text, Mode: 0o644}
		return err
	})
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader), len(packed) < 18: // the frame of an empty gzip file
		return nil, fmt.Errorf("%s is not a gzipped tar archive", name)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s is cut off; get it again", name)
	case errors.Is(err, gzip.ErrChecksum):
		return nil, fmt.Errorf("%s is damaged: its checksum is wrong; get it again", name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	f := &Folder{files: files, digest: fmt.Sprintf("sha256:%x", sha256.Sum256(packed)), dir: name}
	if f.real, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(files, ".")
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		f.files, err = fs.Sub(files, entries[0].Name())
	}
	return f, err
}
