package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// asking is a set with its injectors, or PackageVariants whose injectors differ only in names.
type asking struct {
	// item is the set or the PackageVariant that findings are about.
	item *list.Item
	// injectors are the injectors of all of its targets.
	injectors []set.TargetInjector
	// where is the field to report for a missing injector.
	where string
	// upstream is the name of the upstream, such as `blueprints/platform@v3`, and tree its package.
	upstream string
	tree     *workspace.Package
	// variants are the PackageVariants of the set.
	variants []*packageVariant
}

// findUnmet adds warnings about injectors of sets and PackageVariants that match no injection
// point of the upstream, and about injection points that no variant injects anything into. A
// single package does not show this: without its annotation a resource is not an injection point,
// and an optional injection point may stay as it is.
func (in *input) findUnmet(o *Options) {
	var all []*asking
	variants := map[string][]*packageVariant{}
	for _, v := range in.variants {
		if v.fault == "" {
			variants[v.set] = append(variants[v.set], v)
		}
	}
	for _, item := range in.setsOf.items {
		if item.Kind() != set.Kind || item.APIVersion() != set.APIVersion {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue // reported
		}
		s := set.Read(document.Root())
		asked := &packageVariant{PackageVariant: &variant.PackageVariant{Spec: variant.Spec{Upstream: s.Upstream}}}
		if t := in.treeOf(asked); t != nil {
			all = append(all, &asking{item, injectorsOf(s), templatePath(s), asked.upstream(), t, variants[s.Identity()]})
		}
		delete(variants, s.Identity())
	}
	alike := map[string]*asking{}
	for _, v := range in.variants {
		if t := in.treeOf(v); t != nil && len(variants[v.set]) > 0 {
			key := fmt.Sprintf("%p %s", t, shape(v.Spec.Injectors))
			if alike[key] == nil {
				alike[key] = in.aloneOf(v, t)
				all = append(all, alike[key])
			}
			alike[key].variants = append(alike[key].variants, v)
		}
	}
	located := newLocator(o, in.setsOf)
	for _, a := range all {
		for _, f := range a.unmet(in.objects) {
			in.sets.Findings = append(in.sets.Findings, located.finding(rule.InjectConfig, &f))
		}
	}
	in.sets.Finish()
}

// injectorsOf returns the injectors of all targets of a set.
func injectorsOf(s *set.Set) []set.TargetInjector {
	var all []set.TargetInjector
	for i := range s.Targets {
		for _, injector := range s.Targets[i].Injectors() {
			injector.Path = fmt.Sprintf("spec.targets[%d].template.%s", i, injector.Path)
			all = append(all, injector)
		}
	}
	return all
}

// aloneOf returns the injectors of a PackageVariant without a set.
func (in *input) aloneOf(v *packageVariant, tree *workspace.Package) *asking {
	a := &asking{item: cmp.Or(v.item, in.setOf(v)), where: "spec", upstream: v.upstream(), tree: tree}
	for i, injector := range v.Spec.Injectors {
		a.where = "spec.injectors"
		a.injectors = append(a.injectors, set.TargetInjector{Injector: injector, Path: fmt.Sprintf("spec.injectors[%d]", i)})
	}
	return a
}

// shape returns the fields of injectors that decide which injection points they match. These are
// all fields except the names.
func shape(injectors []variant.Injector) string {
	text := func(t *string) string {
		if t == nil {
			return "-"
		}
		return strconv.Quote(*t)
	}
	var parts []string
	for _, i := range injectors {
		parts = append(parts, text(i.Group), text(i.Version), text(i.Kind), text(i.Point))
	}
	return strings.Join(parts, " ")
}

// point is an injection point, with a description of its resource for messages.
type point struct {
	variant.Point
	// in describes the resource, such as `ConfigMap "site" (site.yaml)`.
	in string
}

// pointsOf returns the injection points of a package, and the other resources, which an annotation
// would make injection points.
func pointsOf(tree *workspace.Package) (points []point, others []*list.Item) {
	for _, item := range tree.Items() {
		switch {
		case item.Fault() != "":
		case item.Annotation(variant.InjectionAnnotation) == "":
			others = append(others, item)
		default:
			points = append(points, point{
				variant.Point{APIVersion: item.APIVersion(), Kind: item.Kind(), Name: item.Name()},
				fmt.Sprintf("%s %q (%s)", item.Kind(), item.Name(), item.Resource().File),
			})
		}
	}
	return points, others
}

// unmet returns findings about the injectors that match no injection point of the upstream, and
// about the injection points that get nothing.
func (a *asking) unmet(objects *objects) (found []diag.Finding) {
	points, others := pointsOf(a.tree)
	warn := func(path string, f diag.Finding) {
		if more := len(a.variants) - 1; more > 0 && isVariant(a.item) {
			f.Found += fmt.Sprintf(" (and in %s more)", preview.Plural(more, variant.Kind))
		}
		f.Severity = diag.Warning
		found = append(found, f.Of(rule.InjectUnmatched).About(a.item.Resource(), path))
	}
	first := make([]string, len(points)) // the paths of the first injectors that match
	isAsked := make([]bool, len(points)) // an injector fits once its name is corrected
	for _, injector := range a.injectors {
		isMet := false
		for at, p := range points {
			if injector.Fits(p.Point) {
				isMet, first[at] = true, cmp.Or(first[at], injector.Path)
			}
		}
		for at, p := range points {
			if why, isNear := injector.Misfit(p.Point); isNear && !isMet {
				isMet, isAsked[at] = true, true
				warn(injector.Path, diag.Say("fits no injection point of %s: it %s", a.upstream, why))
			}
		}
		if !isMet {
			warn(injector.Path, unfit(injector.Injector, a.upstream, points, others))
		}
	}
	for at, p := range points {
		switch {
		case isAsked[at] && first[at] == "":
		case first[at] == "":
			warn(a.where, diag.Say("no injector fits the injection point %s of %s", p.in, a.upstream).Do("add one, or remove the annotation "+variant.InjectionAnnotation))
		case len(a.variants) > 0 && !slices.ContainsFunc(a.variants, func(v *packageVariant) bool { return objects.has(v, p.Point) }):
			warn(first[at], diag.Say("nothing is injected into the point %s of %s: no %s exists that an injector names%s",
				p.in, a.upstream, p.Kind, asked(a.variants[0], p.Point)).Do("add the object, or correct the injector or its namespace"))
		}
	}
	return found
}

// unfit returns the finding for an injector that matches no injection point. It suggests a
// resource to annotate, or lists the injection points of the upstream.
func unfit(injector variant.Injector, upstream string, points []point, others []*list.Item) diag.Finding {
	f := diag.Say("fits no injection point of %s", upstream)
	for _, item := range others {
		if injector.Fits(variant.Point{APIVersion: item.APIVersion(), Kind: item.Kind(), Name: item.Name()}) && (injector.Kind != nil || injector.Point != nil) {
			return f.Do(fmt.Sprintf("annotate %s %q (%s) with %s: required", item.Kind(), item.Name(), item.Resource().File, variant.InjectionAnnotation))
		}
	}
	var names []string
	for _, p := range points {
		names = append(names, p.in)
	}
	if len(names) == 0 {
		f.Found += ", which has none"
		return f
	}
	f.Accepted = preview.Few(names)
	return f
}

// templatePath returns the path of the injectors of a set, in the first target that has a
// template.
func templatePath(s *set.Set) string {
	for i := range s.Targets {
		if t := s.Targets[i].Template; t != nil {
			if len(t.Injectors) > 0 {
				return fmt.Sprintf("spec.targets[%d].template.injectors", i)
			}
			return fmt.Sprintf("spec.targets[%d].template", i)
		}
	}
	return "spec.targets"
}

// asked returns an example of an object that a PackageVariant requests, such as `, such as
// "edge-1"`.
func asked(v *packageVariant, p variant.Point) string {
	for _, injector := range v.Spec.Injectors {
		if injector.Fits(p) {
			return fmt.Sprintf(", such as %q", injector.Name)
		}
	}
	return ""
}

// findExec adds warnings about upstreams whose pipelines have functions with exec, because these
// run here, but Porch runs functions only by image.
func (in *input) findExec(o *Options) {
	if o.Like != Porch {
		return
	}
	known := map[*workspace.Package]bool{nil: true}
	for _, v := range in.variants {
		tree := in.treeOf(v)
		if known[tree] {
			continue
		}
		known[tree] = true
		steps, faults := tree.Steps(o.Functions)
		if len(faults) > 0 {
			continue // the rows say so
		}
		reporter := workspace.NewReporter(tree, o.Display)
		for _, item := range tree.Items() {
			if f := execIn(item, steps); f != nil {
				run := &workspace.Run{Step: pipeline.Step{Function: function.Function{Name: rule.InjectConfig}}}
				in.sets.Findings = append(in.sets.Findings, reporter.Finding(run, f))
			}
		}
	}
	in.sets.Finish()
}

// execIn returns the finding about the functions of a Kptfile that have exec, or nil if there are
// none.
func execIn(item *list.Item, steps []pipeline.Step) *diag.Finding {
	if item.Kind() != kptpackage.KptfileName || item.Resource().File != kptpackage.KptfileName {
		return nil
	}
	var names []string
	first := ""
	for i := range steps {
		if s := &steps[i]; s.Entry.Exec != "" && s.Package == workspace.PackageOf(item) {
			if first == "" {
				first = s.Field + ".exec"
			}
			names = append(names, s.Entry.Program())
		}
	}
	if first == "" {
		return nil
	}
	f := diag.Say("exec: %s run here, but Porch runs functions by image alone", preview.Few(names))
	if len(names) == 1 {
		f = diag.Say("exec: %s runs here, but Porch runs functions by image alone", names[0])
	}
	f = f.Do("name images in place of exec").Of(rule.VariantSetNotInPorch).About(item.Resource(), first)
	return &f
}
