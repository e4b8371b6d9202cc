package discovery

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/content"
)

// Skipped is a file or a folder that is not checked. The path is empty if Why is an error that contains it.
type Skipped struct{ Path, Why string }

// Reasons why paths are skipped.
const (
	Excluded     = "it is excluded"
	IgnoredByGit = "git ignores it"
	IgnoredByOPM = ".indexignore names it, so opm does not read it"
)

// Misplaced is a file with a known form, which packfn would read in another location.
type Misplaced struct {
	// Path is the path on disk.
	Path string
	*content.Form
}

// Unread counts the files that a walk skips.
type Unread struct {
	// Files is the number of files outside of packages without a resource. Excluded and Ignored
	// are the numbers of paths that the user excludes, and that git ignores. A directory counts
	// as one path.
	Files, Excluded, Ignored int
	// NotInCatalog is the number of files of catalogs that .indexignore names.
	NotInCatalog int
}

// Add counts a path.
func (u *Unread) Add(one Skipped) {
	switch one.Why {
	case Excluded:
		u.Excluded++
	case IgnoredByGit:
		u.Ignored++
	case IgnoredByOPM:
		u.NotInCatalog++
	default:
		u.Files++
	}
}

// String returns the counts for a note, or "" if all of them are 0.
func (u Unread) String() string {
	var what []string
	if u.Files > 0 {
		what = append(what, diag.Count(u.Files, "file")+" outside of packages without a resource that packfn reads")
	}
	if u.Excluded > 0 {
		what = append(what, diag.Count(u.Excluded, "excluded path"))
	}
	if u.Ignored > 0 {
		what = append(what, diag.Count(u.Ignored, "path")+" that git ignores")
	}
	if u.NotInCatalog > 0 {
		what = append(what, diag.Count(u.NotInCatalog, "file")+" that .indexignore names")
	}
	return strings.Join(what, ", ")
}
