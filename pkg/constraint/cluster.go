package constraint

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

var actions = []string{"require", "conflict"}

// olderKeys are those of the spelling that the proposal of cluster constraints
// has; newer ones use the shape of generic constraints.
var olderKeys = []string{"evaluator", "rule", "message", "action"}

// clusterConstraint reads an entry of a cluster's constraints.
func (r *reader) clusterConstraint(e Entry) {
	name, value, key, ok := r.open(e, true)
	switch {
	case !ok:
	case name != typeConstraint:
		r.fail(join(strings.TrimSuffix(key, ".value"), "type"), e.Node, "got the type %q, want %s%s", short(name), typeConstraint, nearest.Hint(name, []string{typeConstraint}))
	default:
		var c *Constraint
		if isOlder(value) {
			c = r.older(value, key)
		} else {
			c = r.generic(e, value, key)
		}
		if c != nil && len(r.problems) == 0 {
			r.candidate.requirements = append(r.candidate.requirements, requirement{e, typeConstraint, c})
		}
	}
	r.report(e, "cluster constraint")
}

func isOlder(n *yaml.Node) bool {
	n = values.Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i].Value; k != "message" && slices.Contains(olderKeys, k) {
			return true
		}
	}
	return false
}

// older reads `{evaluator: {id: cel}, rule, message, action: {id: require}}`.
func (r *reader) older(value *yaml.Node, key string) *Constraint {
	n := values.Resolve(value)
	if size := compactSize(n, MaxSize); size > MaxSize {
		r.fail(key, value, "the value is larger than %d KiB, the limit of OLM", MaxSize>>10)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i].Value; slices.Contains(constraintKeys, k) {
			r.fail(join(key, k), n.Content[i], "the key %q of a generic constraint stands beside %s; use one spelling: failureMessage and cel, or evaluator, rule, message and action", k, "those of the older spelling")
			return nil
		}
	}
	fields := r.fields(n, key, olderKeys)
	rule := &Constraint{Kind: KindCEL, Key: join(key, "rule"), At: values.At(fields["rule"])}
	message := r.text(fields["message"], join(key, "message"), false)
	r.choice(fields["evaluator"], n, join(key, "evaluator"), []string{"cel"}, true)
	action := r.choice(fields["action"], n, join(key, "action"), actions, false)
	r.rule(rule, fields["rule"], n, join(key, "rule"))
	if len(r.problems) > 0 {
		return nil
	}
	rule.identify()
	if action != "conflict" {
		rule.FailureMessage = message
		return rule
	}
	c := &Constraint{Kind: KindNot, FailureMessage: message, Key: join(key, "action"), At: rule.At, Children: []*Constraint{rule}}
	c.identify()
	return c
}

// choice reads `{id: NAME}` with one of several names.
func (r *reader) choice(n, parent *yaml.Node, key string, known []string, needed bool) string {
	if values.IsNull(n) {
		if needed {
			r.fail(key, parent, "is missing; want {id: %s}", function.OneOf(known))
		}
		return known[0]
	}
	m := r.mapping(n, key, "a mapping with the key id")
	if m == nil {
		return ""
	}
	id := r.fields(m, key, []string{"id"})["id"]
	name := r.text(id, join(key, "id"), false)
	if !slices.Contains(known, name) && len(r.problems) == 0 {
		r.fail(join(key, "id"), m, "got %q, want %s%s", short(name), function.OneOf(known), nearest.Hint(name, known))
	}
	return name
}
