package macro

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
)

// finding is a diag.Finding whose place is known by an offset only, because one macro
// may be in many texts, and one text in many documents.
type finding struct {
	diag.Finding
	// offset is where the name at fault starts, in bytes of a macro's code or of a text.
	offset int
	// inherited says that the fault is in a value that the macro reads.
	inherited bool
	// silent says that the caller reports the cause: see [Pack.Reported] and
	// [Context.Incomplete].
	silent bool
	// absent says that a fact is not in this run, or there twice.
	absent bool
}

// at returns the finding with the name at fault, "" for none, and its offset.
func (f finding) at(name string, offset int) finding {
	f.offset = offset
	if name != "" {
		f.Tags = map[string]string{"macro": name}
	}
	return f
}

func isError(f finding) bool { return f.Level() == diag.Error }

// sortFindings brings findings into the order of the text.
func sortFindings(findings []finding) {
	slices.SortStableFunc(findings, func(a, b finding) int { return a.offset - b.offset })
}
