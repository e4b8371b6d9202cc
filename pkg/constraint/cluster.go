package constraint

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// olderFields are the fields of the spelling in the proposal of cluster constraints.
type olderFields struct {
	Evaluator *evaluatorFields `json:"evaluator" required:"true"`
	// Rule is the CEL expression, Message the text for its failure, and Action what a match means: the
	// bundle is required, or in conflict.
	Rule    string        `json:"rule" required:"true"`
	Message string        `json:"message"`
	Action  *actionFields `json:"action"`
}

// evaluatorFields names the language of the rule. There is only one.
type evaluatorFields struct {
	ID string `json:"id" required:"true" enum:"cel"`
}

// actionFields tells whether the rule must hold (require) or must not (conflict).
type actionFields struct {
	ID string `json:"id" required:"true" enum:"require,conflict"`
}

// clusterConstraint reads an entry of a cluster's constraints.
func (r *reader) clusterConstraint(e Entry) {
	defer r.finish(e)
	name, value, key, ok := r.open(e, true)
	if !ok {
		return
	}
	if name != typeConstraint {
		r.report(diag.GotName(short(name), []string{typeConstraint}), diag.Join(e.Key, "type"), e.Node)
		return
	}
	var c *Constraint
	if isOlder(value) {
		c = r.older(value, key)
	} else {
		c = r.generic(e, value, key)
	}
	if c != nil && len(r.findings) == 0 {
		r.candidate.requirements = append(r.candidate.requirements, requirement{e, typeConstraint, c})
	}
}

// olderFieldNames are the fields that only the older spelling has. Message is also a slip of
// failureMessage.
var olderFieldNames = []string{"evaluator", "rule", "action"}

// isOlder reports whether a constraint has a field of the older spelling only.
func isOlder(n *yaml.Node) bool {
	return slices.ContainsFunc(olderFieldNames, func(field string) bool { return values.Field(n, field) != nil })
}

// olderSpelling reports a constraint in the spelling of cluster constraints, in the place of one
// of a bundle or of a part of a constraint.
func (p *parser) olderSpelling(n *yaml.Node, key string) {
	var names []string
	for _, field := range append(olderFieldNames, "message") {
		if values.Field(n, field) != nil {
			names = append(names, field)
		}
	}
	action := "write cel: {rule: …}"
	if slices.Contains(names, "message") {
		action += ", and failureMessage in the place of message"
	}
	if values.Text(values.Field(n, "action", "id")) == "conflict" {
		action = "write not: {constraints: [{cel: {rule: …}}]} for the action conflict"
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	f := diag.Say("%s %s the old syntax, which only the kinds Constraint and ClusterContext accept", diag.AllOf(names), verb).Do(action)
	p.report(f, diag.Join(key, names[0]), values.Field(n, names[0]))
}

// older reads the older form of a constraint. It returns nil if the constraint has a fault.
//
//	evaluator: {id: cel}
//	rule: properties.exists(p, p.type == "olm.package")
//	message: must be a package
//	action: {id: require}
func (r *reader) older(n *yaml.Node, key string) *Constraint {
	if compactSize(n, MaxSize) > MaxSize {
		r.report(diag.Say("the value is larger than %d KiB, the limit of OLM", MaxSize>>10), key, n)
		return nil
	}
	for _, field := range append([]string{"failureMessage"}, typeKeys...) {
		if other := values.Field(n, field); other != nil {
			r.report(diag.Say("%s is the new syntax, which cannot be mixed with the old one", field).
				Do("use either failureMessage and cel, or evaluator, rule, message and action"), diag.Join(key, field), other)
			return nil
		}
	}
	var fields olderFields
	r.decode(n, key, "a map", false, &fields)
	rule := &Constraint{Kind: KindCEL, Key: diag.Join(key, "rule"), At: values.At(values.Field(n, "rule"))}
	r.rule(rule, fields.Rule, values.Field(n, "rule"), rule.Key)
	if len(r.findings) > 0 {
		return nil
	}
	rule.identify()
	if fields.Action == nil || fields.Action.ID != "conflict" {
		rule.FailureMessage = fields.Message
		return rule
	}
	c := &Constraint{Kind: KindNot, FailureMessage: fields.Message, Children: []*Constraint{rule}}
	c.identify()
	return c
}
