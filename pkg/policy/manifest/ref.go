package manifest

import (
	"cmp"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
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

// String returns PATH, or PATH:REVISION if there is a revision.
func (m RefMatch) String() string {
	if m.Revision == "" {
		return m.Path
	}
	return m.Path + ":" + m.Revision
}

// CompareRevisions orders revisions by semantic version, and those that differ only
// in their build metadata by their text. Invalid revisions come first.
func CompareRevisions(a, b string) int {
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

// CheckRevision returns a finding, without a place, if a revision is not a semantic
// version. Its length is at most 256 bytes, and its numbers have at most 64 bits. ""
// passes: a missing revision is reported where it is required.
func CheckRevision(revision string) []diag.Finding {
	if _, err := semver.StrictNewVersion(revision); err == nil || revision == "" {
		return nil
	}
	return []diag.Finding{diag.GotText(revision, `a semantic version such as "0.1.0"`)}
}

// maxPath bounds the length of paths, in bytes.
const maxPath = 1024

// CheckPath returns a finding, without a place, if a text is not a path of a manifest.
// "" passes, as for [CheckRevision].
func CheckPath(path string) []diag.Finding {
	if path == "" {
		return nil
	}
	if len(path) > maxPath {
		return []diag.Finding{diag.Say("the path has %d bytes; the limit is %d", len(path), maxPath)}
	}
	for node := range strings.SplitSeq(path, ".") {
		if node == "" {
			return []diag.Finding{diag.GotText(path, "names separated by single dots (as in cap.type.aws.auth.credentials)")}
		}
		for _, c := range node {
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return []diag.Finding{diag.GotText(path, "names of letters, digits, - and _ with dots between them")}
			}
		}
	}
	return nil
}
