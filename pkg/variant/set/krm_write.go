package set

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

const indexAnnotation = "internal.config.kubernetes.io/index"

// writer brings the variants in the list to what the sets make.
type writer struct {
	*processor
	changes map[*source]*changes
	// updates, additions and removals are what is to be done.
	updates   []update
	additions []addition
	removals  []*function.Item
}

// update is an existing variant that changes.
type update struct {
	item     *function.Item
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

// existing is a PackageVariant of the list.
type existing struct {
	item *function.Item
	// of is the set that made it, nil when none of those at hand did.
	of   *source
	used bool
}

// plan compares the variants in the list with those that the sets make, and
// reports what can not be.
func (w *writer) plan() {
	w.changes = map[*source]*changes{}
	known := map[key][]*existing{}
	var all []*existing
	kind := gvk{VariantAPIVersion, VariantKind}
	for _, item := range w.items[kind] {
		e := &existing{item: item, of: w.owner(item)}
		all = append(all, e)
		at := key{kind, namespace(item.Namespace()), item.Name()}
		known[at] = append(known[at], e)
	}
	type made struct {
		inPackage string
		key
	}
	makers := map[made]*source{}
	printer := &Printer{}
	for _, s := range w.sets {
		w.changes[s] = &changes{}
		if s.expansion == nil {
			continue
		}
		for i := range s.expansion.Variants {
			v := &s.expansion.Variants[i]
			at := made{s.inPackage, key{kind, namespace(v.Namespace), v.Name}}
			if other := makers[at]; other != nil {
				w.taken(s, v, fmt.Sprintf("the PackageVariantSet %s%s makes a PackageVariant %q too; give one of the sets another name", other.Identity(), in(other.resource), v.Name))
				continue
			}
			makers[at] = s
			e := s.place(known[at.key])
			switch {
			case e == nil:
				w.changes[s].added++
				w.additions = append(w.additions, addition{set: s, variant: v})
			case e.of != s:
				w.taken(s, v, fmt.Sprintf("a PackageVariant %q is in the list%s and is none of the set; remove it, or annotate it with %s: %s to have the set manage it", v.Name, in(e.item.Resource()), SetAnnotation, s.Identity()))
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
				w.unreadable(e.item, err) // it may hold what somebody wants to keep
				continue
			}
			w.changes[e.of].removed++
			w.removals = append(w.removals, e.item)
		default:
			w.changes[e.of].stale++
		}
	}
}

func (w *writer) taken(s *source, v *Variant, message string) {
	w.report(s, Fault{Rule: RuleDuplicate, Path: v.from.path, Message: fmt.Sprintf("%s: %s", v.from, message)})
}

// place returns which of the PackageVariants of one name stands where the set
// writes: its own, or another one in its package. It is nil when the name is free.
func (s *source) place(all []*existing) *existing {
	var there *existing
	for _, e := range all {
		switch {
		case e.of == s:
			return e
		case there == nil && e.item.Annotation(function.PackagePathAnnotation) == s.inPackage:
			there = e
		}
	}
	return there
}

// owner returns the set that made a variant, nil when there is none.
func (w *writer) owner(item *function.Item) *source {
	if s := w.sets[0]; len(w.sets) == 1 && s.isNamed(item.Annotation(SetAnnotation)) && namespace(item.Namespace()) == namespace(s.Namespace) {
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
		of := item.Annotation(function.PackagePathAnnotation)
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
func (w *writer) compare(s *source, v *Variant, item *function.Item, printer *Printer) {
	document, err := item.Document()
	if err != nil {
		w.unreadable(item, err)
		return
	}
	wanted, err := values.Parse(printer.Print(s.Set, v, nil))
	if err == nil {
		var edited *values.Document
		if edited, err = s.Update(document, wanted.Root()); err == nil {
			if edited == document {
				w.changes[s].same++
				return
			}
			w.changes[s].changed++
			w.updates = append(w.updates, update{item, edited})
			return
		}
	}
	w.run.LegacyInvalid(item.Resource(), "spec", fmt.Sprintf("%s: can not be brought to what %s makes of it: %v; remove the file to have it made again", item.Resource(), s.Identity(), err))
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
		annotations := []Entry{{function.PathAnnotation, a.path}}
		if a.index > 0 {
			annotations = append(annotations, Entry{indexAnnotation, strconv.Itoa(a.index)})
		}
		if a.set.inPackage != "" {
			annotations = append(annotations, Entry{function.PackagePathAnnotation, a.set.inPackage})
		}
		if _, err := w.run.Add(printer.Print(a.set.Set, a.variant, annotations)); err != nil {
			w.report(a.set, Fault{Rule: RuleInvalid, Path: a.variant.from.path, Message: fmt.Sprintf("%s: %v", a.variant.from, err)})
		}
	}
	for _, s := range w.sets {
		w.run.ReportLegacy(s.summary(w.changes[s]))
		if w.config.WriteStatus {
			w.run.Guard(s.resource, func() { w.writeStatus(s) })
		}
	}
}

func (w *writer) writeStatus(s *source) {
	document, err := s.item.Document()
	if err == nil {
		var edited *values.Document
		if edited, err = WriteStatus(document); err == nil {
			if edited != document {
				s.item.Replace(edited)
			}
			return
		}
	}
	w.run.LegacyInvalid(s.resource, "status", fmt.Sprintf("%s: the status can not be written: %v", s.resource, err))
}

// place brings the additions into the order of their names, and says where each
// is stored: behind what its file holds already.
func (w *writer) place() {
	slices.SortStableFunc(w.additions, func(a, b addition) int { return strings.Compare(a.variant.Name, b.variant.Name) })
	type file struct{ inPackage, path string }
	next := map[file]int{}
	for i := range w.additions {
		a := &w.additions[i]
		a.path = strings.ReplaceAll(w.config.outputPath(a.set.resource.File), nameField, a.variant.Name)
		next[file{a.set.inPackage, a.path}] = 0
	}
	if len(w.additions) > 0 {
		for _, item := range w.run.Items() {
			resource := item.Resource()
			at := file{item.Annotation(function.PackagePathAnnotation), resource.File}
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
