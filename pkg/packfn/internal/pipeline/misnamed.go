package pipeline

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
)

// Misnamed returns a function that reports the Kptfiles among its items, each of which is in a file with another
// name, in a directory without a Kptfile.
func Misnamed() function.Function {
	checker := Checker{}
	f := checker.Function()
	f.New = func() function.Processor { return &misnamed{} }
	return f
}

// misnamed is the processor for Kptfiles in files with other names.
type misnamed struct{}

func (*misnamed) Config() any { return &struct{}{} }

// Wants reports whether an item is a Kptfile.
func (*misnamed) Wants(item *list.Item) bool {
	return item.Kind() == kptpackage.KptfileName && strings.HasPrefix(item.APIVersion(), "kpt.dev/")
}

// Process reports the findings.
func (*misnamed) Process(run *function.Run) {
	for _, item := range run.Items() {
		f := diag.Say("kpt reads a Kptfile only from a file named %s, so this directory is no package, and the pipeline does not run", kptpackage.KptfileName).
			Do("rename the file to " + kptpackage.KptfileName)
		run.Report(f.Of(rule.KptfileMisnamed).About(item.Resource(), ""))
	}
}
