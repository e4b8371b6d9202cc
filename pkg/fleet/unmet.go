package fleet

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/render"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// unmet finds the injectors of sets that fit no injection point of the upstream, and the
// points that get nothing in any variant of a set. No package says so by itself: without
// its annotation a resource is no point, and an optional point may stay as it is.
type unmet struct {
	input *input
	// variants are those of each set.
	variants map[string][]*packageVariant
	// found are the findings about each set, at its fields.
	found []diag.Finding
}

// findUnmet adds the warnings about injectors and points to those about the sets.
func (in *input) findUnmet(o *Options, upstreams *upstreams) {
	u := &unmet{input: in, variants: map[string][]*packageVariant{}}
	for _, v := range in.variants {
		if v.fault == "" {
			u.variants[v.set] = append(u.variants[v.set], v)
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
		if at := upstreams.find(asked); at >= 0 && upstreams.trees[at] != nil {
			u.set(item, s, asked.upstream(), upstreams.trees[at])
		}
	}
	if len(u.found) == 0 {
		return
	}
	located := newLocator(o, in.setsOf)
	for i := range u.found {
		in.sets.Findings = append(in.sets.Findings, located.finding(injectName, &u.found[i]))
	}
	in.sets.Finish()
}

// point is an injection point, and the resource that is one.
type point struct {
	variant.Point
	in string
}

func pointsOf(tree *render.Tree) (points []point, others []*list.Item) {
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

// set compares the injectors of a set with the points of its upstream.
func (u *unmet) set(item *list.Item, s *set.Set, upstream string, tree *render.Tree) {
	points, others := pointsOf(tree)
	warn := func(path string, f diag.Finding) {
		f.Severity = diag.Warning
		u.found = append(u.found, f.Of(variant.RuleUnmatched).About(item.Resource(), path))
	}
	fits := make([]bool, len(points))
	for i := range s.Targets {
		for _, injector := range s.Targets[i].Injectors() {
			isMet := false
			for at, p := range points {
				if injector.Fits(p.Point) {
					isMet, fits[at] = true, true
				}
			}
			if !isMet {
				warn(fmt.Sprintf("spec.targets[%d].template.%s", i, injector.Path), unfit(injector.Injector, upstream, points, others))
			}
		}
	}
	variants := u.variants[s.Identity()]
	for at, p := range points {
		switch {
		case !fits[at]:
			warn(templatePath(s), diag.Say("no injector fits the injection point %s of %s", p.in, upstream).Do("add one, or remove the annotation "+variant.InjectionAnnotation))
		case len(variants) > 0 && !slices.ContainsFunc(variants, func(v *packageVariant) bool { return u.input.objects.has(v, p.Point) }):
			warn(injectorPath(s, p.Point), diag.Say("nothing is injected into the point %s of %s: for none of %s there is a %s that an injector names%s",
				p.in, upstream, plural(len(variants), variant.Kind), p.Kind, asked(variants[0], p.Point)))
		}
	}
}

// unfit says which points there are instead of one that an injector fits.
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
	f.Accepted = some(names, fewNames)
	return f
}

// templatePath is the path of the injectors of a set: of its first target if several have
// a template.
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

// injectorPath is the path of the first injector that fits a point.
func injectorPath(s *set.Set, p variant.Point) string {
	for i := range s.Targets {
		for _, injector := range s.Targets[i].Injectors() {
			if injector.Fits(p) {
				return fmt.Sprintf("spec.targets[%d].template.%s", i, injector.Path)
			}
		}
	}
	return "spec.targets"
}

// asked names an object that a PackageVariant asks for.
func asked(v *packageVariant, p variant.Point) string {
	for _, injector := range v.Spec.Injectors {
		if injector.Fits(p) {
			return fmt.Sprintf(", such as %q", injector.Name)
		}
	}
	return ""
}

// has reports whether there is an object for a point of a PackageVariant.
func (o *objects) has(v *packageVariant, p variant.Point) bool {
	return slices.ContainsFunc(v.Spec.Injectors, func(injector variant.Injector) bool {
		return injector.Fits(p) && slices.ContainsFunc(o.byName[injector.Name], func(item *list.Item) bool {
			return item.Kind() == p.Kind && item.APIVersion() == p.APIVersion && (item.Namespace() == "" || variant.NamespaceOr(item.Namespace()) == v.Namespace)
		})
	})
}
