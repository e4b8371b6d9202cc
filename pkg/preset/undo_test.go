package preset

import (
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
)

// packsOf reads packs without a run of the function.
func packsOf(items ...*list.Item) []*pack.Pack {
	reader := &packReader{}
	function.Evaluate(function.Function{Name: "read", New: func() function.Processor { return reader }}, &list.List{Items: items})
	return reader.set.Packs
}

type packReader struct{ set *pack.Set }

func (r *packReader) Config() any                { return &struct{}{} }
func (r *packReader) Wants(item *list.Item) bool { return pack.Wants(item) }
func (r *packReader) Process(run *function.Run)  { r.set = pack.Load(run, pack.Choice{}) }
