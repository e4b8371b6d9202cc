package transfer

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// published returns the pack in a directory, without overrides.
func published(p *packdir.Pack) *pack.Pack {
	of := &pack.Pack{Name: p.Name}
	for name, into := range map[string]**pack.Source{packdir.Metadata: &of.Metadata, "values.yaml": &of.Values, "presets.yaml": &of.Presets} {
		if text := p.File(name); text != nil {
			*into = pack.File(name, string(text))
		}
	}
	return of
}

// Load reads the pack in the text of a resource. Edits of the pack's values change the returned
// item. The error contains the file name.
func Load(text []byte, file string) (*pack.Pack, *list.Item, error) {
	items := list.FileItems(text, file)
	set, _ := readPacks(items)
	if set == nil || len(set.Packs) != 1 {
		return nil, nil, fmt.Errorf("%s: the pack cannot be read; see packfn check", file)
	}
	return set.Packs[0], items[0], nil
}

// readPacks reads the packs among items.
func readPacks(items []*list.Item) (*pack.Set, function.Outcome) {
	return pipeline.ReadPacks(items, func(item *list.Item) bool { return pack.Wants(item) || injection.Wants(item) })
}
