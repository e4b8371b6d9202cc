package preset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// RecordAnnotation is the annotation of a resource that records which presets were
// applied to its values (rule P8).
const RecordAnnotation = pack.Group + "/applied-presets"

// Record is the presets that were applied to the values of a resource.
type Record []Entry

// Entry records one preset that was applied.
type Entry struct {
	// Preset is GROUP:NAME, and :NAME without a group.
	Preset string
	// Hash is that of the preset's content, see [Hash].
	Hash string
	// Version is that of the pack.
	Version string
}

// NewEntry returns the entry of a preset of a pack of a version.
func NewEntry(p pack.Preset, version string) Entry {
	return Entry{p.Group + ":" + p.Name, Hash(p), strings.ReplaceAll(version, "@", "%40")}
}

// String returns the entry as it is written: GROUP:NAME@HASH@VERSION.
func (e Entry) String() string { return e.Preset + "@" + e.Hash + "@" + e.Version }

// ParseRecord reads a record as it is written, a JSON list of entries; "" is none. The
// findings have no place.
func ParseRecord(text string) (Record, []diag.Finding) {
	invalid := func(found string) []diag.Finding {
		f := diag.Got(found, `a JSON list of "GROUP:NAME@HASH@VERSION"`)
		return []diag.Finding{f.Do("correct it, or remove the annotation to apply the presets again").Of(rule.PresetInvalid)}
	}
	if text == "" {
		return nil, nil
	}
	var entries []string
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		return nil, invalid("text that is not a JSON list of texts")
	}
	var record Record
	for _, entry := range entries {
		e, ok := parseEntry(entry)
		if !ok {
			return nil, invalid("the entry \"" + entry + "\"")
		}
		record = append(record, e)
	}
	return record, nil
}

// parseEntry reads an entry as it is written. Names may have an @.
func parseEntry(text string) (e Entry, ok bool) {
	version := strings.LastIndex(text, "@")
	hash := strings.LastIndex(text[:max(0, version)], "@")
	if hash < 0 {
		return Entry{}, false
	}
	e = Entry{text[:hash], text[hash+1 : version], text[version+1:]}
	return e, strings.Contains(e.Preset, ":") && e.Hash != ""
}

// String returns the record as it is written.
func (r Record) String() string {
	entries := make([]string, len(r))
	for i, e := range r {
		entries[i] = e.String()
	}
	return string(canonical(entries))
}

// find returns the index of the entry of a preset or of its group, -1 when there is
// none. known are presets that tell where groups end.
func (r Record) find(p pack.Preset, known []pack.Preset) int {
	return slices.IndexFunc(r, func(e Entry) bool {
		return e.Preset == p.Group+":"+p.Name || p.Group != "" && groupOf(e.Preset, known) == p.Group
	})
}

// with returns the record with an entry for a preset, in place of that of its group.
func (r Record) with(e Entry, p pack.Preset, known []pack.Preset) Record {
	at := r.find(p, known)
	if at < 0 {
		return append(slices.Clone(r), e)
	}
	changed := slices.Clone(r)
	changed[at] = e
	return changed
}

// Hash returns the first 12 hex digits of the SHA-256 of a preset's content: the
// canonical JSON of [remove, add], where add is a tree whose mappings have sorted keys
// and whose scalars are [tag, source text]. Comments and layout do not count.
func Hash(p pack.Preset) string {
	paths := []string{}
	for _, path := range p.Remove {
		paths = append(paths, path.String())
	}
	source := func(n *yaml.Node) (tag, text string) { return n.ShortTag(), n.Value }
	sum := sha256.Sum256(canonical([]any{paths, canonicalTree(added(p), source)}))
	return hex.EncodeToString(sum[:])[:12]
}

// canonical returns the JSON of a value, with sorted keys and without spaces.
func canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of texts, lists and maps of these: never
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
