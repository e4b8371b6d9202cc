package function

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/place"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
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
	// item is the index of the item; -1 for the functionConfig.
	item int
	// field is that of the embedded text that has the name; "" for none.
	field string
	// path leads to the name in the text, and right is its path with the right name.
	path, right string
	isKey       bool
	got, want   string
}

func (r repair) String() string { return fmt.Sprintf("%q is corrected to %q", r.got, r.want) }

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
		again := runOnce(f, t.list).findings()
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
	repairs []repair
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
	before := len(t.repairs)
	for i := range found {
		f := &found[i]
		if len(t.repairs) == maxRepairs {
			break
		}
		if !isRepairable(*f) || t.repaired[identity(f)] {
			continue
		}
		index, ok := t.at[f.Resource()]
		if !ok {
			continue
		}
		r := repair{item: index, path: f.Path(), want: f.Nearest}
		if f.Origin.Embedded {
			r.field, r.path = f.Origin.Field, f.Key
		}
		all := []repair{r}
		if version, kind, isBoth := strings.Cut(f.Nearest, " "); isBoth && r.path == "apiVersion" {
			all = []repair{{item: index, path: r.path, want: version}, {item: index, path: "kind", want: kind}}
		}
		for _, r := range all {
			if ok := t.apply(&r, f.Kind == diag.KindUnknown); ok {
				t.repairs = append(t.repairs, r)
				t.repaired[identity(f)] = true
			}
		}
	}
	return len(t.repairs) > before
}

// isRepairable reports whether a finding may be about a name that is misspelt with one
// candidate. Nothing follows from the values of packs.
func isRepairable(f diag.Finding) bool {
	isOfValues := strings.HasPrefix(f.Rule.ID, "values/") || strings.HasPrefix(f.Rule.ID, "macro/")
	isName := f.Nearest != "" && !strings.ContainsAny(f.Nearest[:1], "0123456789") // not a quantity
	return f.Severity == diag.Error && isName && !f.IsAmbiguous && f.Origin != nil && !isOfValues
}

// apply writes a correction into the copy.
func (t *trial) apply(r *repair, mayBeKey bool) (done bool) {
	if r.item == configIndex {
		return r.field == "" && r.inTree(t.list.Config(), mayBeKey)
	}
	item := t.list.Items[r.item]
	document, err := item.Document()
	if err != nil {
		return false
	}
	before := item.Resource()
	if r.field == "" {
		text, ok := r.inText(document.Text(), document.Root(), mayBeKey)
		if !ok {
			return false
		}
		item = list.FileItem([]byte(text), before.File, before.Index).InPackage(before.PackagePath)
	} else {
		n, _ := place.Find(document.Root(), r.field)
		if n == nil || n.Kind != yaml.ScalarNode {
			return false
		}
		embedded := embeddedRoot(n.Value)
		if embedded == nil {
			return false
		}
		text, ok := r.inText(n.Value, embedded, mayBeKey)
		if !ok {
			return false
		}
		if document, err = document.ReplaceScalars(values.ScalarEdit{Node: n, Text: text}); err != nil {
			return false
		}
		item = list.FileItem([]byte(document.Text()), before.File, before.Index).InPackage(before.PackagePath)
	}
	if item.Fault() != "" {
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

// embeddedRoot returns the root of an embedded text, nil if it cannot be read. JSON may have
// one wrong comma: what else is there is at the same place without it.
func embeddedRoot(text string) *yaml.Node {
	document, err := values.Parse(text)
	if err == nil {
		return document.Root()
	}
	var fault *values.SyntaxError
	if root, _, err := values.ReadJSON(text); err == nil || !errors.As(err, &fault) || fault.Repaired == "" {
		return root
	}
	root, _, _ := values.ReadJSON(fault.Repaired)
	return root
}

// inTree corrects the name in a tree.
func (r *repair) inTree(root *yaml.Node, mayBeKey bool) bool {
	n := r.target(root, mayBeKey)
	if n == nil || !has(root, n) {
		return false // an anchor is not a part of the copy
	}
	n.Value = r.want
	return true
}

// has reports whether a node is in a tree, without its aliases.
func has(root, n *yaml.Node) bool {
	return root == n || slices.ContainsFunc(root.Content, func(child *yaml.Node) bool { return has(child, n) })
}

// inText corrects the name in the text of a document, if it is written as it reads.
func (r *repair) inText(text string, root *yaml.Node, mayBeKey bool) (string, bool) {
	n := r.target(root, mayBeKey)
	if n == nil || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return "", false
	}
	at := values.NewLines(text).Offset(values.At(n))
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at++
	}
	rest, ok := strings.CutPrefix(text[min(at, len(text)):], n.Value)
	if !ok {
		return "", false
	}
	return text[:at] + r.want + rest, true
}

// target returns the key or the value that is misspelt, and completes the correction; nil
// where neither is.
func (r *repair) target(root *yaml.Node, mayBeKey bool) *yaml.Node {
	n, key := place.Find(root, r.path)
	r.right = r.path
	switch {
	case mayBeKey && key != nil && nearest.IsMisspelt(key.Value, r.want):
		r.isKey, r.got, r.right = true, key.Value, beside(r.path, r.want)
		if other, _ := place.Find(root, r.right); other != nil {
			return nil // both are there
		}
		return key
	case n == nil || n.Kind != yaml.ScalarNode:
		return nil
	case nearest.IsMisspelt(n.Value, r.want):
		r.got = n.Value
		return n
	}
	if group, version, ok := strings.Cut(n.Value, "/"); ok && nearest.IsMisspelt(group, r.want) {
		r.got, r.want = n.Value, r.want+"/"+version
		return n
	}
	return nil
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
	for i := len(t.repairs) - 1; ok && i >= 0; i-- {
		switch r := &t.repairs[i]; {
		case !r.isKey || r.item != index:
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
	return ok && (f.Kind == diag.KindUnknown || f.Kind == diag.KindNotFound) && slices.ContainsFunc(t.repairs, func(r repair) bool {
		return r.item == index && (f.Origin.Embedded && r.field == f.Origin.Field && r.path == f.Key || r.field == "" && r.path == f.Path())
	})
}

// reason says which corrections reveal a finding: the nearest one of its resource, or all.
func (t *trial) reason(f *diag.Finding) string {
	from := t.repairs
	if index, ok := t.at[f.Resource()]; ok {
		own := slices.DeleteFunc(slices.Clone(from), func(r repair) bool { return r.item != index })
		if len(own) > 0 {
			from = own
		}
		around := slices.DeleteFunc(slices.Clone(from), func(r repair) bool {
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
