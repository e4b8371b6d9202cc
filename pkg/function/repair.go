package function

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/place"
	"github.com/krm-packs/functions/pkg/rule"
)

// The limits of judging on: what is beyond them is found when the user has corrected the
// rest.
const (
	// maxRounds is how often corrections may reveal faults that are corrected, too.
	maxRounds = 3
	// maxRepairs is the number of corrections of a run.
	maxRepairs = 100
	// maxRepairable is the number of findings above which nothing is corrected.
	maxRepairable = 1000
)

// repair is the correction of a name that is misspelt with one candidate.
type repair struct {
	diag.Edit
	// item is the index of the item; -1 for the functionConfig.
	item int
	// field is that of the embedded text that has the name; "" for none.
	field string
	// path leads to the name in the text, and right is its path with the right name.
	path, right string
	isKey       bool
	// offset is that of the name in the text of the item, and node has that in the
	// functionConfig.
	offset int
	node   *yaml.Node
	old    string
	// finding is the identity of the finding that the repair corrects.
	finding string
	isDone  bool
}

func (r *repair) String() string { return fmt.Sprintf("%q is corrected to %q", r.old, r.New) }

// judgeOn runs a function again over copies of items whose misspelt names are corrected,
// where each has one candidate, and returns its findings together with the first ones: one
// mistake does not hide the next. What only follows from a misspelt name is left out. Nothing
// of these runs is written.
func judgeOn(f *Function, l *list.List, first []diag.Finding) []diag.Finding {
	if f.Kind == "" || len(first) > maxRepairable || !slices.ContainsFunc(first, isRepairable) {
		return first
	}
	t := newTrial(l)
	found := first
	for range maxRounds {
		if len(found) > maxRepairable || !t.correct(found) {
			break
		}
		again := complete(f, t.list, runOnce(f, t.list).findings())
		if slices.ContainsFunc(again, func(f diag.Finding) bool { return f.Rule == rule.InternalPanic }) {
			break
		}
		for i := range again {
			t.asWritten(&again[i])
		}
		found = t.join(found, again, f.Mutates)
	}
	return found
}

// trial is a list in which misspelt names are corrected.
type trial struct {
	list    *list.List
	repairs []*repair
	// at are the indexes of the items by their resources, and written the resources as they
	// came by those that the corrections make of them.
	at      map[diag.Resource]int
	written map[diag.Resource]diag.Resource
	// repaired are the findings that were corrected.
	repaired map[string]bool
}

func newTrial(l *list.List) *trial {
	t := &trial{list: &list.List{}, at: map[diag.Resource]int{}, written: map[diag.Resource]diag.Resource{}, repaired: map[string]bool{}}
	t.list.CopyConfig(l)
	for _, item := range l.Items {
		if item.Added() {
			continue
		}
		if _, isTwice := t.at[item.Resource()]; !isTwice {
			t.at[item.Resource()] = len(t.list.Items)
		}
		t.list.Items = append(t.list.Items, item.AsItCame())
	}
	if l.Config() != nil {
		t.at[l.ConfigResource()] = configIndex
	}
	return t
}

const configIndex = -1

// correct corrects what findings certainly mean, and reports whether that is anything.
func (t *trial) correct(found []diag.Finding) bool {
	var all []*repair
	in := resourcesOf(t.list)
	for i := range found {
		f := &found[i]
		index, ok := t.at[f.Resource()]
		if !ok || !isRepairable(*f) || t.repaired[identity(f)] {
			continue
		}
		for _, edit := range f.Edits {
			r := &repair{Edit: edit, item: index, path: f.Path(), finding: identity(f)}
			if f.Origin.Embedded {
				r.field, r.path = f.Origin.Field, f.Key
			}
			if len(t.repairs)+len(all) < maxRepairs && r.locate(in, f) && nearest.IsMisspelt(r.old, r.New) {
				all = append(all, r)
			}
		}
	}
	// From the end of each text, where a correction moves no other one.
	last := slices.SortedStableFunc(slices.Values(all), func(a, b *repair) int { return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(b.offset, a.offset)) })
	for i, r := range last {
		isTwice := i > 0 && last[i-1].item == r.item && last[i-1].offset == r.offset && r.node == nil
		r.isDone = !isTwice && t.apply(r)
	}
	all = slices.DeleteFunc(all, func(r *repair) bool { return !r.isDone })
	for _, r := range all {
		t.repaired[r.finding] = true
	}
	t.repairs = append(t.repairs, all...)
	return len(all) > 0
}

// isRepairable reports whether a finding may be about a name that is misspelt with one
// candidate. Nothing follows from the values of packs.
func isRepairable(f diag.Finding) bool {
	isOfValues := strings.HasPrefix(f.Rule.ID, "values/") || strings.HasPrefix(f.Rule.ID, "macro/")
	isName := f.Nearest != "" && !strings.ContainsAny(f.Nearest[:1], "0123456789") // not a quantity
	return f.Severity == diag.Error && isName && !f.IsAmbiguous && len(f.Edits) > 0 && !isOfValues
}

// locate finds the name in its resource.
func (r *repair) locate(in *resources, f *diag.Finding) (ok bool) {
	if r.item == configIndex {
		n, key := place.Find(in.config, r.path)
		if r.node = n; f.Kind == diag.KindUnknown && key != nil && nearest.IsMisspelt(key.Value, r.New) {
			r.node = key
		}
		if r.node == nil || r.field != "" || !has(in.config, r.node) {
			return false // an anchor is not a part of the copy
		}
		r.old = r.node.Value
	} else {
		document := in.Document(r.item)
		at, ok := in.InResource(r.item, f.Origin, r.At)
		if document == nil || !ok {
			return false
		}
		r.offset = document.Lines().Offset(at)
		r.old = document.Text()[r.offset:document.Lines().Offset(diag.Position{Line: at.Line, Column: at.Column + r.Length})]
	}
	if r.right = r.path; f.Kind == diag.KindUnknown && beside(r.path, r.old) == r.path {
		r.isKey, r.right = true, beside(r.path, r.New)
	}
	return true
}

// has reports whether a node is in a tree, without its aliases.
func has(root, n *yaml.Node) bool {
	return root == n || slices.ContainsFunc(root.Content, func(child *yaml.Node) bool { return has(child, n) })
}

// apply writes a correction into the copy.
func (t *trial) apply(r *repair) (done bool) {
	if r.node != nil {
		r.node.Value = r.New
		return true
	}
	item := t.list.Items[r.item]
	document, err := item.Document()
	if err != nil {
		return false
	}
	before, text := item.Resource(), document.Text()
	rest, ok := strings.CutPrefix(text[min(r.offset, len(text)):], r.old)
	if !ok {
		return false // corrected
	}
	text = text[:r.offset] + r.New + rest
	if item = list.FileItem([]byte(text), before.File, before.Index).InPackage(before.PackagePath); item.Fault() != "" {
		return false
	}
	t.list.Items[r.item] = item
	if after := item.Resource(); after != before {
		came, ok := t.written[before]
		if !ok {
			came = before
		}
		t.written[after] = came
	}
	return true
}

// asWritten gives a finding about corrected items the resource and the path that the user
// has written.
func (t *trial) asWritten(f *diag.Finding) {
	if f.Origin == nil {
		return
	}
	origin := *f.Origin
	if came, ok := t.written[origin.Resource]; ok {
		origin.Resource = came
	}
	index, ok := t.at[origin.Resource]
	for _, r := range t.repairs {
		switch {
		case !ok || !r.isKey || r.item != index:
		case r.field != "" && origin.Embedded && r.field == origin.Field:
			f.Key = replaceStart(f.Key, r.right, r.path)
		case r.field == "" && origin.Embedded:
			origin.Field = replaceStart(origin.Field, r.right, r.path)
		case r.field == "":
			path := replaceStart(f.Path(), r.right, r.path)
			origin.Field = replaceStart(origin.Field, r.right, r.path)
			f.Key = strings.TrimPrefix(strings.TrimPrefix(path, origin.Field), ".")
		}
	}
	f.Origin = &origin
}

// replaceStart replaces a path at the start of another one.
func replaceStart(path, from, to string) string {
	if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
		return to + rest
	}
	return path
}

// join returns what was corrected, what is found before and after the corrections, and what
// these reveal, which says so.
func (t *trial) join(before, after []diag.Finding, mutates bool) []diag.Finding {
	known, stays := map[string]bool{}, map[string]bool{}
	for i := range before {
		known[identity(&before[i])] = true
	}
	for i := range after {
		stays[identity(&after[i])] = true
	}
	joined := slices.DeleteFunc(slices.Clone(before), func(f diag.Finding) bool {
		f.After = ""
		id := identity(&f)
		return !t.repaired[id] && !stays[id]
	})
	for _, f := range after {
		if known[identity(&f)] || f.Rule == rule.NothingToDo || mutates && f.Severity == diag.Info || t.isAbout(&f) {
			continue
		}
		if f.Origin == nil || f.Origin.Repair == "" {
			f.After = t.reason(&f)
		}
		joined = append(joined, f)
	}
	diag.Sort(joined)
	return joined
}

// isAbout reports whether a finding is about a corrected name itself.
func (t *trial) isAbout(f *diag.Finding) bool {
	index, ok := t.at[f.Resource()]
	return ok && (f.Kind == diag.KindUnknown || f.Kind == diag.KindNotFound) && slices.ContainsFunc(t.repairs, func(r *repair) bool {
		return r.item == index && (f.Origin.Embedded && r.field == f.Origin.Field && r.path == f.Key || r.field == "" && r.path == f.Path())
	})
}

// reason says which corrections reveal a finding: the nearest one of its resource, or all.
func (t *trial) reason(f *diag.Finding) string {
	from := t.repairs
	if index, ok := t.at[f.Resource()]; ok {
		own := slices.DeleteFunc(slices.Clone(from), func(r *repair) bool { return r.item != index })
		if len(own) > 0 {
			from = own
		}
		around := slices.DeleteFunc(slices.Clone(from), func(r *repair) bool {
			if r.field != "" {
				return r.field != f.Origin.Field || !diag.Overlap(parent(r.path), f.Key)
			}
			return !diag.Overlap(parent(r.path), f.Path())
		})
		if len(own) > 0 && len(around) > 0 {
			from = around
		}
	}
	if len(from) == 1 {
		return from[0].String()
	}
	return fmt.Sprintf("%s and %s", from[0], diag.Count(len(from)-1, "more correction"))
}

// identity says what a finding is about, without what its correction may change.
func identity(f *diag.Finding) string {
	r := f.Resource()
	return fmt.Sprintf("%q", []string{f.Rule.ID, r.PackagePath, r.File, fmt.Sprint(r.Index), r.APIVersion, r.Kind, r.Namespace, r.Name, f.Path(), f.Key, fmt.Sprint(f.Position.Line), cmp.Or(f.Found, fmt.Sprint(f.Kind))})
}
