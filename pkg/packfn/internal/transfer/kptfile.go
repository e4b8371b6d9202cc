package transfer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// kptfile plans a Kptfile with the functions that the packs need, unless there is one.
func (im *importer) kptfile(packs []*packdir.Pack) {
	path := filepath.Join(im.to, kptpackage.KptfileName)
	if im.target.Kptfiles["."] != nil {
		im.note("%s is there already; it stays as it is", path)
		im.noteMacros(packs)
		return
	}
	name := "packs"
	if abs, err := filepath.Abs(im.to); err == nil {
		name = cmp.Or(strings.ReplaceAll(kptpackage.ResourceName(filepath.Base(abs)), ".", "-"), name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: %s\n  annotations:\n    %s: \"true\"\npipeline:\n", values.Quote(name), list.LocalConfigAnnotation)
	step := func(name string) {
		if im.options.Exec {
			fmt.Fprintf(&b, "  - exec: %s\n", name)
		} else {
			fmt.Fprintf(&b, "  - image: %s\n", function.Image(name))
		}
	}
	// Palette resolves the macros of a profile; here its values stay as they are.
	hasMacros := anyFile(packs, hasMacro)
	if hasMacros || len(im.options.Capact) > 0 {
		b.WriteString("  mutators:\n")
	}
	if hasMacros {
		step(rule.ResolveMacros)
	}
	if len(im.options.Capact) > 0 {
		step(rule.SelectImplementations)
	}
	if len(packs)+len(im.options.Profiles) > 0 {
		b.WriteString("  validators:\n")
		step(rule.ValidatePackValues)
		step(rule.CheckDependencies)
	}
	if anyFile(slices.Concat(packs, im.imported), hasResources) {
		step(rule.CheckResources)
	}
	im.write(path, []byte(b.String()))
	im.note("%s: a new Kptfile", path)
}

// noteMacros says that packs have macros and the Kptfile of the target does not resolve them.
func (im *importer) noteMacros(packs []*packdir.Pack) {
	resolve := macro.Function()
	steps, _ := pipeline.Steps(im.target, []function.Function{resolve})
	resolves := func(s pipeline.Step) bool { return s.Package == "." && s.Mutator && s.Function.Name == resolve.Name }
	if anyFile(packs, hasMacro) && !slices.ContainsFunc(steps, resolves) {
		im.note("%s: no mutator resolves the macros of the packs; add %s to pipeline.mutators", filepath.Join(im.to, kptpackage.KptfileName), resolve.Name)
	}
}

func hasMacro(f packdir.File) bool { return template.HasMacro(string(f.Text)) }

func anyFile(packs []*packdir.Pack, is func(packdir.File) bool) bool {
	for _, p := range packs {
		for _, f := range p.Files {
			if is(f) {
				return true
			}
		}
	}
	return false
}

// hasResources reports whether a file is a pack.json that asks for resources.
func hasResources(f packdir.File) bool {
	if f.Name != packdir.Metadata {
		return false
	}
	document, err := values.Parse(string(f.Text))
	return err == nil && values.Field(document.Root(), "constraints", "resources") != nil
}
