package transfer

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
)

// loader loads the packs of a list.
type loader struct{ set *pack.Set }

func (l *loader) Config() any                { return &struct{}{} }
func (l *loader) Wants(item *list.Item) bool { return pack.Wants(item) }
func (l *loader) Process(run *function.Run)  { l.set = pack.Load(run, pack.Choice{}) }

// published returns the pack of a directory, as the directory has it.
func published(p *packdir.Pack) *pack.Pack {
	of := &pack.Pack{Name: p.Name}
	for name, into := range map[string]**pack.Source{packdir.Metadata: &of.Metadata, "values.yaml": &of.Values, "presets.yaml": &of.Presets} {
		if text := p.File(name); text != nil {
			*into = pack.File(name, string(text))
		}
	}
	return of
}

// Load reads the pack of a resource. Edits of its values change the item. The error names
// the file.
func Load(text []byte, file string) (*pack.Pack, *list.Item, error) {
	l := &list.List{Items: list.FileItems(text, file)}
	reader := &loader{}
	function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return reader }}, l)
	if reader.set == nil || len(reader.set.Packs) != 1 {
		return nil, nil, fmt.Errorf("%s: the pack cannot be read; see packfn check", file)
	}
	return reader.set.Packs[0], l.Items[0], nil
}
