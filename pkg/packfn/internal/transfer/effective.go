package transfer

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// Effective returns the packs of a package as directories with their effective values. It runs
// the mutators of the package's pipelines in memory, and merges the overrides into the packs' own
// values. Comments of unchanged values are kept.
func Effective(p *kptpackage.Package, functions []function.Function) ([]Exported, error) {
	items, err := mutated(p, functions)
	if err != nil {
		return nil, err
	}
	set, outcome := readPacks(items)
	if outcome.Failed {
		return nil, firstErrors(outcome, nil)
	}
	if at := slices.IndexFunc(set.Points(), func(one injection.Status) bool { return one.IsPending }); at >= 0 {
		resource := set.Points()[at].Resource
		return nil, fmt.Errorf("%s: %s %s is pending, so the effective values are unknown; export the package of a cluster, or export without --effective and --as helm",
			filepath.Join(p.Dir, resource.File), resource.Kind, resource.Name)
	}
	return exportAll(p.Dir, items, (*hydration.Sources).Bare, func(e *Exported, item *list.Item) error {
		at := slices.IndexFunc(set.Packs, func(p *pack.Pack) bool { return p.Resource == item.Resource() })
		if at < 0 {
			return errors.New("the pack cannot be read")
		}
		e.read = set.Packs[at]
		return e.setValues(e.read)
	})
}

// setValues merges the overrides into the values of an exported pack.
func (e *Exported) setValues(p *pack.Pack) error {
	if len(p.Overrides) == 0 {
		return nil
	}
	at := slices.IndexFunc(e.Files, func(f packdir.File) bool { return f.Name == "values.yaml" })
	if at < 0 {
		at = min(1, len(e.Files))
		e.Files = slices.Insert(e.Files, at, packdir.File{Name: "values.yaml"})
	}
	document, err := values.Parse(string(e.Files[at].Text))
	if err != nil {
		return err
	}
	for _, override := range p.Overrides {
		text := override.Values.Text()
		if !override.Values.Embedded {
			part, err := override.Values.Document()
			if err != nil {
				return err
			}
			content, err := fileText("values", part.Root())
			if err != nil {
				return err
			}
			text = string(content)
		}
		layer, err := values.Parse(formed(text, (*hydration.Sources).Bare))
		if err == nil && override.Replace {
			document = layer
		} else if err == nil {
			document, err = document.Merge(nil, layer)
		}
		if err != nil {
			return fmt.Errorf("values of %s: %w", override.Values.Resource, err)
		}
	}
	e.Files[at].Text = []byte(document.Text())
	return nil
}

// mutated returns the items of a package after its mutators have run. Their file paths are
// relative to the package.
func mutated(p *kptpackage.Package, functions []function.Function) ([]*list.Item, error) {
	if len(p.Kptfiles) == 0 {
		return itemsOf(p), nil
	}
	for _, dir := range slices.Sorted(maps.Keys(p.Kptfiles)) {
		kptfile := p.Kptfiles[dir]
		if len(kptfile.Unknown) > 0 {
			f := &kptfile.Unknown[0]
			return nil, fmt.Errorf("%s: %s: %s; the mutators cannot be run", filepath.Join(p.Dir, dir, kptpackage.KptfileName), kptfile.At(f.Key), f.Message())
		}
	}
	whole := *p
	if p.Kptfiles["."] == nil { // a folder of packages is rendered as if it were a package
		whole.Kptfiles = maps.Clone(p.Kptfiles)
		whole.Kptfiles["."] = &kptpackage.Kptfile{}
	}
	tree, err := workspace.Load(&whole)
	if err != nil {
		return nil, err
	}
	result, err := tree.Render(workspace.Options{Functions: functions, Mutators: true})
	if err != nil {
		return nil, err
	}
	if result.Failed {
		run := &result.Runs[len(result.Runs)-1]
		return nil, fmt.Errorf("%s fails: %w", run.Function.Name, firstErrors(run.Outcome, &run.Step))
	}
	var items []*list.Item
	for _, item := range result.Items {
		items = append(items, list.FileItem(item.Text(), workspace.PathOf(item), item.Resource().Index))
	}
	return items, nil
}

// firstErrors joins the first errors of a run, up to three, with their locations. Errors about
// the functionConfig of a step are located in its file, or else in the Kptfile. step is nil if
// the outcome does not belong to a step.
func firstErrors(outcome function.Outcome, step *pipeline.Step) error {
	var all []string
	for i := range outcome.Findings {
		f := &outcome.Findings[i]
		if f.Severity != diag.Error || len(all) == 3 {
			continue
		}
		file, field := f.Resource().File, f.Path()
		if step != nil && file == "" {
			file = step.ConfigFile
		}
		if step != nil && file == "" {
			file, field = step.Kptfile(), step.ConfigField(f)
		}
		all = append(all, fmt.Sprintf("%v [%s]", report.ErrorOf(file, field, f.Message()), f.Rule.ID))
	}
	return errors.New(strings.Join(all, "; "))
}
