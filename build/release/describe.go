package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// describe writes what belongs to a program into its folder: LICENSE, THIRD-PARTY with the terms of what it links, and
// its bill of materials, which has the name of the program with .spdx.json. GoReleaser calls it for each program that it
// has built.
func (s *suite) describe(file string) error {
	p, err := s.read(file)
	if err != nil {
		return err
	}
	bill, err := p.sbom()
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(s.root, "LICENSE"))
	if err != nil {
		return err
	}
	dir := filepath.Dir(file)
	return errors.Join(
		os.WriteFile(file+".spdx.json", bill, 0o644),
		os.WriteFile(filepath.Join(dir, "LICENSE"), own, 0o644),
		os.WriteFile(filepath.Join(dir, "THIRD-PARTY"), p.thirdParty(), 0o644),
	)
}

// completions writes what packfn prints for each shell that can complete its commands:
// packfn.bash, packfn.fish and packfn.zsh.
func (s *suite) completions(out string) error {
	dir, err := os.MkdirTemp("", "completions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := s.build("packfn", v1.Platform{OS: runtime.GOOS, Architecture: runtime.GOARCH}, dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, shell := range []string{"bash", "fish", "zsh"} {
		text, err := exec.Command(p.file, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("packfn completion %s: %w", shell, err)
		}
		if err := os.WriteFile(filepath.Join(out, "packfn."+shell), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
