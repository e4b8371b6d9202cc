package manifest

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// move is a field of Capact's own files, and the field of a resource that has its content.
type move struct{ from, to string }

var (
	manifestMoves = []move{
		{"metadata.prefix", "spec.path"}, {"metadata.path", "spec.path"}, {"metadata.revision", "spec.revision"}, {"metadata.attributes", "spec.attributes"},
		{"prefix", "spec.path"}, {"path", "spec.path"}, {"revision", "spec.revision"}, {"attributes", "spec.attributes"},
		{"spec.prefix", "spec.path"},
	}
	instanceMoves = []move{{"metadata.id", "spec.id"}, {"metadata.typeRef", "spec.typeRef"}, {"id", "spec.id"}, {"typeRef", "spec.typeRef"}}
	policyMoves   = []move{
		{"interface", "spec.interface"}, {"typeInstance", "spec.typeInstance"}, {"scope", "spec.scope"}, {"metadata.scope", "spec.scope"},
		{"rules", "spec.interface.rules"}, {"spec.rules", "spec.interface.rules"}, {"spec.default", "spec.interface.default"},
	}
	moves = slices.Concat(manifestMoves, instanceMoves, policyMoves)
)

// targetOf returns the correct path of the content of a field, or "" if it is at that path already
// or the path is unknown.
func targetOf(path string) string {
	if at := slices.IndexFunc(moves, func(m move) bool { return m.from == path }); at >= 0 {
		return moves[at].to
	}
	return ""
}

// moved reports fields that are at the place where Capact's own files have them, and returns the
// fields that need no other finding. In a resource without spec, fields at the root are fields of
// spec whose line `spec:` is missing.
func (r *reader) moved(n *yaml.Node, moves []move) map[string]bool {
	said := map[string]bool{}
	at := func(path string) *yaml.Node { return values.Field(n, strings.Split(path, ".")...) }
	hasSpec := at("spec") != nil
	for _, m := range moves {
		if at(m.from) == nil || !hasSpec && !strings.HasPrefix(m.from, "metadata.") {
			continue
		}
		said[m.from] = true
		if at(m.to) != nil {
			f := diag.Say("%s is ignored, because the resource has %s", m.from, m.to).Do("remove " + m.from)
			r.findings = append(r.findings, f.In(r.origin, m.from, diag.Position{}).Of(rule.PolicyIgnoredField))
			continue
		}
		said[m.to], said["spec"] = true, true
		f := diag.Say("%s of a resource is ignored", m.from)
		if action := "move it to " + m.to; m.to != "spec.path" || strings.HasSuffix(m.from, "path") {
			f = f.Do(action)
		} else {
			f = f.Do("join it with the name of the manifest, by a dot, as " + m.to)
		}
		r.add(m.from, f)
	}
	return said
}
