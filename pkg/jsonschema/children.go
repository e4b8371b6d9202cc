package jsonschema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
)

// judgeMembers judges the members of an object.
func (w *walk) judgeMembers(s *schema, v *value, out *report, judged marks) bool {
	ok := true
	if v.kind != object || len(s.subs) == 0 {
		return ok
	}
	names, additional := s.sub("propertyNames"), s.sub("additionalProperties")
	for i := range v.children {
		c := &v.children[i]
		if !w.spend(1+len(c.name)/1000) || w.isDone(ok, out) {
			break
		}
		sub, known := s.properties[c.name]
		ok = (!known || w.judgeChild(sub, v, i, out)) && ok
		for at, p := range s.patterns {
			if w.spend(1+p.size*(1+len(c.name))/100) && p.MatchString(c.name) {
				known = true
				ok = w.judgeChild(s.subs["patternProperties"][at].schema, v, i, out) && ok
			}
		}
		if names != nil {
			ok = w.judgeKey(names, c, out) && ok
		}
		switch {
		case known || additional != nil && !additional.refusesAll:
			ok = (known || w.judgeChild(additional, v, i, out)) && ok
			judged.add(i)
		case additional != nil:
			ok = false
			w.refuseMember(s, v, i, out)
		}
	}
	return ok
}

// judgeKey judges a key by propertyNames.
func (w *walk) judgeKey(s *schema, c *child, out *report) bool {
	still, found := w.still, out.newBranch()
	w.still = 0
	ok := w.judge(s, &value{node: c.key, kind: text, text: c.name}, found, nil)
	w.still = still
	if found != nil {
		for _, v := range found.all {
			v.Message = "key " + quote(c.name) + ": " + v.Message
			out.add(v)
		}
	}
	return ok
}

// maxHinted is the longest key that gets a hint.
const maxHinted = 64

// refuseMember reports a member that an object may not have, where its key is.
func (w *walk) refuseMember(s *schema, v *value, i int, out *report) {
	c, message, hint := &v.children[i], notAllowed, ""
	if out.isFull() {
		return
	}
	known := slices.Sorted(maps.Keys(s.properties))
	if len(c.name) <= maxHinted && w.spend(len(known)) {
		hint = nearest.Hint(c.name, known)
	}
	accepted := shorten(known, quote)
	if message += hint; hint == "" && len(accepted) > 0 {
		message += ". Available: " + strings.Join(accepted, ", ")
	}
	w.path = append(w.path, v.step(i))
	w.refuse(out, &value{node: c.key, kind: c.value.kind}, s.at.below("additionalProperties"), Violation{Keyword: "additionalProperties", Accepted: diag.OneOf(accepted), Message: message})
	w.path = w.path[:len(w.path)-1]
}

// judgeElements judges the elements of an array.
func (w *walk) judgeElements(s *schema, v *value, out *report, judged marks) bool {
	ok := true
	if v.kind != array || len(s.subs) == 0 {
		return ok
	}
	first, others, contains, found := s.subs["prefixItems"], s.sub("items"), s.sub("contains"), 0
	for i := range v.children {
		if !w.spend(1) || w.isDone(ok, out) {
			return ok
		}
		sub := others
		if i < len(first) {
			sub = first[i].schema
		}
		if sub != nil {
			ok = w.judgeChild(sub, v, i, out) && ok
			judged.add(i)
		}
		if contains != nil && w.judgeChild(contains, v, i, nil) {
			found++
			judged.add(i)
		}
	}
	if contains == nil || found >= s.minContains && found <= s.maxContains {
		return ok
	}
	want := "a list with an item that matches contains"
	if s.maxContains < maxCount {
		want = fmt.Sprintf("a list with %d to %d items that match contains", s.minContains, s.maxContains)
	} else if s.minContains > 1 {
		want = fmt.Sprintf("a list with at least %d items that match contains", s.minContains)
	}
	return w.refuse(out, v, s.at.below("contains"), Violation{Keyword: "contains", Accepted: want, Message: "must be " + want})
}
