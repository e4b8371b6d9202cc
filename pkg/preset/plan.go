package preset

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// plan is what a run does to the values of one resource, leaf by leaf.
type plan struct {
	Target
	Selection
	// own are the values of the target; nows are they over each of the values below, and
	// wants what the selected presets make of those.
	own         *yaml.Node
	nows, wants []*yaml.Node
	sites       []site
	presets     []*application
	// ours are the recorded leaves of the selected presets, others those of presets that
	// another step selects.
	ours, others map[string]Leaf
	// set are the leaves that this run sets, skipped those that another step has.
	set, skipped map[string]bool
	read         reader
}

// application is a selected preset.
type application struct {
	pack.Preset
	entry Entry
	// was is its entry in the record, nil if it is not recorded.
	was *Entry
	// recorded is what it set, if hasLeaves.
	recorded  Applied
	hasLeaves bool
	// isFresh: all of the preset is applied.
	isFresh bool
	// isUpgraded: the package or the preset changed since. isReplaced: with it, the
	// values became those of the upstream.
	isUpgraded, isReplaced bool
	// isUntouched: the upgrade cannot have changed the values, whose text is as before.
	isUntouched bool
	// tree finds recorded leaves, and next are those to record.
	tree trie
	next map[string]Leaf
	// adds and removes find what the definition of the preset is about.
	adds, removes trie
}

// changed reports whether another definition of the preset was recorded.
func (a *application) changed() bool { return a.was != nil && a.was.Hash != a.entry.Hash }

func newPlan(t Target, s Selection) (*plan, error) {
	p := &plan{Target: t, Selection: s, ours: map[string]Leaf{}, others: map[string]Leaf{}, set: map[string]bool{}, skipped: map[string]bool{}}
	var err error
	if p.own, err = t.own(); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, below := range t.below() {
		now := overlay(below, p.own)
		found, want, err := sites(now, s.Presets, len(t.Below) > 0)
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			if !known[one.path] {
				known[one.path] = true
				p.sites = append(p.sites, one)
			}
		}
		p.nows, p.wants = append(p.nows, now), append(p.wants, want)
	}
	selected := map[Entry]bool{}
	for _, preset := range s.Presets {
		a := &application{Preset: preset, entry: NewEntry(preset, s.Version), next: map[string]Leaf{}}
		if at := s.Record.find(preset, s.Known); at >= 0 {
			selected[s.Record[at]] = true
			if s.Record[at].Preset == a.entry.Preset {
				a.was = &s.Record[at]
				a.recorded, a.hasLeaves = s.Leaves[a.was.String()]
			}
		}
		a.isFresh = a.was == nil || s.Always
		for path := range a.recorded.Leaves {
			steps, _ := parsePathText(path)
			a.tree.add(steps)
		}
		walkLeaves(nil, added(preset), nil, func(at []string, _, _ *yaml.Node) { a.adds.add(at) })
		for _, path := range preset.Remove {
			a.removes.add(dotted(path.String()))
		}
		p.presets = append(p.presets, a)
	}
	for _, entry := range s.Record {
		to := p.others
		if selected[entry] {
			to = p.ours
		}
		maps.Copy(to, s.Leaves[entry.String()].Leaves)
	}
	p.judge()
	return p, nil
}

// print returns the fingerprint of a value. In a layer, null is how a value below it is
// removed.
func (p *plan) print(path string, n *yaml.Node) string {
	if len(p.Below) > 0 && isNull(n) {
		n = nil
	}
	return fingerprint(path, n)
}

// now returns the fingerprint of a leaf of the target.
func (p *plan) now(path string, steps []string) string { return p.print(path, p.read.at(p.own, steps)) }

// evidence counts leaves that show whether values were replaced: those that are at what
// was before the preset, those that are as the preset left them, and others, such as those
// at a recorded edit.
type evidence struct{ before, left, others int }

func (p *plan) evidence(leaves map[string]Leaf) evidence {
	var e evidence
	for path, l := range leaves {
		steps, _ := parsePathText(path)
		now := p.now(path, steps)
		switch {
		case l.Before == l.After || l.Edit == l.Before:
			// It shows nothing.
		case l.Edit == now:
			e.others++
		case now == l.Before:
			e.before++
		case now == l.After:
			e.left++
		default:
			e.others++
		}
	}
	return e
}

// hasMoved reports whether the package comes from another commit than it did.
func (p *plan) hasMoved(a Applied) bool {
	return p.Upstream != "" && a.Upstream != "" && a.Upstream != p.Upstream
}

// judge finds out of which presets an upgrade replaced the values.
func (p *plan) judge() {
	isReplaced := false
	for _, entry := range p.Record {
		if a, ok := p.Leaves[entry.String()]; ok && p.hasMoved(a) {
			isReplaced = isReplaced || p.evidence(a.Leaves).before > 0
		}
	}
	for _, a := range p.presets {
		if !a.hasLeaves {
			continue
		}
		// A merge takes a text as a whole.
		e := p.evidence(a.recorded.Leaves)
		a.isUntouched = len(p.At) == 0 && e.before == 0 && e.left > 0
		hasMoved := p.hasMoved(a.recorded)
		if a.isUpgraded = hasMoved || *a.was != a.entry; hasMoved {
			a.isReplaced = isReplaced
			continue
		}
		// The commit does not tell: it is unknown, or someone else upgraded the pack.
		isUnknown := p.Upstream == "" || a.recorded.Upstream == ""
		a.isReplaced = e.before > 0 && e.left == 0 &&
			(*a.was != a.entry || isUnknown && e.before > 1 && e.others == 0)
	}
}

// write edits the target.
func (p *plan) write() (*values.Document, error) {
	var next []*yaml.Node
	for i := range p.nows {
		next = append(next, settle(p.nows[i], p.wants[i], nil, func(path string) bool { return p.set[path] }))
	}
	var presets []pack.Preset
	for _, a := range p.presets {
		isWritten := slices.ContainsFunc(p.sites, func(s site) bool { return p.presets[s.preset] == a && p.set[s.path] })
		// An upgrade may have replaced the comment that lists presets.
		if a.isFresh || isWritten || a.isUpgraded {
			presets = append(presets, a.Preset)
		}
	}
	if len(presets) == 0 {
		return p.Document, nil
	}
	return p.Target.write(next, presets)
}

// leaves returns the leaves of all presets of a record. A leaf that a selected preset has
// is no longer one of another.
func (p *plan) leaves(record Record) Leaves {
	all := Leaves{}
	var taken trie
	for _, a := range p.presets {
		size := 0
		for path := range a.next {
			steps, _ := parsePathText(path)
			taken.add(steps)
			size += len(path)
		}
		if !a.isFresh && !a.hasLeaves || size > maxRecorded {
			continue
		}
		all[a.entry.String()] = Applied{cmp.Or(p.Upstream, a.recorded.Upstream), a.next}
	}
	for _, entry := range record {
		name := entry.String()
		applied, ok := p.Leaves[name]
		if !ok || slices.ContainsFunc(p.presets, func(a *application) bool { return a.entry == entry }) {
			continue
		}
		applied.Leaves = maps.Clone(applied.Leaves)
		maps.DeleteFunc(applied.Leaves, func(path string, _ Leaf) bool {
			steps, _ := parsePathText(path)
			return taken.overlaps(steps)
		})
		all[name] = applied
	}
	return all
}

// report says what differs from the presets in a document that was written, and what the
// last upgrade did.
func (p *plan) report(t Target) (edited []string, upgraded []Change, err error) {
	kept, seen := map[string]bool{}, map[string]bool{}
	for _, a := range p.presets {
		for _, path := range slices.Sorted(maps.Keys(a.next)) {
			if l := a.next[path]; l.Upgrade != "" {
				steps, _ := parsePathText(path)
				upgraded = append(upgraded, Change{a.Preset, strings.Join(steps, "."), l.Upgrade, steps})
				kept[path] = l.Upgrade == Kept
			}
		}
	}
	own, err := t.own()
	if err != nil {
		return nil, nil, err
	}
	for _, below := range t.below() {
		now := overlay(below, own)
		want, err := outcome(now, p.Presets)
		if err != nil {
			return nil, nil, err
		}
		walkLeaves(now, want, nil, func(at []string, a, b *yaml.Node) {
			// A macro that a preset adds becomes a value in a later step. That is not an edit.
			path, shown := pathText(at), strings.Join(at, ".")
			if !hasMacro(b) && !(below != nil && isSame(a, b)) && !kept[path] && !p.skipped[path] && !seen[shown] {
				seen[shown] = true
				edited = append(edited, shown)
			}
		})
	}
	return edited, upgraded, nil
}
