package function

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// complete gives findings the edits that correct them, if all that is wrong is written in their
// resources as it reads.
func complete(l *list.List, found []diag.Finding) {
	var in *resources
	for i := range found {
		f := &found[i]
		mistakes := f.Mistakes
		for f.Mistakes = nil; len(mistakes) > 0; mistakes = mistakes[1:] {
			right := f.Correction(mistakes[0])
			if right == "" || f.Origin == nil {
				break
			}
			if in == nil {
				in = resourcesOf(l)
			}
			at, ok := in.find(f, mistakes[0], right)
			if !ok {
				f.Edits = nil
				break
			}
			f.Edits = append(f.Edits, mistakes[0].Edits(at, right)...)
		}
	}
}

// configIndex stands for the functionConfig among the indexes of items.
const configIndex = -1

// resources are the resources of a list, to find texts in.
type resources struct {
	*place.File
	// at are the indexes of the resources, and config is the functionConfig.
	at     map[diag.Resource]int
	config *yaml.Node
}

// resourcesOf indexes the resources of a list as they came, before the function changed them.
func resourcesOf(l *list.List) *resources {
	r := &resources{at: map[diag.Resource]int{}, config: l.Config()}
	items := make([]*list.Item, len(l.Items))
	for i, item := range slices.Backward(l.Items) { // of two with one name the first one
		items[i], r.at[item.Resource()] = item.AsItCame(), i
	}
	if r.File = place.NewList(items); r.config != nil {
		r.at[l.ConfigResource()] = configIndex
	}
	return r
}

// find returns the place of a text that a finding is about, in the finding's document. A
// finding with only a path is about the key or the value there. A functionConfig has no text
// of its own.
func (r *resources) find(f *diag.Finding, s diag.Mistake, right string) (at diag.Position, ok bool) {
	index, ok := r.at[f.Resource()]
	root, document := r.config, r.Document(index)
	if !ok || document == nil && index != configIndex {
		return at, false
	}
	if document != nil {
		root = document.Root()
	}
	at = f.Position
	if path := cmp.Or(s.Path, f.Path()); !f.Origin.Embedded && (s.Path != "" || at.Line == 0 || document == nil) {
		n := r.Trees().Named(root, path, s.Text)
		if other, _ := r.Trees().Find(root, beside(path, right)); n == nil || other != nil && beside(path, s.Text) == path {
			return at, false
		}
		if at = values.At(n); document == nil {
			return at, true
		}
	}
	inResource, ok := r.InResource(index, f.Origin, at)
	if !ok || strings.Contains(document.Lines().Text(inResource.Line), hydration.Marker) { // the source is what to correct
		return at, false
	}
	lines := document.Lines()
	isQuoted, ok := lines.Has(inResource, s.Text)
	if isQuoted {
		at.Column++
	}
	if !ok {
		line := []rune(lines.Text(inResource.Line))
		after, isInMacro := template.NameIn(string(line[min(max(inResource.Column-1, 0), len(line)):]), s.Text)
		at.Column, ok = at.Column+after, isInMacro
	}
	return at, ok
}
