package fleet

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/rule"
)

// findExec adds warnings about upstreams whose pipelines have functions with exec: they run
// here, but Porch runs functions by image alone.
func (in *input) findExec(o *Options, u *upstreams) {
	if o.Like != Porch {
		return
	}
	known := map[*render.Tree]bool{nil: true}
	for _, v := range in.variants {
		at := u.find(v)
		if at < 0 || v.fault != "" || known[u.trees[at]] {
			continue
		}
		tree := u.trees[at]
		known[tree] = true
		steps, faults := tree.Steps(o.Functions)
		if len(faults) > 0 {
			continue // the rows say so
		}
		reporter := render.NewReporter(tree, o.Display)
		for _, item := range tree.Items() {
			if f := execIn(item, steps); f != nil {
				run := &render.Run{Step: pipeline.Step{Function: function.Function{Name: injectName}}}
				in.sets.Findings = append(in.sets.Findings, reporter.Finding(run, f))
			}
		}
	}
	in.sets.Finish()
}

// execIn returns the finding about the functions of a Kptfile that have exec, nil for none.
func execIn(item *list.Item, steps []pipeline.Step) *diag.Finding {
	if item.Kind() != kptpackage.KptfileName || item.Resource().File != kptpackage.KptfileName {
		return nil
	}
	var names []string
	first := ""
	for i := range steps {
		if s := &steps[i]; s.Entry.Exec != "" && s.Package == render.PackageOf(item) {
			if first == "" {
				first = s.Field + ".exec"
			}
			names = append(names, s.Entry.Program())
		}
	}
	if first == "" {
		return nil
	}
	f := diag.Say("exec: %s run here, but Porch runs functions by image alone", some(names, fewNames))
	if len(names) == 1 {
		f = diag.Say("exec: %s runs here, but Porch runs functions by image alone", names[0])
	}
	f = f.Do("name images in place of exec").Of(rule.VariantSetNotInPorch).About(item.Resource(), first)
	return &f
}
