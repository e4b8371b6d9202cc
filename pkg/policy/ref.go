package policy

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Ref identifies a manifest: its path and its exact revision.
type Ref struct {
	// Path is the prefix and the name of the manifest,
	// `cap.interface.database.postgresql.install`.
	Path string `json:"path" required:"true"`
	// Revision is a semantic version, in quotes where YAML would take it for a
	// number.
	Revision string `json:"revision" required:"true"`
}

func (r Ref) String() string { return r.Path + ":" + r.Revision }

// RefMatch names manifests by path, and by revision when there is one.
type RefMatch struct {
	// Path is the path of a manifest. Where rules say so it may be a pattern,
	// `cap.type.aws.*`.
	Path string `json:"path" required:"true"`
	// Revision is the exact revision; absent, any.
	Revision string `json:"revision"`
}

func (m RefMatch) String() string {
	if m.Revision == "" {
		return m.Path
	}
	return m.Path + ":" + m.Revision
}

// compareRevisions orders revisions by semantic version, and those that differ
// only in their build metadata by their text. Invalid revisions come first.
func compareRevisions(a, b string) int {
	if a == b {
		return 0
	}
	v, notA := semver.StrictNewVersion(a)
	w, notB := semver.StrictNewVersion(b)
	switch {
	case notA == nil && notB == nil:
		return cmp.Or(v.Compare(w), cmp.Compare(a, b))
	case notA == nil:
		return 1
	case notB == nil:
		return -1
	}
	return cmp.Compare(a, b)
}

// checkRevision returns what is wrong with a revision, "" if it is valid. A
// revision has at most 256 bytes, and its numbers have at most 64 bits.
func checkRevision(revision string) string {
	if _, err := semver.StrictNewVersion(revision); err == nil {
		return ""
	}
	return fmt.Sprintf("got %q, want a semantic version such as \"0.1.0\"", revision)
}

// maxPath bounds the length of paths, in bytes.
const maxPath = 1024

// checkPath says what is wrong with a path, "" when nothing is.
func checkPath(path string) string {
	if len(path) > maxPath {
		return fmt.Sprintf("got a path of %d bytes, above the limit of %d", len(path), maxPath)
	}
	for node := range strings.SplitSeq(path, ".") {
		if node == "" {
			return fmt.Sprintf("got %q, want nodes with dots between them, as in cap.type.aws.auth.credentials", path)
		}
		for _, c := range node {
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return fmt.Sprintf("got %q, want a path of letters, digits, - and _ with dots between its nodes; %q is none of these", path, c)
			}
		}
	}
	return ""
}

// anyInterface is the path of a rule for every Interface.
const anyInterface = "cap.*"

// wildcard ends a pattern.
const wildcard = ".*"

// Pattern matches the paths of Types: exactly, or, when it ends in `.*`, all that
// lie below a path, at any depth.
type Pattern struct {
	prefix string
	below  bool
}

// ParsePattern reads the path of a rule for TypeInstances. A wildcard stands only
// as the last node, for whole nodes.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{prefix: text}
	if prefix, ok := strings.CutSuffix(text, wildcard); ok {
		p = Pattern{prefix: prefix, below: true}
	}
	if strings.Contains(p.prefix, "*") {
		return Pattern{}, fmt.Errorf("got %q, want a path, or a path with .* at its end as in cap.type.aws.*; no other wildcard is supported", text)
	}
	if message := checkPath(p.prefix); message != "" {
		return Pattern{}, fmt.Errorf("%s", message)
	}
	return p, nil
}

// Matches reports whether a path is matched.
func (p Pattern) Matches(path string) bool {
	if !p.below {
		return path == p.prefix
	}
	return len(path) > len(p.prefix)+1 && path[len(p.prefix)] == '.' && strings.HasPrefix(path, p.prefix)
}
