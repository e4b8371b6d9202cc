package transfer

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/comments"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// OwnText returns the values of a pack with the original macros instead of their resolved values,
// and without the comments in which resolve-macros keeps the macros.
func OwnText(source *pack.Source, sources *hydration.Sources) (*values.Document, error) {
	restored, err := sources.Restored()
	if err != nil || source.Embedded {
		return restored, err
	}
	n := values.Field(restored.Root(), "spec", "values")
	if n == nil {
		return values.Of(nil), nil
	}
	text, err := values.Print(n)
	if err != nil {
		return nil, err
	}
	return values.Parse(string(text))
}

// noteComments adds a note about comments of values that are lost when another version replaces a
// pack with --force.
func (im *importer) noteComments(before *existing, next []byte, p *packdir.Pack, record pack.Imported) {
	if before.hasImportedValues(record) {
		return
	}
	var texts []*values.Document
	for _, text := range [][]byte{before.item.Text(), next} {
		one, _, err := Load(text, before.path)
		if err != nil {
			return // packfn check reports it
		}
		sources, err := one.OwnValues().Sources(hydration.Partly)
		if err != nil {
			return
		}
		own, err := OwnText(one.OwnValues(), sources)
		if err != nil {
			return
		}
		texts = append(texts, own)
	}
	if keys := comments.Dropped(texts[0], texts[1]); len(keys) > 0 {
		im.note("%s: comments of the values are dropped (%s), because %s does not have them: packfn upgrade with --from keeps yours", before.path, diag.SomeOf(keys), strings.TrimSpace(p.Name+" "+p.Version))
	}
}
