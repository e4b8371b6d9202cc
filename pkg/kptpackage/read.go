package kptpackage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/values"
)

// ReadText reads a file that must be text. A larger one than the functions take is
// refused.
func ReadText(name string) ([]byte, error) {
	text, err := ReadBytes(name, values.MaxBytes)
	if err != nil {
		return nil, err
	}
	if at := invalidUTF8(text); at >= 0 {
		return nil, fmt.Errorf("%s is not UTF-8: byte %d is %#x", name, at+1, text[at])
	}
	return text, nil
}

// ReadBytes reads a regular file of at most a number of bytes. A pipe or a device is an
// error before anything is read of it, also when it takes the place of a file meanwhile.
func ReadBytes(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // to open it may have an effect
		return nil, notRegular(name)
	}
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(name)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s has %d bytes; the functions read at most %d", name, max(info.Size(), int64(len(text))), most)
	}
	return text, err
}

func notRegular(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
}

// invalidUTF8 returns the index of the first byte that is not UTF-8, -1 for none.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}
