package discovery

import "github.com/krm-packs/functions/pkg/packfn/internal/content"

// Input is a path that the user names, or something below it that is checked by itself.
type Input struct {
	// Kind is the medium.
	Kind Kind
	// Path is its path on disk.
	Path string
	// Text is the text of a file outside of packages, such as a profile.
	Text []byte
	// Excludes reports whether a file is excluded. It is nil for an input that the user named.
	Excludes func(name string, isDir bool) bool
}

// Kind is the medium of an input.
type Kind int

const (
	Pack Kind = iota
	Package
	Module // of Terraform
	Profile
	Standard    // standard input
	fileInput   // any other file that the user names
	folderInput // and any other folder
)

// IsNamed reports whether the user named the path.
func (in *Input) IsNamed() bool { return in.Excludes == nil }

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
