package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// module is the path of the suite's module, source where its sources are.
const (
	module = "github.com/krm-packs/functions"
	source = "https://" + module
)

// suite is a checkout of the sources.
type suite struct {
	root    string // its folder
	version string // of build/VERSION
	// revision is the commit, with a suffix if files have changed since. Sources outside
	// of git have none.
	revision string
	// time is that of the commit, and the start of 1970 without one.
	time time.Time
}

// openSuite reads the version and the revision of the sources in a folder.
func openSuite(root string) (*suite, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	version, err := os.ReadFile(filepath.Join(root, "build", "VERSION"))
	if err != nil {
		return nil, err
	}
	s := &suite{root: root, version: strings.TrimSpace(string(version)), time: time.Unix(0, 0).UTC()}
	if _, err := os.Stat(filepath.Join(root, ".git")); errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	git := func(args ...string) string {
		command := exec.Command("git", append([]string{"--no-optional-locks"}, args...)...)
		command.Dir = root
		out, failed := command.Output()
		err = errors.Join(err, failed)
		return strings.TrimSpace(string(out))
	}
	s.revision = git("rev-parse", "HEAD")
	seconds, failed := strconv.ParseInt(git("log", "-1", "--format=%ct"), 10, 64)
	s.time = time.Unix(seconds, 0).UTC()
	if git("status", "--porcelain") != "" {
		s.revision += "-modified"
	}
	return s, errors.Join(err, failed)
}

// programs returns the names of all programs.
func (s *suite) programs() ([]string, error) {
	mains, err := filepath.Glob(filepath.Join(s.root, "functions", "*", "main.go"))
	if err == nil && len(mains) == 0 {
		err = errors.New("no programs in functions/")
	}
	var names []string
	for _, main := range mains {
		names = append(names, filepath.Base(filepath.Dir(main)))
	}
	return names, err
}

// description is the short text of a program's README.
func (s *suite) description(name string) (string, error) {
	readme, err := os.ReadFile(filepath.Join(s.root, "functions", name, "README.md"))
	if err != nil {
		return "", err
	}
	_, short, ok := strings.Cut(string(readme), "<!--mdtogo:Short-->")
	short, _, _ = strings.Cut(short, "<!--mdtogo-->")
	if short = strings.Join(strings.Fields(short), " "); !ok || short == "" {
		return "", fmt.Errorf("functions/%s/README.md has no short text", name)
	}
	return short, nil
}

// program is a built program.
type program struct {
	name, description string
	version           string
	platform          v1.Platform
	file              string // where it was built
	sha256            string
	info              *buildinfo.BuildInfo
	dependencies      []dependency
	time              time.Time
	revision          string
}

// build builds a static program for a platform into a folder. The same sources give the
// same bytes in any folder.
func (s *suite) build(name string, platform v1.Platform, dir string) (*program, error) {
	file := filepath.Join(dir, strings.Join([]string{name, platform.OS, platform.Architecture}, "_"))
	if platform.OS == "windows" {
		file += ".exe"
	}
	if _, err := s.run(platform, "build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", file, "./functions/"+name); err != nil {
		return nil, err
	}
	return s.read(file)
}

// read returns what is known of a program that was built of the sources. Its name and its
// platform are what Go recorded in it.
func (s *suite) read(file string) (*program, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name, ok := strings.CutPrefix(info.Path, module+"/functions/")
	if !ok {
		return nil, fmt.Errorf("%s must be a program of %s/functions, got %s", file, module, info.Path)
	}
	p := &program{name: name, version: s.version, file: file, info: info, time: s.time, revision: s.revision}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "GOOS":
			p.platform.OS = setting.Value
		case "GOARCH":
			p.platform.Architecture = setting.Value
		}
	}
	if p.description, err = s.description(name); err != nil {
		return nil, err
	}
	if p.sha256, err = sumOf(file); err != nil {
		return nil, err
	}
	p.dependencies, err = s.dependencies(name, p.platform)
	return p, err
}

// run runs the go command for a platform in the root of the sources.
func (s *suite) run(platform v1.Platform, args ...string) ([]byte, error) {
	command := exec.Command("go", args...)
	command.Dir = s.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform.OS, "GOARCH="+platform.Architecture, "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0")
	var messages strings.Builder
	command.Stderr = &messages
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, messages.String())
	}
	return out, nil
}

// goPackage is what `go list` says of a package.
type goPackage struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir, Sum string
		Main                    bool
		Replace                 *struct{ Path, Version string }
	}
}

// linked returns the packages that a program links.
func (s *suite) linked(name string, platform v1.Platform) ([]goPackage, error) {
	out, err := s.run(platform, "list", "-deps", "-json=Dir,Standard,Module", "./functions/"+name)
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// sumOf returns the SHA-256 of a file in hexadecimal digits.
func sumOf(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// parsePlatforms reads platforms that are separated by commas, such as linux/amd64.
func parsePlatforms(text string) ([]v1.Platform, error) {
	var platforms []v1.Platform
	for name := range strings.SplitSeq(text, ",") {
		system, architecture, ok := strings.Cut(name, "/")
		if !ok || system == "" || architecture == "" {
			return nil, fmt.Errorf("the platform must be one such as linux/amd64, got %q", name)
		}
		platforms = append(platforms, v1.Platform{OS: system, Architecture: architecture})
	}
	return platforms, nil
}

// choose returns the programs that are named, separated by commas, or all.
func (s *suite) choose(names string) ([]string, error) {
	all, err := s.programs()
	if names == "" || err != nil {
		return all, err
	}
	chosen := strings.Split(names, ",")
	for _, name := range chosen {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("unknown program %q. Available: %s", name, strings.Join(all, ", "))
		}
	}
	return chosen, nil
}
