package fleet

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// readAsAPIServer replaces the items of a source with the items that an API server would store,
// because Porch gets sets and objects from there. For example, an unquoted name `on` becomes
// `true`, and the version `1.30` becomes `1.3`. Each field that changes is reported.
func (in *input) readAsAPIServer(o *Options, s *source) {
	var written []*list.Item
	for i, item := range s.items {
		if item.Fault() == "" && !injection.IsKptfile(item) && item.MayBeAmbiguous() {
			s.items[i] = item.AsAPIServer()
			written = append(written, item)
		}
	}
	if len(written) == 0 {
		return
	}
	reader := function.Function{
		Name: rule.ExpandVariantSet, Rules: rule.By(rule.ExpandVariantSet),
		New: func() function.Processor { return &ambiguousReader{} },
	}
	located := newLocator(o, s)
	for _, f := range function.Evaluate(reader, &list.List{Items: written}).Findings {
		if f.Rule == rule.InputAmbiguousScalar {
			in.ambiguous[ambiguousField{f.Resource(), f.Path()}] = true
			in.sets.Findings = append(in.sets.Findings, located.finding(rule.ExpandVariantSet, &f))
		}
	}
	in.sets.Finish()
}

// ambiguousField identifies a field of a resource.
type ambiguousField struct {
	resource diag.Resource
	// path is the path of the field, such as `metadata.labels.on`.
	path string
}

// ambiguousReader reports the fields of resources that an API server reads differently.
type ambiguousReader struct{}

func (*ambiguousReader) Config() any { return &struct{}{} }

func (*ambiguousReader) Wants(item *list.Item) bool { return item.Name() != "" }

// Process reports the metadata of every resource, and the fields that sets read.
func (*ambiguousReader) Process(run *function.Run) {
	for _, item := range run.Items() {
		origin := diag.Whole(item.Resource())
		for f := range item.AmbiguousMetadata() {
			run.Report(f.From(origin))
		}
		if document, err := item.Document(); err == nil {
			for f := range set.Ambiguous(document.Root()) {
				run.Report(f.From(origin))
			}
		}
	}
}
