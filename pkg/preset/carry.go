package preset

import (
	"github.com/krm-packs/functions/pkg/pack"
)

// CarryLeaves records, with the values of a newer version of a pack whose presets were
// applied to it, what the upgrade did to what the presets had set in the older version.
func CarryLeaves(before, after *pack.Source) error {
	old, faults := ParseLeaves(before.Annotation(LeavesAnnotation))
	if len(faults) > 0 {
		return nil // there is nothing to compare with
	}
	now, faults := ParseLeaves(after.Annotation(LeavesAnnotation))
	if len(faults) > 0 || len(now) == 0 {
		return nil
	}
	from, err := before.Mapping()
	if err != nil {
		return err
	}
	to, err := after.Mapping()
	if err != nil {
		return err
	}
	names := map[string]Applied{}
	for entry, applied := range old {
		e, _ := parseEntry(entry)
		names[e.Preset] = applied
	}
	var read reader
	for entry, applied := range now {
		e, _ := parseEntry(entry)
		was, isKnown := names[e.Preset]
		if !isKnown {
			continue
		}
		applied.Upstream = was.Upstream
		for path, l := range applied.Leaves {
			steps, _ := parsePathText(path)
			applied.Leaves[path] = l.carried(was.Leaves[path], fingerprint(path, read.at(from.Root(), steps)), fingerprint(path, read.at(to.Root(), steps)))
		}
		now[entry] = applied
	}
	return after.Annotate(map[string]string{LeavesAnnotation: now.String()})
}

// carried returns a leaf of the newer version with what became of it: was is what the
// older version recorded, and the fingerprints are of the older and of the newer value.
func (l Leaf) carried(was Leaf, before, now string) Leaf {
	isKnown := was != Leaf{}
	isEdited := isKnown && !was.Macro && before != was.After
	switch {
	case l.Macro || now == l.After:
		if isEdited && before != now {
			l.Upgrade = Lost
		} else if was.After != l.After {
			l.Upgrade = Set
		}
	default:
		if l.Edit = now; isKnown && was.After != l.After {
			l.Upgrade = Kept
		}
	}
	return l
}
