package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// entry is a file of an archive or a Linux package: a link if it has a target.
type entry struct {
	text []byte
	mode fs.FileMode
	link string
	time int64 // seconds since 1970
}

// readArchive returns the files of a .tar.gz or a .zip.
func readArchive(t *testing.T, file string) map[string]entry {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read := readTarGz
	if strings.HasSuffix(file, ".zip") {
		read = readZip
	}
	files, err := read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return files
}

// readPackage returns the files that a package installs, by their paths without the first slash.
func readPackage(t *testing.T, file, format string) map[string]entry {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]entry
	switch r := bytes.NewReader(text); format {
	case "deb":
		files, err = readDeb(r)
	case "rpm":
		files, err = readRPM(r)
	default: // an apk is several archives, compressed one after the other, of which only the last one has an end
		files, err = readTarGz(r, r.Size())
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return files
}

func readZip(r *bytes.Reader, size int64) (map[string]entry, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	files := map[string]entry{}
	for _, f := range z.File {
		content, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(content)
		if err != nil {
			return nil, err
		}
		files[f.Name] = entry{text: text, mode: f.Mode(), time: f.Modified.Unix()}
	}
	return files, nil
}

func readTarGz(r *bytes.Reader, _ int64) (map[string]entry, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	files := map[string]entry{}
	for content := tar.NewReader(unpacked); ; {
		header, err := content.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(content)
		if err != nil {
			return nil, err
		}
		files[clean(header.Name)] = entry{text, header.FileInfo().Mode(), header.Linkname, header.ModTime.Unix()}
	}
}

// clean returns a path in a package without ./ or / at its beginning.
func clean(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

// readDeb reads data.tar.gz of an ar archive, whose members have headers of 60 bytes:
//
//	name (16) time (12) owner (6) group (6) mode (8) size (10) end (2)
func readDeb(r *bytes.Reader) (map[string]entry, error) {
	const magic = "!<arch>\n"
	if start, err := readN(r, len(magic)); err != nil || string(start) != magic {
		return nil, fmt.Errorf("no ar archive: %q, %w", start, err)
	}
	for {
		header, err := readN(r, 60)
		if err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(header[48:58])))
		if err != nil {
			return nil, err
		}
		text, err := readN(r, size+size%2)
		if err != nil {
			return nil, err
		}
		if strings.TrimRight(string(header[:16]), " /") == "data.tar.gz" {
			return readTarGz(bytes.NewReader(text[:size]), int64(size))
		}
	}
}

// readRPM reads the files after the lead of 96 bytes and two headers. A header is 8 bytes, the number of its entries, the
// number of bytes of their values, both in 4 bytes, the entries of 16 bytes, and the values. The first one is padded to
// 8 bytes.
func readRPM(r *bytes.Reader) (map[string]entry, error) {
	if _, err := readN(r, 96); err != nil {
		return nil, err
	}
	for i := range 2 {
		header, err := readN(r, 16)
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(header, []byte{0x8e, 0xad, 0xe8}) {
			return nil, fmt.Errorf("no header: % x", header)
		}
		size := 16*int(binary.BigEndian.Uint32(header[8:])) + int(binary.BigEndian.Uint32(header[12:]))
		if i == 0 {
			size += (8 - size%8) % 8
		}
		if _, err := readN(r, size); err != nil {
			return nil, err
		}
	}
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return readCPIO(unpacked)
}

// readCPIO reads an archive whose files have a header of 6 bytes and 13 hexadecimal numbers of 8 digits, the name, and the
// content. The header with the name is padded to 4 bytes, and so is the content.
func readCPIO(r io.Reader) (map[string]entry, error) {
	files := map[string]entry{}
	for {
		header, err := readN(r, 110)
		if err != nil {
			return nil, err
		}
		var fields [13]int
		for i := range fields {
			field, err := strconv.ParseUint(string(header[6+8*i:14+8*i]), 16, 32)
			if err != nil {
				return nil, err
			}
			fields[i] = int(field)
		}
		mode, seconds, size, length := fields[1], fields[5], fields[6], fields[11]
		name, err := readN(r, length+(4-(110+length)%4)%4)
		if err != nil {
			return nil, err
		}
		text, err := readN(r, size+(4-size%4)%4)
		if err != nil {
			return nil, err
		}
		file := string(name[:length-1]) // it ends with a zero
		if file == "TRAILER!!!" {
			return files, nil
		}
		e := entry{text: text[:size], mode: fs.FileMode(mode & 0o777), time: int64(seconds)}
		if mode&0o170000 == 0o120000 {
			e.text, e.link = nil, string(e.text)
		}
		files[clean(file)] = e
	}
}

func readN(r io.Reader, n int) ([]byte, error) {
	text := make([]byte, n)
	_, err := io.ReadFull(r, text)
	return text, err
}
