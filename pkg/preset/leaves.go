package preset

import (
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// LeavesAnnotation is the annotation of a resource that records what presets set in its
// values, so that they survive upgrades of the package (rule P10).
const LeavesAnnotation = pack.Group + "/preset-leaves"

// Leaves are what presets set, by the entries of the [Record].
type Leaves map[string]Applied

// Applied is what one preset set.
type Applied struct {
	// Upstream is the commit that the package came from at that time, "" if unknown.
	Upstream string `json:"upstream,omitempty"`
	// Leaves are the values that the preset sets or removes, by their paths.
	Leaves map[string]Leaf `json:"leaves"`
}

// Leaf is a value by its fingerprints: "-" for an absent one.
type Leaf struct {
	// Before is what was there, After what the preset makes of it, and Edit what the
	// user made of it, "" for nothing.
	Before string `json:"before"`
	After  string `json:"after"`
	Edit   string `json:"edit,omitempty"`
	// Macro says that the preset sets a text with a macro, which a later step resolves.
	Macro bool `json:"macro,omitempty"`
	// Upgrade is what the last upgrade did here.
	Upgrade Upgrade `json:"upgrade,omitempty" enum:"set,lost,kept,left"`
}

// Upgrade is what an upgrade did to a leaf. It is recorded, so that later runs say it too.
type Upgrade string

// What an upgrade did; "" if it left the leaf as it was.
const (
	// Set: the preset was applied again here.
	Set Upgrade = "set"
	// Lost: the same, and an edit of the user is gone.
	Lost Upgrade = "lost"
	// Kept: the value differs from the preset, which changed here, or the value did.
	Kept Upgrade = "kept"
	// Left: the preset no longer sets this leaf, and its value stays.
	Left Upgrade = "left"
)

// maxRecorded is the size in bytes of the leaves of one preset that are recorded. A preset
// with more is recorded without: upgrades ask the user.
const maxRecorded = 256 << 10

// ParseLeaves reads leaves as they are written; "" is none. The findings have no place.
func ParseLeaves(text string) (Leaves, []diag.Finding) {
	invalid := func(found string) []diag.Finding {
		f := diag.Got(found, "a JSON object of what presets set, as apply-preset writes it")
		return []diag.Finding{f.Do("restore it, or remove the annotation: the next upgrade then asks what to do").Of(rule.PresetInvalid)}
	}
	if text == "" {
		return nil, nil
	}
	document, err := values.ParseJSON(text)
	if err != nil {
		return nil, invalid("text that is not JSON")
	}
	if !isMap(document.Root()) {
		return nil, invalid("JSON that is not an object")
	}
	var leaves Leaves
	if faults := decode.Node(document.Root(), "", &leaves); len(faults) > 0 {
		return nil, invalid("JSON with other fields or types")
	}
	for _, entry := range slices.Sorted(maps.Keys(leaves)) {
		applied := leaves[entry].Leaves
		for _, path := range slices.Sorted(maps.Keys(applied)) {
			l := applied[path]
			switch _, isPath := parsePathText(path); {
			case !isPath:
				return nil, invalid(fmt.Sprintf("the path %q", path))
			case !isFingerprint(l.Before) || !isFingerprint(l.After) || l.Edit != "" && !isFingerprint(l.Edit):
				return nil, invalid("a fingerprint that is not 8 hex digits at " + path)
			}
		}
	}
	return leaves, nil
}

// String returns the leaves as they are written, "" for none.
func (l Leaves) String() string {
	if len(l) == 0 {
		return ""
	}
	return string(canonical(l))
}
