package variant

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// checker is the processor of [NewChecker].
type checker struct{}

// NewChecker returns a processor that injects nothing. It checks the PackageVariants and in-cluster objects of a list
// as inject-config does.
func NewChecker() function.Processor { return &checker{} }

func (*checker) Config() any { return &struct{}{} }

func (*checker) Wants(item *list.Item) bool {
	return item.Kind() == Kind && item.Group() == Group || pack.InCluster(item) || injection.Wants(item)
}

// Process reads the PackageVariants, and reports their faults. It leaves out resources that are
// pending.
func (*checker) Process(run *function.Run) {
	reader := injection.NewReader(run)
	for _, item := range run.Items() {
		if item.Kind() != Kind && !pack.InCluster(item) || reader.Of(item).IsPending {
			continue
		}
		document, err := item.Document()
		if err != nil {
			run.Report(diag.Unreadable(err).About(item.Resource(), "").Of(rule.InputInvalid))
			continue
		}
		var findings []diag.Finding
		if item.Kind() == Kind {
			_, findings = Read(document.Root(), "")
		}
		for _, f := range slices.AppendSeq(findings, Ambiguous(document.Root(), "")) {
			run.Report(f.From(diag.Whole(item.Resource())))
		}
	}
}
