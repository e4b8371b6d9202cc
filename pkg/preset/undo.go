package preset

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Undo removes a preset from the record of the values that have it, and from the comment that
// lists presets. It keeps the values, because nothing records what they were before, and
// returns the paths of those that the preset set.
func Undo(source *pack.Source, p pack.Preset) (stay []string, err error) {
	record, faults := ParseRecord(source.Annotation(RecordAnnotation))
	if len(faults) > 0 {
		return nil, fmt.Errorf("the record of presets: %s", faults[0].Message())
	}
	if !record.Has(p) {
		return nil, fmt.Errorf("the preset %q is not recorded", FullName(p))
	}
	err = source.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		if stay, err = (Target{Document: d, At: at}).left(p); err != nil {
			return nil, err
		}
		e := editor{document: d, at: at}
		err := e.mark(d, func(list string) string { return unlisted(list, FullName(p)) })
		return e.document, err
	})
	if err != nil {
		return nil, err
	}
	record = slices.DeleteFunc(record, func(entry string) bool { return entry == entryOf(p) })
	return stay, source.Annotate(map[string]string{RecordAnnotation: record.String(), leavesAnnotation: ""})
}
