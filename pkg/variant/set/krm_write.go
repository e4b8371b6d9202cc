package set

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

const indexAnnotation = "internal.config.kubernetes.io/index"

// writer brings the variants in the package to what the sets make.
type writer struct {
	*processor
	// stale counts the variants that a set no longer makes, and that stay.
	stale map[*source]int
	// updates, additions and removals are what is to be done.
	updates   []update
	additions []addition
	removals  []*list.Item
}

// update is an existing variant that changes.
type update struct {
	item     *list.Item
	document *values.Document
}

// addition is a variant that is new.
type addition struct {
	set     *source
	variant *Variant
	// path and index say where it is stored.
	path  string
	index int
}

// existing is a PackageVariant of the package.
type existing struct {
	item *list.Item
	// of is the set that made it, nil if none of the sets did.
	of   *source
	used bool
}

// plan compares the variants in the package with those that the sets make, and
// reports what cannot be made.
func (w *writer) plan() {
	w.stale = map[*source]int{}
	known := map[key][]*existing{}
	var all []*existing
	kind := gvk{VariantAPIVersion, VariantKind}
	for _, item := range w.items[kind] {
		e := &existing{item: item, of: w.owner(item)}
		all = append(all, e)
		at := key{kind, variant.NamespaceOr(item.Namespace()), item.Name()}
		known[at] = append(known[at], e)
	}
	type made struct {
		inPackage string
		key
	}
	makers := map[made]*source{}
	printer := &Printer{}
	for _, s := range w.sets {
		if s.expansion == nil {
			continue
		}
		for i := range s.expansion.Variants {
			v := &s.expansion.Variants[i]
			at := made{s.inPackage, key{kind, variant.NamespaceOr(v.Namespace), v.Name}}
			if other := makers[at]; other != nil {
				w.taken(s, v, diag.Say("the PackageVariantSet %s%s also makes a PackageVariant named %q", other.Identity(), in(other.origin), v.Name).Do("rename one of the sets"))
				continue
			}
			makers[at] = s
			e := s.place(known[at.key])
			switch {
			case e == nil:
				w.additions = append(w.additions, addition{set: s, variant: v})
			case e.of != s:
				w.taken(s, v, diag.Say("the package has a PackageVariant named %q%s that the set does not manage", v.Name, in(diag.Whole(e.item.Resource()))).
					Do(fmt.Sprintf("remove it, or annotate it with %s: %s", SetAnnotation, s.Identity())))
			default:
				e.used = true
				w.run.Guard(e.item.Resource(), func() { w.compare(s, v, e.item, printer) })
			}
		}
	}
	for _, e := range all {
		switch {
		case e.of == nil || e.used || e.of.expansion == nil:
		case w.config.Prune:
			if _, err := e.item.Document(); err != nil {
				w.unreadable(e.item, err) // it may have what the user wants to keep
				continue
			}
			w.removals = append(w.removals, e.item)
		default:
			w.stale[e.of]++
		}
	}
}

func (w *writer) taken(s *source, v *Variant, f diag.Finding) {
	w.report(s, v.from.has(f).Of(RuleDuplicate).At(v.from.path, diag.Position{}))
}

// place returns which of the PackageVariants of one name stands where the set
// writes: its own, or another one in its package. It is nil when the name is free.
func (s *source) place(all []*existing) *existing {
	var there *existing
	for _, e := range all {
		switch {
		case e.of == s:
			return e
		case there == nil && e.item.Annotation(list.PackagePathAnnotation) == s.inPackage:
			there = e
		}
	}
	return there
}

// owner returns the set that made a variant, nil if there is none.
func (w *writer) owner(item *list.Item) *source {
	if s := w.sets[0]; len(w.sets) == 1 && s.isNamed(item.Annotation(SetAnnotation)) && variant.NamespaceOr(item.Namespace()) == variant.NamespaceOr(s.Namespace) {
		return s // the head says it, which spares parsing the variants of large sets
	}
	if item.Annotation(SetAnnotation) == "" && !item.Mentions("ownerReferences") && !item.Mentions(SetLabel) {
		return nil
	}
	document, err := item.Document()
	if err != nil {
		w.unreadable(item, err)
		return nil
	}
	var owners []*source
	for _, s := range w.sets {
		if s.Owns(document.Root()) {
			owners = append(owners, s)
		}
	}
	// Sets of one name in several packages have the variants of their packages.
	if len(owners) > 1 {
		of := item.Annotation(list.PackagePathAnnotation)
		if at := slices.IndexFunc(owners, func(s *source) bool { return s.inPackage == of }); at >= 0 {
			return owners[at]
		}
	}
	if len(owners) == 0 {
		return nil
	}
	return owners[0]
}

// compare plans the update of an existing variant, if it is not right already.
func (w *writer) compare(s *source, v *Variant, item *list.Item, printer *Printer) {
	document, err := item.Document()
	if err != nil {
		w.unreadable(item, err)
		return
	}
	wanted, err := values.Parse(printer.Print(s.Set, v, nil))
	var edited *values.Document
	if err == nil {
		edited, err = s.Update(document, wanted.Root())
	}
	if err != nil {
		f := diag.Unreadable(err)
		f = diag.Say("cannot be updated to what %s makes: %s", s.Identity(), f.Found).Do("remove the file, and the set makes it again")
		w.run.Report(f.Of(diag.InputInvalid).About(item.Resource(), "spec"))
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
	w.place()
	printer := &Printer{}
	for _, a := range w.additions {
		annotations := []Entry{{list.PathAnnotation, a.path}}
		if a.index > 0 {
			annotations = append(annotations, Entry{indexAnnotation, strconv.Itoa(a.index)})
		}
		if a.set.inPackage != "" {
			annotations = append(annotations, Entry{list.PackagePathAnnotation, a.set.inPackage})
		}
		if _, err := w.run.Add(printer.Print(a.set.Set, a.variant, annotations)); err != nil {
			w.report(a.set, a.variant.from.has(diag.Say("%v", err)).Of(RuleInvalid).At(a.variant.from.path, diag.Position{}))
		}
	}
	for _, s := range w.sets {
		w.report(s, s.summary(w.stale[s]))
		if w.config.WriteStatus {
			w.run.Guard(s.origin.Resource, func() { w.writeStatus(s) })
		}
	}
}

func (w *writer) writeStatus(s *source) {
	document, err := s.item.Document()
	if err != nil {
		w.unreadable(s.item, err)
		return
	}
	edited, findings := WriteStatus(document)
	if w.report(s, findings...); edited != document {
		s.item.Replace(edited)
	}
}

// place brings the additions into the order of their names, and says where each
// is stored: after what its file has already.
func (w *writer) place() {
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
