package preset

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// RecordAnnotation is the annotation of a resource that records which presets its values have.
const RecordAnnotation = pack.Group + "/applied-presets"

// leavesAnnotation is one that earlier versions wrote. It is removed where it is met.
const leavesAnnotation = pack.Group + "/preset-leaves"

// Record is the presets that the values of a resource have: GROUP:NAME, and :NAME without a
// group.
type Record []string

// entryOf returns the entry of a preset.
func entryOf(p pack.Preset) string { return p.Group + ":" + p.Name }

// olderEntry matches an entry of earlier versions: GROUP:NAME@HASH@VERSION.
var olderEntry = regexp.MustCompile(`^(.*:.*)@[0-9a-f]{12}@[^@]*$`)

// olderRecord matches a record with entries of earlier versions.
var olderRecord = regexp.MustCompile(`@[0-9a-f]{12}@`)

// ParseRecord reads a record as it is written, a JSON list of entries; "" is none. Entries of
// earlier versions are brought up to date. The findings have no place.
//
//	packs.kpt.dev/applied-presets: '["size:ha", ":debug"]'
func ParseRecord(text string) (Record, []diag.Finding) {
	invalid := func(found string) []diag.Finding {
		f := diag.Got(found, `a JSON list of "GROUP:NAME"`)
		return []diag.Finding{f.Do("correct it, or remove the annotation").Of(rule.PresetInvalid)}
	}
	if text == "" {
		return nil, nil
	}
	var entries []string
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		return nil, invalid("a string that is not a JSON list of strings")
	}
	var record Record
	for _, entry := range entries {
		if older := olderEntry.FindStringSubmatch(entry); older != nil {
			entry = older[1]
		}
		if !strings.Contains(entry, ":") {
			return nil, invalid("the entry \"" + entry + "\"")
		}
		if !slices.Contains(record, entry) {
			record = append(record, entry)
		}
	}
	return record, nil
}

// String returns the record as it is written, or "" if there is none.
func (r Record) String() string {
	if len(r) == 0 {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode([]string(r)); err != nil {
		panic(err) // of texts: never
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Names returns the full names of the presets, see [FullName].
func (r Record) Names() []string {
	names := make([]string, len(r))
	for i, entry := range r {
		names[i] = strings.TrimPrefix(entry, ":")
	}
	return names
}

// Has reports whether the values have a preset.
func (r Record) Has(p pack.Preset) bool { return slices.Contains(r, entryOf(p)) }

// with returns the record with a preset, in the place of the one of its group, which is
// returned too. known are presets that tell where groups end.
func (r Record) with(p pack.Preset, known []pack.Preset) (record Record, replaced string) {
	at := slices.IndexFunc(r, func(entry string) bool {
		return entry == entryOf(p) || p.Group != "" && groupOf(entry, known) == p.Group
	})
	if at < 0 {
		return append(slices.Clone(r), entryOf(p)), ""
	}
	record = slices.Clone(r)
	record[at] = entryOf(p)
	if r[at] != entryOf(p) {
		replaced = r[at]
	}
	return record, replaced
}

// find returns the presets that have the entries of the record.
func (r Record) find(known []pack.Preset) []pack.Preset {
	return slices.DeleteFunc(slices.Clone(known), func(p pack.Preset) bool { return !r.Has(p) })
}
