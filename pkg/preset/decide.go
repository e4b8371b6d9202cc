package preset

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// decide decides what happens to each leaf, and what is recorded of it.
func (p *plan) decide() {
	var claimed trie
	for _, s := range p.sites {
		claimed.add(s.steps)
		a := p.presets[s.preset]
		if !a.isFresh && !a.hasLeaves {
			continue // it is recorded without leaves
		}
		if next, isOurs := p.leaf(a, s); isOurs {
			a.next[s.path] = next
		} else {
			p.skipped[s.path] = true
		}
	}
	for _, a := range p.presets {
		for _, path := range slices.Sorted(maps.Keys(a.recorded.Leaves)) {
			if steps, _ := parsePathText(path); !claimed.overlaps(steps) {
				if next, ok := p.settled(a, path, steps); ok {
					a.next[path] = next
				}
			}
		}
	}
}

// leaf decides what happens to a leaf of a preset. It reports false if another step has
// the leaf.
func (p *plan) leaf(a *application, s site) (next Leaf, isOurs bool) {
	now, want := p.now(s.path, s.steps), p.read.at(p.wants[0], s.steps)
	next = Leaf{Before: now, After: p.print(s.path, want), Macro: hasMacro(want)}
	was, isKnown := p.recorded(a, s)
	other, isOther := p.others[s.path]
	switch {
	case a.isReplaced: // the value is that of the upstream
	case isKnown:
		next.Before = was.Before
	case isOther:
		next.Before = other.Before
	}
	if !isKnown {
		was = other
	}
	isChanged := a.changed() && was.After != next.After
	isLeft := now == was.After || was.Macro && now != was.Before
	switch {
	case a.isFresh:
		p.set[s.path] = true
	case p.isWanted(s):
		if a.isReplaced && was.Edit != "" && was.Edit != now {
			next.Upgrade = Lost
		} else if !a.isUpgraded && (was.Upgrade == Set || was.Upgrade == Lost) {
			next.Upgrade = was.Upgrade
		}
	case !isKnown && isOther && (!a.isUpgraded || was.Edit == now):
		return Leaf{}, false
	case isKnown && was.Edit == now:
		if next.Edit = now; !a.isUpgraded {
			next.Upgrade = was.Upgrade
		} else if isChanged {
			next.Upgrade = Kept
		}
	case a.isReplaced || !isKnown && a.isUpgraded && !p.isEdited(a, s):
		p.set[s.path] = true
		if next.Upgrade = Set; was.Edit != "" {
			next.Upgrade = Lost
		}
	case isKnown && isLeft && (isChanged || !was.Macro && a.isUpgraded):
		p.set[s.path] = true
		next.Upgrade = Set
	case isKnown && isLeft && was.Macro:
		if next.After, next.Macro = was.After, true; !a.isUpgraded {
			next.Upgrade = was.Upgrade
		}
	case isKnown && now == was.Before && p.Upstream == "" && a.recorded.Upstream != "":
		next.Edit = was.Edit // a run that knows the commit decides
	default:
		if next.Edit = now; isChanged || a.isUpgraded && !a.isUntouched {
			next.Upgrade = Kept
		}
	}
	return next, true
}

// recorded returns what the selected presets recorded of a leaf.
func (p *plan) recorded(a *application, s site) (Leaf, bool) {
	if l, ok := a.recorded.Leaves[s.path]; ok {
		return l, true
	}
	l, ok := p.ours[s.path]
	return l, ok
}

// isEdited reports whether the user edited something at, above or below a leaf that the
// preset set in another form.
func (p *plan) isEdited(a *application, s site) bool {
	return slices.ContainsFunc(a.tree.overlapping(s.steps), func(steps []string) bool {
		path := pathText(steps)
		l, now := a.recorded.Leaves[path], p.now(path, steps)
		return now == l.Edit || now != l.Before && now != l.After && !l.Macro
	})
}

// isWanted reports whether a leaf is as the presets want it, over all values below.
func (p *plan) isWanted(s site) bool {
	for i := range p.nows {
		now, want := p.read.at(p.nows[i], s.steps), p.read.at(p.wants[i], s.steps)
		if !values.Equal(now, want) && !(len(p.Below) > 0 && isSame(now, want)) {
			return false
		}
	}
	return true
}

// settled decides what is recorded of a leaf that no preset would change: nothing, if the
// preset no longer sets it and it is gone.
func (p *plan) settled(a *application, path string, steps []string) (next Leaf, ok bool) {
	was, now := a.recorded.Leaves[path], p.now(path, steps)
	next = was
	switch {
	case was.Upgrade == Left && !a.isUpgraded:
		return next, now != absent
	case a.changed() && !a.covers(steps):
		next.Upgrade = Left
		return next, now != absent && !a.isReplaced
	}
	if next.After, next.Edit = now, ""; a.isReplaced {
		next.Before = now
	}
	switch {
	case a.isReplaced && was.Edit != "" && was.Edit != now:
		next.Upgrade = Lost
	case a.isUpgraded || was.Upgrade == Kept:
		next.Upgrade = ""
	}
	return next, true
}

// covers reports whether the definition of the preset is about a leaf.
func (a *application) covers(steps []string) bool {
	return a.adds.overlaps(steps) || a.removes.overlaps(dotted(strings.Join(steps, ".")))
}

// dotted splits a path at each dot, also of keys: paths of presets do not tell them apart.
func dotted(path string) []string { return strings.Split(path, ".") }
