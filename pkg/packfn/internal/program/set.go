package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Set has the programs that stand for functions, and runs them.
type Set struct {
	Runner
	// Allowed is true if the user allows programs to run.
	Allowed bool
	// entries are the programs in the order in which they were named.
	entries []entry
}

// entry is a program for an image.
type entry struct {
	// image is without a tag: set-namespace for each of kpt's catalogs, or with its registry. tag is a tag, a
	// range of tags, or "" for any.
	image, tag string
	command    []string
	// from is where the user names it, and rank what wins, the lowest first.
	from string
	rank int
}

// The ranks of entries.
const (
	rankFlag = iota
	rankTag
	rankAny
	rankFunctionConfig
)

// catalogs are where kpt looks for an image without a registry, today and before.
var catalogs = []string{"ghcr.io/kptdev/krm-functions-catalog/", "gcr.io/kpt-fn/"}

// AddFlag adds the value of a flag: IMAGE[:TAG]=PROGRAM. A relative path is relative to the working
// directory.
func (s *Set) AddFlag(value string) error {
	image, command, ok := strings.Cut(value, "=")
	if !ok || image == "" || command == "" {
		return fmt.Errorf("must be IMAGE[:TAG]=PROGRAM, got %q", value)
	}
	return s.add(image, command, "", "--function "+value, rankFlag)
}

// Add adds an entry of a configuration, whose relative paths begin at a folder.
func (s *Set) Add(image, command, dir, from string) error {
	rank := rankAny
	if _, tag := SplitImage(image); tag != "" {
		rank = rankTag
	}
	return s.add(image, command, dir, from, rank)
}

// add adds a program for an image. A path with a slash is relative to dir, and any other name is
// looked for on PATH.
func (s *Set) add(image, command, dir, from string, rank int) error {
	words, err := step.Words(command)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if len(words) == 0 {
		return fmt.Errorf("%s: no program is named", from)
	}
	if strings.ContainsRune(words[0], '/') && !filepath.IsAbs(words[0]) {
		words[0] = filepath.Join(dir, words[0])
		if !filepath.IsAbs(words[0]) { // a name without a slash is looked for on PATH
			words[0] = "." + string(filepath.Separator) + words[0]
		}
	}
	e := entry{command: words, from: from, rank: rank}
	e.image, e.tag = SplitImage(image)
	s.entries = append(s.entries, e)
	return nil
}

// SplitImage returns an image without its tag and its digest, and the tag.
func SplitImage(image string) (name, tag string) {
	image, _, _ = strings.Cut(image, "@")
	if at := strings.LastIndexByte(image, ':'); at > strings.LastIndexByte(image, '/') {
		return image[:at], image[at+1:]
	}
	return image, ""
}

// For returns the program that runs for a function of a pipeline, or nil if none runs. The error is why a
// program that there is does not run. A nil set has no program.
func (s *Set) For(f *kptpackage.Function) (*Program, error) {
	switch {
	case s == nil:
		return nil, nil
	case s.Allowed:
		return s.Find(f)
	case f.Image == "":
		return nil, errors.New("--allow-exec runs it")
	}
	if p, _ := s.Find(f); p != nil {
		return nil, fmt.Errorf("--allow-exec runs %s", p.named)
	}
	return nil, nil
}

// Find returns the program for a function of a pipeline, or nil if there is none. It returns an error if
// several programs fit equally, if programs have other tags only, or if the program cannot be run.
func (s *Set) Find(f *kptpackage.Function) (*Program, error) {
	name := f.Program()
	if f.Image == "" {
		words, err := f.Command()
		if err != nil || len(words) == 0 {
			return nil, err
		}
		return runnable(&Program{Name: name, Command: words})
	}
	image, tag := SplitImage(f.Image)
	if f.Tag != "" {
		tag = f.Tag
	}
	var fit []entry
	var tags []string
	for _, e := range s.entries {
		switch {
		case !e.isOf(image):
		case e.tag == "" || tag == "" || MatchesTag(e.tag, tag) || MatchesTag(tag, e.tag):
			fit = append(fit, e)
		default:
			tags = append(tags, e.tag)
		}
	}
	slices.SortStableFunc(fit, func(a, b entry) int { return a.rank - b.rank })
	switch {
	case len(fit) == 0 && len(tags) == 0:
		return nil, nil
	case len(fit) == 0:
		slices.Sort(tags)
		return nil, fmt.Errorf("no program is named for %s:%s, only for %s", name, tag, diag.AllOf(tags))
	case len(fit) > 1 && fit[0].rank == fit[1].rank && !slices.Equal(fit[0].command, fit[1].command):
		return nil, fmt.Errorf("two programs fit %s: %s and %s", name, fit[0].from, fit[1].from)
	}
	p, err := runnable(&Program{Name: name, Command: fit[0].command})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fit[0].from, err)
	}
	return p, nil
}

// isOf reports whether the entry is for an image: one without a registry is for each catalog of kpt.
func (e *entry) isOf(image string) bool {
	if e.image == image {
		return true
	}
	if strings.Contains(e.image, "/") {
		return slices.ContainsFunc(catalogs, func(catalog string) bool { return e.image == catalog+image })
	}
	return slices.ContainsFunc(catalogs, func(catalog string) bool { return catalog+e.image == image })
}

// MatchesTag reports whether a tag is an accepted one, or in an accepted range, as kpt takes the field tag of a
// function: ~0.4.1 and v0.4 have v0.4.2.
func MatchesTag(accepted, tag string) bool {
	if accepted == tag || strings.TrimPrefix(accepted, "v") == strings.TrimPrefix(tag, "v") {
		return true
	}
	constraint, err := semver.NewConstraint(accepted)
	if err != nil {
		return false
	}
	version, err := semver.NewVersion(tag)
	return err == nil && constraint.Check(version)
}

// runnable returns a program, or an error if it cannot be run.
func runnable(p *Program) (*Program, error) {
	found, err := exec.LookPath(p.Command[0])
	if err != nil {
		if info, statErr := os.Stat(p.Command[0]); statErr == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a program", p.Command[0])
		}
		return nil, fmt.Errorf("%s: %w", p.Command[0], reasonOf(err))
	}
	p.named, p.Command = p.Command[0], append([]string{found}, p.Command[1:]...)
	return p, nil
}
