package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
)

// ImportedAnnotation records what import read: see [Record].
const ImportedAnnotation = pack.ImportedAnnotation

// Record says which directory a pack was imported from, by its content.
type Record struct {
	// Version is the pack's version.
	Version string `json:"version"`
	// SHA256 are the hashes of the files as they were read, in hex, by their names.
	SHA256 map[string]string `json:"sha256"`
	// Values is the hash of the values that a profile has for the pack, as it has them. ""
	// for a pack that was not imported with a profile.
	Values string `json:"values,omitempty"`
	// Charts are the hashes of the charts and manifests whose facts the pack has, in hex, by
	// their paths. They are not part of what is compared.
	Charts map[string]string `json:"charts,omitempty"`
	// Digest is that of the archive, `sha256:…`; "" for a directory. It is not part of what is
	// compared.
	Digest string `json:"digest,omitempty"`
}

// RecordOf returns the record of a pack directory.
func RecordOf(p *packdir.Pack) Record {
	r := Record{Version: p.Version, SHA256: map[string]string{}, Digest: p.Digest}
	for _, f := range p.Files {
		r.SHA256[f.Name] = hashOf(f.Text)
	}
	return r
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ParseRecord reads the annotation. It reports false for one that no import wrote.
func ParseRecord(annotation string) (r Record, ok bool) {
	err := json.Unmarshal([]byte(annotation), &r)
	return r, err == nil && (len(r.SHA256) > 0 || r.Values != "")
}

// String returns the annotation.
func (r Record) String() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return string(text)
}

// Equal reports whether two records are of the same files.
func (r Record) Equal(other Record) bool { return maps.Equal(r.SHA256, other.SHA256) }

// Source returns the pack that the record is of, by its name, nil if no source has it with the
// recorded files.
func (r Record) Source(name string, sources *packdir.Sources) *packdir.Pack {
	for dir := range sources.All(name, r.Version) {
		if p, err := packdir.Read(dir, r.files()...); err == nil && RecordOf(p).Equal(r) {
			return p
		}
	}
	return nil
}

// files are the names of the recorded files, sorted.
func (r Record) files() []string { return slices.Sorted(maps.Keys(r.SHA256)) }
