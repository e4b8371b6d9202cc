package packdir

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/version"
)

// Sources are pack directories to take packs from by their names and versions.
type Sources struct {
	// packs are the directories by the names of their packs.
	packs map[string][]sourced
	// Archive returns the path of the archive of a pack from another source, or "" if there is
	// none. It may be nil.
	Archive func(name, version string) string
}

// sourced is a pack directory with the version in its pack.json.
type sourced struct{ dir, version string }

// OpenSources finds the pack directories that paths name: directories of packs, or folders
// with some below.
func OpenSources(paths []string) (*Sources, error) {
	s := &Sources{packs: map[string][]sourced{}}
	for _, path := range paths {
		dirs, err := Find(path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if err := s.add(dir); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// add reads the name and the version of a pack. One that cannot be read is not a source.
func (s *Sources) add(dir string) error {
	files, err := folder.Open(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	text, err := files.ReadText(Metadata)
	if err != nil {
		return err
	}
	p := &Pack{Dir: dir, Files: []File{{Metadata, text}}}
	if p.readMetadata() == nil {
		s.packs[p.Name] = append(s.packs[p.Name], sourced{dir, p.Version})
	}
	return nil
}

// All returns the directories of a pack in a version, and at last its archive from elsewhere.
func (s *Sources) All(name, version string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, one := range s.packs[name] {
			if one.version == version && !yield(one.dir) {
				return
			}
		}
		if s.Archive != nil && version != "" {
			if archive := s.Archive(name, version); archive != "" {
				yield(archive)
			}
		}
	}
}

// Find returns the directory of a pack in a version, "" if there is none. Without a version
// it is the newest one that a tag allows: 1.33.4, or 1.33.x. others are the versions that
// there are.
func (s *Sources) Find(name, wanted, tag string) (dir string, others []string) {
	others = s.Versions(name)
	for dir := range s.All(name, cmp.Or(wanted, Newest(tag, others))) {
		return dir, nil
	}
	return "", others
}

// Versions returns the versions of a pack, sorted as strings.
func (s *Sources) Versions(name string) []string {
	var all []string
	for _, one := range s.packs[name] {
		all = append(all, one.version)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Newest returns the version that a tag names, or else the newest version that it
// allows, such as any 1.33 for 1.33.x. It returns "" if no version fits.
func Newest(tag string, versions []string) string {
	if slices.Contains(versions, tag) {
		return tag
	}
	found := ""
	var best version.Version
	for _, one := range versions {
		if parsed, err := version.Parse(one); err == nil && isAllowed(tag, one) && (found == "" || parsed.Compare(best) > 0) {
			found, best = one, parsed
		}
	}
	return found
}

// isAllowed reports whether a tag with a wildcard, 1.33.x, allows a version.
func isAllowed(tag, version string) bool {
	prefix, ok := strings.CutSuffix(tag, ".x")
	return ok && strings.HasPrefix(version, prefix+".")
}
