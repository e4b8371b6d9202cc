package set

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// downstream is a package in a repository. Sets in other packages may be for other
// clusters.
// inPackage is the package of the resources on disk, and the other fields are the downstream.
type downstream struct{ inPackage, namespace, repo, pkg string }

// downstream returns the package that a variant of the set is of.
func (s *source) downstream(v *Variant) downstream {
	return downstream{s.inPackage, variant.NamespaceOr(v.Namespace), v.Spec.Downstream.Repo, v.Spec.Downstream.Package}
}

// readDownstream returns the package that a PackageVariant is of.
func readDownstream(item *list.Item, root *yaml.Node) downstream {
	text := func(name string) string { return values.Text(values.Field(root, "spec", "downstream", name)) }
	return downstream{item.Annotation(list.PackagePathAnnotation), variant.NamespaceOr(item.Namespace()), text("repo"), text("package")}
}

// overlap is a variant that two sets both create.
type overlap struct {
	// other is the other set.
	other *source
	// count is the number of packages, and first one of them.
	count int
	first *Variant
}

// overlaps warns of packages that several sets make: there is a PackageVariant
// of each, and Porch would make drafts for both. Within one set it is an error.
func (w *writer) overlaps() {
	if len(w.sets) < 2 {
		return
	}
	makers := map[downstream]*source{}
	for _, s := range w.sets {
		if s.expansion == nil {
			continue
		}
		var found []*overlap
		of := map[*source]*overlap{}
		for i := range s.expansion.Variants {
			v := &s.expansion.Variants[i]
			at := s.downstream(v)
			other := makers[at]
			switch {
			case other == nil:
				makers[at] = s
				continue
			case of[other] == nil:
				of[other] = &overlap{other: other, first: v}
				found = append(found, of[other])
			}
			of[other].count++
		}
		for _, o := range found {
			more := ""
			if o.count > 1 {
				more = " (and " + diag.Count(o.count-1, "more package") + ")"
			}
			f := diag.Say("the PackageVariantSet %s%s also creates package %q in repository %q%s. Porch would create a draft for each set",
				o.other.Identity(), in(o.other.origin), o.first.Spec.Downstream.Package, o.first.Spec.Downstream.Repo, more).Do("remove the target from one set")
			f.Severity = diag.Warning
			w.report(s, f.Of(rule.VariantSetDuplicate).At(o.first.from.path, diag.Position{}))
		}
	}
}
