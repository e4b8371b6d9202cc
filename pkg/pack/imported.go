package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// ImportedAnnotation records what packfn import read, see [Imported].
const ImportedAnnotation = Group + "/imported"

// Imported identifies the directory that a pack was imported from, by its content, and records the
// values that it had.
type Imported struct {
	// Version is the pack's version.
	Version string `json:"version"`
	// SHA256 are the hashes of the files as they were read, in hex, by name.
	SHA256 map[string]string `json:"sha256"`
	// Written are the hashes, in hex, of the files that the resource does not contain exactly as
	// they were read: of a text without whitespace at the ends of lines, and for the pack.json of a
	// Pack the digest of its fields as data, see [DataDigest].
	Written map[string]string `json:"written,omitempty"`
	// Values is the hash of the values that a profile has for the pack, as written there. It is ""
	// for a pack that was not imported with a profile.
	Values string `json:"values,omitempty"`
	// Charts are the hashes, in hex, of the charts and manifests whose facts the pack has, by their
	// paths. They are not compared.
	Charts map[string]string `json:"charts,omitempty"`
	// Digest is the digest of the archive, `sha256:…`, or "" for a directory. It is not compared.
	Digest string `json:"digest,omitempty"`
	// Data is the digest of the values as data, see [DataDigest], and Rest the same without the
	// values that presets of the pack add or remove. They are "" if an earlier version imported the
	// pack.
	Data string `json:"data,omitempty"`
	Rest string `json:"rest,omitempty"`
	// ReadOnly are the fingerprints of the values that the schema makes read-only, by its keys, and
	// Presets the fingerprints of the values that presets add or remove, by their paths. See
	// [Fingerprint].
	ReadOnly map[string]string `json:"readonly,omitempty"`
	Presets  map[string]string `json:"presets,omitempty"`
}

// ParseImported reads the annotation. It reports false for one that no import wrote.
//
//	{"version":"0.6.0","sha256":{"pack.json":"…","values.yaml":"…"}}
func ParseImported(annotation string) (r Imported, ok bool) {
	err := json.Unmarshal([]byte(annotation), &r)
	return r, err == nil && (len(r.SHA256) > 0 || r.Values != "")
}

// String returns the annotation.
func (r Imported) String() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return string(text)
}

// Equal reports whether two records are of the same files.
func (r Imported) Equal(other Imported) bool { return maps.Equal(r.SHA256, other.SHA256) }

// Files are the names of the recorded files, sorted.
func (r Imported) Files() []string { return slices.Sorted(maps.Keys(r.SHA256)) }

// HasValuesOfProfile reports whether the values of the pack are those that a profile had when
// it was imported. Then the package has no values of the pack itself.
func (p *Pack) HasValuesOfProfile() bool {
	record, ok := ParseImported(p.Imported)
	return ok && record.Values != ""
}

// DataDigest returns the digest of values as data: the first 16 hex digits of the SHA-256 of
// their canonical JSON. Comments and layout make no difference. Nil is empty.
func DataDigest(root *yaml.Node) string {
	if values.IsNull(root) {
		root = nil
	}
	text, _ := values.JSON(root)
	return hashOf(text)[:16]
}

// Fingerprint returns what some values were, without showing them: the first 8 hex digits of
// the SHA-256 over their path and their canonical JSON, such as "3f2a9c01". Without values it returns "-".
func Fingerprint(path string, nodes ...*yaml.Node) string {
	var parts []string
	for _, n := range nodes {
		if n != nil {
			text, _ := values.JSON(n)
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return hashOf(strings.Join(append([]string{path}, parts...), "\x00"))[:8]
}

// hashOf returns the SHA-256 of a text in hex.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
