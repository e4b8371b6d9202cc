package transfer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// kptfile plans to write a Kptfile with the functions that the packs need, unless the target has
// one:
//
//	pipeline:
//	  mutators:
//	  - exec: resolve-macros
//	  validators:
//	  - exec: validate-pack-values
func (im *importer) kptfile(packs []*packdir.Pack) {
	path := filepath.Join(im.to, kptpackage.KptfileName)
	if im.target.Kptfiles["."] != nil {
		im.note("%s is there already; it stays as it is", path)
		im.noteFunctions(packs)
		return
	}
	name := "packs"
	if abs, err := filepath.Abs(im.to); err == nil {
		name = cmp.Or(strings.ReplaceAll(kptpackage.ResourceName(filepath.Base(abs)), ".", "-"), name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: %s\n  annotations:\n    %s: \"true\"\npipeline:\n", values.Quote(name), list.LocalConfigAnnotation)
	field := ""
	for _, n := range im.needed(packs) {
		if n.field != field {
			field = n.field
			fmt.Fprintf(&b, "  %s:\n", field)
		}
		if im.options.Exec {
			fmt.Fprintf(&b, "  - exec: %s\n", n.function)
		} else {
			fmt.Fprintf(&b, "  - image: %s\n", function.Image(n.function))
		}
	}
	im.write(path, []byte(b.String()))
	im.note("%s: a new Kptfile", path)
}

// needed is a function that packs need, with the field of the pipeline that it belongs to.
type needed struct{ field, function string }

// needed returns the functions that the packs and the other inputs of the import need, in
// pipeline order. Macros of profiles do not need a function, because Palette resolves them.
func (im *importer) needed(packs []*packdir.Pack) (all []needed) {
	add := func(field string, isNeeded bool, names ...string) {
		for _, name := range names {
			if isNeeded {
				all = append(all, needed{field, name})
			}
		}
	}
	add("mutators", anyFile(packs, hasMacro), rule.ResolveMacros)
	add("mutators", len(im.options.Capact) > 0, rule.SelectImplementations)
	add("validators", len(packs)+len(im.options.Profiles) > 0, rule.ValidatePackValues, rule.CheckDependencies)
	add("validators", anyFile(slices.Concat(packs, im.imported), hasResources), rule.CheckResources)
	return all
}

// noteFunctions adds notes about functions that packs need but that the Kptfile of the target
// does not run.
func (im *importer) noteFunctions(packs []*packdir.Pack) {
	var functions []function.Function
	for _, n := range im.needed(packs) {
		functions = append(functions, function.Function{Name: n.function, Kind: kindOf(n.function)})
	}
	steps, _ := pipeline.Steps(im.target, functions)
	for _, field := range []string{"mutators", "validators"} {
		var lacking []string
		for _, n := range im.needed(packs) {
			runs := func(s pipeline.Step) bool {
				return s.Package == "." && s.Function.Name == n.function && (s.Mutator || field == "validators")
			}
			if n.field == field && !slices.ContainsFunc(steps, runs) {
				lacking = append(lacking, n.function)
			}
		}
		if len(lacking) > 0 {
			im.note("%s: the packs need %s, which pipeline.%s lacks", filepath.Join(im.to, kptpackage.KptfileName), diag.AllOf(lacking), field)
		}
	}
}

// kindOf returns the kind of a function's functionConfig, such as CheckResources for
// check-resources.
func kindOf(name string) string {
	kind := ""
	for word := range strings.SplitSeq(name, "-") {
		kind += strings.ToUpper(word[:1]) + word[1:]
	}
	return kind
}

func hasMacro(f packdir.File) bool { return template.HasMacro(string(f.Text)) }

// anyFile reports whether one of the packs has a file of some kind.
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

// hasResources reports whether a file is a pack.json with resource requests
// (constraints.resources).
func hasResources(f packdir.File) bool {
	if f.Name != packdir.Metadata {
		return false
	}
	document, err := values.Parse(string(f.Text))
	return err == nil && values.Field(document.Root(), "constraints", "resources") != nil
}
