package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// binaries builds an archive of each program for each platform: the program, its licence
// and those of what it links. The bill of materials is next to it, and SHA256SUMS has the
// sums of all files.
func (s *suite) binaries(programs []string, platforms []v1.Platform, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(s.root, "LICENSE"))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "binaries")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var names []string
	write := func(name string, text []byte, err error) error {
		if err != nil {
			return err
		}
		names = append(names, name)
		return os.WriteFile(filepath.Join(out, name), text, 0o644)
	}
	for _, name := range programs {
		for _, platform := range platforms {
			p, err := s.build(name, platform, dir)
			if err != nil {
				return err
			}
			text, err := os.ReadFile(p.file)
			if err != nil {
				return err
			}
			files := []file{
				{name: name + filepath.Ext(p.file), text: text, mode: 0o755},
				{name: "LICENSE", text: own, mode: 0o644},
				{name: "THIRD-PARTY", text: p.thirdParty(), mode: 0o644},
			}
			base := strings.Join([]string{name, s.version, platform.OS, platform.Architecture}, "_")
			archive, ending := targz, ".tar.gz"
			if platform.OS == "windows" {
				archive, ending = zipped, ".zip"
			}
			packed, err := archive(p, files)
			if err := write(base+ending, packed, err); err != nil {
				return err
			}
			bill, err := p.sbom()
			if err := write(base+".spdx.json", bill, err); err != nil {
				return err
			}
			if err := os.Remove(p.file); err != nil {
				return err
			}
		}
	}
	slices.Sort(names)
	var sums strings.Builder
	for _, name := range names {
		sum, err := sumOf(filepath.Join(out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

func targz(p *program, files []file) ([]byte, error) {
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	w := tar.NewWriter(compressed)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: f.mode, Size: int64(len(f.text)), ModTime: p.time}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return b.Bytes(), err
}

func zipped(p *program, files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: p.time}
		header.SetMode(os.FileMode(f.mode))
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
