package preset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Undo takes a preset back, by its full name: it deletes from the values what the preset added
// if it is unchanged since, and removes the preset from the record and from the comment that
// lists presets. What the preset replaced or removed is recorded by its fingerprint only. Its
// paths are returned: they stay as they are.
func Undo(source *pack.Source, name string) (kept []string, err error) {
	record, faults := ParseRecord(source.Annotation(RecordAnnotation))
	leaves, more := ParseLeaves(source.Annotation(LeavesAnnotation))
	if faults = append(faults, more...); len(faults) > 0 {
		return nil, fmt.Errorf("the record of presets: %s", faults[0].Message())
	}
	index := slices.IndexFunc(record, func(e Entry) bool { return e.name() == name })
	if index < 0 {
		return nil, fmt.Errorf("the preset %q is not recorded", name)
	}
	entry := record[index]
	applied, isKnown := leaves[entry.String()]
	err = source.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		e := editor{document: d, at: at}
		for _, path := range slices.Sorted(maps.Keys(applied.Leaves)) {
			steps, _ := parsePathText(path)
			isTaken, err := e.take(path, steps, applied.Leaves[path])
			if err != nil {
				return nil, err
			}
			if !isTaken {
				kept = append(kept, strings.Join(steps, "."))
			}
		}
		err := e.mark(d, func(list string) string { return unlisted(list, name) })
		return e.document, err
	})
	if err != nil {
		return nil, err
	}
	if !isKnown {
		kept = []string{"all values"}
	}
	delete(leaves, entry.String())
	written := map[string]string{RecordAnnotation: "", LeavesAnnotation: leaves.String()}
	if record = slices.Delete(record, index, index+1); len(record) > 0 {
		written[RecordAnnotation] = record.String()
	}
	return kept, source.Annotate(written)
}

// name is the full name of the preset.
func (e Entry) name() string { return strings.TrimPrefix(e.Preset, ":") }

// take deletes a leaf that a preset added. Maps that become empty stay (rule P2): they may have
// been there. It reports false if something else is there now, or was before.
func (e *editor) take(path string, steps []string, l Leaf) (bool, error) {
	n := new(reader).at(e.root(), steps)
	switch {
	case l.Before == l.After:
		return true, nil // it changed nothing
	case n == nil:
		return l.Before == absent, nil
	case l.Before != absent, fingerprint(path, n) != l.After && !(l.After == absent && isNull(n)):
		return false, nil
	}
	edited, _, err := e.document.Delete(slices.Concat(e.at, values.Keys(steps...)))
	if err != nil {
		return false, err
	}
	e.document = edited
	return true, nil
}
