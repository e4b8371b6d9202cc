package jsonschema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// judgeReferences judges by what references lead to: a dynamic one to its anchor in
// the outermost resource that has it.
func (w *walk) judgeReferences(s *schema, v *value, out *report, judged marks) bool {
	ok := true
	for _, r := range s.refs {
		to := r.to
		if r.dynamic != "" && w.spend(len(w.scopes)/10) {
			outermost := slices.IndexFunc(w.scopes, func(in *resource) bool { return in.dynamic[r.dynamic] })
			if outermost >= 0 {
				to = w.scopes[outermost].anchors[r.dynamic]
			}
		}
		ok = w.judge(to, v, out, judged) && ok
	}
	return ok
}

// judgeInPlace judges by the schemas that are about v itself.
func (w *walk) judgeInPlace(s *schema, v *value, out *report, judged marks) bool {
	if len(s.subs) == 0 {
		return true
	}
	ok := true
	for _, sub := range s.subs["allOf"] {
		ok = w.judge(sub.schema, v, out, judged) && ok
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		if len(s.subs[keyword]) > 0 {
			ok = w.judgeChoice(keyword, s, v, out, judged) && ok
		}
	}
	if not := s.sub("not"); not != nil && w.judge(not, v, nil, nil) {
		ok = w.refuse(out, v, s.at.below("not"), Violation{Keyword: "not", Message: notAllowed})
	}
	if test := s.sub("if"); test != nil {
		branch := "else"
		if w.judge(test, v, nil, judged) {
			branch = "then"
		}
		ok = w.judge(s.sub(branch), v, out, judged) && ok
	}
	for _, keyword := range [...]string{"dependencies", "dependentSchemas"} {
		for _, sub := range s.subs[keyword] {
			if w.spend(1) && v.kind == object && v.child(sub.name) != nil {
				ok = w.judge(sub.schema, v, out, judged) && ok
			}
		}
	}
	return ok
}

// judgeChoice judges by the schemas of anyOf or oneOf. If none matches, it reports
// what the closest one does not allow.
func (w *walk) judgeChoice(keyword string, s *schema, v *value, out *report, judged marks) bool {
	all, depth := s.subs[keyword], len(w.path)
	var matched, types []string
	closest, at := &report{}, 0
	for i, sub := range all {
		branch := out.newBranch()
		if w.judge(sub.schema, v, branch, judged) {
			matched = append(matched, keyword+"/"+sub.name)
			if keyword == "anyOf" && judged == nil || keyword == "oneOf" && len(matched) > 1 {
				break
			}
		} else if !out.isFull() && w.err == nil {
			if first := branch.all[0]; first.Keyword == "type" && len(first.Path) == depth {
				types = append(types, first.Accepted)
			}
			if len(closest.all) == 0 || branch.distance(depth) < closest.distance(depth) {
				closest, at = branch, i
			}
		}
	}
	found := Violation{Keyword: keyword}
	switch {
	case w.err != nil || len(matched) == 1 || len(matched) > 0 && keyword == "anyOf":
		return true
	case out.isFull():
		return false
	case len(matched) > 0:
		found.Accepted = "exactly one schema of oneOf"
		found.Message = "matches " + strings.Join(matched, " and ") + ", but must match " + found.Accepted
	case len(types) == len(all):
		found.Accepted = diag.OneOf(shorten(types, strings.Clone))
		found.Message = fmt.Sprintf("must be %s, got %s (%s)", found.Accepted, withArticle(v.kind.String()), keyword)
	default:
		found.Accepted = "a schema of " + keyword
		found.Message = fmt.Sprintf("matches no schema of %s. The closest is %s/%d: %s", keyword, keyword, at, closest.all[0].below(depth))
		if more := len(closest.all) - 1; more > 0 {
			found.Message += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return w.refuse(out, v, s.at.below(keyword), found)
}

// below returns the message of a violation below a value that has a path of this
// length.
func (v Violation) below(depth int) string {
	if len(v.Path) == depth {
		return v.Message
	}
	return v.Path[depth:].String() + ": " + v.Message
}

// distance says how far a value is from the schema of a report. A wrong type of the
// value itself counts most, then the values by which schemas tell objects apart.
func (r *report) distance(depth int) int {
	sum := 0
	for _, v := range r.all {
		switch {
		case v.Keyword == "type" && len(v.Path) == depth:
			sum += 10_000
		case v.Keyword == "const" || v.Keyword == "enum":
			sum += 100
		default:
			sum++
		}
	}
	return sum
}
