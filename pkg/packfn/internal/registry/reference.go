package registry

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"oras.land/oras-go/v2/registry"
)

// Scheme begins a reference.
const Scheme = "oci://"

// layout is where Palette's registries have packs below their base.
const layout = "spectro-packs/archive"

// Is reports whether a text is meant as a reference.
func Is(text string) bool { return strings.HasPrefix(text, Scheme) }

// Reference names a pack in a registry, or the base of several.
type Reference struct {
	// Host is the registry, with its port if it has one.
	Host string
	// Path is the path of the pack, or of the base.
	Path string
	// Version is a tag or a digest, or "" if the reference has none.
	Version string
}

// Parse parses a reference, with a version, a digest, or neither:
//
//	oci://HOST/BASE/NAME:VERSION
//	oci://HOST/BASE/NAME@sha256:…
//	oci://HOST/BASE/NAME
func Parse(text string) (Reference, error) {
	rest, ok := strings.CutPrefix(text, Scheme)
	if !ok {
		return Reference{}, fmt.Errorf("%s is not a reference. Write oci://HOST/BASE/NAME:VERSION", text)
	}
	if shown := Shown(text); shown != text {
		return Reference{}, fmt.Errorf("%s: a reference cannot name a user or a password, because credentials come from Docker's configuration: remove them, and run docker login", shown)
	}
	parsed, err := registry.ParseReference(strings.TrimSuffix(rest, "/"))
	if err != nil {
		return Reference{}, fmt.Errorf("%s: %w. Write oci://HOST/BASE/NAME:VERSION", text, err)
	}
	return Reference{parsed.Registry, parsed.Repository, parsed.Reference}, nil
}

var (
	// userOf is the user in front of a host.
	userOf = regexp.MustCompile(Scheme + `[^/\n]*@`)
	// word is a reference and what is next to it. A user may have a slash, and a digest has @.
	word        = regexp.MustCompile(Scheme + `\S*`)
	digestAfter = regexp.MustCompile(`@sha(256|384|512):`)
)

// Shown returns a text without the users and passwords of the references in it.
func Shown(text string) string {
	const hidden = Scheme + "•••@"
	text = userOf.ReplaceAllLiteralString(text, hidden)
	return word.ReplaceAllStringFunc(text, func(reference string) string {
		rest, digest := reference, ""
		if at := digestAfter.FindStringIndex(reference); at != nil {
			rest, digest = reference[:at[0]], reference[at[0]:]
		}
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = hidden + rest[at+1:]
		}
		return rest + digest
	})
}

// String returns the reference as it is written.
func (r Reference) String() string {
	text := Scheme + r.Host + "/" + r.Path
	switch {
	case r.Version == "":
		return text
	case strings.Contains(r.Version, ":"):
		return text + "@" + r.Version
	}
	return text + ":" + r.Version
}

// Name is the name of the pack.
func (r Reference) Name() string { return path.Base(r.Path) }

// Below returns the reference of a pack below the base.
func (r Reference) Below(name, version string) Reference {
	return Reference{r.Host, r.Path + "/" + name, version}
}

// inLayout returns the reference in the layout of Palette.
func (r Reference) inLayout() Reference {
	base, name := path.Split(r.Path)
	if !strings.HasSuffix("/"+base, "/"+layout+"/") {
		r.Path = base + layout + "/" + name
	}
	return r
}
