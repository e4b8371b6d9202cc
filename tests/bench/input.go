package main

import (
	"io"
	"os"
	"path/filepath"
)

// input is what programs read. It is made when a row that is measured needs it.
type input struct {
	// name identifies the input, and names its file.
	name string
	// items is how many resources or packs it holds.
	items int
	write func(io.Writer) error
	// size is the size of the file in bytes, or 0 until the file is made.
	size int64
}

// make makes the input in a folder unless it was made before, and returns the
// file.
func (i *input) make(dir string) (path string, err error) {
	path = filepath.Join(dir, i.name)
	if i.size > 0 {
		return path, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	err = i.write(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	i.size = info.Size()
	return path, nil
}
