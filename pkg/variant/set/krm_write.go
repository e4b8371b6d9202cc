package set

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// writer brings the variants in the package to what the sets make.
type writer struct {
	*processor
	// stale counts the variants that a set no longer makes, and that stay.
	stale map[*source]int
	// updates, additions and removals are the pending changes.
	updates   []update
	additions []addition
	removals  []*list.Item
	// others are new variants that are not in the part.
	others []addition
}

// update is an existing variant that changes.
type update struct {
	// item is the PackageVariant, and document its new text.
	item     *list.Item
	document *values.Document
}

// addition is a variant that is new.
type addition struct {
	// set is the set that makes the variant.
	set     *source
	variant *Variant
	// path and index are the place where it is stored.
	path  string
	index int
}

// existing is a PackageVariant of the package.
type existing struct {
	// item is the PackageVariant.
	item *list.Item
	// of is the set that made it, or nil if none of the sets did.
	of *source
	// downstream is the package that it makes.
	downstream downstream
}

// plan compares the variants in the package with those that the sets make. A variant is
// known by its downstream package, as in Porch, and keeps the name that it has: a
// PackageVariant of another name would delete the downstream package of the first.
func (w *writer) plan() {
	w.stale = map[*source]int{}
	wanted := map[*source]map[downstream]*Variant{}
	for _, s := range w.sets {
		wanted[s] = map[downstream]*Variant{}
		for i := range s.variants() {
			v := &s.expansion.Variants[i]
			wanted[s][s.downstream(v)] = v
		}
	}
	printer := &Printer{}
	kept := map[*Variant]*existing{}
	// foreign are the variants that stay as they are: variants of no set, and variants of a package
	// that another variant of the set creates.
	var foreign, stale []*existing
	items := slices.Clone(w.items[gvk{VariantAPIVersion, VariantKind}])
	slices.SortStableFunc(items, func(a, b *list.Item) int { return strings.Compare(a.Name(), b.Name()) })
	for _, item := range items {
		document, err := item.Document()
		if err != nil {
			w.unreadable(item, err)
			continue
		}
		e := &existing{item: item, of: w.owner(item, document.Root()), downstream: readDownstream(item, document.Root())}
		if e.of != nil {
			e.downstream.inPackage = e.of.inPackage // wherever the user has put it
		}
		switch v := wanted[e.of][e.downstream]; {
		case e.of == nil, kept[v] != nil:
			foreign = append(foreign, e)
		case e.of.expansion == nil:
		case v == nil:
			stale = append(stale, e)
		default:
			kept[v] = e
			w.run.Guard(item.Resource(), func() { w.compare(e.of, v, item, document, printer) })
		}
	}
	w.add(kept, foreign, &stale, printer)
	for _, e := range foreign {
		for _, s := range w.sets {
			if v := wanted[s][e.downstream]; v != nil && v.Name != e.item.Name() {
				w.sameDownstream(s, v, e)
			}
		}
	}
	for _, e := range stale {
		if w.config.Prune {
			w.removals = append(w.removals, e.item)
		} else {
			w.stale[e.of]++
		}
	}
}

// variants returns the variants that the set makes, none if it has errors.
func (s *source) variants() []Variant {
	if s.expansion == nil {
		return nil
	}
	return s.expansion.Variants
}

// packageKey identifies a resource in a package.
// inPackage is the package on disk that has the resource.
type packageKey struct{ inPackage, namespace, name string }

func (e *existing) key() packageKey {
	return packageKey{e.downstream.inPackage, e.downstream.namespace, e.item.Name()}
}

// add plans the additions: the variants that no existing one is. A name that is taken
// by another variant of the set gets a hash. It removes from stale what it uses.
func (w *writer) add(kept map[*Variant]*existing, foreign []*existing, stale *[]*existing, printer *Printer) {
	taken := map[packageKey]*existing{}
	for _, e := range foreign {
		taken[e.key()] = e
	}
	own := map[packageKey]bool{}
	for v, e := range kept {
		own[e.key()], v.Name = true, e.item.Name()
	}
	replaceable := map[packageKey]*existing{}
	for _, e := range *stale {
		if w.config.Prune {
			replaceable[e.key()] = e
		} else {
			own[e.key()] = true
		}
	}
	makers := map[packageKey]*source{}
	for _, s := range w.sets {
		for i := range s.variants() {
			v := &s.expansion.Variants[i]
			at := packageKey{s.inPackage, variant.NamespaceOr(v.Namespace), v.Name}
			if kept[v] == nil && own[at] {
				v.Name = distinctName(s.Name, v.Spec.Downstream.Repo, v.Spec.Downstream.Package)
				at.name = v.Name
			}
			if other := makers[at]; other != nil {
				w.duplicate(s, v, diag.Say("the PackageVariantSet %s%s also makes a PackageVariant named %q", other.Identity(), in(other.origin), v.Name).Do("rename one of the sets"))
				continue
			}
			makers[at] = s
			if kept[v] != nil {
				continue
			}
			if e := replaceable[at]; e != nil && e.of == s {
				*stale = slices.DeleteFunc(*stale, func(other *existing) bool { return other == e })
				if document, err := e.item.Document(); err == nil { // it was read before
					w.run.Guard(e.item.Resource(), func() { w.compare(s, v, e.item, document, printer) })
				}
				continue
			}
			if e := taken[at]; e != nil {
				w.duplicate(s, v, diag.Say("the package has a PackageVariant named %q%s that the set does not manage", v.Name, in(diag.Whole(e.item.Resource()))).
					Do(fmt.Sprintf("remove it, or annotate it with %s: %s", SetAnnotation, s.Identity())))
				continue
			}
			if one := (addition{set: s, variant: v}); w.preview.Wants == nil || w.preview.Wants(v.Name) {
				w.additions = append(w.additions, one)
			} else {
				w.others = append(w.others, one)
			}
		}
	}
}

func (w *writer) duplicate(s *source, v *Variant, f diag.Finding) {
	w.report(s, v.from.has(f).Of(rule.VariantSetDuplicate).At(v.from.path, diag.Position{}))
}

// sameDownstream warns of a PackageVariant that has the downstream package of a variant of
// a set.
func (w *writer) sameDownstream(s *source, v *Variant, e *existing) {
	f := diag.Say("the PackageVariant %s%s has the same downstream package; Porch would create a draft for each", e.item.Name(), in(diag.Whole(e.item.Resource())))
	if e.of == nil {
		f = f.Do(fmt.Sprintf("remove it, or annotate it with %s: %s", SetAnnotation, s.Identity()))
	} else {
		f = f.Do("remove it")
	}
	f.Severity = diag.Warning
	w.duplicate(s, v, f)
}

// owner returns the set that made a variant, or nil if none of the sets did.
func (w *writer) owner(item *list.Item, root *yaml.Node) *source {
	var owners []*source
	for _, s := range w.sets {
		if s.owns(root) {
			owners = append(owners, s)
		}
	}
	if len(owners) == 0 {
		return nil
	}
	// Sets of one name in several packages have the variants of their packages.
	of := item.Annotation(list.PackagePathAnnotation)
	if at := slices.IndexFunc(owners, func(s *source) bool { return s.inPackage == of }); at >= 0 {
		return owners[at]
	}
	return owners[0]
}

// compare plans the update of an existing variant, unless it is right already.
func (w *writer) compare(s *source, v *Variant, item *list.Item, document *values.Document, printer *Printer) {
	wanted, err := values.Parse(printer.Print(s.Set, v, nil))
	var edited *values.Document
	if err == nil {
		edited, err = s.update(document, wanted.Root())
	}
	if err != nil {
		f := diag.Unreadable(err)
		f = diag.Say("cannot be updated by the set %s: %s", s.Identity(), f.Found).Do("remove the resource: the function makes it again")
		w.run.Report(f.Of(rule.InputInvalid).About(item.Resource(), "spec"))
		return
	}
	if edited != document {
		w.updates = append(w.updates, update{item, edited})
	}
}

// write does what is planned.
func (w *writer) write() {
	for _, u := range w.updates {
		u.item.Replace(u.document)
	}
	for _, item := range w.removals {
		item.Remove()
	}
	w.store()
	printer := &Printer{}
	for _, a := range w.additions {
		annotations := []Entry{{list.PathAnnotation, a.path}}
		if a.index > 0 {
			annotations = append(annotations, Entry{list.IndexAnnotation, strconv.Itoa(a.index)})
		}
		if a.set.inPackage != "" {
			annotations = append(annotations, Entry{list.PackagePathAnnotation, a.set.inPackage})
		}
		w.run.Add(printer.Print(a.set.Set, a.variant, annotations))
		a.variant.Spec = variant.Spec{} // the text has it now: of a fleet both are too much
	}
	for _, o := range w.others {
		w.preview.Other(o.set.Set, o.variant)
	}
	for _, s := range w.sets {
		w.report(s, s.summary(w.stale[s]))
		if w.config.WriteStatus {
			w.run.Guard(s.origin.Resource, func() { w.writeStatus(s) })
		}
	}
}

// writeStatus sets the conditions of a set that was expanded.
func (w *writer) writeStatus(s *source) {
	document, err := s.item.Document()
	if err != nil {
		w.unreadable(s.item, err)
		return
	}
	edited, findings := writeStatus(document)
	if w.report(s, findings...); edited != document {
		s.item.Replace(edited)
	}
}

// store sorts the additions by name, and determines where each is stored: after the resources that
// its file has already.
func (w *writer) store() {
	slices.SortStableFunc(w.additions, func(a, b addition) int { return strings.Compare(a.variant.Name, b.variant.Name) })
	type file struct{ inPackage, path string }
	next := map[file]int{}
	for i := range w.additions {
		a := &w.additions[i]
		a.path = strings.ReplaceAll(w.config.outputPath(a.set.origin.Resource.File), nameField, a.variant.Name)
		next[file{a.set.inPackage, a.path}] = 0
	}
	if len(w.additions) > 0 {
		for _, item := range w.run.Items() {
			resource := item.Resource()
			at := file{item.Annotation(list.PackagePathAnnotation), resource.File}
			if index, ok := next[at]; ok {
				next[at] = max(index, resource.Index+1)
			}
		}
	}
	for i := range w.additions {
		a := &w.additions[i]
		at := file{a.set.inPackage, a.path}
		a.index = next[at]
		next[at]++
	}
}
