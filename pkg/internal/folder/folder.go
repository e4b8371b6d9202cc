// Package folder reads files that others wrote: regular files of a bounded size, which are
// in their folder. All files that the functions and the tools read are opened here.
//
// A pipe or a device is an error before anything is read of it, and so is a symbolic link
// that leads out of the folder, also when it takes the place of a file meanwhile.
//
// The errors name the path as the user wrote it. A file must be regular and UTF-8 where it is read as
// text. archive.go reads the archives of packs (NAME-VERSION.tar.gz) into memory, with limits on the
// number and the size of the files.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/values"
)

// MaxBytes is the size of the largest file that is read as a part of a package without
// being parsed, such as a picture.
const MaxBytes = 64 << 20

// maxTotal is the size of all that is read of a folder: a few links to one file, and files with
// holes, are large only when they are read.
const maxTotal = 1 << 30

// ErrOutside means that a symbolic link leads out of the folder.
var ErrOutside = errors.New("it is a symbolic link out of the folder")

// Folder is a folder, or an archive of one, whose files are read.
type Folder struct {
	root *os.Root // nil for an archive
	// files are the files of root, or the files of an archive, in memory.
	files fs.FS
	// digest is the digest of the archive.
	digest string
	// dir is the folder as the caller named it.
	dir string
	// real is the folder without symbolic links.
	real string
	// left is the number of bytes that may still be read from the opened directory.
	left *atomic.Int64
}

// Require returns an error unless a path is the path of a folder.
func Require(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file, not a folder", dir)
	}
	return err
}

// Open opens a folder, or a file NAME-VERSION.tar.gz as the folder that it packs. The folder
// itself may be a symbolic link.
//
// An archive is read into memory. It is refused if it has more than 64 MiB or 10,000 files,
// a path out of it, a link or a device.
func Open(dir string) (*Folder, error) {
	if IsArchive(dir) {
		return openArchive(dir)
	}
	real, err := filepath.Abs(dir) // also the working directory may be a symbolic link
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	f := &Folder{root: root, files: root.FS(), dir: dir, real: real, left: &atomic.Int64{}}
	f.left.Store(maxTotal)
	return f, nil
}

// Digest returns the digest of the archive, `sha256:…`, or "" for a folder.
func (f *Folder) Digest() string { return f.digest }

// Close releases the folder.
func (f *Folder) Close() {
	if f.root != nil {
		f.root.Close()
	}
}

// Files returns the files as they are in the folder: symbolic links out of it cannot be
// opened.
func (f *Folder) Files() fs.FS { return f.files }

// Read reads a file of the folder, of at most a number of bytes. The name is relative.
func (f *Folder) Read(name string, most int64) ([]byte, error) {
	inside, err := f.Resolve(name)
	if err != nil {
		return nil, err
	}
	text, err := f.readResolved(inside, filepath.Join(f.dir, name), most)
	if f.root != nil && f.left.Add(-int64(len(text))) < 0 {
		return nil, fmt.Errorf("%s: more than %d MiB of files are read up to this one; name a part of the folder, or hide files in .krmignore", filepath.Join(f.dir, name), maxTotal>>20)
	}
	return text, f.named(err, name)
}

// readResolved reads a file. Should a link have taken its place, it leads nowhere outside.
func (f *Folder) readResolved(inside, name string, most int64) ([]byte, error) {
	return read(name, most, func() (fs.FileInfo, error) { return fs.Stat(f.files, filepath.ToSlash(inside)) }, func() (fs.File, error) { return f.open(inside) })
}

// open opens a file by its path in the folder.
func (f *Folder) open(inside string) (fs.File, error) {
	if f.root == nil {
		return f.files.Open(filepath.ToSlash(inside))
	}
	return f.root.OpenFile(inside, readOnly, 0)
}

// ReadText reads a file of the folder that must be text; see [ReadText].
func (f *Folder) ReadText(name string) ([]byte, error) {
	text, err := f.Read(name, values.MaxBytes)
	return mustBeText(filepath.Join(f.dir, name), text, err)
}

// Sub opens a folder in the folder.
func (f *Folder) Sub(name string) (*Folder, error) {
	inside, err := f.Resolve(name)
	if err != nil {
		return nil, err
	}
	sub := &Folder{dir: filepath.Join(f.dir, name), real: filepath.Join(f.real, inside), left: f.left}
	if f.root == nil {
		sub.files, err = fs.Sub(f.files, filepath.ToSlash(inside))
	} else if sub.root, err = f.root.OpenRoot(inside); err == nil {
		sub.files = sub.root.FS()
	}
	if err != nil {
		return nil, f.named(err, name)
	}
	return sub, nil
}

// Resolve returns the path in the folder that a name leads to through symbolic links. It is
// [ErrOutside] if that is not in the folder.
func (f *Folder) Resolve(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", &fs.PathError{Op: "open", Path: filepath.Join(f.dir, name), Err: ErrOutside}
	}
	if f.root == nil {
		inside := filepath.Clean(name)
		_, err := fs.Stat(f.files, filepath.ToSlash(inside))
		return inside, f.named(err, name)
	}
	target, err := filepath.EvalSymlinks(filepath.Join(f.real, name))
	if _, isNamed := errors.AsType[*fs.PathError](err); err != nil && !isNamed { // a loop of links
		err = &fs.PathError{Op: "open", Err: err}
	}
	if err != nil {
		return "", f.named(err, name)
	}
	inside, err := filepath.Rel(f.real, target)
	if err != nil || !filepath.IsLocal(inside) {
		return "", &fs.PathError{Op: "open", Path: filepath.Join(f.dir, name), Err: ErrOutside}
	}
	return inside, nil
}

// Path is the absolute path, without symbolic links, that a name leads to; see Resolve.
func (f *Folder) Path(name string) (string, error) {
	inside, err := f.Resolve(name)
	return filepath.Join(f.real, inside), err
}

// named puts the path as the caller named it into an error.
func (f *Folder) named(err error, name string) error {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: failure.Op, Path: filepath.Join(f.dir, name), Err: failure.Err}
	}
	return err
}

// Read reads a file that the user named, of at most a number of bytes. It may be a symbolic
// link.
func Read(name string, most int64) ([]byte, error) {
	text, err := read(name, most, func() (fs.FileInfo, error) { return os.Stat(name) }, func() (fs.File, error) { return os.OpenFile(name, readOnly, 0) })
	return text, ofNamed(err, name)
}

// ReadText reads a file that the user named, and that must be text. A larger one than the
// functions take is refused.
func ReadText(name string) ([]byte, error) {
	text, err := Read(name, values.MaxBytes)
	return mustBeText(name, text, err)
}

// ReadStream reads a stream, such as standard input, as [ReadText] reads a file.
func ReadStream(name string, in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, values.MaxBytes+1))
	if err == nil && len(text) > values.MaxBytes {
		return nil, fmt.Errorf("%s has more than %d bytes, which are the most that the functions read: split it", name, values.MaxBytes)
	}
	return mustBeText(name, text, err)
}

// readOnly opens what has taken the place of a file without waiting for it.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// OpenFile opens a regular file that may be too large to be read as a whole.
func OpenFile(name string) (*os.File, error) {
	file, _, err := openRegular(name, func() (fs.FileInfo, error) { return os.Stat(name) }, func() (*os.File, error) { return os.OpenFile(name, readOnly, 0) })
	return file, ofNamed(err, name)
}

// openRegular opens a regular file, and returns its description.
func openRegular[F fs.File](name string, stat func() (fs.FileInfo, error), open func() (F, error)) (file F, info fs.FileInfo, err error) {
	var none F
	if info, err = stat(); err == nil && !info.Mode().IsRegular() { // to open it may have an effect
		err = notRegular(name, info)
	}
	if err != nil {
		return none, nil, err
	}
	if file, err = open(); err != nil {
		return none, nil, err
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(name, info)
	}
	if err != nil {
		file.Close()
		return none, nil, err
	}
	return file, info, nil
}

// read reads what open opens.
func read(name string, most int64, stat func() (fs.FileInfo, error), open func() (fs.File, error)) ([]byte, error) {
	file, info, err := openRegular(name, stat, open)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var content bytes.Buffer
	content.Grow(int(min(info.Size(), most)) + bytes.MinRead) // so that it does not grow again
	read, err := content.ReadFrom(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if read > most {
		return nil, fmt.Errorf("%s has %d bytes; the functions read at most %d: make it smaller, or split it", name, max(info.Size(), read), most)
	}
	return content.Bytes(), nil
}

// notRegular returns the error about a file that is not a regular one.
func notRegular(name string, info fs.FileInfo) error {
	err := errors.New("it is not a regular file; write it to one")
	if info.IsDir() {
		err = errIsFolder
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// errIsFolder means that a folder is at the place of a file.
var errIsFolder = errors.New("it is a folder, but must be a file")

// ofNamed adds advice to the error about a folder that the user named: to name its files instead.
func ofNamed(err error, name string) error {
	if errors.Is(err, errIsFolder) {
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is a folder; name the files in it, as in %s", filepath.Join(name, "*.yaml"))}
	}
	return err
}

// EncodingError is the error about a file that is not UTF-8: its first wrong byte, counted from 1. Text is the
// file.
type EncodingError struct {
	// Name is the path of the file, At the number of the byte, and Byte its value.
	Name string
	At   int
	Byte byte
	Text []byte
}

func (e *EncodingError) Error() string { return e.Name + " " + e.Reason() }

// Reason returns the message without the name of the file.
func (e *EncodingError) Reason() string {
	if e.IsUTF16() {
		return "is UTF-16, as PowerShell's > writes it. Save it as UTF-8"
	}
	return fmt.Sprintf("is not UTF-8: byte %d is %#x", e.At, e.Byte)
}

// IsUTF16 reports whether the file begins with a byte order mark of UTF-16.
func (e *EncodingError) IsUTF16() bool {
	return bytes.HasPrefix(e.Text, []byte{0xff, 0xfe}) || bytes.HasPrefix(e.Text, []byte{0xfe, 0xff})
}

// Line returns the line with the first wrong byte.
func (e *EncodingError) Line() int { return 1 + bytes.Count(e.Text[:e.At-1], []byte("\n")) }

// Reason returns why a file cannot be read, without its name.
func Reason(err error) string {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return failure.Err.Error()
	}
	if encoding, ok := errors.AsType[*EncodingError](err); ok {
		return encoding.Reason()
	}
	return err.Error()
}

// mustBeText returns a text, or an error at the first byte that is not UTF-8.
func mustBeText(name string, text []byte, err error) ([]byte, error) {
	if err != nil || utf8.Valid(text) {
		return text, err
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return nil, &EncodingError{name, at + 1, text[at], text}
		}
		at += size
	}
}
