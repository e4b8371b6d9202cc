package cli

import (
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Paths is a field of packfn.yaml: one path, or a list of them.
type Paths = config.Paths

// FailOn is a field of packfn.yaml: one of FailOns, or a list of them.
type FailOn = config.FailOn

// FailOns are the values of a FailOn.
var FailOns = config.FailOns

// Documents returns the documents that packfn writes and reads: a pointer to the type of each, by
// its name.
func Documents() map[string]any {
	documents := kptpackage.Kinds()
	documents["Report"], documents["Fleet"], documents["PackfnConfig"] = new(report.File), new(preview.File), new(config.PackfnConfig)
	return documents
}
