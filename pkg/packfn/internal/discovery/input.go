package discovery

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
