package functiontest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// Facts describes findings without their sentences, one line each: severity and
// rule, resource, file, path, and then as name=value the key and the place in an
// embedded document, what was found, accepted and near, the current and the proposed
// value, the pack, tags, and the corrections that reveal it. What a finding does not have is left out; Found is
// left out where it is a sentence.
func Facts(findings []diag.Finding) []string {
	var all []string
	for i := range findings {
		all = append(all, facts(&findings[i]))
	}
	return all
}

// facts returns the facts of a finding on one line, without its sentence.
func facts(f *diag.Finding) string {
	parts := []string{string(f.Level()), f.Rule.ID}
	add := func(name string, value any) {
		text := fmt.Sprint(value)
		if strings.ContainsAny(text, " \t\n\"") {
			text = fmt.Sprintf("%q", text)
		}
		parts = append(parts, name+"="+text)
	}
	given := func(name, value string) {
		if value != "" {
			add(name, value)
		}
	}
	r := f.Resource()
	if name := r.String(); name != "" {
		parts = append(parts, strings.ReplaceAll(name, " ", "/"))
	}
	if r.File != "" {
		parts = append(parts, fmt.Sprintf("%s#%d", r.File, r.Index))
	}
	if path := f.Path(); path != "" {
		parts = append(parts, path)
	}
	if o := f.Origin; o != nil && o.Field != "" {
		given("key", f.Key)
		if o.Embedded && f.Position.Line > 0 {
			add("at", fmt.Sprintf("%d:%d", f.Position.Line, f.Position.Column))
		}
	}
	switch f.Kind {
	case diag.KindStatement, diag.KindPlaced, diag.KindAlias, diag.KindUnreadable:
	case diag.KindGot:
		add("got", f.Found)
	case diag.KindMissing:
		add("missing", f.Found)
	case diag.KindUnknown:
		add("unknown", f.Found)
	case diag.KindNotFound:
		add("no", f.Found)
	case diag.KindDuplicate:
		add("duplicate-of", fmt.Sprintf("%d:%d", f.First.Line, f.First.Column))
	}
	accepted := f.Accepted
	if strings.HasPrefix(accepted, `"`) { // names
		accepted = strings.ReplaceAll(accepted, `"`, "")
	}
	given("want", accepted)
	given("near", f.Nearest)
	if f.Current != nil {
		add("now", f.Current)
	}
	if f.Proposed != nil {
		add("propose", f.Proposed)
	}
	given("pack", f.Pack)
	for _, name := range slices.Sorted(maps.Keys(f.Tags)) {
		given(name, f.Tags[name])
	}
	return strings.Join(parts, " ")
}
