package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// RecordOf returns the record of a pack directory.
func RecordOf(p *packdir.Pack) pack.Imported {
	r := pack.Imported{Version: p.Version, SHA256: map[string]string{}, Digest: p.Digest}
	for _, f := range p.Files {
		r.SHA256[f.Name] = hashOf(f.Text)
	}
	return r
}

// hashOf returns the SHA-256 of a text in hex, as records have it.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// addValues adds the digests and fingerprints of a pack's values to its record, if the values can
// be parsed.
func addValues(r *pack.Imported, p *packdir.Pack) {
	own, err := values.Parse(string(p.File(valuesFile)))
	if err != nil {
		return
	}
	r.Data, r.ReadOnly, r.Presets = pack.DataDigest(own.Root()), map[string]string{}, map[string]string{}
	presets, _ := published(p).ReadPresets()
	rest, touched := preset.Without(own.Root(), presets)
	r.Rest = pack.DataDigest(rest)
	for path, nodes := range touched {
		r.Presets[path] = pack.Fingerprint(path, nodes...)
	}
	if document, err := values.Parse(string(p.File("schema.yaml"))); err == nil {
		read, _ := schema.Parse(document)
		for _, e := range read.Entries {
			if e.Template.ReadOnly {
				r.ReadOnly[e.Key] = schema.Fingerprint(e, own.Root())
			}
		}
	}
}

// SourceOf returns the pack directory that a record was made from, or nil if no source contains
// the pack with the recorded files.
func SourceOf(r pack.Imported, name string, sources *packdir.Sources) *packdir.Pack {
	for dir := range sources.All(name, r.Version) {
		if p, err := packdir.Read(dir, r.Files()...); err == nil && RecordOf(p).Equal(r) {
			return p
		}
	}
	return nil
}

// isOfCharts reports whether a top-level file or folder of a pack directory is, or contains, a
// chart or manifest in a record.
func isOfCharts(r pack.Imported, name string) bool {
	for path := range r.Charts {
		if first, _, _ := strings.Cut(path, "/"); first == name {
			return true
		}
	}
	return false
}
