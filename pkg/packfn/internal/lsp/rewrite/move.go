package rewrite

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// Moved is the text of a file in which a key has moved.
type Moved struct {
	// Below is the path of the mapping that has the key now.
	Below string
	Text  string
}

// Moves returns the texts of a file with the misplaced key of a finding at the paths where it is read.
func Moves(f *report.Finding, text string) (all []Moved) {
	for _, path := range f.Reported.Belongs {
		t := subjectOf(f, text)
		if t == nil {
			return all
		}
		var one Moved
		one.Text = t.edit(func(d *values.Document) (*values.Document, error) {
			steps := stepsTo(d.Root(), func(n *yaml.Node) bool { return values.At(n) == f.Reported.Position })
			if steps == nil {
				return nil, &values.EditError{Reason: "the key is not there"}
			}
			to := slices.Concat(steps[:len(steps)-1], values.Keys(path...))
			one.Below = strings.TrimPrefix(cursor.PathText(to[:len(to)-1]), f.Reported.Origin.Field+".")
			return move(d, steps, to)
		})
		if one.Text != "" {
			all = append(all, one)
		}
	}
	return all
}

// move moves a key with its value and its comments. It returns an error if the target exists.
func move(d *values.Document, from, to []values.Step) (*values.Document, error) {
	n := values.Follow(d.Root(), from)
	if n == nil || values.Follow(d.Root(), to) != nil {
		return nil, &values.EditError{Reason: "there is a value already"}
	}
	left, _, err := d.Delete(from)
	if err != nil {
		return nil, err
	}
	above, name := to[:len(to)-1], to[len(to)-1].Key
	moved, err := values.Parse(cut(d.Text(), left.Text()))
	if err != nil || len(values.Pairs(moved.Root())) != 1 || !values.Equal(values.Field(moved.Root(), from[len(from)-1].Key), n) || name != from[len(from)-1].Key {
		// The key is not on lines of its own, or gets a new name: move only the value.
		return left.Set(to, d.Part(n))
	}
	return left.Insert(above, values.End, moved)
}

// cut returns the part of text that is missing in left, or "" if left is not text with one part
// removed.
func cut(text, left string) string {
	from := 0
	for from < len(left) && text[from] == left[from] {
		from++
	}
	// Neighboring lines may have a common prefix.
	from = strings.LastIndexByte(text[:from], '\n') + 1
	size := len(text) - len(left)
	if size < 0 || from+size > len(text) || text[:from]+text[from+size:] != left {
		return ""
	}
	return text[from : from+size]
}
