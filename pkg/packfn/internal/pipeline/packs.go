package pipeline

import (
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// ReadPacks reads the packs among items, as a function that wants some of them. The set is nil if reading
// them panics, which is a finding. Edits of values change the items.
func ReadPacks(items []*list.Item, wants func(*list.Item) bool) (*pack.Set, function.Outcome) {
	reader := &packReader{wants: wants}
	outcome, _ := Run(function.Function{Name: "packfn", New: func() function.Processor { return reader }}, nil, items)
	return reader.set, outcome
}

// packReader is a function that does nothing but read packs.
type packReader struct {
	// wants reports which items are read, and set are the packs.
	wants func(*list.Item) bool
	set   *pack.Set
}

func (r *packReader) Config() any                { return &struct{}{} }
func (r *packReader) Wants(item *list.Item) bool { return r.wants(item) }
func (r *packReader) Process(run *function.Run)  { r.set = pack.Load(run, pack.Choice{}) }
